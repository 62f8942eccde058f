"""Levels of intervals, and the scales on which normal intervals are made."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import UnknownOptionError

__all__ = ["demand_level", "level_words", "normal_half_width", "percent"]


@dataclass(frozen=True)
class Scale:
    """A scale without bounds, on which an estimate is about normal.

    Attributes
    ----------
    to_line, from_line : callable
        From the quantity to the scale, and back.
    slope : callable
        Derivative of `to_line`.
    """

    to_line: Callable[[FloatArray], FloatArray]
    from_line: Callable[[FloatArray], FloatArray]
    slope: Callable[[FloatArray], FloatArray]


AS_IT_IS = Scale(lambda value: value, lambda value: value, np.ones_like)


LOG_ODDS_OF_PREFERENCE = Scale(  # D = tanh(position / 2), OSCAR Section 3.2
    lambda value: 2 * np.arctanh(value),
    lambda value: np.tanh(value / 2),
    lambda value: 2 / (1 - value**2),
)


BOUNDED = {"net_first_preference": LOG_ODDS_OF_PREFERENCE}


def level_words(prob: float) -> str:
    """Write a level in words.

    Parameters
    ----------
    prob : float
        Level.

    Returns
    -------
    str
        For example "95 % intervals".
    """
    return f"{percent(prob)} intervals"


def percent(prob: float) -> str:
    """Write a probability as a percentage, without needless digits.

    Parameters
    ----------
    prob : float
        Probability.

    Returns
    -------
    str
        With a space before the sign.

    Examples
    --------
    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * prob:.6g} %"


def demand_level(prob: float) -> float:
    """Check the level of an interval.

    Parameters
    ----------
    prob : float
        Level.

    Returns
    -------
    float
        As given.

    Raises
    ------
    UnknownOptionError
        Unless it lies between 0 and 1.
    """
    if not isinstance(prob, Real) or not 0 < prob < 1:
        raise UnknownOptionError(
            f"prob is {prob!r}; give the level of the interval as a probability between 0 and 1, "
            "such as 0.95."
        )
    return float(prob)


def normal_half_width(prob: float) -> float:
    """Give how many standard errors a normal interval reaches to either side.

    Parameters
    ----------
    prob : float
        Level.

    Returns
    -------
    float
        For example 1.96 at 0.95.
    """
    from scipy.special import ndtri

    return float(ndtri(0.5 + prob / 2))
