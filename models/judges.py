"""Priors of what makes judges differ: sensitivity, position and other terms, ties."""

import jax.numpy as jnp
import numpy as np
import numpyro
from jax import Array
from numpyro.distributions import LogNormal, Normal

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.designs.layouts import Layout
from bayesjudge.models.centring import INFORMATION, centring, partly_centred
from bayesjudge.models.quantities import by_judge
from bayesjudge.models.scores import RIDGE_SCALE

# Learned spreads keep away from zero, where a few judges would make a funnel that sampling cannot
# enter; log-normal by location and scale: 95 % within 0.09 to 1.5, and within 0.13 to 2.9.
SENSITIVITY_SPREAD = (-1.0, 0.7)


EFFECT_SPREAD = (-0.5, 0.8)


EFFECT_MEAN = 1.0


TIE_MEAN = 3.0


LONE_SENSITIVITY, LONE_EFFECT = 0.5, 1.5  # fixed, where too few judges share a term to learn it


TYPICAL_SENSITIVITY, TYPICAL_EFFECT = 0.35, 0.6


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
        information = INFORMATION * judges.judge_counts.sum() / judges.n_judges
        known = centring(information, TYPICAL_SENSITIVITY)
        shape = (judges.n_judges - 1,)
        deviations = partly_centred("sensitivity_coordinates", 0.0, spread, known, shape)
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
    information = INFORMATION * judges.judge_counts.sum(axis=1)
    columns = [
        _at_judges(free, _pooled(term, information[np.flatnonzero(free)], EFFECT_MEAN, LONE_EFFECT))
        for term, free in zip(judges.terms, judges.retained, strict=True)
    ]
    return _as_columns(columns, judges.n_judges)


def ridge_tie(judges: Layout) -> Array:
    """Give each judge's tie parameter under the ridge.

    Parameters
    ----------
    judges : Layout
        The verdicts.

    Returns
    -------
    array, shape (n_judges,)
        Log-odds of a tie against the geometric mean of a win and a loss.
    """
    return _fixed("tie_coordinates", RIDGE_SCALE, judges.n_judges)


def pooled_tie(judges: Layout) -> Array:
    """Give each judge's tie parameter, scattered about a learned mean.

    Parameters
    ----------
    judges : Layout
        The verdicts.

    Returns
    -------
    array, shape (n_judges,)
        Mean Normal(0, 3), spread LogNormal(-0.5, 0.8); fixed, Normal(0, 3), for fewer than three
        judges.
    """
    # A tie parameter is as well known as ties are frequent.
    return _pooled("tie", judges.judge_counts[:, 1], TIE_MEAN, TIE_MEAN)


def common_tie(spread: float) -> Array:
    """Give one tie parameter for all judges.

    Parameters
    ----------
    spread : float
        Standard deviation of its prior.

    Returns
    -------
    array, shape (1,)
        Log-odds of a tie against the geometric mean of a win and a loss.
    """
    return _fixed("tie_coordinates", spread, 1)


def _fixed(name: str, spread: float, size: int) -> Array:
    if not size:
        return jnp.zeros(0)
    return numpyro.sample(name, Normal(0.0, spread).expand([size]).to_event(1))


def _pooled(term: str, information: Array, mean_spread: float, lone_spread: float) -> Array:
    size = information.shape[0]
    if size < FEWEST_POOLED:
        return _fixed(f"{term}_coordinates", lone_spread, size)
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

    Parameters
    ----------
    judges : Layout
        The verdicts, with their terms.
    effects : array, shape (n_judges, n_terms)
        Log-odds a unit of each term's column.

    Returns
    -------
    array, shape (n_judges, n_terms)
        The effects, as given.

    Notes
    -----
    Among equally good answers, P(first) - P(second) is D = tanh(position / 2) (OSCAR Section 3.2).
    """
    for term, column in zip(judges.terms, effects.T, strict=True):
        by_judge(term, column)
        if term == "position":
            by_judge("net_first_preference", jnp.tanh(column / 2))
    return effects
