"""The two fits of every ranking: a posterior, and a mode with its sandwich."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import xarray as xr

import bayesjudge as bj
from bayesjudge.errors import BayesjudgeError

if TYPE_CHECKING:
    from bayesjudge.inference.sites import Model
    from bayesjudge.report.fits import Fit

type ProgramName = Literal["sensitivity", "order_effect", "bradley_terry"]
type Ties = Literal["half", "davidson"]

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
    """

    program: ProgramName = "sensitivity"
    ties: Ties = "half"
    seed: int = 1

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
        The posterior first; then the mode with its sandwich, where there is one.
    notes : tuple of str
        Why the sandwich is missing, if it is.
    """

    by_method: "dict[str, Fit]"
    notes: tuple[str, ...] = ()

    @property
    def posterior(self) -> xr.DataTree:
        """The posterior."""
        found = next(iter(self.by_method.values()))
        assert isinstance(found, xr.DataTree)
        return found


def fit_judges(data: "bj.Comparisons | bj.Design", choice: Choice, tell: Tell) -> Fits:
    """Fit the judges' verdicts both ways.

    Parameters
    ----------
    data : Comparisons or Design
        The verdicts.
    choice : Choice
        Program, ties and seed.
    tell : callable
        Told of each step.

    Returns
    -------
    Fits
        Posterior of the pooled sibling, and sandwich by prompt of the plain one.

    Raises
    ------
    NotConvergedError
        If chains do not agree.
    """
    from bayesjudge.report.fits import as_covariance, method_label

    posterior = sample(choice.pooled, data, choice.seed, tell)
    tell(f"Maximising {choice.plain}, with its sandwich.")
    try:
        robust = as_covariance(bj.mode(_model(choice.plain), data))
    except BayesjudgeError as error:
        return Fits({"posterior": posterior}, (f"There is no sandwich here: {error}",))
    return Fits({"posterior": posterior, method_label(robust): robust})


def sample(name: str, data: "bj.Comparisons | bj.Design", seed: int, tell: Tell) -> xr.DataTree:
    """Sample one program's posterior.

    Parameters
    ----------
    name : str
        A program of `bayesjudge.models`.
    data : Comparisons or Design
        The verdicts.
    seed : int
        Same seed, same draws.
    tell : callable
        Told of the step.

    Returns
    -------
    DataTree
        The posterior.
    """
    tell(f"Sampling {name} (it compiles for some seconds first).")
    return bj.nuts(_model(name), data, seed=seed, progress=sys.stderr.isatty())


def _model(name: str) -> "Model":
    program: Model = getattr(bj.models, name)
    return program
