"""Ridge estimates of each judge's own scores: where low-rank structures are looked for first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesjudge.data.basis import helmert_basis
from bayesjudge.data.flat_cells import layout_cells
from bayesjudge.data.layouts import Layout

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
