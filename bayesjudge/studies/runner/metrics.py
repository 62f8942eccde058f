"""How far an estimate is from a known truth: the metrics of the papers' simulations."""

import numpy as np
from numpy.typing import ArrayLike

from bayesjudge.core.arrays import FloatArray

CRITICAL_VALUE = 1.96  # the papers' 95 % intervals


def root_mean_squared_error(estimate: ArrayLike, truth: ArrayLike) -> float:
    """Give the root mean squared error of a vector.

    Parameters
    ----------
    estimate, truth : array_like, shape (n,)
        In one unit.

    Returns
    -------
    float
        In that unit.

    Examples
    --------
    >>> root_mean_squared_error([0.0, 2.0], [0.0, 0.0]) == 2**0.5
    True
    """
    return float(np.sqrt(np.mean((np.asarray(estimate) - np.asarray(truth)) ** 2)))


def expected_vote_loss(gap: ArrayLike, probability: ArrayLike) -> FloatArray:
    """Give the expected loss of a vote whose log-odds are taken for others.

    Parameters
    ----------
    gap : array_like
        Log-odds that are assumed.
    probability : array_like
        Probability that is true.

    Returns
    -------
    ndarray
        Nats.

    Examples
    --------
    >>> expected_vote_loss([0.0], [0.5]).round(4)
    array([0.6931])
    """
    return np.logaddexp(0.0, gap) - np.asarray(probability) * np.asarray(gap)


def rank_correlation(estimate: ArrayLike, truth: ArrayLike) -> float:
    """Give Kendall's tau-b of two orders.

    Parameters
    ----------
    estimate, truth : array_like, shape (n,)
        Scores of the same items.

    Returns
    -------
    float
        1 for one order, -1 for opposite ones; NaN if all scores of one are equal.

    Examples
    --------
    >>> rank_correlation([1.0, 2.0, 3.0], [10.0, 20.0, 20.0]) < 1.0
    True
    """
    from scipy.stats import kendalltau

    scores = [np.asarray(each, dtype=np.float64) for each in (estimate, truth)]
    return float(kendalltau(*scores, variant="b").statistic)


def selects_best(estimate: ArrayLike, truth: ArrayLike) -> float:
    """Tell whether the item with the highest estimate is the best.

    Parameters
    ----------
    estimate, truth : array_like, shape (n,)
        Scores of the same items.

    Returns
    -------
    float
        1 or 0, so that a mean over replications is a share.

    Examples
    --------
    >>> selects_best([0.1, 0.3], [0.0, 1.0])
    1.0
    """
    return float(np.argmax(estimate) == np.argmax(truth))


def coverage(
    estimate: ArrayLike,
    standard_error: ArrayLike,
    truth: ArrayLike,
    critical_value: float = CRITICAL_VALUE,
) -> float:
    """Give the share of normal intervals that contain the truth.

    Parameters
    ----------
    estimate, standard_error, truth : array_like, shape (n,)
        In one unit.
    critical_value : float
        How many standard errors the intervals reach to either side.

    Returns
    -------
    float
        From 0 to 1; NaN if a standard error is.

    Examples
    --------
    >>> coverage([0.0, 0.0], [1.0, 1.0], [1.9, 2.0])
    0.5
    """
    error = np.asarray(standard_error)
    inside = np.abs(np.asarray(estimate) - np.asarray(truth)) <= critical_value * error
    return float(np.mean(np.where(np.isnan(error), np.nan, inside)))
