"""Which comparisons of items the data inform, and which rest on the prior alone."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from bayesjudge.core.arrays import BoolArray
from bayesjudge.report.fits import EXACT, as_covariance, data_facts, group, is_normal, quantities

if TYPE_CHECKING:
    from bayesjudge.fits.covariance import Covariance
    from bayesjudge.report.fits import Fit


INFORMED = "informed"  # group of a normal fit's DataTree: which differences the data inform


def rests_on_prior(fit: "Fit", quantity: str) -> BoolArray:
    """Mark the pairs of items whose difference rests on the prior alone.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit. For a mode, the rank of the likelihood's information decides; for draws, whether
        a chain of comparisons joins the two items.
    quantity : str
        A quantity with one value an item.

    Returns
    -------
    ndarray of bool, shape (n_items, n_items)
        Symmetric, with a diagonal of False.
    """
    if not isinstance(fit, xr.DataTree):
        return ~informed_differences(as_covariance(fit), quantity)
    if INFORMED in fit.children:
        return ~group(fit, INFORMED)[quantity].values.astype(bool)
    return _apart(fit, quantity) | _uncertain(fit, quantity)


def informed_differences(exact: "Covariance", quantity: str) -> BoolArray:
    """Mark the differences that the likelihood informs.

    Parameters
    ----------
    exact : Covariance
        Of a mode.
    quantity : str
        A quantity with one value an item.

    Returns
    -------
    ndarray of bool, shape (n_items, n_items)
        True on the diagonal.
    """
    from scipy.spatial.distance import cdist

    from bayesjudge.fits.covariance import LOST, quantity_gradient

    gradient = quantity_gradient(exact.mode, quantity)
    lost = gradient @ exact.uninformed_directions
    # distances rather than differences: memory grows with pairs, not with pairs times parameters
    return cdist(lost, lost) <= LOST * cdist(gradient, gradient)


def informed_group(exact: "Covariance") -> xr.Dataset:
    """Give the informed differences of every quantity by item, to be kept with a fit.

    Parameters
    ----------
    exact : Covariance
        Of a mode.

    Returns
    -------
    xarray.Dataset
        Boolean matrices, with the dimensions of the covariance.
    """
    names = [name for name, dims in quantities(exact).items() if dims == ("item",)]
    matrices = {name: (("item", "item_"), informed_differences(exact, name)) for name in names}
    items = list(exact.mode.designs[0].items)
    return xr.Dataset(matrices, coords={"item": items, "item_": items} if names else None)


def components(fit: "Fit", items: list[str]) -> NDArray[np.int64]:
    """Give the connected component of each item in the graph of comparisons.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.
    items : list of str
        Names.

    Returns
    -------
    ndarray of int, shape (n_items,)
        From 1; all alike where the fit does not say.
    """
    found = data_facts(fit).get("component")
    if found is None:
        return np.ones(len(items), dtype=np.int64)
    return found.sel(item=items).values.astype(np.int64) + 1


def _apart(tree: xr.DataTree, quantity: str) -> BoolArray:
    items = [str(name) for name in group(tree, "posterior")[quantity]["item"].values]
    component = components(tree, items)
    return component[:, None] != component


def _uncertain(tree: xr.DataTree, quantity: str) -> BoolArray:
    """Pairs with a missing standard error, where components do not explain that it is missing."""
    size = group(tree, "posterior").sizes["item"]
    if not is_normal(tree) or _apart(tree, quantity).any():
        return np.zeros((size, size), dtype=bool)
    missing = np.isnan(group(tree, EXACT[1])[quantity].values)
    return (missing[:, None] | missing) & ~np.eye(size, dtype=bool)
