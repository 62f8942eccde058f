"""Whether chains agree: R-hat, effective sample sizes and divergences of every named quantity."""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray
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
    quantities: dict[str, FloatArray],
    names: dict[str, list[str]],
    diverging: BoolArray,
) -> Convergence:
    """Diagnose chains by their named quantities, which are identified where parameters need not be.

    Shapes: quantities (chains, draws, ...); diverging (chains, draws).
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


def demand_convergence(state: Convergence) -> None:
    """Raise where chains do not agree."""
    if state.reached:
        return
    raise NotConvergedError(
        f"The chains did not converge (R-hat {state.r_hat:.3f} at {state.worst}, smallest "
        f"effective sample size {min(state.ess_bulk, state.ess_tail):.0f}, {state.divergences} "
        f"divergences in {state.draws} draws): {_advice(state)}, or pass check=False to look at "
        "the draws."
    )


def _advice(state: Convergence) -> str:
    if state.divergences > MAX_DIVERGING * state.draws:
        return "raise target_accept (0.99) or use a program with fewer terms"
    if state.r_hat >= MAX_R_HAT:
        return (
            "run longer (warmup=2000, draws=2000) and see bj.diagnose(...) for what is identified"
        )
    return "ask for more draws"


def _varying_columns(
    quantities: dict[str, FloatArray], names: dict[str, list[str]]
) -> tuple[list[str], FloatArray]:
    """Flatten quantities to (chains, draws, n); what never varies has no R-hat and is left out."""
    flat = [value.reshape(*value.shape[:2], -1) for value in quantities.values()]
    draws = np.concatenate(flat, axis=-1)
    every = [name for quantity in quantities for name in names[quantity]]
    varies = np.ptp(draws, axis=(0, 1)) > 0
    return [name for name, kept in zip(every, varies, strict=True) if kept], draws[..., varies]
