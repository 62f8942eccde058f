"""Held-out prediction by posteriors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import bayesjudge as bj
from bayesjudge.engine.chains import SamplerSettings
from bayesjudge.engine.program import program
from bayesjudge.studies.prediction.folds import prompt_folds
from bayesjudge.studies.prediction.held_out import _predictive_mean, held_out, held_out_posterior

SHORT = SamplerSettings(chains=4, warmup=300, draws=800)


@pytest.fixture(scope="module")
def data():
    return bj.synthetic_panel(120, seed=5)


@pytest.mark.slow
def test_posterior_predicts_as_the_mode_does_where_verdicts_are_many():
    data = bj.synthetic_panel(2000, seed=5)
    folds, laid_out = prompt_folds(data, 2, seed=1), bj.design(data)
    sampled = {"J+P": (bj.models.sensitivity_pooled, laid_out)}
    posterior = held_out_posterior(sampled, folds, seed=1)
    modes = held_out({"J+P": (bj.models.sensitivity, laid_out)}, folds)
    assert posterior.log_loss["J+P"] == pytest.approx(modes.log_loss["J+P"], abs=0.003)
    assert_allclose(posterior.probability["J+P"], modes.probability["J+P"], atol=0.05)


@pytest.mark.slow
def test_same_seed_same_predictions_whatever_else_is_compared(data):
    folds, laid_out = prompt_folds(data, 2, seed=1), bj.design(data, ())
    one = {"BT": (bj.models.bradley_terry_pooled, laid_out)}
    two = {"BT-D": (bj.models.bradley_terry_davidson_pooled, laid_out)} | one
    alone = held_out_posterior(one, folds, seed=1, settings=SHORT)
    both = held_out_posterior(two, folds, seed=1, settings=SHORT)
    assert np.array_equal(alone.probability["BT"], both.probability["BT"])
    assert both.method == "posterior means"


def test_predictive_mean_averages_probabilities(data):
    laid_out = bj.design(data, ())
    target = program(bj.models.bradley_terry, laid_out.layout)
    phi = np.random.default_rng(1).normal(size=(2, 5, target.sites.size))
    each = [_predictive_mean(target, laid_out, phi[c, d][None]) for c in (0, 1) for d in range(5)]
    assert_allclose(_predictive_mean(target, laid_out, phi), np.mean(each, axis=0), atol=1e-14)
