"""GACV: the leave-one-vote-out loss of a calibrated fit, without refitting (DIAL eq. 15)."""

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.point import centred_scores, site_scores
from bayesjudge.engine.precision import in_float64
from bayesjudge.fits.mode import Mode


@in_float64
def vote_loss(fit: Mode) -> float:
    """Give the mean loss of a vote, DIAL eq. (5).

    Parameters
    ----------
    fit : Mode
        A fit whose last data set are the votes.

    Returns
    -------
    float
        Nats a vote.
    """
    votes = fit.designs[-1]
    found = fit.program.compiled.log_likelihood(fit.phi, fit.layouts)
    return -float(found[observed_site(votes.layout)].sum()) / float(votes.weight.sum())


def vote_score_variance(fit: Mode) -> FloatArray:
    """Give the covariance of the scores of single votes, DIAL's J.

    Parameters
    ----------
    fit : Mode
        A fit whose last data set are the votes.

    Returns
    -------
    ndarray, shape (size, size)
        Centred, divided by the number of votes.
    """
    votes = fit.designs[-1]
    centred = centred_scores(votes, site_scores(fit, votes))
    counts = np.asarray(votes.layout.counts).ravel()
    return (centred.T * counts) @ centred / counts.sum()


def optimism(fit: Mode, free: NDArray[np.bool_] | None = None) -> float:
    """Give tr(H^-1 J), the effective number of parameters behind the votes' loss.

    Parameters
    ----------
    fit : Mode
        A fit whose last data set are the votes.
    free : ndarray of bool, shape (size,), optional
        Coordinates that the votes have fitted; all by default.

    Returns
    -------
    float
        Close to the number of coordinates where the model holds and the judges say nothing.

    Notes
    -----
    H is the full observed Hessian of the criterion by vote; J uses 1 / n_h and centred scores.
    """
    chosen = np.ones(len(fit.phi), dtype=bool) if free is None else free
    place = np.ix_(chosen, chosen)
    bread = fit.hessian[place] / float(fit.designs[-1].weight.sum())
    return float(np.trace(np.linalg.solve(bread, vote_score_variance(fit)[place])))
