"""Confidence sets for the rank of a new item among historical ones, by Holm's procedure."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from bayesjudge.core.arguments import real_numbers
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import demand_level
from bayesjudge.errors import UnknownOptionError, UnrankedItemsError

Sides = Literal["two", "one"]


@dataclass(frozen=True, eq=False, repr=False)
class RankSet:
    """The ranks that a new item may have; 1 is best.

    Attributes
    ----------
    above, below : ndarray of bool, shape (n,)
        The historical items that it is above, and below, at the level of the set.
    """

    above: BoolArray
    below: BoolArray

    def __repr__(self) -> str:
        return f"RankSet(best={self.best}, worst={self.worst}, of {len(self.above) + 1} items)"

    @property
    def best(self) -> int:
        """The best rank in the set."""
        return 1 + int(self.below.sum())

    @property
    def worst(self) -> int:
        """The worst rank in the set."""
        return len(self.above) + 1 - int(self.above.sum())

    def __contains__(self, rank: object) -> bool:
        return bool(isinstance(rank, int | np.integer) and self.best <= rank <= self.worst)


def rank_set(
    difference: ArrayLike, error: ArrayLike, prob: float = 0.95, sides: Sides = "two"
) -> RankSet:
    """Return the ranks that a new item may have among n historical ones.

    Parameters
    ----------
    difference : array, shape (n,)
        Estimated score of the new item less that of each historical one.
    error : array, shape (n,)
        Standard errors; any dependence is allowed. With an error of zero a difference is certain.
    prob : float
        Level of the set.
    sides : {"two", "one"}
        Holm's procedure on n two-sided hypotheses of equal scores, valid pointwise, or on 2n
        one-sided ones, whose signs are simultaneously valid whatever the scores.

    Returns
    -------
    RankSet
        With the items that it is above and below at that level.

    Raises
    ------
    UnknownOptionError
        For other sides, or a level outside 0 and 1.
    UnrankedItemsError
        If differences or errors are not finite numbers, one an item, or an error is negative.

    Notes
    -----
    ANCHOR Section 4.2 with Holm (1979). Ties are allowed.

    Examples
    --------
    >>> ranks = rank_set([2.9, 2.5, 0.3, -2.2, -4.0], np.ones(5))
    >>> ranks.best, ranks.worst
    (2, 4)
    """
    alpha = 1 - demand_level(prob)
    ratio = _ratio(_numbers("difference", difference), _numbers("error", error))
    if sides == "two":
        different = _holm(2 * ndtr(-np.abs(ratio)), alpha)
        return RankSet(different & (ratio > 0), different & (ratio < 0))
    if sides == "one":
        above, below = np.split(_holm(np.concatenate([ndtr(-ratio), ndtr(ratio)]), alpha), 2)
        return RankSet(above, below)
    raise UnknownOptionError(f"sides is {sides!r}; choose 'two' or 'one'.")


def _numbers(name: str, values: ArrayLike) -> FloatArray:
    """Return one finite number an item, (n,)."""
    numbers = real_numbers(values)
    if numbers is None or numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise UnrankedItemsError(
            f"{name} is not an array of finite numbers, one for each historical item; give one, "
            "and leave out the items without a number."
        )
    return numbers


def _ratio(difference: FloatArray, error: FloatArray) -> FloatArray:
    """Return differences in standard errors; infinite where the error alone is zero."""
    if len(difference) != len(error):
        raise UnrankedItemsError(
            f"There are {len(difference)} differences and {len(error)} errors; give one of each "
            "for each historical item."
        )
    if (error < 0).any():
        raise UnrankedItemsError(
            f"The standard error {error.min():g} is negative; give the roots of the variances."
        )
    certain = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    with np.errstate(over="ignore"):  # infinity is the right answer
        return np.divide(difference, error, out=certain, where=error > 0)


def _holm(p_values: FloatArray, alpha: float) -> BoolArray:
    """Return which hypotheses are rejected, from the smallest p-value to the first too large."""
    order = np.argsort(p_values, kind="stable")
    limits = alpha / np.arange(len(p_values), 0, -1)
    passed = np.logical_and.accumulate(p_values[order] <= limits)
    return passed[np.argsort(order)]
