"""Sampling a program's posterior with NUTS."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import numpy as np
import xarray as xr

from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.chains import Chains, Report, SamplerSettings, run_chains, sampler_settings
from bayesjudge.engine.convergence import convergence, demand_convergence
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.prepare import prepared_data, program_data
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.fits.estimate import datatree, meta
from bayesjudge.fits.posterior import central_point, log_densities, posterior_facts
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
        Whether to show a progress bar.
    check : bool
        Whether to raise where chains do not agree.

    Returns
    -------
    xarray.DataTree
        Groups ``posterior`` (named quantities), ``unconstrained_posterior``, ``sample_stats``,
        ``observed_data`` and ``constant_data``; all of ArviZ works on it.

    Raises
    ------
    NotConvergedError
        If R-hat, effective sample sizes or divergences are out of bounds.
    SamplerSettingError
        If a setting is out of its range.

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
    with _progress(progress, settings) as report:
        chains_run = run_chains(target, layouts, settings, seed, report)
    values = _quantities(target, layouts, chains_run.phi)
    names = scalar_names(target, prepared)
    state = convergence(values, names, chains_run.statistics["diverging"])
    if check:
        demand_convergence(state)
    centre = central_point(target, prepared, frames, chains_run)
    chains_run.statistics.update(log_densities(centre, chains_run))
    facts = {"inference": "nuts", "label": "NUTS", **posterior_facts(centre)}
    facts |= program_facts(target, prepared)
    run = {"seed": seed, "settings": asdict(settings), "convergence": asdict(state)}
    return datatree(_groups(target, prepared, chains_run, values), meta(facts, **run))


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


@contextmanager
def _progress(shown: bool, settings: SamplerSettings) -> Iterator[Report]:
    if not shown:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    seen = console.is_terminal or console.is_jupyter
    total = settings.chains * (settings.warmup + settings.draws)
    with Progress(console=console, transient=True, disable=not seen) as bar:
        task = bar.add_task(f"{settings.chains} chains", total=total)
        yield lambda done: bar.advance(task, done)
