"""Conditional likelihood of matched swaps, which is free of quality (OSCAR)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.intervals import demand_level, level_words, normal_half_width
from bayesjudge.data.comparisons import FIRST, TIE, Comparisons
from bayesjudge.errors import FractionalCountError
from bayesjudge.report.table import Table
from bayesjudge.studies.order.swaps import SwapGroups, swap_groups


@dataclass(frozen=True, eq=False)
class SwapCounts:
    """What the conditional likelihood reads: four counts a group, without ties.

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
        """T: how often the item was chosen in all."""
        return self.chosen_first + self.chosen_second

    @property
    def statistic(self) -> IntArray:
        """S = 2j - T: choices of the item where shown first minus where shown second."""
        return self.chosen_first - self.chosen_second

    @property
    def informative(self) -> BoolArray:
        """Groups that speak of position: both orders, and both answers chosen."""
        total = self.shown_first + self.shown_second
        mixed = (self.chosen > 0) & (self.chosen < total)
        return mixed & (self.shown_first > 0) & (self.shown_second > 0)

    def select(self, groups: BoolArray) -> "SwapCounts":
        """Keep some groups.

        Parameters
        ----------
        groups : ndarray of bool, shape (n_groups,)
            True for those to keep.

        Returns
        -------
        SwapCounts
            The rest is left out.
        """
        names = ("shown_first", "shown_second", "chosen_first", "chosen_second")
        return SwapCounts(*(getattr(self, name)[groups] for name in names))


UNITS = {
    "position": "log-odds",
    "standard_error": "log-odds",
    "net_first_preference": "difference of probabilities",
}


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
        One row a judge, by name: ``position`` with ``_lower`` and ``_upper`` and
        ``standard_error`` (log-odds), ``net_first_preference`` (D = tanh(position / 2)) with its
        ends, ``groups`` (how many speak of position: decided for both answers), ``separated``
        (whether only the Jeffreys correction keeps the estimate finite). NaN without such groups.

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
    nor their differences between prompts are modelled. Errors come from the information and take
    the verdicts of a group as independent given its quality.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y"] * 3, "right": ["y", "x"] * 3, "winner": ["left"] * 6}
    >>> found = conditional_position(bj.read(table | {"prompt": ["p", "p", "q", "q", "r", "r"]}))
    >>> found[["position", "standard_error", "groups", "separated"]]
    Position from matched swaps (conditional likelihood, Jeffreys), 95 % intervals.
    position, standard_error: log-odds.
       position  standard_error  groups  separated
    0     0.973           0.873       3       True
    """
    demand_level(prob)
    groups = swap_groups(data)
    counts = swap_counts(groups)
    rows = [_row(counts.select(groups.judge == judge), prob) for judge in range(data.n_judges)]
    table = pd.DataFrame(rows)
    table.insert(0, "judge", data.judges)
    caption = (
        f"Position from matched swaps (conditional likelihood, Jeffreys), {level_words(prob)}."
    )
    return Table(table, caption=caption, units=UNITS)


def swap_counts(groups: SwapGroups) -> SwapCounts:
    """Count decided verdicts by group, order and choice.

    Parameters
    ----------
    groups : SwapGroups
        The exact-swap groups.

    Returns
    -------
    SwapCounts
        One entry a group, without ties.

    Raises
    ------
    FractionalCountError
        If the weights of a group's verdicts do not add to whole numbers.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.studies.order.swaps import swap_groups
    >>> table = {"left": ["x", "y"], "right": ["y", "x"], "winner": ["left"] * 2}
    >>> counts = swap_counts(swap_groups(bj.read(table | {"prompt": ["p", "p"]})))
    >>> counts.chosen_first.tolist(), counts.chosen_second.tolist()
    ([1], [0])
    """
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
            "Row weights add to parts of verdicts in a swap group, and the conditional likelihood "
            "counts whole ones; give weights that say how many verdicts a row stands for."
        )
    return whole.astype(np.int64)


def _row(counts: SwapCounts, prob: float) -> dict[str, object]:
    found = jeffreys_position(counts)
    half = normal_half_width(prob) * found.standard_error
    ends = np.array([found.position, found.position - half, found.position + half])
    names = ("", "_lower", "_upper")
    return {
        **{f"position{end}": x for end, x in zip(names, ends, strict=True)},
        "standard_error": found.standard_error,
        **{
            f"net_first_preference{end}": x for end, x in zip(names, np.tanh(ends / 2), strict=True)
        },
        "groups": found.groups,
        "separated": found.separated,
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
        Whether the likelihood alone has no finite maximum: in every informative group the choices
        follow the slot as far as they can.
    """

    position: float
    standard_error: float
    groups: int
    separated: bool


def conditional_log_likelihood(position: float, counts: SwapCounts) -> float:
    r"""Give the conditional log-likelihood of a position effect.

    Parameters
    ----------
    position : float
        Beta, log-odds.
    counts : SwapCounts
        The groups of one judge.

    Returns
    -------
    float
        :math:`\sum_m \log P_\beta(j_m \mid T_m)` less a constant: that of the configuration
        itself, as in eq. (D2) and in ``survival::clogit``, not of its count j.

    Examples
    --------
    Two verdicts a group leave a coin with log-odds 2 beta:

    >>> import numpy as np
    >>> one = np.array([1])
    >>> always_first = SwapCounts(one, one, one, 0 * one)
    >>> round(conditional_log_likelihood(0.5, always_first), 4)
    -0.3133
    >>> round(float(-np.log1p(np.exp(-1.0))), 4)
    -0.3133
    """
    log_weight, _ = _support(position, counts)
    return float(np.sum(position * counts.statistic - logsumexp(log_weight, axis=1)))


def conditional_cumulants(
    position: float, counts: SwapCounts
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give mean, variance and third central moment of S in each group.

    Parameters
    ----------
    position : float
        Beta, log-odds.
    counts : SwapCounts
        The groups.

    Returns
    -------
    mean, variance, third : ndarray of float, shape (n_groups,)
        The first three derivatives of the log of the denominator; the variance is the group's
        information on beta.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.array([1])
    >>> [float(x[0]) for x in conditional_cumulants(0.0, SwapCounts(one, one, one, 0 * one))]
    [0.0, 1.0, 0.0]
    """
    log_weight, value = _support(position, counts)
    probability = np.exp(log_weight - logsumexp(log_weight, axis=1, keepdims=True))
    mean = (probability * value).sum(axis=1)
    off = value - mean[:, None]
    return mean, (probability * off**2).sum(axis=1), (probability * off**3).sum(axis=1)


def jeffreys_position(counts: SwapCounts) -> JeffreysEstimate:
    r"""Estimate a position effect with the Jeffreys correction, finite under separation too.

    Parameters
    ----------
    counts : SwapCounts
        The groups of one judge.

    Returns
    -------
    JeffreysEstimate
        Estimate and standard error in log-odds; NaN without an informative group.

    Notes
    -----
    .. math:: \hat\beta = \arg\max_\beta \{\ell_c(\beta) + \tfrac12 \log I_c(\beta)\}

    OSCAR, Appendix D.2; Firth (1993). The derivative is
    :math:`\sum_m \{S_m - E_\beta(S_m)\} + \tfrac12 \sum_m \kappa_3 / \sum_m \kappa_2`.

    Examples
    --------
    With two verdicts a group and k of n groups for the first slot, the corrected log-odds of that
    coin are log((k + 1/2) / (n - k + 1/2)), and beta is half of them:

    >>> import numpy as np
    >>> one = np.ones(6, dtype=int)
    >>> estimate = jeffreys_position(SwapCounts(one, one, one, 0 * one))
    >>> round(estimate.position, 4), round(float(np.log(6.5 / 0.5)) / 2, 4), estimate.separated
    (1.2825, 1.2825, True)
    """
    counts = counts.select(counts.informative)
    size = len(counts.chosen)
    if size == 0:
        return JeffreysEstimate(float("nan"), float("nan"), 0, False)
    position = _root(counts)
    information = float(conditional_cumulants(position, counts)[1].sum())
    return JeffreysEstimate(position, information**-0.5, size, _is_separated(counts))


def _support(position: float, counts: SwapCounts) -> tuple[FloatArray, FloatArray]:
    """Log-weight and value of S for each possible j, shape (n_groups, largest n+ plus one)."""
    j = np.arange(int(counts.shown_first.max(initial=0)) + 1)
    chosen, first, second = (
        x[:, None] for x in (counts.chosen, counts.shown_first, counts.shown_second)
    )
    possible = (j <= first) & (chosen - j >= 0) & (chosen - j <= second)
    ways = _log_choose(first, j) + _log_choose(second, chosen - j)
    value = (2 * j - chosen).astype(np.float64)
    return np.where(possible, ways + position * value, -np.inf), value


def _log_choose(size: IntArray, part: IntArray) -> FloatArray:
    """Log of a binomial coefficient; anything where the part is not one of the size."""
    inside = np.clip(part, 0, size)
    return gammaln(size + 1.0) - gammaln(inside + 1.0) - gammaln(size - inside + 1.0)


def _root(counts: SwapCounts) -> float:
    """Zero of the corrected score, which is positive far below and negative far above."""

    def score(position: float) -> float:
        mean, variance, third = conditional_cumulants(position, counts)
        gap = float(np.sum(counts.statistic - mean))
        return gap + 0.5 * float(third.sum() / variance.sum())

    reach = 1.0
    while score(reach) > 0 or score(-reach) < 0:
        reach *= 2
    return float(brentq(score, -reach, reach, xtol=1e-13))


def _is_separated(counts: SwapCounts) -> bool:
    highest = np.minimum(counts.shown_first, counts.chosen)
    lowest = np.maximum(0, counts.chosen - counts.shown_second)
    total = counts.chosen_first
    return bool((total == highest).all() or (total == lowest).all())
