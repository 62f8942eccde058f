"""Matched swaps: the same judge asked about the same two answers in both orders."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import both_orders_by_group, combined_key
from bayesjudge.core.intervals import demand_level, level_words
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons, demand_comparisons
from bayesjudge.errors import NoSwapsError
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of

PREFERENCES = [
    f"{kind}_preference{end}" for kind in ("swap", "all") for end in ("", "_lower", "_upper")
]


@dataclass(frozen=True, eq=False, repr=False)
class SwapGroups:
    """Groups of verdicts that differ only in the order of display.

    Attributes
    ----------
    data : Comparisons
        All verdicts.
    row : ndarray of int, shape (n_rows,)
        The rows of `data` that belong to a group, group by group.
    group : ndarray of int, shape (n_rows,)
        The group of each of these rows.
    judge, prompt : ndarray of int, shape (n_groups,)
        Index of the judge and of the prompt of each group.
    item, other : ndarray of int, shape (n_groups,)
        Index of the two items; `item` has the earlier name.
    """

    data: Comparisons
    row: IntArray
    group: IntArray
    judge: IntArray
    prompt: IntArray
    item: IntArray
    other: IntArray

    def __len__(self) -> int:
        return len(self.judge)

    def __repr__(self) -> str:
        return f"SwapGroups({counted(len(self), 'group')} of {counted(len(self.row), 'verdict')})"

    @property
    def item_first(self) -> BoolArray:
        """Whether a row shows `item` first, shape (n_rows,)."""
        return self.data.first[self.row] == self.item[self.group]

    @property
    def score_by_order(self) -> FloatArray:
        """Mean score of the answer shown first (win 1, tie 1/2, loss 0), shape (n_groups, 2).

        First where `item` is shown first, then where `other` is.
        """
        place = 2 * self.group + ~self.item_first
        weight = self.data.weight[self.row]
        score = 1 - self.data.verdict[self.row] / 2
        size = 2 * len(self)
        total = np.bincount(place, weight, size)
        return (np.bincount(place, weight * score, size) / total).reshape(-1, 2)

    @property
    def first_preference(self) -> FloatArray:
        """Net first-slot preference of each group, d = AB + BA - 1, shape (n_groups,)."""
        return self.score_by_order.sum(axis=1) - 1

    @property
    def item_score(self) -> FloatArray:
        """Score of `item` averaged over the two orders, shape (n_groups,)."""
        shown_first, shown_second = self.score_by_order.T
        return (shown_first + 1 - shown_second) / 2


@dataclass(frozen=True)
class ClusteredMean:
    """A mean with its cluster-robust standard error.

    Attributes
    ----------
    value : float
        The mean; NaN of no values.
    standard_error : float
        NaN with fewer than two clusters.
    clusters : int
        Number of clusters G.
    """

    value: float
    standard_error: float
    clusters: int

    def interval(self, prob: float) -> tuple[float, float]:
        """Return the interval with the critical value of t with G - 1 degrees of freedom."""
        if self.clusters < 2:
            return float("nan"), float("nan")
        half = float(stdtrit(self.clusters - 1, 0.5 + prob / 2)) * self.standard_error
        return self.value - half, self.value + half


def clustered_mean(value: FloatArray, weight: FloatArray, cluster: IntArray) -> ClusteredMean:
    r"""Return the weighted mean of values (n,) that are dependent within clusters.

    .. math:: \widehat{\mathrm{se}}^2 = \frac{G}{G - 1} \sum_g
              \Bigl\{\sum_{m \in g} w_m (d_m - \bar d)\Bigr\}^2 \Big/ \Bigl(\sum_m w_m\Bigr)^2

    (OSCAR, Appendix C.4). With one value a cluster this is the usual standard error of a mean.
    """
    total = weight.sum()
    if total == 0:
        return ClusteredMean(float("nan"), float("nan"), 0)
    mean = float(weight @ value / total)
    code = np.unique(cluster, return_inverse=True)[1]
    sums = np.bincount(code, weight * (value - mean))
    count = len(sums)
    if count < 2:
        return ClusteredMean(mean, float("nan"), count)
    error = float(np.sqrt(count / (count - 1) * np.sum(sums**2)) / total)
    return ClusteredMean(mean, error, count)


def swap_average(data: Comparisons) -> Comparisons:
    r"""Average each exact-swap group into one record of weight one.

    The mean score y of a group's first item (by name) is a fraction and not a verdict. It is stored
    as a win of weight y and a loss of weight 1 - y, whose log loss together is that of one record
    with the score y:

    .. math:: y \log\sigma(\eta) + (1 - y) \log\{1 - \sigma(\eta)\} = y \eta - \log(1 + e^\eta)

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    Comparisons
        One or two rows for each group, for programs that count ties as half wins, such as the
        paper's J: ``bj.mode(bj.models.sensitivity, bj.design(averaged, terms=()))``. The order of
        display is unknown, since it is averaged out; lengths and covariates are not carried over.

    Raises
    ------
    NoSwapsError
        If no pair was shown in both orders.
    NotComparisonsError
        If the verdicts have not been read.

    Notes
    -----
    OSCAR Section 6.2 and Appendix D.4. The two orders count equally, however often each was shown.
    Use standard errors by prompt: ``cluster="row"`` would treat the two rows of a group, which are
    one record, as independent.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y"], "right": ["y", "x"], "winner": ["left", "tie"], "prompt": "p"}
    >>> averaged = bj.studies.swap_average(bj.read(table | {"prompt": ["p", "p"]}))
    >>> averaged.to_frame()[["item_first", "item_second", "verdict", "weight"]]
      item_first item_second verdict  weight
    0          x           y   first    0.75
    1          x           y  second    0.25
    """
    groups = swap_groups(data)
    score = groups.item_score
    weight = np.concatenate([score, 1 - score])
    verdict = np.repeat([FIRST, SECOND], len(groups))
    order = np.argsort(np.tile(np.arange(len(groups)), 2), kind="stable")
    kept = order[weight[order] > 0]
    return _records(groups, kept % len(groups), verdict[kept], weight[kept])


def _records(
    groups: SwapGroups, group: IntArray, verdict: IntArray, weight: FloatArray
) -> Comparisons:
    data, size = groups.data, len(group)
    head = groups.row[np.flatnonzero(np.diff(groups.group, prepend=-1))]
    records = Comparisons(
        items=data.items,
        judges=data.judges,
        prompts=data.prompts,
        first=groups.item[group],
        second=groups.other[group],
        verdict=verdict,
        judge=groups.judge[group],
        prompt=groups.prompt[group],
        human=data.human,
        order_known=np.zeros(size, dtype=bool),
        weight=weight,
        repeat=np.ones(size, dtype=np.int64),
        source_row=data.source_row[head[group]],
        notes=(*data.notes, "Each row is part of the average over both orders of a pair."),
        source=f"swap averages of {data.source}",
        sources=data.sources,
        kinds_stated=data.kinds_stated,
        prompts_stated=data.prompts_stated,
    )
    return records.select(np.ones(size, dtype=bool))  # only the names that still occur


def swap_groups(data: Comparisons) -> SwapGroups:
    """Find the exact-swap groups.

    A group is a judge, a prompt and an unordered pair of items that were shown in both orders. The
    paper also requires that the two texts be the same. Texts are not stored, so that groups are
    defined by judge, prompt and pair (and by the turn, if there is a covariate "turn"). If a system
    answered a prompt more than once, give the prompt a different name for each answer.

    Parameters
    ----------
    data : Comparisons
        The verdicts; rows of unknown order belong to no group.

    Returns
    -------
    SwapGroups
        The groups and their rows.

    Raises
    ------
    NoSwapsError
        If no pair was shown in both orders.
    NotComparisonsError
        If the verdicts have not been read.

    Notes
    -----
    OSCAR, Appendix C.3.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y", "x"], "right": ["y", "x", "y"], "winner": ["left"] * 3}
    >>> groups = bj.studies.swap_groups(bj.read({**table, "prompt": ["p", "p", "q"]}))
    >>> groups, groups.first_preference.tolist()
    (SwapGroups(1 group of 2 verdicts), [1.0])
    """
    known = np.flatnonzero(demand_comparisons(data).order_known)
    key = _group_keys(data)[known] if known.size else known
    both = both_orders_by_group(key, data.swapped[known])
    member = both[key]
    if not member.any():
        raise NoSwapsError(
            f"No judge saw the same two answers to a prompt in both orders in {data.source}; give "
            "verdicts on both orders, with order_known true."
        )
    return _groups(data, known[member], np.unique(key[member], return_inverse=True)[1])


def _group_keys(data: Comparisons) -> IntArray:
    turns = [np.unique(x, return_inverse=True)[1] for name, x in data.covariates if name == "turn"]
    return combined_key(data.judge, data.prompt, data.pair, *turns)


def _groups(data: Comparisons, row: IntArray, group: IntArray) -> SwapGroups:
    order = np.argsort(group, kind="stable")
    row, group = row[order], group[order]
    head = row[np.flatnonzero(np.diff(group, prepend=-1))]
    item = np.minimum(data.first[head], data.second[head])
    other = np.maximum(data.first[head], data.second[head])
    return SwapGroups(data, row, group, data.judge[head], data.prompt[head], item, other)


def swap_table(data: Comparisons, prob: float = 0.95) -> Table:
    r"""Estimate each judge's first-slot preference without a model.

    Parameters
    ----------
    data : Comparisons
        The verdicts; rows of unknown order are ignored.
    prob : float
        Level of the intervals.

    Returns
    -------
    Table
        One row for each judge, by name: ``swap_preference``, the mean over exact-swap groups of the
        score of the first slot summed over both orders, minus one; ``all_preference``, first wins
        minus second wins over all verdicts, as a share; ``_lower`` and ``_upper`` of both, from
        prompt-clustered standard errors and t critical values; ``groups`` and ``verdicts``, their
        numbers. NaN where a judge has no swaps.

    Raises
    ------
    NoSwapsError
        If no judge saw a pair in both orders.
    NotComparisonsError
        If the verdicts have not been read.
    UnknownOptionError
        If the level is not a probability.

    Notes
    -----
    .. math:: d_m = \bar Y_m^{AB} + \bar Y_m^{BA} - 1, \qquad
              \hat D_k^{\text{all}} = 2 \bar Y_k - 1

    OSCAR, Appendix C.4. `all_preference` is confounded with the quality of the answers shown first;
    `swap_preference` is not. Both average over the quality gaps in the data, and position matters
    less where a gap is large: they are closer to zero than D = tanh(position / 2), which is for
    equally good answers.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y", "x", "y"], "right": ["y", "x", "y", "x"]}
    >>> table |= {"winner": ["left", "left", "left", "tie"], "prompt": ["p", "p", "q", "q"]}
    >>> preferences = bj.studies.swap_table(bj.read(table))
    >>> preferences[["groups", "swap_preference", "all_preference"]]
    First-slot preference without a model, 95 % intervals by prompt. swap_preference,
    all_preference: difference of probabilities.
       groups  swap_preference  all_preference
    0       2            0.750           0.750
    """
    demand_level(prob)
    groups = swap_groups(data)
    table = pd.DataFrame(_row(groups, judge, prob) for judge in range(data.n_judges))
    caption = f"First-slot preference without a model, {level_words(prob)} by prompt."
    units = dict.fromkeys(PREFERENCES, unit_of("net_first_preference"))
    return Table(table, caption=caption, units=units)


def _row(groups: SwapGroups, judge: int, prob: float) -> dict[str, object]:
    data, own = groups.data, groups.judge == judge
    shown = (data.judge == judge) & data.order_known
    slot = (1 - data.verdict[shown]).astype(np.float64)  # 1, 0, -1
    ones = np.ones(int(own.sum()))
    swaps = clustered_mean(groups.first_preference[own], ones, groups.prompt[own])
    overall = clustered_mean(slot, data.weight[shown], data.prompt[shown])
    return {
        "judge": data.judges[judge],
        **_columns("swap_preference", swaps, prob),
        **_columns("all_preference", overall, prob),
        "groups": len(ones),
        "verdicts": float(data.weight[shown].sum()),
    }


def _columns(name: str, mean: ClusteredMean, prob: float) -> dict[str, float]:
    lower, upper = mean.interval(prob)
    return {name: mean.value, f"{name}_lower": lower, f"{name}_upper": upper}
