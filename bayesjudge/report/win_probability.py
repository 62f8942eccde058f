"""Probability that one item is preferred to another, for every pair."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr
from scipy.special import expit

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import demand_level
from bayesjudge.report.evidence import Evidence, NormalEvidence, evidence
from bayesjudge.report.fits import readable, score_name
from bayesjudge.report.prior_only import rests_on_prior

if TYPE_CHECKING:
    from bayesjudge.report.fits import Fit


def win_probability(fit: "Fit", quantity: str | None = None, prob: float = 0.95) -> xr.Dataset:
    """Give the probability that an average judge prefers each item to each other one.

    The judge has average sensitivity and neither position nor other bias; a tie counts as half a
    win for each side, or, in a program with ties of their own, does not count.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit. A mode stands for its sandwich by prompt.
    quantity : str, optional
        A score in log-odds with one value an item; by default "human_score" if the fit has one,
        else "score".
    prob : float
        Level of the intervals.

    Returns
    -------
    xarray.Dataset
        ``win_probability``, ``lower``, ``upper`` (probabilities) and ``rests_on_prior``, each with
        dimensions item and opponent. Swapping item and opponent turns p into 1 - p and the lower
        end into one minus the upper. A mode has no interval (NaN) where no verdicts inform the
        difference.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If the fit, its quantity or the level is not one that a report can read.

    Notes
    -----
    OSCAR eq. (3) and (10): q_ij is the sigmoid of h_ij, the difference of the scores. A normal
    fit's interval is made for h_ij and then transformed; a posterior's ends are quantiles, its
    estimate is the posterior mean of q_ij.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> won = bj.win_probability(bj.mode(bj.models.sensitivity, bj.example_panel()))
    >>> pair = won.sel(item="maple", opponent="alder")
    >>> round(float(pair["win_probability"]), 3)
    0.853
    """
    fit = readable(fit)
    found = evidence(fit, score_name(fit, quantity))
    return pair_probabilities(found, rests_on_prior(fit, found.quantity), prob)


def pair_probabilities(found: Evidence, prior_only: BoolArray, prob: float) -> xr.Dataset:
    """Give the win probabilities of all pairs that evidence holds.

    Parameters
    ----------
    found : Evidence
        Scores of the items, in log-odds.
    prior_only : ndarray of bool, shape (n_items, n_items)
        Differences that rest on the prior alone.
    prob : float
        Level of the intervals.

    Returns
    -------
    xarray.Dataset
        As `win_probability`.
    """
    lower = _lower(found, demand_level(prob), prior_only)
    matrices = {
        "win_probability": found.win_probability(),
        "lower": expit(lower),
        "upper": expit(-lower.T),
        "rests_on_prior": prior_only,
    }
    names = found.names("item")
    arrays = {name: (("item", "opponent"), value) for name, value in matrices.items()}
    attrs = {"quantity": found.quantity, "method": found.label, "prob": prob}
    return xr.Dataset(arrays, coords={"item": names, "opponent": names}, attrs=attrs)


def _lower(found: Evidence, prob: float, prior_only: BoolArray) -> FloatArray:
    lower = found.lower_log_odds(prob)
    if isinstance(found, NormalEvidence):
        lower = np.where(prior_only, np.nan, lower)
    return lower
