"""Whether chains may be relied on: the limits of their diagnostics, and what to do beyond them."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.engine.chains import Chains, SamplerSettings
from bayesjudge.engine.mixing import AXES, mixing

MAX_R_HAT = 1.01
MAX_R_HAT_ALONE = 1.05  # of one chain: two halves differ more by chance than the eight of four
MIN_ESS = 400.0
MAX_DIVERGING = 0.001  # share of draws; a handful in thousands moves no interval
MAX_SATURATED = 0.01  # share of draws; a few long trajectories cost time and nothing else
MIN_E_BFMI = 0.3  # of every chain; ArviZ's limit
HIGH_TARGET = 0.99
TO_SPARE = 1.1  # draws that are advised, over those that would just suffice
MOST_DIGITS = 12
CLOSE = 0.05  # rounding, relative to the distance from a limit
ESS = "effective sample size"
ONE_CHAIN = (
    "One chain was run: its R-hat compares the chain's halves, and whether chains from other "
    "starts agree with it was not checked."
)


@dataclass(frozen=True)
class Convergence:
    """The worst diagnostics over all scalar quantities and chains.

    Attributes
    ----------
    chains, draws : int
        Number of chains, and of draws in all of them.
    r_hat : float
        Largest rank-normalised split R-hat; that of a single chain compares its halves.
    ess_bulk, ess_tail : float
        Smallest effective sample sizes of the bulk and of the 5 % tails.
    worst, worst_bulk, worst_tail : str
        The quantities at which these three occur.
    divergences : int
        Divergent transitions after warm-up.
    saturated : int
        Transitions after warm-up whose trees reached the greatest depth allowed.
    e_bfmi : float
        Smallest estimated Bayesian fraction of missing information of a chain's energies.
    """

    chains: int
    draws: int
    r_hat: float
    worst: str
    ess_bulk: float
    worst_bulk: str
    ess_tail: float
    worst_tail: str
    divergences: int
    saturated: int
    e_bfmi: float

    @property
    def missed(self) -> "list[Criterion]":
        """The criteria that are not met."""
        return [criterion for criterion in _criteria(self) if not criterion.met]

    @property
    def reached(self) -> bool:
        """Whether every criterion is met."""
        return not self.missed

    @property
    def cautions(self) -> list[str]:
        """What to bear in mind about the draws, as sentences."""
        alone = [ONE_CHAIN] if self.chains == 1 else []
        if self.reached:
            return alone
        unreliable = (
            f"The chains did not converge ({_listed(self)}), so that intervals and ranks are not "
            "reliable."
        )
        return [unreliable, *alone]


Remedy = Callable[[Convergence, SamplerSettings], str]


@dataclass(frozen=True)
class Criterion:
    """A diagnostic, its limit, and what to do where it is missed."""

    what: str
    value: float
    limit: float
    met: bool
    place: str
    remedy: Remedy

    def __str__(self) -> str:
        shown, limit = _apart(self.value, self.limit), f"{self.limit:,.12g}"
        return f"{self.what} {shown}, limit {limit}, {self.place}"


def convergence(
    quantities: dict[str, FloatArray], names: dict[str, list[str]], chains: Chains
) -> Convergence:
    """Diagnose chains by their named quantities, which are identified where parameters need not be.

    Quantities that never vary are left out, unless none varies. Shapes: (chains, draws, ...).
    """
    from arviz_stats.base import array_stats

    found = mixing(quantities.values())
    shown = np.flatnonzero(found.varies if found.varies.any() else ~found.varies)
    every = [name for quantity in quantities for name in names[quantity]]
    worst, bulk, tail = (
        int(shown[place])
        for place in (
            found.r_hat[shown].argmax(),
            found.bulk[shown].argmin(),
            found.tail[shown].argmin(),
        )
    )
    with np.errstate(invalid="ignore"):  # a chain that stands still
        e_bfmi = np.nan_to_num(array_stats.bfmi(chains.statistics["energy"], **AXES), nan=0.0)
    return Convergence(
        chains=len(chains.phi),
        draws=len(chains.phi) * chains.draws,
        r_hat=float(found.r_hat[worst]),
        worst=every[worst],
        ess_bulk=float(found.bulk[bulk]),
        worst_bulk=every[bulk],
        ess_tail=float(found.tail[tail]),
        worst_tail=every[tail],
        divergences=int(chains.statistics["diverging"].sum()),
        saturated=int(chains.statistics["reached_max_tree_depth"].sum()),
        e_bfmi=float(e_bfmi.min()),
    )


def complaint(state: Convergence, settings: SamplerSettings, simpler: str | None = None) -> str:
    """Say which limits were missed by how much, and what to do; `simpler` is advice of the fit."""
    missed = {criterion.remedy for criterion in state.missed}
    advice = [remedy(state, settings) for remedy in CAUSES if remedy in missed]
    advice = [*advice, *([simpler] if simpler and advice else [])]
    advice = advice or [_more_draws(state, settings)]
    return (
        f"The chains did not converge ({_listed(state)}): {'; '.join(advice)}, or pass check=False "
        "to look at the draws."
    )


def _listed(state: Convergence) -> str:
    return "; ".join(map(str, state.missed))


def _criteria(state: Convergence) -> list[Criterion]:
    most = MAX_R_HAT if state.chains > 1 else MAX_R_HAT_ALONE
    return [
        _below(most, "R-hat", state.r_hat, f"at {state.worst}", _longer_run),
        _above(MIN_ESS, f"bulk {ESS}", state.ess_bulk, f"at {state.worst_bulk}", _more_draws),
        _above(MIN_ESS, f"tail {ESS}", state.ess_tail, f"at {state.worst_tail}", _more_draws),
        _rare(MAX_DIVERGING, "divergent transitions", state.divergences, state, _higher_target),
        _rare(MAX_SATURATED, "saturated trees", state.saturated, state, _deeper_trees),
        _above(MIN_E_BFMI, "E-BFMI", state.e_bfmi, "in the worst chain", _other_program),
    ]


def _below(limit: float, what: str, value: float, place: str, remedy: Remedy) -> Criterion:
    return Criterion(what, value, limit, value < limit, place, remedy)


def _above(limit: float, what: str, value: float, place: str, remedy: Remedy) -> Criterion:
    return Criterion(what, value, limit, value > limit, place, remedy)


def _rare(share: float, what: str, count: int, state: Convergence, remedy: Remedy) -> Criterion:
    limit = int(round(share * state.draws, MOST_DIGITS))
    return Criterion(what, count, limit, count <= limit, f"in {state.draws:,} draws", remedy)


def _higher_target(state: Convergence, settings: SamplerSettings) -> str:
    if settings.target_accept < HIGH_TARGET:
        return "raise target_accept (0.99) or use a program with fewer terms"
    return "use a program with fewer terms"


def _deeper_trees(state: Convergence, settings: SamplerSettings) -> str:
    return f"raise max_tree_depth ({settings.max_tree_depth + 2})"


def _other_program(state: Convergence, settings: SamplerSettings) -> str:
    return "use another program or parametrisation, such as one that learns fewer spreads"


def _longer_run(state: Convergence, settings: SamplerSettings) -> str:
    usual = SamplerSettings()
    warmup = 2 * max(settings.warmup, usual.warmup)
    draws = 2 * max(settings.draws, usual.draws)
    return (
        f"run longer (warmup={warmup}, draws={draws}) and see bj.diagnose(...) for what is "
        "identified"
    )


CAUSES = (_higher_target, _deeper_trees, _other_program, _longer_run)


def _more_draws(state: Convergence, settings: SamplerSettings) -> str:
    """Advise so many draws as would suffice at this rate of effective draws."""
    ess = max(1.0, min(state.ess_bulk, state.ess_tail))
    enough = TO_SPARE * MIN_ESS / ess * state.draws / state.chains
    return f"ask for more draws (draws={100 * ceil(enough / 100)})"


def _apart(value: float, limit: float) -> str:
    """Write a value with as many decimals as show how far it is beyond a limit."""
    texts = (f"{value:,.{digits}f}" for digits in range(MOST_DIGITS))
    near = CLOSE * abs(value - limit)
    return next(
        (text for text in texts if abs(float(text.replace(",", "")) - value) <= near), f"{value:g}"
    )
