"""The Laplace approximation: a normal posterior at the mode."""

import xarray as xr

from bayesjudge.core.arguments import demand_seed, whole_number
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.sites import Model
from bayesjudge.fits.cautions import mode_facts
from bayesjudge.fits.estimate import DRAWS, datatree, meta, shift_groups
from bayesjudge.fits.mode import mode
from bayesjudge.fits.tree import program_facts


def laplace(
    model: Model, *data: Comparisons | Design | Frame, seed: int, draws: int = DRAWS
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
    curvature = fit.covariance("curvature")
    groups = {
        "posterior": curvature.quantity_draws(seed, draws),
        **shift_groups(curvature),
        "observed_data": curvature.observed_data,
        "constant_data": curvature.constant_data,
    }
    facts = program_facts(fit.program, fit.designs) | {
        "inference": "laplace",
        "label": "Laplace",
        "error_ratio": fit.error_ratios,
        **mode_facts(fit),
        "cautions": curvature.cautions,
    }
    settings = {"seed": seed, "draws": draws, "gradient_norm": fit.gradient_norm}
    return datatree(groups, meta(facts, **settings))
