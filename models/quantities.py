"""Named quantities of interest: what a user reads off a program."""

import jax.numpy as jnp
import numpyro
from jax import Array


def by_item(name: str, value: Array) -> Array:
    """Record a quantity with one value an item.

    Parameters
    ----------
    name : str
        Name of the quantity.
    value : array, shape (n_items,)
        Its value.

    Returns
    -------
    array, shape (n_items,)
        The value, as given.
    """
    with numpyro.plate("item", value.shape[0]):
        return numpyro.deterministic(name, value)


def by_judge(name: str, value: Array) -> Array:
    """Record a quantity with one value a judge.

    Parameters
    ----------
    name : str
        Name of the quantity.
    value : array, shape (n_judges,)
        Its value.

    Returns
    -------
    array, shape (n_judges,)
        The value, as given.
    """
    with numpyro.plate("judge", value.shape[0]):
        return numpyro.deterministic(name, value)


def by_judge_and_item(name: str, value: Array) -> Array:
    """Record a quantity with one value a judge and item.

    Parameters
    ----------
    name : str
        Name of the quantity.
    value : array, shape (n_judges, n_items)
        Its value.

    Returns
    -------
    array, shape (n_judges, n_items)
        The value, as given.
    """
    judges = numpyro.plate("judge", value.shape[0], dim=-2)
    with judges, numpyro.plate("item", value.shape[1], dim=-1):
        return numpyro.deterministic(name, value)


def root_mean_square(score: Array) -> Array:
    """Give the root mean square of scores that sum to zero.

    Parameters
    ----------
    score : array, shape (n_items,)
        Scores.

    Returns
    -------
    array, shape ()
        Never negative; the gradient exists unless all scores are zero.
    """
    return jnp.sqrt(jnp.mean(score**2))
