"""Verdicts of judges with scores of their own, whose second derivatives are formed by judge.

A judge's log-odds are linear in its own scores and its bias. On a full grid the curvature of all
its verdicts is therefore one small matrix, which is formed once and then serves every direction in
which the judges' scores move. Differentiating cell by cell gives the same numbers, more slowly.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.nn import sigmoid

from bayesjudge.data.layouts import GridLayout, Layout
from bayesjudge.models.verdicts import HalfWins, observe, softplus


class OwnScores(HalfWins):
    """Half-win verdicts on a grid, with log-odds linear in each judge's own coefficients.

    Parameters
    ----------
    coefficients : array, shape (n_judges, n_columns)
        Each judge's scores and bias, log-odds.
    columns : array, shape (n_pairs, n_columns)
        What they are multiplied with: contrasts of pairs, and one.
    total_count : array, shape (n_judges, n_pairs)
        Verdicts a cell, for simulation.
    """

    def __init__(
        self,
        coefficients: Array,
        columns: Array,
        total_count: Array,
        *,
        validate_args: bool | None = None,
    ) -> None:
        self.coefficients, self.columns = coefficients, columns
        super().__init__(coefficients @ columns.T, total_count, validate_args=validate_args)

    def total_log_prob(self, value: Array) -> Array:
        """Sum of `log_prob` over the cells, shape ()."""
        return _total(self.coefficients, self.columns, value)


def observe_own_scores(judges: Layout, judge_score: Array, bias: Array) -> None:
    """Observe verdicts of judges with scores of their own, ties as half wins.

    Parameters
    ----------
    judges : Layout
        The cells and their counts.
    judge_score : array, shape (n_judges, n_items)
        Log-odds.
    bias : array
        Log-odds beside the scores, as ``judges.bias`` gives them.
    """
    total = judges.counts.sum(-1)
    if isinstance(judges, GridLayout):
        constant = jnp.ones((len(judges.pair_contrast), 1))
        columns = jnp.hstack([judges.pair_contrast, constant])
        observe(judges, OwnScores(jnp.hstack([judge_score, bias]), columns, total))
    else:
        observe(judges, HalfWins(judges.judge_contrast(judge_score) + bias, total))


@jax.custom_jvp
def _total(coefficients: Array, columns: Array, counts: Array) -> Array:
    logits = coefficients @ columns.T
    wins = counts[..., 0] + 0.5 * counts[..., 1]
    return (wins * logits - counts.sum(-1) * softplus(logits)).sum()


@jax.custom_jvp
def _slope(coefficients: Array, columns: Array, counts: Array) -> Array:
    wins = counts[..., 0] + 0.5 * counts[..., 1]
    return (wins - counts.sum(-1) * sigmoid(coefficients @ columns.T)) @ columns


def _curvature(coefficients: Array, columns: Array, counts: Array) -> Array:
    """Second derivatives of each judge's log-likelihood, (n_judges, n_columns, n_columns)."""
    win = sigmoid(coefficients @ columns.T)
    weight = counts.sum(-1) * win * (1.0 - win)
    return -jnp.einsum("kp,pi,pj->kij", weight, columns, columns)


@_total.defjvp
def _total_tangent(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Array, Array]:
    return _total(*primals), (_slope(*primals) * tangents[0]).sum()


@_slope.defjvp
def _slope_tangent(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Array, Array]:
    moved = jnp.einsum("kij,kj->ki", _curvature(*primals), tangents[0])
    return _slope(*primals), moved
