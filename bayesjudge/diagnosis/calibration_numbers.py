"""What judges and votes identify of DIAL's calibration, in numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import component_labels, link_graph, strong_labels
from bayesjudge.data.comparisons import Comparisons, demand_comparisons, refuse_exchanged
from bayesjudge.data.graph import display_rank, win_edges
from bayesjudge.designs.design import designs
from bayesjudge.designs.frames import Space
from bayesjudge.designs.layouts import Layout
from bayesjudge.designs.structure import DEFAULT_RANK, demand_rank, highest_rank, structure
from bayesjudge.errors import RankError

RANK_TOLERANCE = 1e-10  # singular value relative to the largest, below which it counts as zero
SEPARATION_TOLERANCE = 1e-6  # margin in a box of half-width one; the solver is good to 1e-7


@dataclass(frozen=True, eq=False)
class JudgeIdentification:
    """Which judges' scores and position effects their verdicts identify.

    Attributes
    ----------
    judges : tuple of str
        Names.
    n_items : int
        N, over all data of the fit.
    rank : int
        r, directions of disagreement.
    space_given : bool
        Whether `space_rank` is for a space that was given, not for one in general position.
    cells : ndarray of int, shape (n_judges,)
        m_k: displayed pairs that the judge saw, each order counted by itself.
    own_rank : ndarray of int, shape (n_judges,)
        rank([D_k, z_k]): item contrasts and the position column.
    space_rank : ndarray of int, shape (n_judges,)
        rank([D_k W, z_k]): the same with scores held in the shared space.
    has_position : ndarray of bool, shape (n_judges,)
        Whether any display order is known, without which a judge has no position effect.
    cycle : ndarray of bool, shape (n_judges,)
        Whether some cycle of the judge's displays has a signed order sum other than zero.
    """

    judges: tuple[str, ...]
    n_items: int
    rank: int
    space_given: bool
    cells: IntArray
    own_rank: IntArray
    space_rank: IntArray
    has_position: BoolArray
    cycle: BoolArray

    @property
    def connected(self) -> BoolArray:
        """Whether each judge's comparisons link all items, shape (n_judges,)."""
        return self.own_rank - self.cycle == self.n_items - 1

    @property
    def alone(self) -> BoolArray:
        """Judges identified from their own verdicts, shape (n_judges,): rank([D_k, z_k]) = N."""
        return self.own_rank == self.n_items - 1 + self.has_position

    @property
    def within_space(self) -> BoolArray:
        """Judges identified once the space is known, shape (n_judges,): rank r + 2."""
        return self.space_rank == self.rank + 1 + self.has_position

    @property
    def space_identified(self) -> bool:
        """Whether the space is given, or r + 1 judges identified alone span it."""
        return self.space_given or int(self.alone.sum()) > self.rank

    @property
    def through_space(self) -> BoolArray:
        """Judges identified only through the shared space, shape (n_judges,)."""
        return ~self.alone & self.within_space & self.space_identified

    @property
    def parameters(self) -> int:
        """Free parameters of all judges: (r + 1)(K + N - r - 2), and the position effects."""
        free = (self.rank + 1) * (len(self.judges) + self.n_items - self.rank - 2)
        return free + int(self.has_position.sum())

    @property
    def enough_cells(self) -> bool:
        """Whether there are as many cells as parameters, without which nothing identifies all."""
        return int(self.cells.sum()) >= self.parameters


@dataclass(frozen=True)
class CalibrationSpace:
    """What the votes identify in a space of human scores.

    Attributes
    ----------
    name : str
        Such as "consensus".
    dimension : int
        d.
    rank : int
        rank(D_h M): the number of the space's directions that the votes identify.
    separated : bool or None
        Whether the votes have no finite estimate in the space, because none contradicts some
        direction of it; None where that depends on a space that was not given.
    """

    name: str
    dimension: int
    rank: int
    separated: bool | None

    @property
    def identified(self) -> bool:
        """Whether rank(D_h M) = d (DIAL Condition 4)."""
        return self.rank == self.dimension


@dataclass(frozen=True, eq=False)
class HumanIdentification:
    """Which human scores the votes identify, by themselves and within the judges' space.

    Attributes
    ----------
    items : tuple of str
        Names, over all data of the fit.
    component : ndarray of int, shape (n_items,)
        Items with the same number are linked by votes.
    win_group : ndarray of int, shape (n_items,)
        Within a group chains of wins lead from every item to every other.
    spaces : tuple of CalibrationSpace
        The space given; or consensus, and consensus with disagreement, in general position.
    """

    items: tuple[str, ...]
    component: IntArray
    win_group: IntArray
    spaces: tuple[CalibrationSpace, ...]

    @property
    def n_components(self) -> int:
        """C_h: groups of items that votes link; an item without votes is a group of its own."""
        return int(self.component.max()) + 1

    @property
    def strongly_connected(self) -> bool:
        """Whether votes alone have a finite estimate (Ford, 1957)."""
        return bool((self.win_group == 0).all())

    @property
    def without_votes(self) -> BoolArray:
        """Items on which nobody voted, shape (n_items,)."""
        return np.bincount(self.component)[self.component] == 1

    @property
    def on_structure_alone(self) -> BoolArray:
        """Items outside the largest group that votes link, shape (n_items,).

        What sets them apart from that group comes from the judges' structure alone.
        """
        return self.component != np.argmax(np.bincount(self.component))


@dataclass(frozen=True, eq=False)
class Identification:
    """What verdicts and votes together identify.

    Attributes
    ----------
    judges : JudgeIdentification
        Of the judges' scores and position effects.
    humans : HumanIdentification
        Of the human scores.
    """

    judges: JudgeIdentification
    humans: HumanIdentification


def identification(
    judges: Comparisons,
    humans: Comparisons,
    *,
    rank: int | None = None,
    space: Space | ArrayLike | None = None,
) -> Identification:
    """Return ranks, graphs and counts that decide what a calibrated fit identifies.

    DIAL Proposition 1 and Corollary B.1 (judges alone), Proposition B.2 (through the space),
    Condition 4 and Theorem C.5 (people). In general position rank([D_k W, z_k]) is the smaller of r
    + 2 and rank([D_k, z_k]), and rank(D_h M) the smaller of d and N - C_h. A judge whose orders are
    all unknown has no position effect, and needs a rank smaller by one.

    Shapes: space (n_items, dimension), rows by item in sorted order.
    """
    prepared = designs(demand_comparisons(judges), demand_comparisons(humans))
    refuse_exchanged(judges, humans)
    layout, items = prepared[0].layout, prepared[0].items
    if space is None:
        wanted = min(DEFAULT_RANK, highest_rank(layout)) if rank is None else rank
        basis, rank = None, demand_rank(layout, wanted)
    else:
        basis = _orthonormal(space, layout)
        rank = _space_rank(basis, rank)
    return Identification(
        judge_identification(judges, items, rank, basis),
        human_identification(humans, items, rank, basis),
    )


def _orthonormal(space: Space | ArrayLike, layout: Layout) -> FloatArray:
    if not isinstance(space, Space):
        try:
            space = Space(np.asarray(space))
        except ValueError as error:
            raise RankError(
                "The rows of the space have different lengths; give a matrix with one row per item."
            ) from error
    space.demand_fit((layout,))
    return np.linalg.qr(np.asarray(space.basis, dtype=np.float64))[0]


def _space_rank(basis: FloatArray, rank: int | None) -> int:
    held = basis.shape[1] - 1
    if rank is not None and rank != held:
        raise RankError(
            f"rank is {rank!r} and the space has {held + 1} columns, one more than its rank; give "
            "the space alone."
        )
    return held


def judge_identification(
    data: Comparisons, items: tuple[str, ...], rank: int, basis: FloatArray | None = None
) -> JudgeIdentification:
    """Return the matrix ranks that decide whether judges' scores and positions are identified.

    Shapes: basis (n_items, rank + 1), orthonormal; without one, a space in general position.
    """
    own_rank, cycle = display_rank(data)
    has_position = np.bincount(data.judge, data.order_known, data.n_judges) > 0
    cells = _displayed_cells(data, items)
    generic = np.minimum(own_rank, rank + 1 + has_position)
    return JudgeIdentification(
        judges=data.judges,
        n_items=len(items),
        rank=rank,
        space_given=basis is not None,
        cells=np.bincount(cells[:, 0], minlength=data.n_judges),
        own_rank=own_rank,
        space_rank=generic if basis is None else _ranks_in_space(cells, basis, data.n_judges),
        has_position=has_position,
        cycle=cycle,
    )


def _displayed_cells(data: Comparisons, items: tuple[str, ...]) -> IntArray:
    """List (judge, first, second, known) once each; without an order the smaller item is first."""
    place, known = np.searchsorted(items, data.items), data.order_known
    first, second = place[data.first], place[data.second]
    swap = ~known & (first > second)
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    return np.unique(np.column_stack([data.judge, first, second, known]), axis=0)


def _ranks_in_space(cells: IntArray, basis: FloatArray, n_judges: int) -> IntArray:
    columns = np.column_stack([basis[cells[:, 1]] - basis[cells[:, 2]], cells[:, 3]])
    return np.array([_rank(columns[cells[:, 0] == k]) for k in range(n_judges)], dtype=np.int64)


def _rank(matrix: FloatArray) -> int:
    values = np.linalg.svd(matrix, compute_uv=False)
    return int((values > RANK_TOLERANCE * values.max(initial=0.0)).sum())


def human_identification(
    data: Comparisons, items: tuple[str, ...], rank: int, basis: FloatArray | None = None
) -> HumanIdentification:
    """Return the graphs and matrix ranks that decide whether human scores are identified.

    Shapes: basis (n_items, dimension), orthonormal; without one, spaces in general position.
    """
    winner, loser = _placed_edges(data, items)
    wins = link_graph(winner, loser, len(items))
    component, win_group = component_labels(wins), strong_labels(wins)
    if basis is not None:
        margins = basis[winner] - basis[loser]
        numbers = basis.shape[1], _rank(margins), is_separated(margins)
        space = CalibrationSpace("the space given", *numbers)
        return HumanIdentification(items, component, win_group, (space,))
    linked = len(items) - 1 - int(component.max())
    separated = False if (win_group == 0).all() else None
    spaces = tuple(
        CalibrationSpace(name, d, min(d, linked), separated)
        for name, d in _named_dimensions(rank).items()
    )
    return HumanIdentification(items, component, win_group, spaces)


def _named_dimensions(rank: int) -> dict[str, int]:
    """Return the spaces in which people may be calibrated, from small to large."""
    return {"consensus": 1} | ({"consensus and disagreement": rank + 1} if rank else {})


def _placed_edges(data: Comparisons, items: tuple[str, ...]) -> tuple[IntArray, IntArray]:
    """Return winners and losers as indices into the items of the fit."""
    place = np.searchsorted(items, data.items)
    winner, loser = win_edges(data)
    return place[winner], place[loser]


def ridge_separation(judges: Comparisons, humans: Comparisons, rank: int) -> list[bool]:
    """Return whether votes are separated in the spaces of the judges' ridge scores."""
    base = structure(judges, humans, rank=rank)
    items = tuple(sorted({*judges.items, *humans.items}))
    directions = np.column_stack([base.direction, base.disagreement])
    winner, loser = _placed_edges(humans, items)
    space = helmert_basis(len(items)) @ directions
    margins = space[winner] - space[loser]
    return [is_separated(margins[:, :d]) for d in _named_dimensions(rank).values()]


def is_separated(margins: FloatArray) -> bool:
    """Whether no vote contradicts some direction, so that no finite estimate exists.

    Shapes: margins (n_votes, dimension).
    """
    rows = np.unique(margins, axis=0)
    best = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    return bool(best.fun is not None and -best.fun > SEPARATION_TOLERANCE)
