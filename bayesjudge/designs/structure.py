"""The base point of judges' low-rank structure: ridge scores of each judge, cut to a rank."""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.logistic import logistic_coefficients
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.flat_cells import FlatCells, layout_cells
from bayesjudge.designs.frames import Structure
from bayesjudge.designs.layouts import Layout, retained_mask
from bayesjudge.errors import RankError

DEFAULT_RANK = 1
NO_CONSENSUS = 1e-12  # average score, log-odds, that is rounding
RIDGE = 0.5  # of each coordinate: a start must be finite where a judge never contradicts itself


@dataclass(frozen=True)
class JudgeScores:
    """Scores and effects of each judge by itself.

    Attributes
    ----------
    score : ndarray, shape (n_judges, n_items - 1)
        Scores in Helmert coordinates, log-odds.
    effects : ndarray, shape (n_judges, n_terms)
        Effects of the layout's terms, log-odds a unit.
    """

    score: FloatArray
    effects: FloatArray


def judge_scores(layout: Layout) -> JudgeScores:
    """Fit each judge's scores and effects by themselves, under a ridge."""
    cells, size = layout_cells(layout), layout.n_items - 1
    basis = helmert_basis(layout.n_items)
    coefficients = np.array(
        [_ridge_fit(cells.of_judge(judge), basis) for judge in range(layout.n_judges)]
    )
    return JudgeScores(score=coefficients[:, :size], effects=coefficients[:, size:])


def _ridge_fit(judge: FlatCells, basis: FloatArray) -> FloatArray:
    matrix = np.column_stack([judge.pair_contrast @ basis, judge.columns])
    return logistic_coefficients(matrix, judge.wins, judge.total, ridge=RIDGE)


def structure(
    judges: Comparisons | Design, *others: Comparisons | Design, rank: int = DEFAULT_RANK
) -> Structure:
    """Return the rank and the base point that the consensus programs read.

    Parameters
    ----------
    judges : Comparisons or Design
        The judges' verdicts.
    *others : Comparisons or Design
        The other data sets of the fit, whose items count too.
    rank : int
        Directions of disagreement, from 0 (all judges share one score, up to its size) to
        ``min(n_judges - 1, n_items - 2)``.

    Returns
    -------
    Structure
        To be given after the verdicts: ``bj.mode(bj.models.consensus, judges, structure)``.

    Raises
    ------
    RankError
        If the rank is not a whole number in its range.

    Notes
    -----
    Each judge's order-effect scores under a ridge, stacked and cut by the singular values to the
    canonical form of DIAL Condition 3. A base point changes no estimate, only the coordinates.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> structure(bj.example_panel(), rank=2).disagreement.shape
    (7, 2)
    """
    layout = designs(judges, *others)[0].layout
    return layout_structure(layout, demand_rank(layout, rank))


def default_structure(prepared: tuple[Design, ...]) -> Structure:
    """Return the structure that programs read when none is given: rank one where there is room."""
    layout = prepared[0].layout
    return layout_structure(layout, min(DEFAULT_RANK, highest_rank(layout)))


def highest_rank(layout: Layout) -> int:
    """Return the highest rank of disagreement that a panel allows (DIAL Condition 3)."""
    return max(0, min(layout.n_judges - 1, layout.n_items - 2))


def demand_rank(layout: Layout, rank: int) -> int:
    """Return a rank that the panel allows."""
    highest = highest_rank(layout)
    if isinstance(rank, bool) or not isinstance(rank, int | np.integer) or not 0 <= rank <= highest:
        raise RankError(f"rank is {rank!r}; {_allowed(layout, highest)}.")
    return int(rank)


def _allowed(layout: Layout, highest: int) -> str:
    judges = counted(layout.n_judges, "judge")
    items = counted(layout.n_items, "item")
    if highest:
        return f"with {judges} and {items} give a whole number from 0 to {highest}"
    if layout.n_judges == 1:
        return "one judge has nobody to disagree with, so that rank=0 is the only one; give that"
    return f"{items} leave no room for disagreement, so that rank=0 is the only one; give that"


def layout_structure(layout: Layout, rank: int) -> Structure:
    """Return the structure of a rank from a layout."""
    judges = judge_scores(layout)
    return canonical_structure(judges.score, _free_position(layout, judges.effects), rank)


def canonical_structure(score: FloatArray, position: FloatArray, rank: int) -> Structure:
    """Cut judges' scores to a rank, in canonical form.

    Shapes: score (n_judges, n_items - 1).
    """
    n_judges, n = score.shape
    mean = score.mean(axis=0)
    size = float(np.linalg.norm(mean))
    if size < NO_CONSENSUS:  # the chart is singular at zero: start away from it
        size, mean = 1.0, np.eye(n)[0]
    direction = mean / size
    along = score @ direction
    left, values, right = np.linalg.svd(score - np.outer(along, direction), full_matrices=False)
    factor = left[:, :rank] * values[:rank] / np.sqrt(n + 1)
    frame = np.column_stack([direction, right[:rank].T])
    judges = helmert_basis(n_judges)
    return Structure(
        direction=direction,
        disagreement=_orthonormal(right[:rank].T, direction),
        rest=_complement(frame),
        size=np.asarray(size),
        loading=judges.T @ (along / size),
        factor=judges.T @ factor,
        position=position,
    )


def _free_position(layout: Layout, effects: FloatArray) -> FloatArray:
    if "position" not in layout.terms:
        return np.zeros(0)
    column = layout.terms.index("position")
    return effects[retained_mask(layout)[column], column]


def _orthonormal(columns: FloatArray, direction: FloatArray) -> FloatArray:
    """Columns orthogonal to a direction and to each other, also where singular values vanish."""
    if not columns.shape[1]:
        return columns
    turned = np.linalg.qr(np.column_stack([direction, columns]))[0][:, 1:]
    return turned * np.where((turned * columns).sum(axis=0) < 0, -1.0, 1.0)


def _complement(frame: FloatArray) -> FloatArray:
    """Orthonormal basis of what a frame leaves."""
    return np.linalg.qr(frame, mode="complete")[0][:, frame.shape[1] :]
