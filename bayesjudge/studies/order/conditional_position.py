r"""Position effects from matched swaps alone, by the exact conditional likelihood.

In a group m of verdicts on the same two answers, let :math:`z_{mt}` be one if verdict t chose one
of them, and let :math:`o_{mt}` be +1 where it was shown first and -1 where second. The model is

.. math:: \operatorname{logit} P(z_{mt} = 1) = \alpha_m + \beta o_{mt},

with the quality of the answers in :math:`\alpha_m`. Given :math:`T_m = \sum_t z_{mt}`, the quality
cancels, and the number j of choices where the answer was shown first has the distribution

.. math:: P_\beta(j \mid T) = \frac{\binom{n_+}{j} \binom{n_-}{T - j} e^{\beta (2j - T)}}
          {\sum_i \binom{n_+}{i} \binom{n_-}{T - i} e^{\beta (2i - T)}}

(OSCAR eq. D2, where the sum runs over configurations; those of equal j are equally likely).
"""

from dataclasses import dataclass, fields

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.intervals import demand_level, level_words, normal_half_width
from bayesjudge.data.comparisons import FIRST, TIE, Comparisons
from bayesjudge.errors import FractionalCountError
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of
from bayesjudge.studies.order.swaps import SwapGroups, swap_groups

UNITS = {
    "position": unit_of("position"),
    "standard_error": unit_of("position"),
    "net_first_preference": unit_of("net_first_preference"),
}


@dataclass(frozen=True, eq=False)
class SwapCounts:
    """The four counts of each group that the conditional likelihood uses, without ties.

    Attributes
    ----------
    shown_first, shown_second : ndarray of int, shape (n_groups,)
        Verdicts that showed the group's item first, and second (n+ and n-).
    chosen_first, chosen_second : ndarray of int, shape (n_groups,)
        How many of these chose the item.
    """

    shown_first: IntArray
    shown_second: IntArray
    chosen_first: IntArray
    chosen_second: IntArray

    @property
    def chosen(self) -> IntArray:
        """T: how often the item was chosen in all, shape (n_groups,)."""
        return self.chosen_first + self.chosen_second

    @property
    def statistic(self) -> IntArray:
        """S = 2j - T: choices of the item where shown first minus where shown second."""
        return self.chosen_first - self.chosen_second

    @property
    def informative(self) -> BoolArray:
        """Groups with information on position: both orders shown, and both answers chosen."""
        total = self.shown_first + self.shown_second
        mixed = (self.chosen > 0) & (self.chosen < total)
        return mixed & (self.shown_first > 0) & (self.shown_second > 0)

    @property
    def separated(self) -> bool:
        """Whether choices follow the slot as far as they can: the maximum is at infinity."""
        highest = np.minimum(self.shown_first, self.chosen)
        lowest = np.maximum(0, self.chosen - self.shown_second)
        total = self.chosen_first
        return bool((total == highest).all() or (total == lowest).all())

    def select(self, groups: BoolArray) -> "SwapCounts":
        """Keep some groups, marked by a mask (n_groups,)."""
        return SwapCounts(*(getattr(self, field.name)[groups] for field in fields(self)))


def conditional_position(data: Comparisons, prob: float = 0.95) -> Table:
    """Estimate each judge's position effect by conditional logistic regression on matched swaps.

    Parameters
    ----------
    data : Comparisons
        The verdicts. Ties are left out first, and so are rows of unknown order.
    prob : float
        Level of the intervals.

    Returns
    -------
    Table
        One row for each judge, by name: ``position`` with ``_lower`` and ``_upper`` and
        ``standard_error`` (log-odds), ``net_first_preference`` (D = tanh(position / 2)) with its
        bounds, ``groups`` (the number of informative ones: both answers were chosen), ``separated``
        (whether the estimate is finite only through the Jeffreys correction). NaN without such
        groups.

    Raises
    ------
    NoSwapsError
        If no judge saw a pair in both orders.
    NotComparisonsError
        If the verdicts have not been read.
    FractionalCountError
        If rows stand for parts of verdicts.
    UnknownOptionError
        If the level is not a probability.

    Notes
    -----
    OSCAR, Appendix D.2. Quality has an intercept of its own in each group, so that neither scores
    nor their differences between prompts are modelled. Standard errors come from the conditional
    information, which takes the verdicts of a group as independent given its quality.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y"] * 3, "right": ["y", "x"] * 3, "winner": ["left"] * 6}
    >>> data = bj.read(table | {"prompt": ["p", "p", "q", "q", "r", "r"]})
    >>> position = bj.studies.conditional_position(data)
    >>> position[["position", "standard_error", "groups", "separated"]]
    Position from matched swaps (conditional likelihood, Jeffreys), 95 % intervals.
    position, standard_error: log-odds.
       position  standard_error  groups  separated
    0     0.973           0.873       3       True
    """
    demand_level(prob)
    groups = swap_groups(data)
    counts = swap_counts(groups)
    table = pd.DataFrame(
        {"judge": name, **_row(counts.select(groups.judge == judge), prob)}
        for judge, name in enumerate(data.judges)
    )
    caption = (
        f"Position from matched swaps (conditional likelihood, Jeffreys), {level_words(prob)}."
    )
    return Table(table, caption=caption, units=UNITS)


def swap_counts(groups: SwapGroups) -> SwapCounts:
    """Count decided verdicts by group, order and choice."""
    data, row, first = groups.data, groups.row, groups.item_first
    decided = data.verdict[row] != TIE
    chosen = first == (data.verdict[row] == FIRST)

    def number(rows: BoolArray) -> IntArray:
        weight = data.weight[row] * (decided & rows)
        return _whole(np.bincount(groups.group, weight, len(groups)))

    return SwapCounts(
        shown_first=number(first),
        shown_second=number(~first),
        chosen_first=number(first & chosen),
        chosen_second=number(~first & chosen),
    )


def _whole(counts: FloatArray) -> IntArray:
    whole = np.rint(counts)
    if (np.abs(counts - whole) > 1e-9).any():
        raise FractionalCountError(
            "Row weights of a swap group add up to fractions of verdicts, and the conditional "
            "likelihood needs whole counts; give the number of verdicts that each row stands for."
        )
    return whole.astype(np.int64)


def _row(counts: SwapCounts, prob: float) -> dict[str, object]:
    estimate = jeffreys_position(counts)
    half = normal_half_width(prob) * estimate.standard_error
    ends = {"": estimate.position, "_lower": estimate.position - half}
    ends["_upper"] = estimate.position + half
    return {
        **{f"position{end}": effect for end, effect in ends.items()},
        "standard_error": estimate.standard_error,
        **{f"net_first_preference{end}": np.tanh(effect / 2) for end, effect in ends.items()},
        "groups": estimate.groups,
        "separated": estimate.separated,
    }


@dataclass(frozen=True)
class JeffreysEstimate:
    """A position effect from matched swaps.

    Attributes
    ----------
    position : float
        Log-odds; NaN without an informative group.
    standard_error : float
        From the conditional information at the estimate, without the correction.
    groups : int
        Informative groups.
    separated : bool
        Whether the likelihood without the correction has no finite maximum.
    """

    position: float
    standard_error: float
    groups: int
    separated: bool


def conditional_log_likelihood(position: float, counts: SwapCounts) -> float:
    """Return the log-likelihood of a configuration, as in eq. (D2) and ``survival::clogit``."""
    log_weight, _ = _support(position, counts)
    return float(np.sum(position * counts.statistic - logsumexp(log_weight, axis=1)))


def conditional_cumulants(
    position: float, counts: SwapCounts
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean, variance and third central moment of S in each group, each (n_groups,)."""
    log_weight, value = _support(position, counts)
    probability = np.exp(log_weight - logsumexp(log_weight, axis=1, keepdims=True))
    mean = (probability * value).sum(axis=1)
    off = value - mean[:, None]
    return mean, (probability * off**2).sum(axis=1), (probability * off**3).sum(axis=1)


def jeffreys_position(counts: SwapCounts) -> JeffreysEstimate:
    """Maximise l_c(beta) + log I_c(beta) / 2, finite under separation too (Firth 1993)."""
    counts = counts.select(counts.informative)
    size = len(counts.chosen)
    if size == 0:
        return JeffreysEstimate(float("nan"), float("nan"), 0, False)
    position = _root(counts)
    information = float(conditional_cumulants(position, counts)[1].sum())
    return JeffreysEstimate(position, information**-0.5, size, counts.separated)


def _support(position: float, counts: SwapCounts) -> tuple[FloatArray, FloatArray]:
    """Return log-weight and value of S for each j, each (n_groups, largest n+ plus one)."""
    j = np.arange(int(counts.shown_first.max(initial=0)) + 1)
    chosen, first, second = (
        count[:, None] for count in (counts.chosen, counts.shown_first, counts.shown_second)
    )
    possible = (j <= first) & (chosen - j >= 0) & (chosen - j <= second)
    ways = _log_choose(first, j) + _log_choose(second, chosen - j)
    value = (2 * j - chosen).astype(np.float64)
    return np.where(possible, ways + position * value, -np.inf), value


def _log_choose(size: IntArray, part: IntArray) -> FloatArray:
    """Return the log of a binomial coefficient; any number where the part exceeds the size."""
    inside = np.clip(part, 0, size)
    return gammaln(size + 1.0) - gammaln(inside + 1.0) - gammaln(size - inside + 1.0)


def _root(counts: SwapCounts) -> float:
    """Find the zero of the corrected score function: positive far below, negative far above."""

    def score(position: float) -> float:
        # sum of S - E(S), plus half the third over the second cumulant
        mean, variance, third = conditional_cumulants(position, counts)
        gap = float(np.sum(counts.statistic - mean))
        return gap + 0.5 * float(third.sum() / variance.sum())

    reach = 1.0
    while score(reach) > 0 or score(-reach) < 0:
        reach *= 2
    return float(brentq(score, -reach, reach, xtol=1e-13))
