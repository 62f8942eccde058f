"""Logistic regression of counts on a design matrix with an offset: Newton's method in NumPy."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesjudge.errors import NoFiniteMaximumError

FloatArray = NDArray[np.float64]

STEPS = 60
ARRIVED = 1e-12  # gradient a verdict
FARTHEST = 30.0  # log-odds; nothing that data say lies beyond


def logistic_coefficients(
    matrix: FloatArray,
    wins: FloatArray,
    total: FloatArray,
    offset: FloatArray | float = 0.0,
    ridge: float = 0.0,
) -> FloatArray:
    """Maximise the likelihood of wins, less half the ridge times the squared coefficients.

    Parameters
    ----------
    matrix : ndarray, shape (n, size)
        Regressors; no intercept is added.
    wins, total : ndarray, shape (n,)
        Counts; a tie is half a win.
    offset : ndarray, shape (n,), or float
        Known part of the log-odds.
    ridge : float
        Zero for maximum likelihood.

    Returns
    -------
    ndarray, shape (size,)
        Coefficients.

    Raises
    ------
    NoFiniteMaximumError
        Where they run away, or the regressors are not told apart.

    Examples
    --------
    >>> counts = np.array([3.0]), np.array([4.0])
    >>> bool(np.isclose(logistic_coefficients(np.ones((1, 1)), *counts)[0], np.log(3)))
    True
    """
    found = np.zeros(matrix.shape[1])
    if not len(found):
        return found
    for _ in range(STEPS):
        log_odds = matrix @ found + offset
        gradient = matrix.T @ (wins - total * expit(log_odds)) - ridge * found
        if np.abs(gradient).max() <= ARRIVED * max(1.0, total.sum()):
            return found
        found = found + _ascent(matrix, total, log_odds, gradient, ridge, wins, offset, found)
        if not np.abs(found).max() < FARTHEST:
            break
    raise NoFiniteMaximumError(
        "A logistic regression has no finite maximum, because some item or judge won or lost "
        "everything or cannot be told from the features; give a ridge, or collect more verdicts."
    )


def _ascent(
    matrix: FloatArray,
    total: FloatArray,
    log_odds: FloatArray,
    gradient: FloatArray,
    ridge: float,
    wins: FloatArray,
    offset: FloatArray | float,
    found: FloatArray,
) -> FloatArray:
    """A Newton step, halved until the likelihood rises."""
    share = expit(log_odds)
    curvature = (matrix.T * (total * share * (1 - share))) @ matrix + ridge * np.eye(len(found))
    step = np.linalg.lstsq(curvature, gradient, rcond=1e-12)[0]

    def value(at: FloatArray) -> float:
        eta = matrix @ at + offset
        return float(wins @ eta - total @ np.logaddexp(0.0, eta) - ridge / 2 * at @ at)

    start = value(found)
    slack = 1e-12 * (1 + abs(start))
    while value(found + step) < start - slack and np.abs(step).max() > 1e-12:
        step = step / 2
    return step
