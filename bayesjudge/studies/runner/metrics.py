"""Errors of an estimate whose truth is known: the metrics of the papers' simulations."""

import numpy as np
from numpy.typing import ArrayLike

from bayesjudge.core.arrays import FloatArray

CRITICAL_VALUE = 1.96  # the papers' 95 % intervals


def root_mean_squared_error(estimate: ArrayLike, truth: ArrayLike) -> float:
    """Return the root mean squared error of a vector, estimate and truth (n,)."""
    return float(np.sqrt(np.mean((np.asarray(estimate) - np.asarray(truth)) ** 2)))


def expected_vote_loss(gap: ArrayLike, probability: ArrayLike) -> FloatArray:
    """Return the expected log loss in nats of votes predicted with log-odds `gap`."""
    return np.logaddexp(0.0, gap) - np.asarray(probability) * np.asarray(gap)


def rank_correlation(estimate: ArrayLike, truth: ArrayLike) -> float:
    """Return Kendall's tau-b of two vectors (n,)."""
    from scipy.stats import kendalltau

    vectors = [np.asarray(scores, dtype=np.float64) for scores in (estimate, truth)]
    return float(kendalltau(*vectors, variant="b").statistic)


def selects_best(estimate: ArrayLike, truth: ArrayLike) -> float:
    """Return one if the item with the highest estimate is the best, else zero."""
    return float(np.argmax(estimate) == np.argmax(truth))


def coverage(
    estimate: ArrayLike,
    standard_error: ArrayLike,
    truth: ArrayLike,
    critical_value: float = CRITICAL_VALUE,
) -> float:
    """Return the share of normal intervals that contain the truth; NaN if an error is NaN."""
    error = np.asarray(standard_error)
    inside = np.abs(np.asarray(estimate) - np.asarray(truth)) <= critical_value * error
    return float(np.mean(np.where(np.isnan(error), np.nan, inside)))
