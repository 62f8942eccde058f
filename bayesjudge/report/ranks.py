"""Ranks of items from draws of their scores."""

import numpy as np

from bayesjudge.report.intervals import FloatArray


def item_ranks(draws: FloatArray) -> FloatArray:
    """Rank the items in each draw, the best first.

    Parameters
    ----------
    draws : ndarray, shape (S, n)
        Scores.

    Returns
    -------
    ndarray, shape (S, n)
        From 1; equal scores share the mean of their ranks.

    Examples
    --------
    >>> item_ranks(np.array([[0.1, 0.7, -0.2], [0.5, 0.5, 0.0]]))
    array([[2. , 1. , 3. ],
           [1.5, 1.5, 3. ]])
    """
    from scipy.stats import rankdata

    return rankdata(-draws, axis=1)


def rank_bounds(ranks: FloatArray, prob: float) -> FloatArray:
    """Give the equal-tailed interval of each item's rank.

    Parameters
    ----------
    ranks : ndarray, shape (S, n)
        Ranks by draw.
    prob : float
        Level.

    Returns
    -------
    ndarray, shape (2, n)
        Ranks that occur: at most (1 - prob) / 2 of the draws lie below the first, and at most as
        many above the second. Turning the ranking round turns the interval round.
    """
    tail = (1 - prob) / 2
    lower = np.quantile(ranks, tail, axis=0, method="inverted_cdf")
    upper = -np.quantile(-ranks, tail, axis=0, method="inverted_cdf")
    return np.stack([lower, upper])


def best_probability(draws: FloatArray) -> FloatArray:
    """Give the share of draws in which each item has the highest score.

    Parameters
    ----------
    draws : ndarray, shape (S, n)
        Scores.

    Returns
    -------
    ndarray, shape (n,)
        Sums to one; equal best items share a draw.

    Examples
    --------
    >>> best_probability(np.array([[0.1, 0.7, -0.2], [0.5, 0.5, 0.0]]))
    array([0.25, 0.75, 0.  ])
    """
    best = draws == draws.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
