r"""Population sensitivity of a judge with a position effect, fitted without a position term.

A judge with sensitivity :math:`\gamma^*` and position effect :math:`\beta^*` prefers an answer that
is better by x with probability :math:`\sigma(\gamma^* x + \beta^*)` if it is shown first and
:math:`\sigma(\gamma^* x - \beta^*)` if it is shown second. The average over orders is

.. math:: m(x) = \pi \sigma(\gamma^* x + \beta^*) + (1 - \pi) \sigma(\gamma^* x - \beta^*),

which is flatter in x than either. A fit of :math:`\sigma(\gamma x)` to it underestimates the
sensitivity even where orders are balanced (OSCAR Section 4.1).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import expit, log_expit

from bayesjudge.core.arguments import demand_number, demand_numbers
from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import InvalidWeightError, NoQualityGapError, UnknownOptionError

FIGURE_GAPS = np.linspace(-1.0, 1.0, 401).tolist()  # log-odds; OSCAR, Figure 1(b)


def net_first_preference(position: ArrayLike) -> FloatArray:
    """Return the net first-slot preference D = tanh(beta / 2), OSCAR Section 3.2."""
    return np.tanh(demand_numbers("position", position) / 2)


def attenuation_factor(position: ArrayLike) -> FloatArray:
    r"""Return the factor by which an omitted position effect attenuates a judge's sensitivity.

    Parameters
    ----------
    position : array_like
        Position effect, log-odds.

    Returns
    -------
    ndarray, same shape
        Slope at equal quality relative to the judge's sensitivity, between 0 and 1; one without a
        position effect.

    Raises
    ------
    UnknownOptionError
        If an effect is not a number.

    Notes
    -----
    .. math:: \left.\frac{d \operatorname{logit} m(x)}{dx}\right|_{x=0} / \gamma^*
              = 1 - D^2 = \operatorname{sech}^2(\beta^*/2)

    OSCAR eq. (5), with both orders equally likely.

    Examples
    --------
    A judge that prefers the first of two equally good answers nine times in ten:

    >>> import math
    >>> round(float(attenuation_factor(math.log(9))), 2)
    0.36
    """
    return 1 / np.cosh(demand_numbers("position", position) / 2) ** 2


def order_averaged_log_odds(
    gaps: ArrayLike, position: float, first_share: ArrayLike = 0.5, sensitivity: float = 1.0
) -> FloatArray:
    """Return logit m(x) of gaps (n,), exact even where m rounds to zero or one.

    The answer with the gap is shown first in a share of the displays, float or (n,).
    """
    x = demand_numbers("gaps", gaps)
    position = demand_number("position", position)
    share, slope = _shares(first_share, x), demand_number("sensitivity", sensitivity) * x
    with np.errstate(divide="ignore"):  # a share of zero or one has log zero, as it should
        first, second = np.log(share), np.log1p(-share)
    shown_first, shown_second = slope + position, slope - position
    won = np.logaddexp(first + log_expit(shown_first), second + log_expit(shown_second))
    lost = np.logaddexp(first + log_expit(-shown_first), second + log_expit(-shown_second))
    return won - lost


def population_sensitivity(
    gaps: ArrayLike,
    position: float,
    first_share: ArrayLike = 0.5,
    sensitivity: float = 1.0,
    weights: ArrayLike | None = None,
) -> float:
    r"""Return the sensitivity to which a fit without a position term converges.

    Parameters
    ----------
    gaps : array_like, shape (n,)
        Quality gaps that are compared, on the scale of scores.
    position : float
        The judge's position effect, log-odds.
    first_share : float or array_like, shape (n,)
        Share of displays in which the answer with this gap is shown first; one half where orders
        are balanced, and under swap-and-average.
    sensitivity : float
        The judge's true sensitivity, log-odds per unit of the gap.
    weights : array_like, shape (n,), optional
        Relative frequencies of the gaps; by default equal.

    Returns
    -------
    float
        The minimiser over non-negative sensitivities of the expected log loss. Balanced orders give
        less than `sensitivity`; unbalanced ones may give more, or zero.

    Raises
    ------
    NoQualityGapError
        If all gaps are zero.
    UnknownOptionError
        If a share is not between 0 and 1, if the shares do not match the gaps, or if the effect,
        the sensitivity or a gap is not a number.
    InvalidWeightError
        If the weights are not positive, or do not match the gaps.

    Notes
    -----
    .. math:: \gamma^\dagger = \arg\min_{\gamma \ge 0}
              \sum_j w_j \{\log(1 + e^{\gamma x_j}) - m(x_j) \gamma x_j\}

    OSCAR eq. (6) and Appendix A.3. The derivative in :math:`\gamma` increases, and is not negative
    at the largest of logit m(x) / x, which bounds the root.

    Examples
    --------
    Figure 1(b) of the paper at a position effect of four, and its 40:60 example:

    >>> import numpy as np
    >>> round(population_sensitivity(np.linspace(-1, 1, 401), position=4.0), 5)
    0.07715
    >>> better = np.arange(1, 201) / 200
    >>> round(population_sensitivity(better, position=1.0, first_share=0.4), 5)
    0.52767
    """
    x = _gaps(gaps)
    weight = _weights(weights, x)
    log_odds = np.broadcast_to(
        order_averaged_log_odds(x, position, first_share, sensitivity), x.shape
    )
    kept = x != 0
    if not kept.any():
        raise NoQualityGapError(
            "All quality gaps are zero, and equal answers do not identify a sensitivity; give at "
            "least one gap that is not zero."
        )
    x, weight, mean = x[kept], weight[kept], expit(log_odds[kept])

    def slope(gamma: float) -> float:
        return float(np.sum(weight * x * (expit(gamma * x) - mean)))

    highest = float(np.max(log_odds[kept] / x))
    if slope(0.0) >= 0:
        return 0.0
    return highest if slope(highest) <= 0 else float(brentq(slope, 0.0, highest, xtol=1e-14))


def _gaps(gaps: ArrayLike) -> FloatArray:
    x = demand_numbers("gaps", gaps)
    if x.ndim != 1 or not x.size or not np.isfinite(x).all():
        raise UnknownOptionError(
            f"gaps has shape {x.shape} or holds a value that is not finite; give a list of at "
            "least one finite quality gap."
        )
    return x


def _shares(first_share: ArrayLike, gaps: FloatArray) -> FloatArray:
    share = demand_numbers("first_share", first_share)
    if share.ndim and share.shape != gaps.shape:
        raise UnknownOptionError(
            f"first_share has shape {share.shape} and gaps {gaps.shape}; give one share for all "
            "gaps, or one for each."
        )
    if not ((share >= 0) & (share <= 1)).all():
        raise UnknownOptionError(
            "first_share must lie between 0 and 1; give the share of displays in which the answer "
            "with this gap is shown first."
        )
    return share


def _weights(weights: ArrayLike | None, gaps: FloatArray) -> FloatArray:
    if weights is None:
        return np.ones_like(gaps)
    weight = demand_numbers("weights", weights, InvalidWeightError)
    if weight.shape != gaps.shape or not ((weight > 0) & np.isfinite(weight)).all():
        raise InvalidWeightError(
            f"The {gaps.size} gaps need one positive weight each; leave out gaps that do not occur."
        )
    return weight
