"""Whether chains agree: R-hat, effective sample sizes and divergences of every named quantity."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesjudge.errors import NotConvergedError

MAX_R_HAT = 1.01


MIN_ESS = 400.0


MAX_DIVERGING = 0.001  # share of draws; a handful in thousands moves no interval


@dataclass(frozen=True)
class Convergence:
    """The worst diagnostics over all scalar quantities.

    Attributes
    ----------
    r_hat : float
        Largest rank-normalised split R-hat.
    ess_bulk, ess_tail : float
        Smallest effective sample sizes of the bulk and of the 5 % tails.
    divergences : int
        Divergent transitions after warm-up.
    draws : int
        Draws in all chains.
    worst : str
        The quantity with the largest R-hat.
    """

    r_hat: float
    ess_bulk: float
    ess_tail: float
    divergences: int
    draws: int
    worst: str

    @property
    def reached(self) -> bool:
        """Whether every criterion is met."""
        return (
            self.r_hat < MAX_R_HAT
            and min(self.ess_bulk, self.ess_tail) > MIN_ESS
            and self.divergences <= MAX_DIVERGING * self.draws
        )


def convergence(
    quantities: dict[str, NDArray[np.float64]],
    names: dict[str, list[str]],
    diverging: NDArray[np.bool_],
) -> Convergence:
    """Diagnose chains by their named quantities, which are identified where parameters need not be.

    Parameters
    ----------
    quantities : dict of str to ndarray, shape (chains, draws, ...)
        Draws of each quantity.
    names : dict of str to list of str
        Names of each quantity's scalars, in flattened order.
    diverging : ndarray of bool, shape (chains, draws)
        Divergent transitions.

    Returns
    -------
    Convergence
        The worst of each diagnostic.
    """
    from arviz_stats.base import array_stats  # a second to import, so only when needed

    varying, draws = _varying_columns(quantities, names)
    axes = {"chain_axis": 0, "draw_axis": 1}
    r_hat = array_stats.rhat(draws, **axes)
    bulk = array_stats.ess(draws, method="bulk", **axes)
    tail = array_stats.ess(draws, method="tail", prob=(0.05, 0.95), **axes)
    return Convergence(
        float(r_hat.max()),
        float(bulk.min()),
        float(tail.min()),
        int(diverging.sum()),
        diverging.size,
        varying[int(r_hat.argmax())],
    )


def demand_convergence(found: Convergence) -> None:
    """Raise where chains do not agree.

    Parameters
    ----------
    found : Convergence
        What `convergence` found.

    Raises
    ------
    NotConvergedError
        With what to do next.
    """
    if found.reached:
        return
    raise NotConvergedError(
        f"The chains did not converge (R-hat {found.r_hat:.3f} at {found.worst}, smallest "
        f"effective sample size {min(found.ess_bulk, found.ess_tail):.0f}, {found.divergences} "
        f"divergences in {found.draws} draws): {_advice(found)}, or pass check=False to look at "
        "the draws."
    )


def _advice(found: Convergence) -> str:
    if found.divergences > MAX_DIVERGING * found.draws:
        return "raise target_accept (0.99) or use a program with fewer terms"
    if found.r_hat >= MAX_R_HAT:
        return (
            "run longer (warmup=2000, draws=2000) and see bj.diagnose(...) for what is identified"
        )
    return "ask for more draws"


def _varying_columns(
    quantities: dict[str, NDArray[np.float64]], names: dict[str, list[str]]
) -> tuple[list[str], NDArray[np.float64]]:
    """Flatten quantities to (chains, draws, n); what never varies has no R-hat and is left out."""
    flat = [value.reshape(*value.shape[:2], -1) for value in quantities.values()]
    draws = np.concatenate(flat, axis=-1)
    every = [name for quantity in quantities for name in names[quantity]]
    varies = np.ptp(draws, axis=(0, 1)) > 0
    return [name for name, kept in zip(every, varies, strict=True) if kept], draws[..., varies]
