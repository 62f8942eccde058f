"""The Laplace approximation: a normal posterior at the mode."""

import xarray as xr

from bayesjudge.core.arguments import demand_seed, whole_number
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.sites import Model
from bayesjudge.fits.cautions import covariance_cautions, independence_cautions
from bayesjudge.fits.covariance import Covariance, curvature_covariance
from bayesjudge.fits.mode import mode
from bayesjudge.fits.tree import count_arrays, data_arrays, meta


def laplace(
    model: Model, *data: Comparisons | Design | Frame, seed: int, draws: int = 4000
) -> xr.DataTree:
    """Draw from the normal approximation of a program's posterior.

    Parameters
    ----------
    model : callable
        A program with fixed-scale priors, for example ``bj.models.sensitivity``.
    *data : Comparisons, Design or Frame
        The data sets that it reads, in its order; then its frame, if another than its own.
    seed : int
        Same seed, same draws.
    draws : int
        Number of draws.

    Returns
    -------
    xarray.DataTree
        Groups ``posterior``, ``observed_data`` and ``constant_data`` of `bayesjudge.nuts`, with
        one chain.

    Raises
    ------
    HierarchicalModeError, UnidentifiedError, NotConvergedError
        As `bayesjudge.mode`.
    SamplerSettingError
        For fewer than two draws.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.laplace(bj.models.sensitivity, bj.example_panel(), seed=1).posterior.sizes["draw"]
    4000
    """
    seed, draws = demand_seed(seed), whole_number("draws", draws, least=2)
    fit = mode(model, *data)
    curvature = curvature_covariance(fit)
    groups = {"posterior": curvature.quantity_draws(seed, draws)}
    settings: dict[str, object] = {
        "seed": seed,
        "draws": draws,
        "gradient_norm": fit.gradient_norm,
        "cautions": independence_cautions(fit.designs),
    }
    return _tree(curvature, groups, "laplace", settings)


def normal_tree(covariance: Covariance, seed: int = 0, draws: int = 4000) -> xr.DataTree:
    """Give a mode and its covariance as a DataTree that reports, files and ArviZ can read.

    Parameters
    ----------
    covariance : Covariance
        ``fit.covariance(...)`` of a mode.
    seed : int
        Same seed, same draws.
    draws : int
        Number of draws of the normal approximation.

    Returns
    -------
    xarray.DataTree
        Group ``posterior`` holds the draws; ``estimate``, ``standard_error`` and ``covariance``
        hold the quantities at the mode and their delta-method errors exactly.
    """
    fit = covariance.mode
    names = [each.name for each in fit.program.sites.quantities]
    groups = {
        "posterior": covariance.quantity_draws(seed, draws),
        "estimate": fit.quantities,
        "standard_error": xr.Dataset({name: covariance.standard_error(name) for name in names}),
        "covariance": xr.Dataset({name: covariance.of(name) for name in names}),
    }
    settings = {
        "seed": seed,
        "draws": draws,
        "prior": fit.prior,
        "covariance": covariance.label,
        "clusters": covariance.n_clusters,
        "gradient_norm": fit.gradient_norm,
        "cautions": covariance_cautions(covariance),
    }
    return _tree(covariance, groups, "mode", settings)


def _tree(
    covariance: Covariance,
    groups: dict[str, xr.Dataset],
    inference: str,
    settings: dict[str, object],
) -> xr.DataTree:
    fit = covariance.mode
    data = {
        "observed_data": count_arrays(fit.designs),
        "constant_data": data_arrays(fit.designs),
    }
    tree = xr.DataTree.from_dict({f"/{name}": group for name, group in (groups | data).items()})
    tree.attrs.update(meta(fit.program, fit.designs, inference, **settings))
    return tree
