"""Logistic regression of counts: Newton's method in NumPy, with offset and ridge."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg.lapack import dposv
from scipy.special import expit

from bayesjudge.core.arrays import Array, FloatArray
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


def half_wins(counts: Array) -> Array:
    """Return wins of the item shown first, a tie as half a win: counts (..., 3) -> (...)."""
    return counts[..., 0] + 0.5 * counts[..., 1]


def verdict_variance(log_odds: FloatArray) -> FloatArray:
    """Return p (1 - p), the variance of one decided verdict, at its log-odds."""
    share = expit(log_odds)
    return share * (1 - share)


def logistic_information(matrix: FloatArray, total: FloatArray, log_odds: FloatArray) -> FloatArray:
    """Return the expected information of verdicts: matrix (n, size), total (n,) -> (size, size)."""
    return (matrix.T * (total * verdict_variance(log_odds))) @ matrix


def logistic_coefficients(
    matrix: FloatArray,
    wins: FloatArray,
    total: FloatArray,
    offset: FloatArray | float = 0.0,
    ridge: float = 0.0,
) -> FloatArray:
    """Maximise the likelihood of wins, less half the ridge times the squared coefficients.

    Shapes: matrix (n, size); wins, total (n,); offset (n,), or float -> (size,).
    """
    regression = _Regression(matrix, wins, total, offset, ridge)
    point, unit = _Point(regression, np.zeros(matrix.shape[1])), regression.column_sizes
    for _ in range(STEPS):
        if np.abs(point.gradient / unit).max(initial=0.0) <= ARRIVED * max(1.0, total.sum()):
            if not ridge:  # a ridge makes every maximum finite
                _demand_information(point)
            return point.coefficients
        point = _ascent(point)
        if not np.abs(point.coefficients * unit).max() < FARTHEST:
            break
    raise NoFiniteMaximumError(NOT_FINITE)


@dataclass(frozen=True, eq=False)
class _Regression:
    """Counts and regressors of a penalised log-likelihood."""

    matrix: FloatArray
    wins: FloatArray
    total: FloatArray
    offset: FloatArray | float
    ridge: float

    @cached_property
    def column_sizes(self) -> FloatArray:
        """Root mean squares of the regressors, so that their units do not matter."""
        weight = self.total / max(self.total.sum(), 1.0)
        size = np.sqrt(weight @ self.matrix**2)
        return np.where(size > 0, size, 1.0)


@dataclass(frozen=True, eq=False)
class _Point:
    """The penalised log-likelihood and its derivatives at coefficients, each computed once."""

    regression: _Regression
    coefficients: FloatArray

    @cached_property
    def log_odds(self) -> FloatArray:
        return self.regression.matrix @ self.coefficients + self.regression.offset

    @cached_property
    def share(self) -> FloatArray:
        return expit(self.log_odds)

    @cached_property
    def value(self) -> float:
        known = self.regression
        loss = known.total @ np.logaddexp(0.0, self.log_odds) - known.wins @ self.log_odds
        return float(-loss - known.ridge / 2 * self.coefficients @ self.coefficients)

    @cached_property
    def gradient(self) -> FloatArray:
        residual = self.regression.wins - self.regression.total * self.share
        return self.regression.matrix.T @ residual - self.regression.ridge * self.coefficients

    @cached_property
    def curvature(self) -> FloatArray:
        matrix, ridge = self.regression.matrix, self.regression.ridge
        weight = self.regression.total * (self.share * (1 - self.share))
        return (matrix.T * weight) @ matrix + ridge * np.eye(len(self.coefficients))

    def moved(self, step: FloatArray) -> "_Point":
        return _Point(self.regression, self.coefficients + step)


def _ascent(start: _Point) -> _Point:
    """Return where a Newton step leads, halved until the likelihood rises."""
    unit = start.regression.column_sizes
    step = _solved(start.curvature / np.outer(unit, unit), start.gradient / unit) / unit
    end, least = start.moved(step), start.value - ROUNDING * (1 + abs(start.value))
    while end.value < least and np.abs(step * unit).max() > ROUNDING:
        step = step / 2
        end = start.moved(step)
    return end


def _solved(curvature: FloatArray, gradient: FloatArray) -> FloatArray:
    """Solve for a Newton step; a shortest one where regressors are collinear."""
    _, step, failed = dposv(curvature, gradient)
    return np.linalg.lstsq(curvature, gradient, rcond=COLLINEAR)[0] if failed else step


def _demand_information(point: _Point) -> None:
    """Raise where a direction diverges, so that verdicts along it are all predicted exactly."""
    start = _Point(point.regression, np.zeros_like(point.coefficients)).curvature
    scale = np.sqrt(np.maximum(np.diag(start), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(start / np.outer(scale, scale))
    if values.min(initial=1.0) <= COLLINEAR * values.max(initial=1.0):
        raise NoFiniteMaximumError(NOT_FINITE)
    unit = vectors / np.sqrt(values) / scale[:, None]
    if np.linalg.eigvalsh(unit.T @ point.curvature @ unit).min(initial=1.0) < LEAST_LEFT:
        raise NoFiniteMaximumError(NOT_FINITE)
