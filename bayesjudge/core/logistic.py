"""Logistic regression of counts: Newton's method in NumPy, with offset and ridge."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import NoFiniteMaximumError

STEPS = 60


ARRIVED = 1e-12  # gradient a verdict


ROUNDING = 1e-12


FARTHEST = 30.0  # log-odds; nothing that data say lies beyond


LEAST_LEFT = 1e-7  # share of the information at zero, below which verdicts are all foretold


COLLINEAR = 1e-12  # relative eigenvalue of the scaled information at zero


NOT_FINITE = (
    "A first estimate has no finite maximum, because some item or judge won or lost everything or "
    "cannot be told from the features; leave it out, use fewer folds or features, or fit jointly "
    "under a prior (bj.mode(bj.models.new_item, ...))."
)


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
    found, unit = np.zeros(matrix.shape[1]), of.column_sizes
    for _ in range(STEPS):
        gradient = of.gradient(found)
        if np.abs(gradient / unit).max(initial=0.0) <= ARRIVED * max(1.0, total.sum()):
            _demand_information(of, found)
            return found
        found = found + _ascent(of, found, gradient)
        if not np.abs(found * unit).max() < FARTHEST:
            break
    raise NoFiniteMaximumError(NOT_FINITE)


@dataclass(frozen=True, eq=False)
class _Regression:
    """The penalised log-likelihood and its derivatives."""

    matrix: FloatArray
    wins: FloatArray
    total: FloatArray
    offset: FloatArray | float
    ridge: float

    @property
    def column_sizes(self) -> FloatArray:
        """Root mean squares of the regressors, so that their units do not matter."""
        weight = self.total / max(self.total.sum(), 1.0)
        size = np.sqrt(weight @ self.matrix**2)
        return np.where(size > 0, size, 1.0)

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
    unit = of.column_sizes
    curvature = of.curvature(at) / np.outer(unit, unit)
    step = np.linalg.lstsq(curvature, gradient / unit, rcond=1e-12)[0] / unit
    start = of.value(at)
    least = start - ROUNDING * (1 + abs(start))
    while of.value(at + step) < least and np.abs(step * unit).max() > ROUNDING:
        step = step / 2
    return step


def _demand_information(of: _Regression, found: FloatArray) -> None:
    """Raise where a direction runs away, so that verdicts along it are all foretold."""
    start = of.curvature(np.zeros_like(found))
    scale = np.sqrt(np.maximum(np.diag(start), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(start / np.outer(scale, scale))
    if values.min(initial=1.0) <= COLLINEAR * values.max(initial=1.0):
        raise NoFiniteMaximumError(NOT_FINITE)
    unit = vectors / np.sqrt(values) / scale[:, None]
    if np.linalg.eigvalsh(unit.T @ of.curvature(found) @ unit).min(initial=1.0) < LEAST_LEFT:
        raise NoFiniteMaximumError(NOT_FINITE)
