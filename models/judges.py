"""Priors of what makes judges differ: sensitivity, position and other terms, ties."""

import jax.numpy as jnp
import numpy as np
import numpyro
from jax import Array
from numpyro.distributions import Distribution, HalfNormal, Normal

from bayesjudge.data.basis import helmert_basis
from bayesjudge.data.layouts import Layout
from bayesjudge.models.scores import RIDGE_SCALE

SENSITIVITY_SPREAD = 0.5
EFFECT_MEAN_SPREAD, EFFECT_SPREAD = 1.0, 1.0
LONE_SPREAD = 1.5  # where too few judges share a term for its spread to be learned
TIE_SPREAD = 2.0
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
        Deviations have a learned spread, HalfNormal(0.5), fixed at 0.5 for fewer than three judges.
    """
    if judges.n_judges == 1:
        return jnp.ones(1)
    spread = SENSITIVITY_SPREAD
    if judges.n_judges >= FEWEST_POOLED:
        spread = numpyro.sample("sensitivity_scale", HalfNormal(SENSITIVITY_SPREAD))
    law = Normal(0.0, spread).expand([judges.n_judges - 1]).to_event(1)
    coordinates = numpyro.sample("sensitivity_coordinates", law)
    return 1.0 + helmert_basis(judges.n_judges) @ coordinates


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
        _term_effect(term, free, Normal(0.0, RIDGE_SCALE))
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
        By term: mean Normal(0, 1), spread HalfNormal(1); fixed, Normal(0, 1.5), for fewer than
        three judges.
    """
    columns = [
        _term_effect(term, free, _pooled_law(term, sum(free)))
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
    return _tie(n_judges, Normal(0.0, RIDGE_SCALE))


def pooled_tie(n_judges: int) -> Array:
    """Give each judge's tie parameter, scattered about a learned mean.

    Parameters
    ----------
    n_judges : int
        Number of judges, or one for a common parameter.

    Returns
    -------
    array, shape (n_judges,)
        Mean Normal(0, 2), spread HalfNormal(2); fixed, Normal(0, 2), for fewer than three judges.
    """
    if n_judges < FEWEST_POOLED:
        return _tie(n_judges, Normal(0.0, TIE_SPREAD))
    mean = numpyro.sample("tie_mean", Normal(0.0, TIE_SPREAD))
    return _tie(n_judges, Normal(mean, numpyro.sample("tie_scale", HalfNormal(TIE_SPREAD))))


def _tie(n_judges: int, law: Distribution) -> Array:
    return numpyro.sample("tie_coordinates", law.expand([n_judges]).to_event(1))


def _pooled_law(term: str, n_free: int) -> Distribution:
    if n_free < FEWEST_POOLED:
        return Normal(0.0, LONE_SPREAD)
    mean = numpyro.sample(f"{term}_mean", Normal(0.0, EFFECT_MEAN_SPREAD))
    return Normal(mean, numpyro.sample(f"{term}_scale", HalfNormal(EFFECT_SPREAD)))


def _term_effect(term: str, free: tuple[bool, ...], law: Distribution) -> Array:
    judges = np.flatnonzero(free)
    if not judges.size:
        return jnp.zeros(len(free))
    coordinates = numpyro.sample(
        f"{term}_coordinates", law.expand([judges.size]).to_event(1)
    )
    if judges.size == len(free):
        return coordinates
    return jnp.zeros(len(free)).at[judges].set(coordinates)


def _as_columns(columns: list[Array], n_judges: int) -> Array:
    return jnp.stack(columns, axis=1) if columns else jnp.zeros((n_judges, 0))
