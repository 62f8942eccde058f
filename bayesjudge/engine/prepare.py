"""From what a user gives a verb to what a program reads: designs, then frames."""

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.frames import Frame
from bayesjudge.designs.variants import without_judges
from bayesjudge.engine.program import Data
from bayesjudge.engine.sites import Model
from bayesjudge.errors import JudgeKindError, UnknownProgramError, WeightError
from bayesjudge.models.about import about, frames_of


def prepared_data(
    model: Model, *data: Comparisons | Design | Frame
) -> tuple[tuple[Design, ...], tuple[Frame, ...]]:
    """Return the designs of a program's data sets, and its frames: the user's or its own."""
    made = designs(*(one for one in data if not isinstance(one, Frame)))
    demand_kinds(model, made)
    judgeless = about(model).judgeless
    made = tuple(
        without_judges(one) if place in judgeless else one for place, one in enumerate(made)
    )
    given = tuple(one for one in data if isinstance(one, Frame))
    for frame in given:
        frame.demand_fit(tuple(design.layout for design in made))
    return made, frames_of(model, made, given)


def refuse_powers(designs: tuple[Design, ...], reader: str) -> None:
    """Raise where a design has a power other than one, which a method does not support."""
    powers = [float(design.layout.power) for design in designs]
    if any(power != 1.0 for power in powers):
        shown = " and ".join(f"{power:g}" for power in powers)
        raise WeightError(
            f"{reader} counts each verdict once, and the designs have powers of {shown}; lay the "
            "verdicts out without power=."
        )


def program_data(designs: tuple[Design, ...], frames: tuple[Frame, ...]) -> Data:
    """Return what a program reads: layouts, then frames."""
    return (*(design.layout for design in designs), *frames)


def demand_kinds(model: Model, designs: tuple[Design, ...]) -> None:
    """Raise where a program of judges and humans is given one for the other, or one alone."""
    if not callable(model):
        raise UnknownProgramError(
            f"A program is wanted and this is of type {type(model).__name__}; give one of "
            "bj.models, such as bj.models.sensitivity."
        )
    kinds = about(model).reads
    if not kinds:
        return
    if len(designs) != len(kinds):
        raise UnknownProgramError(
            f"{model.__name__} reads judges' verdicts and votes, and the number of data sets given "
            "is "
            f"{len(designs)}; give the verdicts of judges first, then the votes."
        )
    for kind, design in zip(kinds, designs, strict=True):
        human = kind == "humans"
        if (design.data.human != human).any():
            raise JudgeKindError(
                f"{model.__name__} reads judges, then humans, and its {kind} hold "
                f"{'judges' if human else 'humans'}; give the verdicts of judges first, then the "
                'votes, which bj.read(..., kind="human") reads.'
            )
