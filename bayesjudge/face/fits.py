"""The two fits of every ranking: a posterior, and a mode with its sandwich."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import xarray as xr

import bayesjudge as bj
from bayesjudge.errors import BayesjudgeError, NotConvergedError
from bayesjudge.face.spelling import as_options

if TYPE_CHECKING:
    from bayesjudge.engine.sites import Model
    from bayesjudge.fits.covariance import Covariance
    from bayesjudge.report.fits import Fit


type ProgramName = Literal["sensitivity", "order_effect", "bradley_terry"]


type Ties = Literal["half", "davidson"]


MANY_PARAMETERS = 2000


Tell = Callable[[str], None]  # told what is being done, before each long step


@dataclass(frozen=True)
class Choice:
    """Which program is fitted, and how.

    Attributes
    ----------
    program : {"sensitivity", "order_effect", "bradley_terry"}
        What judges are allowed to differ in.
    ties : {"half", "davidson"}
        Ties as half wins, or as an outcome of their own.
    seed : int
        Same seed, same draws.
    draws, warmup : int
        Draws that are kept, and draws of adaptation before them, in each chain.
    """

    program: ProgramName = "sensitivity"
    ties: Ties = "half"
    seed: int = 1
    draws: int = 1000
    warmup: int = 500

    @property
    def plain(self) -> str:
        """Name of the sibling with fixed scales, whose mode is taken."""
        return self.program + ("_davidson" if self.ties == "davidson" else "")

    @property
    def pooled(self) -> str:
        """Name of the sibling that learns scales, which is sampled."""
        return f"{self.plain}_pooled"


@dataclass(frozen=True, eq=False)
class Fits:
    """Fits of one data set, by method.

    Attributes
    ----------
    by_method : dict of str to DataTree or Covariance
        The posterior first, then the mode with its sandwich, as far as they can be had.
    notes : tuple of str
        Why one of them is missing, if it is.
    """

    by_method: "dict[str, Fit]"
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> "tuple[str, Fit]":
        """The first method and its fit."""
        return next(iter(self.by_method.items()))

    @property
    def posterior(self) -> xr.DataTree | None:
        """The posterior, where chains agree."""
        found = self.by_method.get("posterior")
        return found if isinstance(found, xr.DataTree) else None

    @property
    def robust(self) -> "Covariance | None":
        """The mode with its sandwich, where there is one."""
        from bayesjudge.report.fits import as_covariance

        found = [fit for fit in self.by_method.values() if not isinstance(fit, xr.DataTree)]
        return as_covariance(found[0]) if found else None


def fit_judges(data: "bj.Comparisons | bj.Design", choice: Choice, tell: Tell) -> Fits:
    """Fit the judges' verdicts both ways.

    Parameters
    ----------
    data : Comparisons or Design
        The verdicts.
    choice : Choice
        Program, ties and settings of the sampler.
    tell : callable
        Told of each step.

    Returns
    -------
    Fits
        Posterior of the pooled sibling, and sandwich by prompt of the plain one; one of them where
        the other cannot be had.

    Raises
    ------
    NotConvergedError
        If chains do not agree and there is no sandwich either.
    """
    posterior = _sampled(data, choice, tell)
    robust = _maximised(data, choice, tell)
    both = Fits(posterior.by_method | robust.by_method, posterior.notes + robust.notes)
    if not both.by_method:
        raise NotConvergedError(" ".join(both.notes))
    return both


def fit_humans(data: "bj.Comparisons", choice: Choice, tell: Tell) -> Fits:
    """Fit the humans' verdicts, whom the program does not tell apart.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    choice : Choice
        Ties and settings of the sampler.
    tell : callable
        Told of each step.

    Returns
    -------
    Fits
        The posterior of Bradley-Terry, or its sandwich where chains do not agree.

    Raises
    ------
    NotConvergedError
        If chains do not agree and there is no sandwich either.
    """
    alike = replace(choice, program="bradley_terry")
    posterior = _sampled(data, alike, tell)
    if posterior.by_method:
        return posterior
    robust = _maximised(data, alike, tell)
    if robust.by_method:
        return Fits(robust.by_method, posterior.notes)
    raise NotConvergedError(" ".join(posterior.notes + robust.notes))


def parameter_count(name: str, data: "bj.Comparisons | bj.Design") -> int:
    """Count the free parameters of a program.

    Parameters
    ----------
    name : str
        A program of `bayesjudge.models`.
    data : Comparisons or Design
        The verdicts.

    Returns
    -------
    int
        Length of the flat vector that is sampled.

    Examples
    --------
    >>> parameter_count("bradley_terry", bj.example_panel())
    7
    """
    from bayesjudge.designs.design import designs

    layouts = [each.layout for each in designs(data)]
    return bj.program(_model(name), *layouts).sites.size


def _sampled(data: "bj.Comparisons | bj.Design", choice: Choice, tell: Tell) -> Fits:
    """Sample the pooled sibling, or say why there is no posterior."""
    for sentence in size_sentences(data, choice):
        tell(sentence)
    shown = sys.stderr.isatty()
    try:
        found = bj.nuts(
            _model(choice.pooled),
            data,
            seed=choice.seed,
            warmup=choice.warmup,
            draws=choice.draws,
            progress=shown,
        )
    except NotConvergedError as error:
        return Fits({}, (f"There is no posterior here: {as_options(str(error))}",))
    return Fits({"posterior": found})


def size_sentences(data: "bj.Comparisons | bj.Design", choice: Choice) -> list[str]:
    """Say what is about to be sampled, and what is quicker where that may take long.

    Parameters
    ----------
    data : Comparisons or Design
        The verdicts.
    choice : Choice
        Program and ties.

    Returns
    -------
    list of str
        One sentence, and another above 2,000 parameters.
    """
    number, plain = parameter_count(choice.pooled, data), replace(choice, program="bradley_terry")
    size = f"{choice.pooled}, {number:,} parameters"
    said = [f"Sampling {size} (it compiles for some seconds first)."]
    if number > MANY_PARAMETERS and choice.program != plain.program:
        few = parameter_count(plain.pooled, data)
        said.append(
            f"So many parameters may take hours; --program bradley_terry, which takes judges as "
            f"alike, has {few:,}."
        )
    return said


def _maximised(data: "bj.Comparisons | bj.Design", choice: Choice, tell: Tell) -> Fits:
    """Take the mode of the plain sibling, or say why there is no sandwich."""
    from bayesjudge.report.fits import as_covariance, method_label

    tell(f"Maximising {choice.plain}, with its sandwich.")
    try:
        robust = as_covariance(bj.mode(_model(choice.plain), data))
    except BayesjudgeError as error:
        return Fits({}, (f"There is no sandwich here: {as_options(str(error))}",))
    return Fits({method_label(robust): robust})


def _model(name: str) -> "Model":
    program: Model = getattr(bj.models, name)
    return program
