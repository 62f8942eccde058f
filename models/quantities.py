"""Named quantities of interest: what a user reads off a program."""

import jax.numpy as jnp
import numpyro
from jax import Array


def by_item(name: str, value: Array) -> Array:
    """Record a quantity with one value an item.

    Shapes: value (n_items,) -> (n_items,).
    """
    with numpyro.plate("item", value.shape[0]):
        return numpyro.deterministic(name, value)


def by_judge(name: str, value: Array) -> Array:
    """Record a quantity with one value a judge.

    Shapes: value (n_judges,) -> (n_judges,).
    """
    with numpyro.plate("judge", value.shape[0]):
        return numpyro.deterministic(name, value)


def by_judge_and_item(name: str, value: Array) -> Array:
    """Record a quantity with one value a judge and item.

    Shapes: value (n_judges, n_items) -> (n_judges, n_items).
    """
    judges = numpyro.plate("judge", value.shape[0], dim=-2)
    with judges, numpyro.plate("item", value.shape[1], dim=-1):
        return numpyro.deterministic(name, value)


def root_mean_square(score: Array) -> Array:
    """Return the root mean square of scores that sum to zero.

    Shapes: score (n_items,) -> ().
    """
    return jnp.sqrt(jnp.mean(score**2))
