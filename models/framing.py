"""Programs that read a frame besides verdicts, and make one of their own when none is given."""

from collections.abc import Callable

from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame

Program = Callable[..., None]


Framing = Callable[[tuple[Design, ...]], Frame]


def framed_by(framing: Framing) -> Callable[[Program], Program]:
    """Say what frame a program reads when the user gives none.

    Parameters
    ----------
    framing : callable
        From the designs of a fit to a `Frame`.

    Returns
    -------
    callable
        Decorator of a program whose last argument is the frame.
    """

    def mark(program: Program) -> Program:
        program.framing = framing  # type: ignore[attr-defined]
        return program

    return mark


def frames_of(
    program: Program, designs: tuple[Design, ...], given: tuple[Frame, ...]
) -> tuple[Frame, ...]:
    """Give the frames that a program reads.

    Parameters
    ----------
    program : callable
        A program.
    designs : tuple of Design
        The verdicts of the fit.
    given : tuple of Frame
        What the user gave.

    Returns
    -------
    tuple of Frame
        As given; else the program's own; none for programs that read verdicts alone.
    """
    framing = getattr(program, "framing", None)
    if given or framing is None:
        return given
    return (framing(designs),)
