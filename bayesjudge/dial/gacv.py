"""GACV: the leave-one-vote-out loss of a calibrated fit, without refitting (DIAL eq. 15)."""

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.precision import in_float64
from bayesjudge.fits.mode import Mode

ROUNDING = 1e-14  # relative curvature that is none


@in_float64
def vote_loss(fit: Mode) -> float:
    """Return the mean loss of a vote, DIAL eq. (5)."""
    votes = fit.designs[-1]
    log_likelihood = fit.program.compiled.log_likelihood(fit.phi, fit.layouts)
    return -float(log_likelihood[observed_site(votes.layout)].sum()) / float(votes.weight.sum())


def vote_score_variance(fit: Mode) -> FloatArray:
    """Return the centred covariance of the scores of single votes, DIAL's J, (size, size)."""
    votes = fit.designs[-1]
    counts = np.asarray(votes.layout.counts).reshape(-1, 3)
    scores, n_votes = fit.scores(votes), counts.sum()
    mean = scores.total(counts) / n_votes
    return scores.products(counts) / n_votes - np.outer(mean, mean)


def optimism(fit: Mode, free: BoolArray | None = None) -> float:
    """Return tr(H^-1 J), the effective number of parameters behind the votes' loss.

    H is the full observed Hessian of the criterion by vote, in the free coordinates (size,); NaN
    where it is not positive, so that the fit is no maximum.
    """
    bread = fit.hessian / float(fit.designs[-1].weight.sum())
    meat = vote_score_variance(fit)
    if free is not None:
        bread, meat = bread[np.ix_(free, free)], meat[np.ix_(free, free)]
    return float(np.trace(np.linalg.solve(bread, meat))) if _is_regular(bread) else np.nan


def _is_regular(bread: FloatArray) -> bool:
    if not np.isfinite(bread).all():
        return False
    curvature = np.linalg.eigvalsh(bread)
    return bool(curvature[0] > ROUNDING * curvature[-1])
