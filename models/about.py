"""What a program says of itself, so that estimators need not know its name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame

Program = Callable[..., None]
Framing = Callable[[tuple[Design, ...]], Frame]
Kind = Literal["judges", "humans"]


@dataclass(frozen=True)
class About:
    """What a program says of itself.

    Attributes
    ----------
    reads : tuple of str
        What its data sets hold, in order; empty for one data set of anybody's verdicts.
    judgeless : tuple of int
        Places of the data sets that it reads without regard to who gave a verdict.
    score : str
        The quantity that items are ranked by.
    framing : callable, optional
        Makes its frame from the designs of a fit, where the user gives none.
    fixed_scale : callable, optional
        Its sibling whose priors have fixed scales, where its own are learned.
    directions : str, optional
        Free site of a chart: where the low-rank structure lies about its base point.
    calibration : str, optional
        Free site that people's votes alone inform, given the judges' structure.
    concave : bool
        Whether the log-density has one maximum, because log-odds are linear in the parameters.
    """

    reads: tuple[Kind, ...] = ()
    judgeless: tuple[int, ...] = ()
    score: str = "score"
    framing: Framing | None = None
    fixed_scale: Program | None = None
    directions: str | None = None
    calibration: str | None = None
    concave: bool = False


def about(program: Program) -> About:
    """Return what a program says of itself."""
    return getattr(program, "about", About())


def says(**what: object) -> Callable[[Program], Program]:
    """Make a decorator of programs that keeps what they say of themselves."""

    def mark(program: Program) -> Program:
        program.about = replace(about(program), **what)  # type: ignore[attr-defined, arg-type]
        return program

    return mark


def frames_of(
    program: Program, designs: tuple[Design, ...], given: tuple[Frame, ...]
) -> tuple[Frame, ...]:
    """Return the frames that a program reads: the user's, or its own, if it reads any."""
    framing = about(program).framing
    return given if given or framing is None else (framing(designs),)
