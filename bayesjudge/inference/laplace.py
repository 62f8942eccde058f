"""The Laplace approximation: a normal posterior at the mode."""

import numpy as np
import xarray as xr

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import Design
from bayesjudge.errors import SamplerSettingError
from bayesjudge.inference.covariance import Covariance
from bayesjudge.inference.mode import Mode, mode
from bayesjudge.inference.sites import Model
from bayesjudge.inference.tree import count_arrays, data_arrays, meta


def laplace(
    model: Model, *data: Comparisons | Design, seed: int, draws: int = 4000
) -> xr.DataTree:
    """Draw from the normal approximation of a program's posterior.

    Parameters
    ----------
    model : callable
        A program with fixed-scale priors, for example ``bj.models.sensitivity``.
    *data : Comparisons or Design
        The data sets that it reads, in its order.
    seed : int
        Same seed, same draws.
    draws : int
        Number of draws.

    Returns
    -------
    xarray.DataTree
        As `bayesjudge.nuts`, with one chain.

    Raises
    ------
    HierarchicalModeError, UnidentifiedError, NotConvergedError
        As `bayesjudge.mode`.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.laplace(bj.models.sensitivity, bj.example_panel(), seed=1).posterior.sizes["draw"]
    4000
    """
    if draws < 2:
        raise SamplerSettingError(f"draws is {draws}; give at least 2.")
    fit = mode(model, *data)
    curvature = Covariance(fit, "model", None, None, np.linalg.inv(fit.hessian))
    return normal_tree(curvature, "laplace", seed, draws)


def normal_tree(covariance: Covariance, inference: str, seed: int, draws: int) -> xr.DataTree:
    """Give the normal approximation around a mode as a DataTree.

    Parameters
    ----------
    covariance : Covariance
        Of the mode's free coordinates.
    inference : str
        What to call it.
    seed : int
        Same seed, same draws.
    draws : int
        Number of draws.

    Returns
    -------
    xarray.DataTree
        Groups ``posterior`` (draws of the named quantities), ``estimate`` (quantities at the
        mode), ``standard_error``, ``observed_data`` and ``constant_data``.
    """
    fit: Mode = covariance.mode
    names = [each.name for each in fit.program.sites.quantities]
    groups = {
        "posterior": covariance.quantity_draws(seed, draws),
        "estimate": fit.quantities,
        "standard_error": xr.Dataset({name: covariance.standard_error(name) for name in names}),
        "observed_data": count_arrays(fit.designs),
        "constant_data": data_arrays(fit.designs),
    }
    tree = xr.DataTree.from_dict({f"/{name}": group for name, group in groups.items()})
    settings = {"seed": seed, "covariance": covariance.label, "gradient_norm": fit.gradient_norm}
    tree.attrs.update(meta(fit.program, fit.designs, inference, **settings))
    return tree
