"""Probability that one item is preferred to another, for every pair."""

import numpy as np
import xarray as xr
from scipy.special import expit

from bayesjudge.core.intervals import demand_level
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import Fit, readable, score_name
from bayesjudge.report.marks import pair_marks

DIMS = ("item", "opponent")


def win_probability(fit: Fit, quantity: str | None = None, prob: float = 0.95) -> xr.Dataset:
    """Return the probability that an average judge prefers each item to each other item.

    The judge has average sensitivity and no bias, such as a position effect. A tie counts as half a
    win for each side; in a program with tie parameters, verdicts that are ties are left out.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        The fit. Standard errors of a mode, a path or a one-step estimate are clustered by prompt.
    quantity : str, optional
        A score in log-odds with one value an item; by default what the fit's program ranks items
        by.
    prob : float
        Level of the intervals.

    Returns
    -------
    xarray.Dataset
        ``win_probability``, ``lower``, ``upper`` (probabilities), ``rests_on_prior`` and ``mark``,
        each with dimensions item and opponent. Swapping item and opponent turns p into 1 - p and
        the lower end into one minus the upper. Marks are those of `rank_table`, of the difference
        of the two scores, and "exact" where its verdicts cancel exactly, so that it has no sampling
        error. An estimate with a covariance has no interval (NaN) where the prior decides the
        difference or nothing bounds it.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If the fit, its quantity or the level is not one that a report can read.

    Notes
    -----
    OSCAR eq. (3) and (10): q_ij is the sigmoid of h_ij, the difference of the scores. A normal
    interval is computed for h_ij and then transformed. Of a posterior, the estimate is the mean of
    q_ij and the ends are quantiles.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> won = bj.win_probability(bj.mode(bj.models.sensitivity, bj.example_panel()))
    >>> pair = won.sel(item="maple", opponent="alder")
    >>> round(float(pair["win_probability"]), 3)
    0.853
    """
    fit = readable(fit)
    scores = evidence(fit, score_name(fit, quantity))
    return pair_probabilities(scores, prob).assign(mark=(DIMS, pair_marks(fit, scores)))


def pair_probabilities(scores: Evidence, prob: float) -> xr.Dataset:
    """Return the win probabilities of all pairs of items."""
    between = scores.missing & ~np.eye(scores.estimate.size, dtype=bool)
    lower = np.where(between, np.nan, scores.lower_log_odds(demand_level(prob)))
    matrices = {
        "win_probability": scores.win_probability(),
        "lower": expit(lower),
        "upper": expit(-lower.T),
        "rests_on_prior": scores.rests_on_prior & ~np.eye(scores.estimate.size, dtype=bool),
    }
    names = scores.names("item")
    arrays = {name: (DIMS, value) for name, value in matrices.items()}
    attrs = {"quantity": scores.quantity, "method": scores.label, "prob": prob}
    return xr.Dataset(arrays, coords={"item": names, "opponent": names}, attrs=attrs)
