"""Logistic regression of counts on a design matrix with an offset: Newton's method in NumPy."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from bayesjudge.data.arrays import FloatArray
from bayesjudge.errors import NoFiniteMaximumError

STEPS = 60
ARRIVED = 1e-12  # gradient a verdict
ROUNDING = 1e-12
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
    of = _Regression(matrix, wins, total, offset, ridge)
    found = np.zeros(matrix.shape[1])
    for _ in range(STEPS):
        gradient = of.gradient(found)
        if np.abs(gradient).max(initial=0.0) <= ARRIVED * max(1.0, total.sum()):
            return found
        found = found + _ascent(of, found, gradient)
        if not np.abs(found).max() < FARTHEST:
            break
    raise NoFiniteMaximumError(
        "A logistic regression has no finite maximum, because some item or judge won or lost "
        "everything or cannot be told from the features; give a ridge, or collect more verdicts."
    )


@dataclass(frozen=True, eq=False)
class _Regression:
    """The penalised log-likelihood and its derivatives."""

    matrix: FloatArray
    wins: FloatArray
    total: FloatArray
    offset: FloatArray | float
    ridge: float

    def value(self, at: FloatArray) -> float:
        log_odds = self.matrix @ at + self.offset
        loss = self.total @ np.logaddexp(0.0, log_odds) - self.wins @ log_odds
        return float(-loss - self.ridge / 2 * at @ at)

    def gradient(self, at: FloatArray) -> FloatArray:
        share = expit(self.matrix @ at + self.offset)
        return self.matrix.T @ (self.wins - self.total * share) - self.ridge * at

    def curvature(self, at: FloatArray) -> FloatArray:
        share = expit(self.matrix @ at + self.offset)
        weighted = self.matrix.T * (self.total * share * (1 - share))
        return weighted @ self.matrix + self.ridge * np.eye(len(at))


def _ascent(of: _Regression, at: FloatArray, gradient: FloatArray) -> FloatArray:
    """Give a Newton step, halved until the likelihood rises."""
    step = np.linalg.lstsq(of.curvature(at), gradient, rcond=1e-12)[0]
    start = of.value(at)
    least = start - ROUNDING * (1 + abs(start))
    while of.value(at + step) < least and np.abs(step).max() > ROUNDING:
        step = step / 2
    return step
