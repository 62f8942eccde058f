"""Names of the judge-specific terms, as users read them."""

import jax.numpy as jnp
from jax import Array

from bayesjudge.data.layouts import Layout
from bayesjudge.models.quantities import by_judge


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
