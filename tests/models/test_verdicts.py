"""Likelihoods of verdicts: values by hand, exact derivatives at zero, probabilities that add up."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from bayesjudge.models.verdicts import Davidson, HalfWins, softplus


@pytest.fixture(autouse=True)
def float64():
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("x", [0.0, -0.0, 1.5, -1.5, 800.0, -800.0])
def test_softplus_and_its_derivatives_are_exact(x):
    p = expit(x)
    assert_allclose(softplus(x), np.logaddexp(0.0, x))
    assert_allclose(jax.grad(softplus)(x), p)
    assert_allclose(jax.hessian(softplus)(x), p * (1 - p), atol=1e-300)


def test_half_wins_at_even_odds_have_the_gradient_that_numpyro_gets_wrong():
    law = lambda eta: HalfWins(eta, 10.0).log_prob(jnp.array([10.0, 0.0, 0.0]))  # noqa: E731
    assert jax.grad(law)(0.0) == 5.0
    assert jax.hessian(law)(0.0) == -2.5


def test_a_tie_counts_as_half_a_win_and_half_a_loss():
    law = HalfWins(jnp.array(0.7))
    win, tie, loss = law.outcome_log_probs
    assert_allclose(tie, (win + loss) / 2)
    assert_allclose(law.log_prob(jnp.array([2.0, 3.0, 1.0])), 2 * win + 3 * tie + loss)


def test_davidson_by_hand():
    law = Davidson(jnp.array(2.0), jnp.array(-0.5))
    weights = np.exp([1.0, -0.5, -1.0])
    assert_allclose(law.outcome_probs, weights / weights.sum())
    assert_allclose(
        law.log_prob(jnp.array([1.0, 2.0, 0.0])), law.outcome_log_probs @ jnp.array([1.0, 2.0, 0.0])
    )


@pytest.mark.parametrize("law", [HalfWins, lambda eta, n: Davidson(eta, -1.0, n)])
def test_simulated_shares_are_the_probabilities(law):
    # 1e6 verdicts: standard error 5e-4; five of them fail once in a million seeds
    made = law(jnp.array(0.4), 1e6)
    drawn = made.sample(jax.random.key(0))
    assert_allclose(drawn / 1e6, made.outcome_probs, atol=2.5e-3)
    assert drawn.sum() == 1e6
