"""Scores of single verdicts: derivatives of their log-likelihood at a fit."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.design import Design
from bayesjudge.data.layouts import observed_site
from bayesjudge.inference.precision import in_float64

if TYPE_CHECKING:
    from bayesjudge.inference.mode import Mode


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
