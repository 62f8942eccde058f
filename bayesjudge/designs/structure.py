"""The base point of judges' low-rank structure: ridge scores of each judge, cut to a rank."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.flat_cells import layout_cells
from bayesjudge.designs.frames import Structure
from bayesjudge.designs.layouts import Layout
from bayesjudge.errors import RankError

RIDGE = 0.5  # of each coordinate: a start must be finite where a judge never contradicts itself


STEPS = 8


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

    score: NDArray[np.float64]
    effects: NDArray[np.float64]


def judge_scores(layout: Layout) -> JudgeScores:
    """Fit each judge's scores and effects by themselves, under a ridge.

    Parameters
    ----------
    layout : GridLayout or CellLayout
        Verdicts; ties count as half wins.

    Returns
    -------
    JudgeScores
        Newton's method for a fixed number of steps: a start for other estimates, not one itself.
    """
    fits = [_newton(*part) for part in _parts(layout)]
    n = layout.n_items - 1
    return JudgeScores(
        score=np.array([fit[:n] for fit in fits]), effects=np.array([fit[n:] for fit in fits])
    )


Part = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def _parts(layout: Layout) -> list[Part]:
    """Predictors, half wins and numbers of verdicts of each judge's cells."""
    cells, counts = layout_cells(layout), np.asarray(layout.counts).reshape(-1, 3)
    wins, total = counts[:, 0] + 0.5 * counts[:, 1], counts.sum(axis=1)
    x = np.column_stack([cells.contrast @ helmert_basis(layout.n_items), cells.columns])
    chosen = [(cells.judge == k) & (total > 0) for k in range(layout.n_judges)]
    return [(x[rows], wins[rows], total[rows]) for rows in chosen]


def _newton(
    x: NDArray[np.float64], wins: NDArray[np.float64], total: NDArray[np.float64]
) -> NDArray[np.float64]:
    beta, ridge = np.zeros(x.shape[1]), RIDGE * np.eye(x.shape[1])
    for _ in range(STEPS):
        p = expit(x @ beta)
        gradient = x.T @ (wins - total * p) - RIDGE * beta
        beta = beta + np.linalg.solve((x.T * (total * p * (1 - p))) @ x + ridge, gradient)
    return beta


DEFAULT_RANK = 1


def structure(
    judges: Comparisons | Design, *others: Comparisons | Design, rank: int = DEFAULT_RANK
) -> Structure:
    """Give the rank and the base point that the consensus programs read.

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
    """Give the structure that programs read when none is given: rank one where there is room.

    Parameters
    ----------
    prepared : tuple of Design
        The designs of a fit; the first holds the judges.

    Returns
    -------
    Structure
        Of the judges' design.
    """
    layout = prepared[0].layout
    return layout_structure(layout, min(DEFAULT_RANK, highest_rank(layout)))


def highest_rank(layout: Layout) -> int:
    """Give the highest rank of disagreement that a panel allows (DIAL Condition 3).

    Parameters
    ----------
    layout : Layout
        The judges' verdicts.

    Returns
    -------
    int
        ``min(n_judges - 1, n_items - 2)``, not negative.
    """
    return max(0, min(layout.n_judges - 1, layout.n_items - 2))


def demand_rank(layout: Layout, rank: int) -> int:
    """Give a rank that the panel allows.

    Parameters
    ----------
    layout : Layout
        The judges' verdicts.
    rank : int
        What the user gave.

    Returns
    -------
    int
        The rank.

    Raises
    ------
    RankError
        If it is not a whole number in its range.
    """
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
    """Give the structure of a rank from a layout.

    Parameters
    ----------
    layout : Layout
        The judges' verdicts.
    rank : int
        Directions of disagreement.

    Returns
    -------
    Structure
        With the canonical factors of the judges' ridge scores.
    """
    found = judge_scores(layout)
    return canonical_structure(found.score, _free_position(layout, found.effects), rank)


def canonical_structure(
    score: NDArray[np.float64], position: NDArray[np.float64], rank: int
) -> Structure:
    """Cut judges' scores to a rank, in canonical form.

    Parameters
    ----------
    score : ndarray, shape (n_judges, n_items - 1)
        Scores in Helmert coordinates, log-odds.
    position : ndarray
        Free position effects, log-odds.
    rank : int
        Directions of disagreement.

    Returns
    -------
    Structure
        The average score gives the consensus, singular vectors of the rest the disagreement.
    """
    n_judges, n = score.shape
    mean = score.mean(axis=0)
    size = float(np.linalg.norm(mean))
    direction = mean / size if size else np.eye(n)[0]
    along = score @ direction
    left, values, right = np.linalg.svd(score - np.outer(along, direction), full_matrices=False)
    factor = left[:, :rank] * values[:rank] / np.sqrt(n + 1)
    frame = np.column_stack([direction, right[:rank].T])
    judges = helmert_basis(n_judges)
    return Structure(
        direction=direction,
        disagreement=_orthonormal(right[:rank].T, direction),
        rest=_complement(frame),
        size=np.asarray(size or 1.0),
        loading=judges.T @ (along / (size or 1.0)),
        factor=judges.T @ factor,
        position=position,
    )


def _free_position(layout: Layout, effects: NDArray[np.float64]) -> NDArray[np.float64]:
    if "position" not in layout.terms:
        return np.zeros(0)
    column = layout.terms.index("position")
    return effects[np.array(layout.retained[column]), column]


def _orthonormal(
    columns: NDArray[np.float64], direction: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Columns orthogonal to a direction and to each other, also where singular values vanish."""
    if not columns.shape[1]:
        return columns
    turned = np.linalg.qr(np.column_stack([direction, columns]))[0][:, 1:]
    return turned * np.where((turned * columns).sum(axis=0) < 0, -1.0, 1.0)


def _complement(frame: NDArray[np.float64]) -> NDArray[np.float64]:
    """Orthonormal basis of what a frame leaves."""
    return np.linalg.qr(frame, mode="complete")[0][:, frame.shape[1] :]
