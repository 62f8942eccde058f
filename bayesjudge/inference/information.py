"""Information at a fit: of the likelihood, of one data set, and curvature of the prior."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.design import Design
from bayesjudge.data.layouts import observed_site
from bayesjudge.inference.precision import in_float64
from bayesjudge.inference.verdict_scores import outcome_scores

if TYPE_CHECKING:
    from bayesjudge.inference.mode import Mode


@in_float64
def expected_information(mode: "Mode") -> NDArray[np.float64]:
    """Give the likelihood's expected information at the mode.

    Parameters
    ----------
    mode : Mode
        The fit.

    Returns
    -------
    ndarray, shape (size, size)
        Sum over verdicts of the expected product of scores (OSCAR, Appendix B.3).
    """
    return _information(mode, 1)


@in_float64
def score_variance(mode: "Mode") -> NDArray[np.float64]:
    """Give the variance of the summed scores that the model implies.

    Parameters
    ----------
    mode : Mode
        The fit.

    Returns
    -------
    ndarray, shape (size, size)
        The expected information where no data set has a power; scores vary with power squared.
    """
    return _information(mode, 2)


def _information(mode: "Mode", exponent: int) -> NDArray[np.float64]:
    scores = outcome_scores(mode)
    parts = [
        float(each.layout.power) ** exponent * design_information(mode, each, scores)
        for each in mode.designs
    ]
    return np.sum(parts, axis=0)


@in_float64
def design_information(
    mode: "Mode", design: Design, scores: dict[str, NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Give the expected information of one data set, whatever its power.

    Parameters
    ----------
    mode : Mode
        The fit.
    design : Design
        One of its data sets.
    scores : dict of str to ndarray
        What `outcome_scores` gave.

    Returns
    -------
    ndarray, shape (size, size)
        Sum over its verdicts.
    """
    site = observed_site(design.layout)
    probs = np.asarray(mode.program.compiled.outcome_probs(mode.phi, mode.layouts)[site])
    counts = np.asarray(design.layout.counts).reshape(-1, 3).sum(1)
    flat = scores[site].reshape(-1, scores[site].shape[-1])
    return (flat.T * (counts[:, None] * probs).ravel()) @ flat


@in_float64
def prior_curvature(mode: "Mode") -> NDArray[np.float64]:
    """Give the curvature that the prior adds.

    Parameters
    ----------
    mode : Mode
        The fit.

    Returns
    -------
    ndarray, shape (size, size)
        Negative Hessian of the log-prior; zero for maximum likelihood.
    """
    if not mode.prior:
        return np.zeros_like(mode.hessian)
    return np.asarray(mode.program.compiled.prior_curvature(mode.phi, mode.layouts))
