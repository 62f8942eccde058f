"""What a posterior owes to its prior, and to taking verdicts on one prompt as independent."""

from typing import Any

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.chains import Chains
from bayesjudge.engine.point import Point
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.program import Program
from bayesjudge.fits.bounds import BoundedPoint, PooledPoint
from bayesjudge.fits.cautions import bound_facts, independence_cautions, unbounded_cautions
from bayesjudge.fits.meat import error_ratios
from bayesjudge.models.about import about


def central_point(
    program: Program, designs: tuple[Design, ...], frames: tuple[Frame, ...], chains: Chains
) -> PooledPoint:
    """Return the mean of the draws, or where coordinates may turn round, the likeliest draw."""
    flat = chains.phi.reshape(-1, chains.phi.shape[-1])
    phi = flat[chains.statistics["lp"].argmax()] if frames else flat.mean(axis=0)
    pooled = np.zeros(len(phi), dtype=bool)
    top_level = _stands_alone(Point(program, designs, frames, phi))
    for site, alone in zip(program.sites.free, top_level, strict=True):
        pooled[site.start : site.stop] = not alone
    return PooledPoint(program, designs, frames, phi, pooled)


def posterior_facts(centre: BoundedPoint) -> dict[str, Any]:
    """Return what reports need to know before they show an interval or call an item the best."""
    score, ratios = about(centre.program.model).score, _error_ratios(centre)
    return {
        **bound_facts(centre),
        "error_ratio": ratios,
        "cautions": [
            *unbounded_cautions(centre.unbounded_names),
            *independence_cautions(ratios, score),
        ],
    }


@in_float64
def _error_ratios(centre: Point) -> dict[str, float]:
    curvature = centre.program.compiled.prior_curvature(centre.phi, centre.layouts)
    return error_ratios(centre, np.asarray(curvature))


@in_float64
def log_densities(centre: PooledPoint, chains: Chains) -> dict[str, FloatArray]:
    """Return the log-prior of the top-level sites in every draw, and the log-likelihood.

    A top-level site's prior depends on no other site. Shapes: -> (chains, draws) each.
    """
    shape, compiled = chains.phi.shape[:2], centre.program.compiled
    flat = chains.phi.reshape(-1, len(centre.phi))
    by_site, total = compiled.priors_of_draws(flat, centre.layouts)
    alone = [not centre.pooled[site.start] for site in centre.program.sites.free]
    top_level = np.asarray(by_site)[:, alone].sum(axis=1)
    log_likelihood = chains.statistics["lp"] - np.asarray(total).reshape(shape)
    return {"log_prior": top_level.reshape(shape), "log_likelihood": log_likelihood}


@in_float64
def _stands_alone(centre: Point) -> BoolArray:
    """Mark the free sites whose prior depends on no other site, shape (n_sites,)."""
    slopes = np.array(centre.program.compiled.prior_slopes(centre.phi, centre.layouts))
    for i, site in enumerate(centre.program.sites.free):
        slopes[i, site.start : site.stop] = 0.0
    return ~slopes.any(axis=1)
