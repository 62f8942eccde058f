"""From what a user gives a verb to what a program reads: designs, then frames."""

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import Design, designs
from bayesjudge.data.frames import Frame
from bayesjudge.inference.program import Data
from bayesjudge.inference.sites import Model
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
    BayesjudgeError
        If a frame was made from other data, each kind of frame with a class of its own.
    """
    verdicts = [each for each in data if not isinstance(each, Frame)]
    made = designs(*verdicts)
    given = tuple(each for each in data if isinstance(each, Frame))
    for frame in given:
        frame.demand_fit(tuple(each.layout for each in made))
    return made, frames_of(model, made, given)


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
