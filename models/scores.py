"""Priors of item scores: sum to zero, in an orthonormal basis."""

import jax.numpy as jnp
import numpyro
from jax import Array
from numpyro.distributions import HalfNormal, LogNormal, Normal

from bayesjudge.data.basis import helmert_basis

RIDGE = 0.05
RIDGE_SCALE = RIDGE**-0.5  # a Normal prior of this scale is the paper's penalty RIDGE/2 |theta|^2

SCORE_SCALE_LOCATION, SCORE_SCALE_SPREAD = 0.0, 1.0
DISAGREEMENT_SPREAD = 0.5


def ridge_score(n_items: int) -> Array:
    """Give scores under the paper's ridge.

    Parameters
    ----------
    n_items : int
        Number of items.

    Returns
    -------
    array, shape (n_items,)
        Sums to zero; its coordinates are Normal(0, 1/sqrt(0.05)) (OSCAR, Appendix B.1).
    """
    law = Normal(0.0, RIDGE_SCALE).expand([n_items - 1]).to_event(1)
    return helmert_basis(n_items) @ numpyro.sample("score_coordinates", law)


def pooled_score(n_items: int) -> Array:
    """Give scores whose spread is learned: ``sigma ~ LogNormal(0, 1)``.

    Parameters
    ----------
    n_items : int
        Number of items.

    Returns
    -------
    array, shape (n_items,)
        Sums to zero; its coordinates are Normal(0, sigma).
    """
    scale = numpyro.sample("score_scale", LogNormal(SCORE_SCALE_LOCATION, SCORE_SCALE_SPREAD))
    law = Normal(0.0, scale).expand([n_items - 1]).to_event(1)
    return helmert_basis(n_items) @ numpyro.sample("score_coordinates", law)


def ridge_judge_score(n_judges: int, n_items: int) -> Array:
    """Give scores of each judge's own under the ridge.

    Parameters
    ----------
    n_judges, n_items : int
        Sizes.

    Returns
    -------
    array, shape (n_judges, n_items)
        Rows sum to zero.
    """
    law = Normal(0.0, RIDGE_SCALE).expand([n_judges, n_items - 1]).to_event(2)
    return numpyro.sample("judge_score_coordinates", law) @ helmert_basis(n_items).T


def pooled_judge_score(n_judges: int, n_items: int) -> Array:
    """Give scores of each judge's own that scatter about a common score.

    Parameters
    ----------
    n_judges, n_items : int
        Sizes.

    Returns
    -------
    array, shape (n_judges, n_items)
        Rows sum to zero, and the mean over judges is the common score exactly. The scatter's
        scale is HalfNormal(0.5). One judge alone has no scatter.
    """
    common = jnp.broadcast_to(pooled_score(n_items), (n_judges, n_items))
    if n_judges == 1:
        return common
    scale = numpyro.sample("disagreement_scale", HalfNormal(DISAGREEMENT_SPREAD))
    law = Normal(0.0, 1.0).expand([n_judges - 1, n_items - 1]).to_event(2)
    coordinates = scale * numpyro.sample("disagreement_coordinates", law)
    return common + helmert_basis(n_judges) @ coordinates @ helmert_basis(n_items).T
