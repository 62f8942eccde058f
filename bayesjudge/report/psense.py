"""What the values of a quantity owe to the prior, whatever the fit; power scaling of draws."""

from typing import Literal

import numpy as np
import xarray as xr

from bayesjudge.core.algebra import contrast_variance
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.fits.estimate import SHIFTS
from bayesjudge.report.fits import Readable, components, demand_posterior, facts, group, quantities

Part = Literal["prior", "likelihood"]
SENSITIVE = 0.05  # by Kallioinen et al. (2024); about 0.3 standard deviations per doubling


def prior_shifts(fit: Readable, quantity: str) -> FloatArray:
    """Return what the n values of a quantity owe to the prior, in standard errors, (n, n).

    On the diagonal the values; beside it, for quantities by item, their differences, else zeros.
    Infinite where the likelihood does not bound them, NaN where nothing is estimated.
    """
    if isinstance(fit, xr.DataTree) and SHIFTS[0] not in fit.children:
        return _shifts_of_draws(fit, quantity)
    single, by_item = _held(fit, 0, quantity), quantities(fit)[quantity] == ("item",)
    shift = _held(fit, 1, quantity).values.copy() if by_item else np.zeros((single.size,) * 2)
    np.fill_diagonal(shift, single.values.ravel())
    return shift


def _held(fit: Readable, which: int, quantity: str) -> xr.DataArray:
    if isinstance(fit, xr.DataTree):
        return group(fit, SHIFTS[which])[quantity]
    return (fit.prior_shift, fit.pair_shift)[which](quantity)


def _shifts_of_draws(tree: xr.DataTree, quantity: str) -> FloatArray:
    """Return how far doubling the strength of the top-level prior moves a posterior.

    With that prior to the power alpha, d E[q] / d log alpha = Cov(q, log prior), in standard
    deviations of q. Draws from elsewhere hold no log-prior: for them only components count.
    """
    sample = flat_draws(tree, quantity)
    if is_scalable(tree):
        prior = group(tree, "sample_stats")["log_prior"].values.ravel()
        slope = (sample - sample.mean(axis=0)).T @ (prior - prior.mean()) / len(prior)
        single = _per_deviation(slope, sample.std(axis=0))
        shift = _per_deviation(slope[:, None] - slope, _spreads(sample))
    else:
        single, shift = np.zeros(sample.shape[1]), np.zeros((sample.shape[1],) * 2)
    apart = _apart(tree, quantity)
    single[_unbounded(tree, quantity, apart)] = np.inf
    single[np.ptp(sample, axis=0) == 0] = np.nan  # fixed, not estimated
    shift = np.where(apart, np.inf, shift if quantities(tree)[quantity] == ("item",) else 0.0)
    np.fill_diagonal(shift, single)
    return shift


def _apart(tree: xr.DataTree, quantity: str) -> BoolArray:
    """Mark the differences of items that the likelihood leaves open, (n, n)."""
    draws = demand_posterior(tree)[quantity]
    if quantities(tree)[quantity] != ("item",):
        size = flat_draws(tree, quantity).shape[1]
        return np.zeros((size, size), dtype=bool)
    known = facts(tree).get("bound_groups", {}).get(quantity)
    label = np.array(known) if known else components(tree, draws["item"].values.tolist())
    return np.asarray(label[:, None] != label)


def _unbounded(tree: xr.DataTree, quantity: str, apart: BoolArray) -> list[int] | BoolArray:
    """Return the values that the likelihood does not bound; unlinked items where nobody says."""
    known = facts(tree).get("unbounded")
    return apart.any(axis=1) if known is None else known.get(quantity, [])


def _per_deviation(slope: FloatArray, spread: FloatArray) -> FloatArray:
    moved = np.log(2.0) * np.abs(slope)
    return np.divide(moved, spread, out=np.zeros_like(moved), where=spread > 0)


def _spreads(sample: FloatArray) -> FloatArray:
    """Return the standard deviations of differences: (n_draws, n) -> (n, n)."""
    return np.sqrt(np.maximum(contrast_variance(np.atleast_2d(np.cov(sample.T))), 0.0))


def flat_draws(tree: xr.DataTree, quantity: str) -> FloatArray:
    """Return the draws of a quantity, chain after chain, (n_draws, n)."""
    draws = demand_posterior(tree)[quantity].transpose("chain", "draw", ...)
    return np.asarray(draws.values.reshape(draws.sizes["chain"] * draws.sizes["draw"], -1))


def is_scalable(tree: xr.DataTree) -> bool:
    """Whether a posterior holds the log-densities that power scaling needs."""
    return {"log_prior", "log_likelihood"} <= set(group(tree, "sample_stats"))


def power_scaling(tree: xr.DataTree, quantity: str, part: Part) -> FloatArray:
    """Return ArviZ's power-scaling sensitivity of a quantity's n values, (n,); NaN if constant.

    The prior is that of the top-level sites, which no other site's prior depends on.
    """
    from arviz_stats import psense  # seconds to import, so only when needed

    statistics, sample = group(tree, "sample_stats"), flat_draws(tree, quantity)
    varying = np.flatnonzero(np.ptp(sample, axis=0) > 0)
    shape = (*statistics["log_prior"].shape, len(varying))
    values = (("chain", "draw", "place"), sample[:, varying].reshape(shape))
    groups = {"posterior": xr.Dataset({"values": values})}
    groups |= {name: statistics[[name]] for name in ("log_prior", "log_likelihood")}
    scaled = psense(xr.DataTree.from_dict(groups), group=part, sample_dims=["chain", "draw"])
    sensitivity = np.full(sample.shape[1], np.nan)
    sensitivity[varying] = scaled["values"].values
    return sensitivity


def prior_marked(tree: xr.DataTree, quantity: str) -> BoolArray:
    """Mark the values of a quantity that are sensitive to the prior, shape (n,)."""
    return power_scaling(tree, quantity, "prior") >= SENSITIVE
