"""How much wider intervals are where verdicts on one prompt are allowed to be correlated."""

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.engine.point import Point
from bayesjudge.fits.meat import centred_meat, count_clusters


def error_ratios(point: Point, prior_curvature: FloatArray) -> dict[str, float]:
    """Return the prompt-clustered standard error over the model-based one, by quantity.

    The median over the quantity's values, at a point of the parameter space, spreads held fixed;
    nothing where each verdict has a prompt of its own, or all share one.

    Shapes: prior_curvature (size, size).
    """
    verdicts = sum(float(design.weight.sum()) for design in point.designs)
    if not 1 < count_clusters(point.designs, "prompt") < verdicts:
        return {}
    real = np.zeros(len(point.phi), dtype=bool)
    for site in point.program.sites.free:
        real[site.start : site.stop] = site.is_real
    bread = np.linalg.pinv((point.information + prior_curvature)[np.ix_(real, real)])
    meat = centred_meat(point, "prompt")[0][np.ix_(real, real)]
    return {
        name: ratio
        for name in point.jacobians
        if (ratio := _median_ratio(point.gradient(name)[:, real], bread, bread @ meat @ bread.T))
    }


def _median_ratio(gradient: FloatArray, model: FloatArray, robust: FloatArray) -> float:
    """Return the median ratio of standard errors of n functions; zero where none varies."""
    usual, other = (
        np.sqrt(np.maximum(((gradient @ one) * gradient).sum(axis=1), 0.0))
        for one in (model, robust)
    )
    known = usual > 0
    return float(np.median(other[known] / usual[known])) if known.any() else 0.0
