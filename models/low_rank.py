r"""Low-rank structure of judges' scores: a consensus, loadings, and directions of disagreement.

.. math:: S = \gamma \mu^\top + U V^\top

DIAL Condition 3: mu and the columns of V sum to zero, are orthogonal and have mean square one; the
columns of U sum to zero; the average loading is positive. Every constraint holds exactly in both
systems of coordinates below, which give the same prior and therefore the same posterior.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import jax.numpy as jnp
import numpyro
from jax import Array
from jax.scipy.linalg import solve_triangular
from numpyro.distributions import Distribution, HalfNormal, LogNormal, Normal, constraints

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.designs.frames import Structure
from bayesjudge.designs.layouts import Layout
from bayesjudge.models.centring import INFORMATION, centring, partly_centred
from bayesjudge.models.judges import SENSITIVITY_SPREAD, TYPICAL_SENSITIVITY
from bayesjudge.models.quantities import by_item, by_judge, by_judge_and_item
from bayesjudge.models.scores import RIDGE_SCALE, SCORE_SPREAD, normal_site

DIRECTIONS = "direction_coordinates"  # free site of the chart: where disagreement lies
FIXED_LOADING, FIXED_FACTOR = 1.0, 1.0  # prior spreads where they are not learned
FACTOR_SPREAD = 0.5  # half-normal: disagreement may vanish, and on real data nearly does


@dataclass(frozen=True)
class LowRank:
    """Scores of all judges in their low-rank structure.

    Attributes
    ----------
    consensus : array, shape (n_items,)
        mu; sums to zero, mean square one.
    loading : array, shape (n_judges,)
        gamma, log-odds.
    factor : array, shape (n_judges, rank)
        U, log-odds; columns sum to zero.
    directions : array, shape (n_items, rank)
        V; orthogonal to the consensus and to each other, mean square one. Only their span means
        anything.
    """

    consensus: Array
    loading: Array
    factor: Array
    directions: Array

    @property
    def disagreement(self) -> Array:
        """UV', shape (n_judges, n_items), log-odds."""
        return self.factor @ self.directions.T

    @property
    def judge_score(self) -> Array:
        """S, shape (n_judges, n_items), log-odds."""
        return self.loading[:, None] * self.consensus + self.disagreement


class UniformSubspace(Distribution):
    """A uniformly distributed subspace, in the chart about a base point.

    Parameters
    ----------
    rest, rank : int
        The subspace of dimension `rank` in ``rest + rank`` dimensions is the span of the columns of
        ``[I; X]``, and X is the value.
    """

    arg_constraints: ClassVar[dict[str, Any]] = {}
    support = constraints.real_matrix

    def __init__(self, rest: int, rank: int, *, validate_args: bool | None = None) -> None:
        self.rest, self.rank = rest, rank
        super().__init__((), (rest, rank), validate_args=validate_args)

    def log_prob(self, value: Array) -> Array:
        """Log-density up to a constant: the invariant measure of the Grassmann manifold."""
        gram = jnp.eye(self.rank) + value.T @ value
        return -0.5 * (self.rest + self.rank) * jnp.linalg.slogdet(gram)[1]

    def sample(self, key: Array | None, sample_shape: tuple[int, ...] = ()) -> Array:
        """Draw by solving a normal matrix's lower block by its upper block."""
        assert key is not None
        shape = (*sample_shape, self.rest + self.rank, self.rank)
        draw = Normal().sample(key, shape)
        upper, lower = draw[..., : self.rank, :], draw[..., self.rank :, :]
        return jnp.swapaxes(
            jnp.linalg.solve(jnp.swapaxes(upper, -1, -2), jnp.swapaxes(lower, -1, -2)), -1, -2
        )


def chart_low_rank(judges: Layout, structure: Structure) -> LowRank:
    """Return the structure in a chart about a base point, with priors of fixed scale."""
    score = normal_site("score_coordinates", RIDGE_SCALE, (judges.n_items - 1,))
    deviations = normal_site("loading_coordinates", FIXED_LOADING, (judges.n_judges - 1,))
    factor = normal_site("factor_coordinates", FIXED_FACTOR, (judges.n_judges - 1, structure.rank))
    return _assembled(score, deviations, factor, _charted(score, structure))


def pooled_chart_low_rank(judges: Layout, structure: Structure) -> LowRank:
    """Return the structure in a chart about a base point, with learned spreads."""
    score, deviations = _pooled_score(judges), _pooled_deviations(judges)
    spread = numpyro.sample("factor_scale", HalfNormal(FACTOR_SPREAD))
    factor = normal_site("factor_coordinates", spread, (judges.n_judges - 1, structure.rank))
    return _assembled(score, deviations, factor, _charted(score, structure))


def pooled_low_rank(judges: Layout, structure: Structure) -> LowRank:
    """Return the structure by orthogonalising normal directions, with learned spreads."""
    score, deviations = _pooled_score(judges), _pooled_deviations(judges)
    free = normal_site(DIRECTIONS, 1.0, (judges.n_items - 1, structure.rank))
    spread = numpyro.sample("factor_scale", HalfNormal(FACTOR_SPREAD)) if structure.rank else 1.0
    factor = spread * normal_site("factor_coordinates", 1.0, (judges.n_judges - 1, structure.rank))
    unit = score / jnp.linalg.norm(score)
    return _assembled(score, deviations, factor, _orthonormal(free - jnp.outer(unit, unit @ free)))


def report_low_rank(structured: LowRank) -> None:
    """Record what is identified of a structure."""
    by_item("score", structured.loading.mean() * structured.consensus)
    by_item("consensus", structured.consensus)
    by_judge("loading", structured.loading)
    by_judge_and_item("disagreement", structured.disagreement)
    by_judge_and_item("judge_score", structured.judge_score)


def _assembled(score: Array, deviations: Array, factor: Array, directions: Array) -> LowRank:
    n_items, n_judges = len(score) + 1, len(deviations) + 1
    items, judges = jnp.asarray(helmert_basis(n_items)), jnp.asarray(helmert_basis(n_judges))
    size = jnp.linalg.norm(score)
    return LowRank(
        consensus=jnp.sqrt(n_items) * items @ (score / size),
        loading=size / jnp.sqrt(n_items) * (1.0 + judges @ deviations),
        factor=judges @ factor,
        directions=jnp.sqrt(n_items) * items @ directions,
    )


def _charted(score: Array, structure: Structure) -> Array:
    """Orthonormal directions: the chart's subspace, turned as the base consensus turns to mu."""
    rest, rank = structure.rest.shape[1], structure.rank
    frame = _orthonormal(structure.disagreement + structure.rest @ _subspace(rest, rank))
    unit, base = score / jnp.linalg.norm(score), structure.direction
    return frame - jnp.outer(unit + base, unit @ frame) / (1.0 + unit @ base)


def _subspace(rest: int, rank: int) -> Array:
    if not rest or not rank:
        return jnp.zeros((rest, rank))
    return numpyro.sample(DIRECTIONS, UniformSubspace(rest, rank))


def _orthonormal(columns: Array) -> Array:
    """Columns with the same span, orthonormal."""
    if not columns.shape[1]:
        return columns
    root = jnp.linalg.cholesky(columns.T @ columns)
    return solve_triangular(root, columns.T, lower=True).T


def _pooled_score(judges: Layout) -> Array:
    spread = numpyro.sample("score_scale", LogNormal(*SCORE_SPREAD))
    return normal_site("score_coordinates", spread, (judges.n_items - 1,))


def _pooled_deviations(judges: Layout) -> Array:
    if judges.n_judges == 1:
        return jnp.zeros(0)
    spread = numpyro.sample("loading_scale", LogNormal(*SENSITIVITY_SPREAD))
    information = INFORMATION * judges.judge_counts.sum() / judges.n_judges
    known = centring(information, TYPICAL_SENSITIVITY)
    return partly_centred("loading_coordinates", 0.0, spread, known, (judges.n_judges - 1,))
