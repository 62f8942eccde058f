"""Scores and information of the verdicts at a point of the parameter space."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.precision import in_float64

if TYPE_CHECKING:
    from bayesjudge.fits.mode import Mode


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


@in_float64
def outcome_scores(mode: "Mode") -> dict[str, NDArray[np.float64]]:
    """Give the scores of one win, tie and loss in each cell.

    Parameters
    ----------
    mode : Mode
        The fit.

    Returns
    -------
    dict of str to ndarray, shape (n_cells, 3, size)
        By observed site: gradients of one verdict's log-likelihood.
    """
    found = mode.program.compiled.outcome_scores(mode.phi, mode.layouts)
    return {name: np.asarray(value) for name, value in found.items()}


@in_float64
def site_scores(mode: "Mode", design: Design) -> NDArray[np.float64]:
    """Give the scores of one win, tie and loss in each cell of one data set.

    Parameters
    ----------
    mode : Mode
        The fit.
    design : Design
        One of its data sets.

    Returns
    -------
    ndarray, shape (n_cells, 3, size)
        Gradients of one verdict's log-likelihood.
    """
    compiled = mode.program.compiled.site_scores[observed_site(design.layout)]
    return np.asarray(compiled(mode.phi, mode.layouts))


def centred_scores(design: Design, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre the scores of a data set's verdicts at their mean, to the data set's power.

    Parameters
    ----------
    design : Design
        The data set.
    scores : ndarray, shape (n_cells, 3, size)
        Score of one win, tie and loss in each cell.

    Returns
    -------
    ndarray, shape (3 n_cells, size)
        Their sum over all verdicts is zero.
    """
    flat = scores.reshape(-1, scores.shape[-1])
    counts = np.asarray(design.layout.counts).ravel()
    return float(design.layout.power) * (flat - counts @ flat / counts.sum())
