"""Posteriors of the low-rank programs: the same in both charts, and sampled well on real data."""

import json

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpyro.infer import Predictive
from scipy.stats import kstest

import bayesjudge as bj
from bayesjudge.engine.precision import in_float64
from bayesjudge.fits.estimate import META
from bayesjudge.models.low_rank import UniformSubspace

INVARIANTS = ("consensus", "loading", "position", "disagreement")
REAL = ("mtbench", "chatbot_arena", "ultrafeedback")


def test_subspace_of_one_line_in_a_plane_is_cauchy():
    """Its density is Cauchy's, and so are its draws (fails once in a thousand at most)."""
    law = UniformSubspace(1, 1)
    x = np.array([[[0.0]], [[0.5]], [[-3.0]]])
    density = np.array([float(law.log_prob(one)) for one in x])
    assert_allclose(density - density[0], -np.log1p(x[:, 0, 0] ** 2), atol=1e-6)
    draws = np.asarray(law.sample(jax.random.key(1), (4000,)))[:, 0, 0]
    assert kstest(draws, "cauchy").pvalue > 1e-3


@in_float64
def prior_draws(model, data, seed):
    draws = Predictive(model, num_samples=4000)(jax.random.key(seed), *data)
    return {name: np.asarray(draws[name]) for name in INVARIANTS}


def test_both_charts_have_one_prior():
    """Draws agree in distribution in both charts (seeds 1, 2; fails once in 300 by chance)."""
    panel = bj.example_panel()
    data = (bj.design(panel).layout, bj.calibration.structure(panel, rank=2))
    qr = prior_draws(bj.models.consensus_pooled, data, 1)
    chart = prior_draws(bj.models.consensus_pooled_chart, data, 2)
    for name in INVARIANTS:
        one = qr[name].reshape(4000, -1)[:, ::5]
        other = chart[name].reshape(4000, -1)[:, ::5]
        worst = min(kstest(a, b).pvalue for a, b in zip(one.T, other.T, strict=True))
        assert worst > 1e-4, name


def panel_of_strong_disagreement():
    rng = np.random.default_rng(5)
    items, judges = [f"item-{i}" for i in range(6)], [f"judge-{k}" for k in range(5)]
    mu = np.array([1.5, 0.9, 0.2, -0.3, -0.9, -1.4])
    v = np.array([1.0, -1.2, 0.8, -0.9, 1.1, -0.8])
    factor, position = np.array([1.2, -1.0, 0.9, -1.3, 0.2]), np.array([0.5, -0.4, 0.2, 0.8, 0.0])
    first = rng.integers(6, size=4000)
    second = (first + rng.integers(1, 6, size=4000)) % 6
    judge = rng.integers(5, size=4000)
    score = mu[None, :] + np.outer(factor, v)
    odds = score[judge, first] - score[judge, second] + position[judge]
    won = rng.random(4000) < 1 / (1 + np.exp(-odds))
    table = {
        "judge": np.array(judges)[judge],
        "item_first": np.array(items)[first],
        "item_second": np.array(items)[second],
        "verdict": np.where(won, "first", "second"),
    }
    import pandas as pd

    return bj.read(pd.DataFrame(table))


def standardised_gaps(one, other):
    """Gaps of means over their joint Monte Carlo errors, for all invariants."""
    import arviz as az

    gaps = []
    for name in INVARIANTS:
        means = [each.posterior[name].mean(("chain", "draw")).values for each in (one, other)]
        errors = [az.mcse(each, var_names=[name])[name].values for each in (one, other)]
        gaps.append(np.ravel(np.subtract(*means) / np.hypot(*errors)))
    return np.concatenate(gaps)


def test_both_charts_give_one_posterior():
    """Means agree within 4.5 joint Monte Carlo errors (seeds 1, 2; 52 means, fails below 1e-3)."""
    data = panel_of_strong_disagreement()
    chart = bj.nuts(bj.models.consensus_pooled_chart, data, seed=1, progress=False)
    qr = bj.nuts(bj.models.consensus_pooled, data, seed=2, progress=False, check=False)
    assert np.abs(standardised_gaps(chart, qr)).max() < 4.5


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_consensus_is_sampled_well_on_real_judges(real_data, name):
    """Twice the usual draws: the largest of several hundred R-hats is asked for."""
    post = bj.nuts(bj.models.consensus_pooled, real_data(name), seed=2, draws=2000, progress=False)
    state = json.loads(post.attrs[META])["convergence"]
    assert state["r_hat"] < 1.01
    assert min(state["ess_bulk"], state["ess_tail"]) > 400


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        "calibrated_pooled",
        "calibrated_full_pooled",
        "misaligned_pooled",
        "misaligned_full_pooled",
    ],
)
def test_calibrated_programs_are_sampled_well_on_mtbench(real_data, program):
    data = real_data("mtbench"), real_data("mtbench_human")
    post = bj.nuts(getattr(bj.models, program), *data, seed=2, draws=2000, progress=False)
    state = json.loads(post.attrs[META])["convergence"]
    assert state["r_hat"] < 1.01
    assert min(state["ess_bulk"], state["ess_tail"]) > 400
