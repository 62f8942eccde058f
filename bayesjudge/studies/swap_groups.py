"""Matched swaps: the same judge asked about the same two answers in both orders."""

from dataclasses import dataclass

import numpy as np

from bayesjudge.data.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.data.orders import both_orders_by_group, combined_key, pair_index
from bayesjudge.errors import NoSwapsError


@dataclass(frozen=True, eq=False)
class SwapGroups:
    """Groups of verdicts that differ in nothing but the order of display.

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


def swap_groups(data: Comparisons) -> SwapGroups:
    """Find the exact-swap groups.

    A group is a judge, a prompt and an unordered pair of items that were shown in both orders. The
    paper also asks that the two texts be the same. Texts are not stored here, so that judge,
    prompt and pair (and the turn, if there is a covariate "turn") are the definition: where a
    system answered a prompt more than once, give each answer's prompt a name of its own.

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
    >>> groups = swap_groups(bj.read({**table, "prompt": ["p", "p", "q"]}))
    >>> len(groups), groups.first_preference.tolist()
    (1, [1.0])
    """
    known = np.flatnonzero(demand_comparisons(data).order_known)
    key = _group_keys(data)[known] if known.size else known
    both = both_orders_by_group(key, (data.first > data.second)[known])
    member = both[key]
    if not member.any():
        raise NoSwapsError(
            f"No judge saw the same two answers to a prompt in both orders in {data.source}; swap "
            "checks need verdicts on both orders, with order_known true."
        )
    return _groups(data, known[member], np.unique(key[member], return_inverse=True)[1])


def _group_keys(data: Comparisons) -> IntArray:
    turns = [np.unique(x, return_inverse=True)[1] for name, x in data.covariates if name == "turn"]
    return combined_key(data.judge, data.prompt, pair_index(data), *turns)


def _groups(data: Comparisons, row: IntArray, group: IntArray) -> SwapGroups:
    order = np.argsort(group, kind="stable")
    row, group = row[order], group[order]
    head = row[np.flatnonzero(np.diff(group, prepend=-1))]
    item = np.minimum(data.first[head], data.second[head])
    other = np.maximum(data.first[head], data.second[head])
    return SwapGroups(data, row, group, data.judge[head], data.prompt[head], item, other)
