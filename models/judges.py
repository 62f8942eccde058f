"""Priors of what makes judges differ: sensitivity, position and other terms, ties."""

import jax.numpy as jnp
import numpy as np
import numpyro
from jax import Array
from numpyro.distributions import LogNormal, Normal

from bayesjudge.data.basis import helmert_basis
from bayesjudge.data.layouts import Layout
from bayesjudge.models.scores import RIDGE_SCALE

# Learned spreads keep away from zero, where a few judges would make a funnel that sampling cannot
# enter; log-normal by location and scale: 95 % within 0.09 to 1.5, and within 0.13 to 2.9.
SENSITIVITY_SPREAD = (-1.0, 0.7)
EFFECT_SPREAD = (-0.5, 0.8)
EFFECT_MEAN = 1.0
TIE_MEAN = 2.0
LONE_SENSITIVITY, LONE_EFFECT = 0.5, 1.5  # fixed, where too few judges share a term to learn it
FEWEST_POOLED = 3


def log_sensitivity(judges: Layout) -> Array:
    """Give positive sensitivities with the reference judge's fixed at one.

    Parameters
    ----------
    judges : Layout
        The verdicts.

    Returns
    -------
    array, shape (n_judges,)
        Their logarithms are under the paper's ridge (OSCAR Section 3.4).
    """
    if judges.n_judges == 1:
        return jnp.ones(1)
    law = Normal(0.0, RIDGE_SCALE).expand([judges.n_judges - 1]).to_event(1)
    coordinates = numpyro.sample("log_sensitivity_coordinates", law)
    return jnp.exp(jnp.insert(coordinates, judges.reference, 0.0))


def mean_one_sensitivity(judges: Layout) -> Array:
    """Give real sensitivities with mean one; a negative one is a judge worse than chance.

    Parameters
    ----------
    judges : Layout
        The verdicts.

    Returns
    -------
    array, shape (n_judges,)
        Deviations have a learned spread, LogNormal(-1, 0.7), fixed at 0.5 for fewer than three
        judges.
    """
    if judges.n_judges == 1:
        return jnp.ones(1)
    if judges.n_judges < FEWEST_POOLED:
        law = Normal(0.0, LONE_SENSITIVITY).expand([judges.n_judges - 1]).to_event(1)
        deviations = numpyro.sample("sensitivity_coordinates", law)
    else:
        spread = numpyro.sample("sensitivity_scale", LogNormal(*SENSITIVITY_SPREAD))
        deviations = _half_centred("sensitivity_coordinates", spread, judges.n_judges - 1)
    return 1.0 + helmert_basis(judges.n_judges) @ deviations


def ridge_effects(judges: Layout) -> Array:
    """Give each judge's effect of each term under the ridge.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their terms.

    Returns
    -------
    array, shape (n_judges, n_terms)
        Log-odds a unit of the term's column; zero where the term is not retained.
    """
    columns = [
        _at_judges(free, _fixed(f"{term}_coordinates", RIDGE_SCALE, sum(free)))
        for term, free in zip(judges.terms, judges.retained, strict=True)
    ]
    return _as_columns(columns, judges.n_judges)


def pooled_effects(judges: Layout) -> Array:
    """Give each judge's effect of each term, scattered about a learned mean.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their terms.

    Returns
    -------
    array, shape (n_judges, n_terms)
        By term: mean Normal(0, 1), spread LogNormal(-0.5, 0.8); fixed, Normal(0, 1.5), for fewer
        than three judges.
    """
    columns = [
        _at_judges(free, _pooled(term, sum(free), EFFECT_MEAN, LONE_EFFECT))
        for term, free in zip(judges.terms, judges.retained, strict=True)
    ]
    return _as_columns(columns, judges.n_judges)


def ridge_tie(n_judges: int) -> Array:
    """Give each judge's tie parameter under the ridge.

    Parameters
    ----------
    n_judges : int
        Number of judges, or one for a common parameter.

    Returns
    -------
    array, shape (n_judges,)
        Log-odds of a tie against the geometric mean of a win and a loss.
    """
    return _fixed("tie_coordinates", RIDGE_SCALE, n_judges)


def pooled_tie(n_judges: int) -> Array:
    """Give each judge's tie parameter, scattered about a learned mean.

    Parameters
    ----------
    n_judges : int
        Number of judges, or one for a common parameter.

    Returns
    -------
    array, shape (n_judges,)
        Mean Normal(0, 2), spread LogNormal(-0.5, 0.8); fixed, Normal(0, 2), for fewer than three
        judges.
    """
    return _pooled("tie", n_judges, TIE_MEAN, TIE_MEAN)


def _fixed(name: str, spread: float, size: int) -> Array:
    if not size:
        return jnp.zeros(0)
    return numpyro.sample(name, Normal(0.0, spread).expand([size]).to_event(1))


def _pooled(term: str, size: int, mean_spread: float, lone_spread: float) -> Array:
    if size < FEWEST_POOLED:
        return _fixed(f"{term}_coordinates", lone_spread, size)
    mean = numpyro.sample(f"{term}_mean", Normal(0.0, mean_spread))
    spread = numpyro.sample(f"{term}_scale", LogNormal(*EFFECT_SPREAD))
    return mean + _half_centred(f"{term}_coordinates", spread, size)


def _half_centred(name: str, spread: Array, size: int) -> Array:
    """Give Normal(0, spread) deviations, sampled midway between centred and non-centred.

    Centred is best where judges are many and well known, non-centred where they are few; halfway
    neither needs long trajectories nor meets a funnel (measured on both kinds).
    """
    half = jnp.sqrt(spread)
    return half * numpyro.sample(name, Normal(0.0, half).expand([size]).to_event(1))


def _at_judges(free: tuple[bool, ...], coordinates: Array) -> Array:
    if all(free):
        return coordinates
    return jnp.zeros(len(free)).at[np.flatnonzero(free)].set(coordinates)


def _as_columns(columns: list[Array], n_judges: int) -> Array:
    return jnp.stack(columns, axis=1) if columns else jnp.zeros((n_judges, 0))
