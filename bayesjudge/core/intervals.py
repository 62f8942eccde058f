"""Levels of intervals, and the scales on which normal intervals are made."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np
import xarray as xr

from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import UnknownOptionError


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

CERTAIN = 1.0 - np.finfo(float).eps  # a preference beyond which has no finite log-odds


def _inside(value: FloatArray) -> FloatArray:
    return np.clip(value, -CERTAIN, CERTAIN)


LOG_ODDS_OF_PREFERENCE = Scale(  # D = tanh(position / 2), OSCAR Section 3.2
    lambda value: 2 * np.arctanh(_inside(value)),
    lambda value: np.tanh(value / 2),
    lambda value: 2 / (1 - _inside(value) ** 2),
)

BOUNDED = {"net_first_preference": LOG_ODDS_OF_PREFERENCE}


def level_words(prob: float) -> str:
    """Write a level in words."""
    return f"{percent(prob)} intervals"


def percent(prob: float) -> str:
    """Write a probability as a percentage, without needless digits."""
    return f"{100 * prob:.6g} %"


def demand_level(prob: float) -> float:
    """Check the level of an interval."""
    if not isinstance(prob, Real) or not 0 < prob < 1:
        raise UnknownOptionError(
            f"prob is {prob!r}; give the level of the interval as a probability between 0 and 1, "
            "such as 0.95."
        )
    return float(prob)


def normal_half_width(prob: float) -> float:
    """Return how many standard errors a normal interval reaches to either side."""
    from scipy.special import ndtri

    return float(ndtri(0.5 + prob / 2))


def equal_tailed(draws: FloatArray, prob: float, axis: int = 0) -> FloatArray:
    """Return the lower and upper bound of the central interval of draws, shape (2, ...)."""
    tail = (1 - prob) / 2
    return np.quantile(draws, [tail, 1 - tail], axis=axis)


def normal_interval(estimate: xr.DataArray, error: xr.DataArray, prob: float) -> xr.DataArray:
    """Return the normal interval of an estimate, along a new dimension ``bound``."""
    half = normal_half_width(demand_level(prob)) * error
    both = xr.concat([estimate - half, estimate + half], dim="bound")
    return both.assign_coords(bound=["lower", "upper"]).rename(estimate.name)
