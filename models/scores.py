"""Priors of item scores: sum to zero, in an orthonormal basis."""

import jax.numpy as jnp
import numpyro
from jax import Array
from numpyro.distributions import LogNormal, Normal

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.designs.layouts import Layout
from bayesjudge.models.centring import INFORMATION, centring, partly_centred

RIDGE = 0.05
RIDGE_SCALE = RIDGE**-0.5  # a Normal prior of this scale is the paper's penalty RIDGE/2 |theta|^2
SCORE_SPREAD = (0.0, 0.7)  # log-normal by location and scale: 95 % within 0.25 and 4 log-odds
DISAGREEMENT_SPREAD = (-1.5, 0.8)  # 95 % within 0.05 and 1.1 log-odds
TYPICAL_SCORE, TYPICAL_DISAGREEMENT = 1.0, 0.3


def ridge_score(n_items: int) -> Array:
    """Return scores under the paper's ridge.

    Shapes: -> (n_items,).
    """
    coordinates = normal_site("score_coordinates", RIDGE_SCALE, (n_items - 1,))
    return jnp.asarray(helmert_basis(n_items)) @ coordinates


def pooled_score(judges: Layout) -> Array:
    """Return scores whose spread is learned: ``sigma ~ LogNormal(0, 0.7)``.

    Shapes: -> (n_items,).
    """
    size = judges.n_items - 1
    spread = numpyro.sample("score_scale", LogNormal(*SCORE_SPREAD))
    known = centring(_per_coordinate(judges.judge_counts.sum(), size), TYPICAL_SCORE)
    coordinates = partly_centred("score_coordinates", 0.0, spread, known, (size,))
    return jnp.asarray(helmert_basis(judges.n_items)) @ coordinates


def ridge_judge_score(n_judges: int, n_items: int) -> Array:
    """Return scores of each judge's own under the ridge.

    Shapes: -> (n_judges, n_items).
    """
    shape = (n_judges, n_items - 1)
    return normal_site("judge_score_coordinates", RIDGE_SCALE, shape) @ helmert_basis(n_items).T


def pooled_judge_score(judges: Layout) -> Array:
    """Return scores of each judge's own that scatter about a common score.

    Shapes: -> (n_judges, n_items).
    """
    common = jnp.broadcast_to(pooled_score(judges), (judges.n_judges, judges.n_items))
    if judges.n_judges == 1:
        return common
    shape = (judges.n_judges - 1, judges.n_items - 1)
    spread = numpyro.sample("disagreement_scale", LogNormal(*DISAGREEMENT_SPREAD))
    information = _per_coordinate(judges.judge_counts.sum() / judges.n_judges, shape[1])
    known = centring(information, TYPICAL_DISAGREEMENT)
    coordinates = partly_centred("disagreement_coordinates", 0.0, spread, known, shape)
    return common + helmert_basis(judges.n_judges) @ coordinates @ helmert_basis(judges.n_items).T


def _per_coordinate(verdicts: Array, size: int) -> Array:
    """Return the information on one coordinate; a verdict's contrast has squared length two."""
    return INFORMATION * 2.0 * verdicts / size


def normal_site(
    name: str, spread: Array | float, shape: tuple[int, ...], *, logarithmic: bool = False
) -> Array:
    """Sample independent Normal(0, spread) values; none where the shape is empty.

    Coordinates marked as logarithmic are bounded where a fit is checked to be a finite maximum.
    """
    if 0 in shape:
        return jnp.zeros(shape)
    law = Normal(0.0, spread).expand(shape).to_event(len(shape))
    return numpyro.sample(name, law, infer={"logarithmic": logarithmic})
