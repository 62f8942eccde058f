"""The level of an interval."""

from numbers import Real

from bayesjudge.errors import UnknownOptionError


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
