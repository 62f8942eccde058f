"""How a verdict is observed: likelihoods of wins, ties and losses given log-odds.

Both distributions are over the counts ``(wins, ties, losses)`` of the item shown first in one
cell, and expose their ``logits``, the log-probabilities of one verdict of each kind, the
probabilities from which expected information is taken, and what their likelihood rises in:
``rising`` holds, for a win, a tie and a loss, the linear functions of the predictors that must not
fall for the verdict's log-likelihood never to fall along a line (as a tie is half a win for each
side, it must stay where it is).
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpyro
from jax import Array, random
from jax.nn import logsumexp, sigmoid, softmax
from numpyro import handlers
from numpyro.distributions import Distribution, constraints
from numpyro.util import is_prng_key

from bayesjudge.core.logistic import half_wins
from bayesjudge.designs.layouts import GridLayout, Layout, observed_site


def softplus(x: Array) -> Array:
    """Return log(1 + exp(x)), with derivatives that are exact everywhere, zero included.

    The derivative of ``|x|`` at zero is one in JAX 0.12, which makes the gradient of the usual form
    wrong at zero, where optimisers start.
    """
    positive = x >= 0
    return jnp.where(positive, x, 0.0) + jnp.log1p(jnp.exp(jnp.where(positive, -x, x)))


class HalfWins(Distribution):
    """Verdicts with a tie counted as half a win for each side: a fractional quasi-likelihood.

    Parameters
    ----------
    logits : array
        Log-odds that the item shown first wins.
    total_count : array, optional
        Verdicts a cell, for simulation; a simulated cell has no ties.

    Notes
    -----
    OSCAR eq. (4): each verdict adds ``log(1 + exp(eta)) - y eta`` with y = 1, 1/2, 0.
    """

    arg_constraints = {"logits": constraints.real}  # noqa: RUF012 (NumPyro's interface)
    support = constraints.real_vector
    rising = (((1.0,),), ((1.0,), (-1.0,)), ((-1.0,),))

    def __init__(
        self, logits: Array, total_count: Array | float = 1.0, *, validate_args: bool | None = None
    ) -> None:
        self.logits = jnp.asarray(logits)
        self.total_count = total_count
        super().__init__(jnp.shape(self.logits), (3,), validate_args=validate_args)

    def log_prob(self, value: Array) -> Array:
        """Quasi-log-likelihood of a cell's counts, ``(..., 3)`` to ``(...)``."""
        return half_wins(value) * self.logits - value.sum(-1) * softplus(self.logits)

    @property
    def predictors(self) -> Array:
        """What the parameters act through: the log-odds, shape ``(..., 1)``."""
        return self.logits[..., None]

    @property
    def outcome_slopes(self) -> Array:
        """Derivatives of `outcome_log_probs` by the predictors, shape ``(..., 3, 1)``."""
        win = sigmoid(self.logits)
        return jnp.stack([1.0 - win, 0.5 - win, -win], -1)[..., None]

    @property
    def outcome_log_probs(self) -> Array:
        """Contribution of one win, tie and loss, shape ``(..., 3)``."""
        decline = softplus(self.logits)
        return jnp.stack([self.logits - decline, 0.5 * self.logits - decline, -decline], -1)

    @property
    def outcome_probs(self) -> Array:
        """Probabilities behind the expected information, shape ``(..., 3)``; no ties."""
        win = sigmoid(self.logits)
        return jnp.stack([win, jnp.zeros_like(win), 1 - win], -1)

    def sample(self, key: Array | None, sample_shape: tuple[int, ...] = ()) -> Array:
        """Draw counts of wins and losses; the mean model says nothing about ties."""
        assert key is not None
        assert is_prng_key(key)
        shape = sample_shape + self.batch_shape
        wins = random.binomial(key, self.total_count, sigmoid(self.logits), shape)
        return jnp.stack([wins, jnp.zeros_like(wins), self.total_count - wins], -1)


class Davidson(Distribution):
    """Verdicts with ties as an outcome of their own.

    Parameters
    ----------
    logits : array
        Log-odds that the item shown first wins, among decided verdicts.
    tie_logit : array
        Log-odds of a tie against the geometric mean of a win and a loss.
    total_count : array, optional
        Verdicts a cell, for simulation.

    Notes
    -----
    Davidson (1970) as in OSCAR, Appendix E.1: (win, loss, tie) ~ softmax(eta/2, -eta/2, tau).
    """

    arg_constraints = {"logits": constraints.real, "tie_logit": constraints.real}  # noqa: RUF012
    support = constraints.real_vector
    rising = (
        ((1.0, 0.0), (0.5, -1.0)),
        ((-0.5, 1.0), (0.5, 1.0)),
        ((-1.0, 0.0), (-0.5, -1.0)),
    )

    def __init__(
        self,
        logits: Array,
        tie_logit: Array,
        total_count: Array | float = 1.0,
        *,
        validate_args: bool | None = None,
    ) -> None:
        self.logits, self.tie_logit = jnp.broadcast_arrays(logits, tie_logit)
        self.total_count = total_count
        super().__init__(jnp.shape(self.logits), (3,), validate_args=validate_args)

    @property
    def predictors(self) -> Array:
        """What the parameters act through: log-odds and tie parameter, shape ``(..., 2)``."""
        return jnp.stack([self.logits, self.tie_logit], -1)

    @property
    def outcome_slopes(self) -> Array:
        """Derivatives of `outcome_log_probs` by the predictors, shape ``(..., 3, 2)``."""
        of_logits = jnp.array([[0.5, 0.0], [0.0, 1.0], [-0.5, 0.0]])
        return of_logits - (self.outcome_probs @ of_logits)[..., None, :]

    @property
    def outcome_logits(self) -> Array:
        """Unnormalised log-probabilities of win, tie and loss, shape ``(..., 3)``."""
        return jnp.stack([0.5 * self.logits, self.tie_logit, -0.5 * self.logits], -1)

    def log_prob(self, value: Array) -> Array:
        """Log-likelihood of a cell's counts up to a constant, ``(..., 3)`` to ``(...)``."""
        logits = self.outcome_logits
        return (value * logits).sum(-1) - value.sum(-1) * logsumexp(logits, axis=-1)

    @property
    def outcome_log_probs(self) -> Array:
        """Log-probability of a win, a tie and a loss, shape ``(..., 3)``."""
        logits = self.outcome_logits
        return logits - logsumexp(logits, axis=-1, keepdims=True)

    @property
    def outcome_probs(self) -> Array:
        """Probability of a win, a tie and a loss, shape ``(..., 3)``."""
        return softmax(self.outcome_logits, axis=-1)

    def sample(self, key: Array | None, sample_shape: tuple[int, ...] = ()) -> Array:
        """Draw counts of wins, ties and losses."""
        assert key is not None
        assert is_prng_key(key)
        shape = (*sample_shape, *self.batch_shape, 3)
        total = jnp.broadcast_to(jnp.asarray(self.total_count, float), shape[:-1])
        return random.multinomial(key, total, jnp.broadcast_to(self.outcome_probs, shape))


def observe_half_wins(verdicts: Layout, log_odds: Array) -> None:
    """Observe verdicts with ties as half wins."""
    shape = verdicts.counts.shape[:-1]
    total = verdicts.counts.sum(-1)
    law = HalfWins(jnp.broadcast_to(log_odds, shape), total)
    observe(verdicts, law)


def observe_davidson(verdicts: Layout, log_odds: Array, tie_logit: Array) -> None:
    """Observe verdicts with ties as an outcome of their own."""
    shape = verdicts.counts.shape[:-1]
    law = Davidson(
        jnp.broadcast_to(log_odds, shape),
        jnp.broadcast_to(tie_logit, shape),
        verdicts.counts.sum(-1),
    )
    observe(verdicts, law)


def observe(verdicts: Layout, law: Distribution) -> None:
    """Observe counts under a law, to the power that their design says."""
    with handlers.scale(scale=verdicts.power):
        numpyro.sample(observed_site(verdicts), law, obs=verdicts.counts)


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

    Shapes: judge_score (n_judges, n_items).
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
    return (half_wins(counts) * logits - counts.sum(-1) * softplus(logits)).sum()


@jax.custom_jvp
def _slope(coefficients: Array, columns: Array, counts: Array) -> Array:
    win = sigmoid(coefficients @ columns.T)
    return (half_wins(counts) - counts.sum(-1) * win) @ columns


def _curvature(coefficients: Array, columns: Array, counts: Array) -> Array:
    """Return the second derivatives of each judge's part, (n_judges, n_columns, n_columns)."""
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
