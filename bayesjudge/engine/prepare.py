"""From what a user gives a verb to what a program reads: designs, then frames."""

from inspect import signature

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.program import Data
from bayesjudge.engine.sites import Model
from bayesjudge.errors import JudgeKindError, UnknownProgramError, WeightError
from bayesjudge.models.framing import frames_of


def prepared_data(
    model: Model, *data: Comparisons | Design | Frame
) -> tuple[tuple[Design, ...], tuple[Frame, ...]]:
    """Lay verdicts out and find the frames of a program.

    Parameters
    ----------
    model : callable
        The program.
    *data : Comparisons, Design or Frame
        Verdicts in the program's order; frames after them.

    Returns
    -------
    designs : tuple of Design
        One a data set, with one list of items.
    frames : tuple of Frame
        As given, or the program's own.

    Raises
    ------
    JudgeKindError
        If votes and judges' verdicts stand in each other's place.
    BayesjudgeError
        If a frame was made from other data, each kind of frame with a class of its own.
    """
    verdicts = [each for each in data if not isinstance(each, Frame)]
    made = designs(*verdicts)
    demand_kinds(model, made)
    given = tuple(each for each in data if isinstance(each, Frame))
    for frame in given:
        frame.demand_fit(tuple(each.layout for each in made))
    return made, frames_of(model, made, given)


def refuse_powers(made: tuple[Design, ...], reader: str) -> None:
    """Raise where verdicts count to a power that a method does not know of.

    Parameters
    ----------
    made : tuple of Design
        The data of a fit.
    reader : str
        What reads them, for the message.

    Raises
    ------
    WeightError
        Naming the powers.
    """
    powers = [float(each.layout.power) for each in made]
    if any(power != 1.0 for power in powers):
        told = " and ".join(f"{power:g}" for power in powers)
        raise WeightError(
            f"{reader} counts each verdict once, and the designs have powers of {told}; lay the "
            "verdicts out without power=."
        )


def program_data(designs: tuple[Design, ...], frames: tuple[Frame, ...]) -> Data:
    """Give what a program reads: layouts, then frames.

    Parameters
    ----------
    designs : tuple of Design
        The verdicts.
    frames : tuple of Frame
        What else it reads.

    Returns
    -------
    tuple
        The program's arguments.
    """
    return (*(each.layout for each in designs), *frames)


def demand_kinds(model: Model, made: tuple[Design, ...]) -> None:
    """Raise where a program of judges and humans is given one for the other, or one alone.

    Parameters
    ----------
    model : callable
        A program; one of judges alone takes any verdicts.
    made : tuple of Design
        The data of a fit.

    Raises
    ------
    UnknownProgramError
        If it is no program, or data are missing.
    JudgeKindError
        If votes and judges' verdicts stand in each other's place.
    """
    if not callable(model):
        raise UnknownProgramError(
            f"A program is wanted and this is of type {type(model).__name__}; give one of "
            "bj.models, such as bj.models.sensitivity."
        )
    names = list(signature(model).parameters)[:2]
    if names != ["judges", "humans"]:
        return
    if len(made) != 2:
        raise UnknownProgramError(
            f"{model.__name__} reads judges' verdicts and votes, and {len(made)} data set(s) were "
            "given; give the verdicts of judges first, then the votes."
        )
    for name, each, human in zip(names, made, (False, True), strict=True):
        if (each.data.human != human).any():
            raise JudgeKindError(
                f"{model.__name__} reads judges, then humans, and its {name} hold "
                f"{'judges' if human else 'humans'}; give the verdicts of judges first, then the "
                'votes, which bj.read(..., kind="human") reads.'
            )
