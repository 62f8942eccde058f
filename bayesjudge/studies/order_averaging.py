"""Preference freed of position against preference averaged over both orders."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit

from bayesjudge.data.arrays import FloatArray
from bayesjudge.errors import MissingEstimateError

CLOSE = 0.5  # twice the distance of a probability from one half


def debiased_probability(gap: ArrayLike) -> FloatArray:
    """Give the probability of preferring an answer, order taken out.

    Parameters
    ----------
    gap : array_like
        Difference of scores, log-odds.

    Returns
    -------
    ndarray
        sigma(gap): its odds are the geometric mean of the odds in both orders (DIAL
        Proposition B.3).

    Raises
    ------
    MissingEstimateError
        For a gap that is NaN.

    Examples
    --------
    >>> debiased_probability([0.0, 2.0]).round(3)
    array([0.5  , 0.881])
    """
    return expit(_numbers("gap", gap))


def averaged_probability(gap: ArrayLike, position: ArrayLike) -> FloatArray:
    """Give the probability of preferring an answer, averaged over both orders.

    Parameters
    ----------
    gap, position : array_like
        Difference of scores and position effect, log-odds; broadcast.

    Returns
    -------
    ndarray
        Closer to one half than the debiased one wherever position matters (DIAL B.2).

    Raises
    ------
    MissingEstimateError
        For a number that is NaN.

    Examples
    --------
    >>> averaged_probability(2.0, [0.0, 2.0]).round(3)
    array([0.881, 0.741])
    """
    gap, position = _numbers("gap", gap), _numbers("position", position)
    return 0.5 * (expit(gap + position) + expit(gap - position))


def averaging_factor(gap: ArrayLike, position: ArrayLike) -> FloatArray:
    """Give the share of a preference, less one half, that averaging over orders leaves.

    Parameters
    ----------
    gap, position : array_like
        Difference of scores and position effect, log-odds; broadcast.

    Returns
    -------
    ndarray
        (1 - t^2) / (1 - u^2 t^2) with u = tanh(gap / 2), t = tanh(position / 2), DIAL (B.1).

    Raises
    ------
    MissingEstimateError
        For a number that is NaN.

    Examples
    --------
    >>> averaging_factor([0.0, 5.0], 2.0).round(3)
    array([0.42 , 0.965])
    """
    gap, position = np.abs(_numbers("gap", gap)), np.abs(_numbers("position", position))
    # cosh(a) + 1 over cosh(a) + cosh(b), without overflow
    larger = np.maximum(gap, position)
    of_gap = 0.5 * (np.exp(gap - larger) + np.exp(-gap - larger))
    of_position = 0.5 * (np.exp(position - larger) + np.exp(-position - larger))
    return (of_gap + np.exp(-larger)) / (of_gap + of_position)


def averaged_log_odds(gap: ArrayLike, position: ArrayLike) -> FloatArray:
    """Give the log-odds of the averaged probability.

    Parameters
    ----------
    gap, position : array_like
        Difference of scores and position effect, log-odds; broadcast.

    Returns
    -------
    ndarray
        g_b(gap), DIAL Proposition B.4: odd and rising, but no straight line unless position is
        zero, so that no scores have these log-odds as their differences.

    Raises
    ------
    MissingEstimateError
        For a number that is NaN.

    Examples
    --------
    >>> averaged_log_odds([0.0, 1.0, 2.0], 2.0).round(3)
    array([0.   , 0.45 , 1.051])
    """
    gap, position = _numbers("gap", gap), _numbers("position", position)
    for_it = np.logaddexp(log_expit(gap + position), log_expit(gap - position))
    against = np.logaddexp(log_expit(-gap - position), log_expit(position - gap))
    share = np.tanh(gap / 2) * averaging_factor(gap, position)
    # near one half the difference of logarithms would lose its digits
    close = np.abs(share) < CLOSE
    return np.where(close, 2 * np.arctanh(np.where(close, share, 0.0)), for_it - against)


def cycle_defect(first_gap: float, second_gap: float, position: float) -> float:
    """Say by how much averaged log-odds of three items fail to be differences of scores.

    Parameters
    ----------
    first_gap, second_gap : float
        Score of a less b, and of b less c, log-odds.
    position : float
        Position effect, log-odds.

    Returns
    -------
    float
        g(x + y) - g(x) - g(y) round the triangle, log-odds; zero for scores (DIAL
        Proposition B.4). Whatever scores are chosen, a third of it remains on some pair.

    Raises
    ------
    MissingEstimateError
        For a number that is NaN.

    Examples
    --------
    >>> round(cycle_defect(1.0, 1.0, 2.0), 3), round(cycle_defect(1.0, 1.0, 0.0), 3)
    (0.15, 0.0)
    """
    one, other, both = averaged_log_odds([first_gap, second_gap, first_gap + second_gap], position)
    return float(both - one - other)


def _numbers(name: str, values: ArrayLike) -> FloatArray:
    found = np.asarray(values, dtype=float)
    if np.isnan(found).any():
        raise MissingEstimateError(f"{name} holds NaN; leave missing numbers out.")
    return found
