"""What verdicts and votes identify: ranks of designs, components, separation."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from bayesjudge.data.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.comparisons import FIRST, TIE, Comparisons
from bayesjudge.data.design import Design
from bayesjudge.data.graph import component_labels, link_graph, win_groups
from bayesjudge.data.layouts import pair_contrasts

POSITIVE = 1e-9  # of a linear programme's optimum


@dataclass(frozen=True, eq=False)
class JudgesIdentified:
    """By judge, in the order of the design's names.

    Attributes
    ----------
    connected : ndarray of bool
        Whether the judge's pairs link all items.
    cycle : ndarray of bool
        Whether some cycle of pairs has orders that do not cancel (DIAL Corollary B.1).
    in_space : ndarray of bool
        Whether rank([D_k W, z_k]) = r + 2: identified once the space of scores is known
        (Proposition B.2).
    cells : int
        Distinct judge, pair and order that were seen.
    coordinates : int
        Dimension of scores and positions, which cells must reach (Proposition B.2).
    """

    connected: BoolArray
    cycle: BoolArray
    in_space: BoolArray
    cells: int
    coordinates: int

    @property
    def alone(self) -> BoolArray:
        """Judges whose scores and position are identified by their own verdicts (Proposition 1)."""
        return self.connected & self.cycle


@dataclass(frozen=True, eq=False)
class HumansIdentified:
    """What votes identify.

    Attributes
    ----------
    dimension, rank : int
        Directions of the calibration space, and how many the votes tell apart (Condition 4).
    component : ndarray of int, shape (n_items,)
        Groups of items that votes link; items without votes are groups of their own.
    voted : ndarray of bool, shape (n_items,)
        Items with votes.
    finite_alone : bool
        Whether wins lead from every item to every other (Ford): votes alone have an estimate.
    separated : bool
        Whether some direction of the space predicts every vote, so that calibration is infinite.
    """

    dimension: int
    rank: int
    component: IntArray
    voted: BoolArray
    finite_alone: bool
    separated: bool


def judges_identified(of: Design, space: FloatArray) -> JudgesIdentified:
    """Say of each judge what its verdicts identify.

    Parameters
    ----------
    of : Design
        The judges' verdicts.
    space : ndarray, shape (n_items, r + 1)
        Basis W of the scores' space.

    Returns
    -------
    JudgesIdentified
        DIAL Propositions 1 and B.2, Corollary B.1.
    """
    judge, first, second = _cells(of)
    n_items, n_judges, width = len(of.items), of.data.n_judges, space.shape[1]
    found = [_judge_ranks(first[judge == k], second[judge == k], space) for k in range(n_judges)]
    scores, both, inside = np.array(found).T
    return JudgesIdentified(
        connected=scores == n_items - 1,
        cycle=both > scores,
        in_space=inside == width + 1,
        cells=len(judge),
        coordinates=width * (n_judges + n_items - width - 1) + n_judges,
    )


def humans_identified(of: Design, space: FloatArray) -> HumansIdentified:
    """Say what votes identify in a space of calibration.

    Parameters
    ----------
    of : Design
        The votes, over all items of the fit.
    space : ndarray, shape (n_items, d)
        Basis M of the calibration's space.

    Returns
    -------
    HumansIdentified
        DIAL Proposition 2, Condition 4, Theorem C.5.
    """
    _, first, second = _cells(of)
    n_items = len(of.items)
    contrast = pair_contrasts(first, second, n_items) @ space
    voted = np.isin(np.arange(n_items), np.concatenate([first, second]))
    return HumansIdentified(
        dimension=space.shape[1],
        rank=int(np.linalg.matrix_rank(contrast)),
        component=component_labels(link_graph(first, second, n_items)),
        voted=voted,
        finite_alone=bool(voted.all() and win_groups(_counted(of)).max() == 0),
        separated=_separated(of, space),
    )


def _judge_ranks(first: IntArray, second: IntArray, space: FloatArray) -> tuple[int, int, int]:
    """Ranks of D, [D, z] and [D W, z]; shown first to second, the order column is one."""
    if not len(first):
        return 0, 0, 0
    contrast, order = pair_contrasts(first, second, len(space)), np.ones(len(first))
    parts = (
        contrast,
        np.column_stack([contrast, order]),
        np.column_stack([contrast @ space, order]),
    )
    return tuple(int(np.linalg.matrix_rank(part)) for part in parts)  # type: ignore[return-value]


def _cells(of: Design) -> tuple[IntArray, IntArray, IntArray]:
    """Distinct judge, first and second item of the rows that count, by the design's items."""
    index = np.array([of.items.index(name) for name in of.data.items])
    rows = of.weight > 0
    table = np.column_stack(
        [of.data.judge[rows], index[of.data.first[rows]], index[of.data.second[rows]]]
    )
    judge, first, second = np.unique(table, axis=0).T
    return judge, first, second


def _counted(of: Design) -> Comparisons:
    return of.data.select(of.weight > 0)


def _separated(of: Design, space: FloatArray) -> bool:
    """Whether some c in the space ranks no vote's loser above its winner, and some below."""
    data = _counted(of)
    index = np.array([of.items.index(name) for name in data.items])
    contrast = pair_contrasts(index[data.first], index[data.second], len(of.items)) @ space
    sign = np.where(data.verdict == FIRST, 1.0, -1.0)[:, None]
    ties = contrast[data.verdict == TIE]
    won = np.unique((sign * contrast)[data.verdict != TIE], axis=0)
    equal = {"A_eq": ties, "b_eq": np.zeros(len(ties))} if len(ties) else {}
    if not len(won):
        return False
    found = linprog(
        -won.sum(axis=0), A_ub=-won, b_ub=np.zeros(len(won)), bounds=(-1.0, 1.0), **equal
    )
    return bool(-found.fun > POSITIVE)
