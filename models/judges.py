"""Priors of what makes judges differ: sensitivity, position and other terms, ties."""

import jax.numpy as jnp
import numpy as np
import numpyro
from jax import Array
from numpyro.distributions import LogNormal, Normal

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.logistic import half_wins
from bayesjudge.designs.layouts import Layout
from bayesjudge.models.centring import INFORMATION, centring, partly_centred
from bayesjudge.models.quantities import by_judge
from bayesjudge.models.scores import RIDGE_SCALE, normal_site

# Learned spreads keep away from zero, where a few judges would make a funnel that sampling cannot
# enter; log-normal by location and scale: 95 % within 0.09 to 1.5, and within 0.13 to 2.9.
SENSITIVITY_SPREAD = (-1.0, 0.7)
EFFECT_SPREAD = (-0.5, 0.8)
EFFECT_MEAN = 1.0
TIE_MEAN = 3.0
LONE_SENSITIVITY, LONE_EFFECT = 0.5, 1.5  # fixed, where too few judges share a term to learn it
TYPICAL_SENSITIVITY, TYPICAL_EFFECT = 0.35, 0.6
FEWEST_POOLED = 3
RELATIVE_SCALE = 10 * RIDGE_SCALE  # of real sensitivities relative to their mean
LEAST_VERDICTS, FULL_WEIGHT = 10.0, 100.0  # effective, of a judge in the mean sensitivity
MANY_JUDGES = 200  # beyond, sums are quicker than a product with the basis


def log_sensitivity(judges: Layout) -> Array:
    """Return positive sensitivities with the reference judge's fixed at one.

    Shapes: -> (n_judges,).
    """
    if judges.n_judges == 1:
        return jnp.ones(1)
    name, size = "log_sensitivity_coordinates", judges.n_judges - 1
    coordinates = normal_site(name, RIDGE_SCALE, (size,), logarithmic=True)
    return jnp.exp(jnp.insert(coordinates, judges.reference, 0.0))


def signed_sensitivity_slope(judges: Layout) -> Array:
    """Return real sensitivities under a weak ridge, whose weighted mean is one.

    A few able judges among many at chance have a multiple of the mean sensitivity, which a ridge of
    the usual strength would pull down.

    Shapes: -> (n_judges,).
    """
    if judges.n_judges == 1:
        return jnp.ones(1)
    weight = _scale_weight(judges.judge_counts)
    normal = weight / jnp.sqrt((weight**2).sum())
    # A reflection takes the first axis to the weights' direction, and the others to what leaves
    # the weighted mean alone; no basis need be written out.
    mirror = normal.at[0].add(1.0)
    coordinates = normal_site("sensitivity_coordinates", RELATIVE_SCALE, (judges.n_judges - 1,))
    deviations = jnp.insert(coordinates, 0, 0.0)
    return 1.0 + deviations - mirror * (2.0 * (mirror @ deviations) / (mirror @ mirror))


def _scale_weight(judge_counts: Array) -> Array:
    """Return how much each judge counts in the mean sensitivity that sets the scale of scores.

    By its effective number of verdicts, 4 w l / n with w and l half-win counts of the two slots,
    up to `FULL_WEIGHT`; not at all below `LEAST_VERDICTS`, or where it always picks one slot. Such
    verdicts determine no sensitivity, which would carry the scale away with it. Where that leaves
    nobody, by number.

    Shapes: judge_counts (n_judges, 3) -> (n_judges,).
    """
    verdicts, first = judge_counts.sum(axis=1), half_wins(judge_counts)
    effective = 4.0 * first * (verdicts - first) / verdicts
    known = jnp.where(effective < LEAST_VERDICTS, 0.0, jnp.minimum(effective, FULL_WEIGHT))
    return jnp.where(known.any(), known, verdicts)


def mean_one_sensitivity(judges: Layout) -> Array:
    """Return real sensitivities with mean one; a negative one is a judge worse than chance.

    Shapes: -> (n_judges,).
    """
    if judges.n_judges == 1:
        return jnp.ones(1)
    if judges.n_judges < FEWEST_POOLED:
        size = judges.n_judges - 1
        deviations = normal_site("sensitivity_coordinates", LONE_SENSITIVITY, (size,))
    else:
        spread = numpyro.sample("sensitivity_scale", LogNormal(*SENSITIVITY_SPREAD))
        information = INFORMATION * judges.judge_counts.sum() / judges.n_judges
        known = centring(information, TYPICAL_SENSITIVITY)
        shape = (judges.n_judges - 1,)
        deviations = partly_centred("sensitivity_coordinates", 0.0, spread, known, shape)
    return 1.0 + from_helmert(deviations)


def from_helmert(coordinates: Array) -> Array:
    """Return the values, summing to zero, that have given coordinates in the Helmert basis.

    Shapes: coordinates (size - 1,) -> (size,).
    """
    size = coordinates.shape[0] + 1
    if size <= MANY_JUDGES:
        return jnp.asarray(helmert_basis(size)) @ coordinates
    # The basis has size^2 numbers: reading them takes longer than all else of a log-density.
    column = np.arange(1, size)
    scaled = coordinates / np.sqrt(column * (column + 1))
    later = jnp.append(jnp.cumsum(scaled[::-1])[::-1], 0.0)
    return later - jnp.insert(column * scaled, 0, 0.0)


def ridge_effects(judges: Layout, spread: float = RIDGE_SCALE) -> Array:
    """Return each judge's effect of each term under the ridge.

    Shapes: -> (n_judges, n_terms).
    """
    columns = [
        _at_judges(free, normal_site(f"{term}_coordinates", spread, (sum(free),)))
        for term, free in zip(judges.terms, judges.retained, strict=True)
    ]
    return _as_columns(columns, judges.n_judges)


def pooled_effects(judges: Layout) -> Array:
    """Return each judge's effect of each term, scattered about a learned mean.

    Shapes: -> (n_judges, n_terms).
    """
    information = INFORMATION * judges.judge_counts.sum(axis=1)
    columns = [
        _at_judges(free, _pooled(term, information[np.flatnonzero(free)], EFFECT_MEAN, LONE_EFFECT))
        for term, free in zip(judges.terms, judges.retained, strict=True)
    ]
    return _as_columns(columns, judges.n_judges)


def ridge_tie(judges: Layout) -> Array:
    """Return each judge's tie parameter under the ridge.

    Shapes: -> (n_judges,).
    """
    return normal_site("tie_coordinates", RIDGE_SCALE, (judges.n_judges,))


def pooled_tie(judges: Layout) -> Array:
    """Return each judge's tie parameter, scattered about a learned mean.

    Shapes: -> (n_judges,).
    """
    # A tie parameter is as well known as ties are frequent.
    return _pooled("tie", judges.judge_counts[:, 1], TIE_MEAN, TIE_MEAN)


def common_tie(spread: float) -> Array:
    """Return one tie parameter for all judges.

    Shapes: -> (1,).
    """
    return normal_site("tie_coordinates", spread, (1,))


def _pooled(term: str, information: Array, mean_spread: float, lone_spread: float) -> Array:
    size = information.shape[0]
    if size < FEWEST_POOLED:
        return normal_site(f"{term}_coordinates", lone_spread, (size,))
    mean = numpyro.sample(f"{term}_mean", Normal(0.0, mean_spread))
    spread = numpyro.sample(f"{term}_scale", LogNormal(*EFFECT_SPREAD))
    known = centring(information, TYPICAL_EFFECT)
    return partly_centred(f"{term}_coordinates", mean, spread, known, (size,))


def _at_judges(free: tuple[bool, ...], coordinates: Array) -> Array:
    if all(free):
        return coordinates
    return jnp.zeros(len(free)).at[np.flatnonzero(free)].set(coordinates)


def _as_columns(columns: list[Array], n_judges: int) -> Array:
    return jnp.stack(columns, axis=1) if columns else jnp.zeros((n_judges, 0))


def named_effects(judges: Layout, effects: Array) -> Array:
    """Record each term's effects, and the first-slot preference that a position effect means.

    Among equally good answers, P(first) - P(second) is D = tanh(position / 2) (OSCAR Section 3.2).

    Shapes: effects (n_judges, n_terms) -> (n_judges, n_terms).
    """
    for term, column in zip(judges.terms, effects.T, strict=True):
        by_judge(term, column)
        if term == "position":
            by_judge("net_first_preference", jnp.tanh(column / 2))
    return effects
