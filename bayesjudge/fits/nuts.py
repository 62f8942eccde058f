"""Sampling a program's posterior with NUTS."""

from dataclasses import asdict
from typing import Any

import numpy as np
import xarray as xr

from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame, Structure
from bayesjudge.engine.chains import Chains, SamplerSettings, run_chains, sampler_settings
from bayesjudge.engine.convergence import complaint, convergence
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.prepare import prepared_data, program_data
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import InterruptedFitError, NotConvergedError
from bayesjudge.fits.estimate import datatree, meta
from bayesjudge.fits.posterior import central_point, log_densities, posterior_facts
from bayesjudge.fits.progress import sampling_progress
from bayesjudge.fits.tree import (
    count_arrays,
    data_arrays,
    program_facts,
    quantity_arrays,
    scalar_names,
)


def nuts(
    model: Model,
    *data: Comparisons | Design | Frame,
    seed: int,
    chains: int = 4,
    warmup: int = 500,
    draws: int = 1000,
    target_accept: float = 0.9,
    max_tree_depth: int = 10,
    progress: bool = True,
    check: bool = True,
) -> xr.DataTree:
    """Sample a program's posterior.

    Compiles once for a program and the shape of its data; refits with other data of that shape, or
    another seed, start at once. Works in float64 and leaves JAX's settings alone.

    Parameters
    ----------
    model : callable
        A program, for example ``bj.models.sensitivity_pooled``.
    *data : Comparisons, Design or Frame
        The data sets that it reads, in its order; then its frame, if another than its own.
    seed : int
        Same seed, same draws.
    chains, warmup, draws : int
        Number of chains, and of adaptation and kept draws in each.
    target_accept : float
        Acceptance probability that the step size is adapted to.
    max_tree_depth : int
        A trajectory has at most ``2**max_tree_depth`` steps.
    progress : bool
        Whether to show a progress bar with the time that remains; where standard error is not a
        terminal, one line says how long sampling takes if that is over a minute.
    check : bool
        Whether to raise where chains do not agree; else the fit's tables carry a caution.

    Returns
    -------
    xarray.DataTree
        Groups ``posterior`` (named quantities), ``unconstrained_posterior``, ``sample_stats``,
        ``observed_data`` and ``constant_data``; all of ArviZ works on it.

    Raises
    ------
    NotConvergedError
        If R-hat, effective sample sizes, divergences, tree depths or energies are out of bounds,
        with the limits that were missed; its attribute ``fit`` holds the draws.
    InterruptedFitError
        If Ctrl-C ended sampling after the warm-up; its attribute ``fit`` holds the draws that all
        chains had made. It is a KeyboardInterrupt, which an earlier Ctrl-C raises itself.
    SamplerSettingError
        If a setting is out of its range.

    Notes
    -----
    The limits, over all scalar quantities that vary: rank-normalised split R-hat below 1.01 (1.05
    for ``chains=1``, which compares the halves of one chain and cannot tell whether others agree),
    bulk and tail effective sample sizes above 400, one divergent transition in a thousand draws, 1
    % of draws whose tree has the depth ``max_tree_depth``, and an estimated Bayesian fraction of
    missing information (E-BFMI) above 0.3 in each chain, as in ArviZ.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> panel = bj.example_panel()
    >>> fit = bj.nuts(bj.models.sensitivity_pooled, panel, seed=1, progress=False)
    >>> fit.posterior["score"].dims
    ('chain', 'draw', 'item')
    """
    settings = sampler_settings(chains, warmup, draws, target_accept, max_tree_depth)
    seed = demand_seed(seed)
    prepared, frames = prepared_data(model, *data)
    layouts = program_data(prepared, frames)
    target = program(model, *layouts)
    with sampling_progress(progress, settings) as report:
        run = run_chains(target, layouts, settings, seed, report)
    values = _quantities(target, layouts, run.phi)
    state = convergence(values, scalar_names(target, prepared), run)
    interruption = _interruption(run, settings)
    centre = central_point(target, prepared, frames, run)
    run.statistics.update(log_densities(centre, run))
    facts = program_facts(target, prepared) | posterior_facts(centre)
    facts |= {"inference": "nuts", "label": "NUTS"}
    facts["cautions"] = [*interruption, *state.cautions, *facts["cautions"]]
    how = {"seed": seed, "settings": asdict(settings), "convergence": asdict(state)}
    tree = datatree(_groups(target, prepared, run, values), meta(facts, **how))
    if interruption:
        raise _carrying(tree, InterruptedFitError(*interruption))
    if check and not state.reached:
        advice = complaint(state, settings, _simpler(frames))
        raise _carrying(tree, NotConvergedError(advice))
    return tree


def _interruption(run: Chains, settings: SamplerSettings) -> list[str]:
    """Say after how many draws Ctrl-C ended a run, if it did."""
    if not run.interrupted:
        return []
    return [f"Sampling was interrupted after {run.draws:,} of {settings.draws:,} draws a chain."]


def _simpler(frames: tuple[Frame, ...]) -> str | None:
    """Return the advice to lower the rank of a program's structure, where it has one."""
    if any(isinstance(frame, Structure) and frame.rank > 0 for frame in frames):
        return "lower the rank of disagreement (bj.calibration.structure(..., rank=0))"
    return None


def _carrying[E: (NotConvergedError, InterruptedFitError)](tree: xr.DataTree, error: E) -> E:
    """Return an error with the draws that it is about."""
    error.fit = tree
    error.add_note("The draws are in the attribute `fit` of this error.")
    return error


@in_float64
def _quantities(target: Program, layouts: Data, phi: FloatArray) -> dict[str, Any]:
    flat = phi.reshape(-1, phi.shape[-1])
    values = target.compiled.quantities_of_draws(flat, layouts)
    return {
        name: np.asarray(value).reshape(*phi.shape[:2], *value.shape[1:])
        for name, value in values.items()
    }


def _groups(
    target: Program, prepared: tuple[Design, ...], chains: Chains, values: dict[str, Any]
) -> dict[str, xr.Dataset]:
    leading = ("chain", "draw")
    index = {dim: np.arange(chains.phi.shape[i]) for i, dim in enumerate(leading)}
    statistics = {name: (leading, value) for name, value in chains.statistics.items()}
    flat = {"phi": ((*leading, "free"), chains.phi)}
    names = [
        f"{site.name}[{i}]" for site in target.sites.free for i in range(site.stop - site.start)
    ]
    return {
        "posterior": quantity_arrays(target, values, prepared, leading),
        "unconstrained_posterior": xr.Dataset(flat, coords={**index, "free": names}),
        "sample_stats": xr.Dataset(statistics, coords=index),
        "observed_data": count_arrays(prepared),
        "constant_data": data_arrays(prepared),
    }
