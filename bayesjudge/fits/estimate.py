"""What reports and files read of a fit: draws, or an estimate with its covariance."""

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Protocol, runtime_checkable

import numpy as np
import xarray as xr

from bayesjudge.core.algebra import symmetric_root
from bayesjudge.core.arrays import FloatArray

META = "bayesjudge_meta"
PACKAGES = ("bayesjudge", "numpyro", "jax", "arviz", "numpy")
# Standard errors per doubling of the prior's strength: from the first on a value is marked, from
# the second on it has no interval and no rank (docs/trust.md says on what data this was tried).
MARKED, UNSTATED = 0.25, 1.0
WIDER = 1.25  # ratio of prompt-clustered to usual errors beyond which these are not shown alone
EXACT_ERROR = 1e-9  # a standard error that is none: verdicts cancel exactly in every cluster
DRAWS = 4000  # of a normal approximation
EXACT = ("estimate", "standard_error", "covariance")  # groups of an estimate in a file
SHIFTS = ("prior_shift", "pair_shift")  # groups of any fit that say what it owes to its prior


@runtime_checkable
class Estimate(Protocol):
    """Named quantities of a fit with their covariance."""

    @property
    def label(self) -> str:
        """The covariance in a few words, such as "sandwich by prompt"."""

    @property
    def facts(self) -> dict[str, Any]:
        """What captions and files say: "program", "score", "kinds", "label", "cautions", more.

        "score" is the quantity that ranks the items; "kinds" are "judges" or "humans", by data set.
        """

    @property
    def quantities(self) -> xr.Dataset:
        """The estimates."""

    @property
    def constant_data(self) -> xr.Dataset:
        """Verdicts by item; by judge, and the connected component of items, where known."""

    @property
    def observed_data(self) -> xr.Dataset:
        """Counted verdicts; empty where the fit does not hold them."""

    def quantity(self, name: str) -> xr.DataArray:
        """Return one estimate."""

    def of(self, name: str) -> xr.DataArray:
        """Return the covariance matrix of a quantity."""

    def standard_error(self, name: str) -> xr.DataArray:
        """Return the standard errors of a quantity; NaN where only the prior decides."""

    def prior_shift(self, name: str) -> xr.DataArray:
        """Return how far doubling the prior's strength moves a quantity, in standard errors."""

    def pair_shift(self, name: str) -> xr.DataArray:
        """Return the same for the differences of a quantity's values."""

    def quantity_draws(self, seed: int, draws: int) -> xr.Dataset:
        """Draw all quantities from the normal approximation, as one chain."""


@runtime_checkable
class HasCovariance(Protocol):
    """A fit that gives an estimate when asked for its covariance: a mode, or a weight path."""

    def covariance(self) -> Estimate:
        """Return the estimate with the default covariance."""


class WithoutPrior:
    """What an estimate owes to a prior that is no part of it: nothing."""

    def prior_shift(self: Estimate, name: str) -> xr.DataArray:
        """Return zeros: doubling a prior's strength moves nothing.

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        xarray.DataArray
            Same dimensions as the quantity.
        """
        return xr.zeros_like(self.quantity(name))

    def pair_shift(self: Estimate, name: str) -> xr.DataArray:
        """Return zeros for the differences of a quantity's values.

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        xarray.DataArray
            Dimensions as for `of`.
        """
        value = self.quantity(name)
        return square_array(value, np.zeros((value.size, value.size)))


def square_array(value: xr.DataArray, matrix: np.ndarray) -> xr.DataArray:
    """Label a matrix of a quantity's values: its dimensions, and the same with an underscore."""
    dims = [*map(str, value.dims), *(f"{dim}_" for dim in value.dims)]
    coords = {dim: value[dim.rstrip("_")].values for dim in dims}
    return xr.DataArray(matrix.reshape(value.shape * 2), coords, dims, name=value.name)


def normal_sample(mean: FloatArray, covariance: FloatArray, seed: int, draws: int) -> FloatArray:
    """Draw from a normal distribution: mean (n,), covariance (n, n) -> (draws, n)."""
    noise = np.random.default_rng(seed).standard_normal((draws, len(mean)))
    return mean + noise @ symmetric_root(covariance)


def normal_draws(
    estimates: xr.Dataset, covariance: FloatArray, seed: int, draws: int
) -> xr.Dataset:
    """Draw quantities by the joint covariance of all their values, (n, n), as one chain."""
    values = list(estimates.data_vars.values())
    mean = np.concatenate([value.values.ravel() for value in values])
    ends = np.cumsum([value.size for value in values])[:-1]
    parts = np.split(normal_sample(mean, covariance, seed, draws), ends, axis=1)
    arrays = {
        str(value.name): (("chain", "draw", *value.dims), part.reshape(1, draws, *value.shape))
        for value, part in zip(values, parts, strict=True)
    }
    index = {"chain": [0], "draw": np.arange(draws)}
    return xr.Dataset(arrays, coords={**estimates.coords, **index})


def normal_tree(estimate: Estimate, seed: int = 0, draws: int = DRAWS) -> xr.DataTree:
    """Return an estimate as a DataTree that reports, files and ArviZ can read."""
    names = [str(name) for name in estimate.quantities.data_vars]
    exact = (
        estimate.quantities,
        xr.Dataset({name: estimate.standard_error(name) for name in names}),
        xr.Dataset({name: estimate.of(name) for name in names}),
    )
    groups = {
        "posterior": estimate.quantity_draws(seed, draws),
        **dict(zip(EXACT, exact, strict=True)),
        **shift_groups(estimate),
        "observed_data": estimate.observed_data,
        "constant_data": estimate.constant_data,
    }
    return datatree(groups, meta(estimate.facts, seed=seed, draws=draws))


def shift_groups(estimate: Estimate) -> dict[str, xr.Dataset]:
    """Return what every quantity of an estimate owes to the prior, and differences of items."""
    names = {str(name): value.dims for name, value in estimate.quantities.data_vars.items()}
    single = {name: estimate.prior_shift(name) for name in names}
    pairs = {name: estimate.pair_shift(name) for name, dims in names.items() if dims == ("item",)}
    return dict(zip(SHIFTS, (xr.Dataset(single), xr.Dataset(pairs)), strict=True))


def datatree(groups: Mapping[str, xr.Dataset], attrs: Mapping[str, str]) -> xr.DataTree:
    """Return a fit as one DataTree, of the groups that hold something."""
    tree = xr.DataTree.from_dict({f"/{name}": group for name, group in groups.items() if group})
    tree.attrs.update(attrs)
    return tree


def meta(facts: Mapping[str, object], **settings: object) -> dict[str, str]:
    """Return the attributes of a fit: one JSON string, since netCDF holds nothing richer."""
    versions = {name: version(name) for name in PACKAGES}
    return {META: json.dumps({**facts, "versions": versions, **settings})}


def read_meta(tree: xr.DataTree) -> dict[str, Any]:
    """Return what `meta` wrote; nothing for a DataTree from elsewhere."""
    return json.loads(tree.attrs.get(META, "{}"))
