"""Position-corrected preferences and preferences averaged over both orders."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit

from bayesjudge.core.arguments import demand_numbers
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.errors import MismatchedRowsError, MissingEstimateError, UnknownOptionError

CLOSE = 0.5  # twice the distance of a probability from one half
LARGEST_GAP = 1e6  # log-odds; far beyond it differences of log-odds lose all their digits


def averaged_probability(gap: ArrayLike, position: ArrayLike) -> FloatArray:
    """Return the probability of preferring an answer, averaged over both orders.

    Parameters
    ----------
    gap, position : array_like
        Difference of scores and position effect, log-odds; broadcast.

    Returns
    -------
    ndarray
        Closer to one half than the probability without the position effect, sigma(gap), unless
        the effect is zero (DIAL B.2).

    Raises
    ------
    MissingEstimateError
        If a number is NaN.
    UnknownOptionError
        If a value is not a number, or a gap and its position effect are both infinite.
    MismatchedRowsError
        If shapes do not broadcast.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.studies.averaged_probability(2.0, [0.0, 2.0]).round(3)
    array([0.881, 0.741])
    """
    gap, position = _gap_and_position(gap, position)
    with np.errstate(over="ignore"):  # the limit is what a sum beyond all numbers gives
        return 0.5 * (expit(gap + position) + expit(gap - position))


def averaging_factor(gap: ArrayLike, position: ArrayLike) -> FloatArray:
    """Return the factor by which averaging over orders shrinks a preference towards one half.

    Parameters
    ----------
    gap, position : array_like
        Difference of scores and position effect, log-odds; broadcast.

    Returns
    -------
    ndarray
        (1 - t^2) / (1 - u^2 t^2) with u = tanh(gap / 2), t = tanh(position / 2), between 0 and 1
        (DIAL B.1).

    Raises
    ------
    MissingEstimateError, UnknownOptionError, MismatchedRowsError
        As for `averaged_probability`.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.studies.averaging_factor([0.0, 5.0], 2.0).round(3)
    array([0.42 , 0.965])
    """
    gap, position = map(np.abs, _gap_and_position(gap, position))
    finite = [np.where(np.isinf(size), 0.0, size) for size in (gap, position)]
    return np.where(np.isinf(gap), 1.0, np.where(np.isinf(position), 0.0, _finite_factor(*finite)))


def averaged_log_odds(gap: ArrayLike, position: ArrayLike) -> FloatArray:
    """Return the log-odds of the averaged probability.

    Parameters
    ----------
    gap, position : array_like
        Difference of scores and position effect, log-odds; broadcast.

    Returns
    -------
    ndarray
        g_b(gap), DIAL Proposition B.4: odd and increasing, but linear only without a position
        effect, so that no scores have these log-odds as their differences.

    Raises
    ------
    MissingEstimateError, UnknownOptionError, MismatchedRowsError
        As for `averaged_probability`.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.studies.averaged_log_odds([0.0, 1.0, 2.0], 2.0).round(3)
    array([0.   , 0.45 , 1.051])
    """
    gap, position = _gap_and_position(gap, position)
    with np.errstate(over="ignore"):  # the limit is what a sum beyond all numbers gives
        with_it, against_it = gap + position, gap - position
    for_it = np.logaddexp(log_expit(with_it), log_expit(against_it))
    against = np.logaddexp(log_expit(-with_it), log_expit(-against_it))
    share = np.tanh(gap / 2) * averaging_factor(gap, position)
    # near one half the difference of logarithms would lose its digits
    close = np.abs(share) < CLOSE
    return np.where(close, 2 * np.arctanh(np.where(close, share, 0.0)), for_it - against)


def cycle_defect(
    first_gap: ArrayLike, second_gap: ArrayLike, position: ArrayLike
) -> float | FloatArray:
    """Return by how much averaged log-odds of three items fail to be differences of scores.

    Parameters
    ----------
    first_gap, second_gap : array_like
        Score of a minus b, and of b minus c, log-odds.
    position : array_like
        Position effect, log-odds; broadcast with the gaps.

    Returns
    -------
    float, or ndarray for arrays
        g(x + y) - g(x) - g(y) round the cycle of the three items, log-odds; zero for differences
        of scores (DIAL Proposition B.4). For any scores, some pair is off by a third of it.

    Raises
    ------
    MissingEstimateError, UnknownOptionError, MismatchedRowsError
        As for `averaged_probability`; also if a gap exceeds a million log-odds.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> [round(bj.studies.cycle_defect(1.0, 1.0, position), 3) for position in (2.0, 0.0)]
    [0.15, 0.0]
    """
    first, second, effect = _together(first_gap=first_gap, second_gap=second_gap, position=position)
    _demand_triangle(first, second)
    both = averaged_log_odds(first + second, effect)
    defect = both - averaged_log_odds(first, effect) - averaged_log_odds(second, effect)
    return defect if defect.ndim else float(defect)


def _finite_factor(gap: FloatArray, position: FloatArray) -> FloatArray:
    """Return (cosh gap + 1) / (cosh gap + cosh position), without overflow."""
    larger = np.maximum(gap, position)
    with np.errstate(over="ignore"):
        of_gap = 0.5 * (np.exp(gap - larger) + np.exp(-gap - larger))
        of_position = 0.5 * (np.exp(position - larger) + np.exp(-position - larger))
    return (of_gap + np.exp(-larger)) / (of_gap + of_position)


def _demand_triangle(*gaps: FloatArray) -> None:
    largest = max(np.abs(gap).max(initial=0.0) for gap in gaps)
    if largest > LARGEST_GAP:
        raise UnknownOptionError(
            f"A gap has {largest:g} log-odds; give gaps of at most {LARGEST_GAP:g}, as the "
            "defect of larger ones is lost in rounding."
        )


def _gap_and_position(gap: ArrayLike, position: ArrayLike) -> tuple[FloatArray, FloatArray]:
    gap, position = _together(gap=gap, position=position)
    if (np.isinf(gap) & np.isinf(position)).any():
        raise UnknownOptionError(
            "gap and position are both infinite, where the average over orders has no limit; give "
            "a finite number for one of them."
        )
    return gap, position


def _together(**arguments: ArrayLike) -> list[FloatArray]:
    arrays = {name: _numbers(name, values) for name, values in arguments.items()}
    try:
        np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = listing(array.shape for array in arrays.values())
        raise MismatchedRowsError(
            f"{listing(arrays)} have the shapes {shapes}; give shapes that broadcast, such as one "
            "position effect for all gaps."
        ) from None
    return list(arrays.values())


def _numbers(name: str, values: ArrayLike) -> FloatArray:
    numbers = demand_numbers(name, values)
    if np.isnan(numbers).any():
        raise MissingEstimateError(f"{name} holds NaN; leave missing numbers out.")
    return numbers
