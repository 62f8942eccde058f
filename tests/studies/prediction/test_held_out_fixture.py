"""Held-out prediction against an independent implementation of OSCAR."""

import numpy as np
import oscar_case
import pytest
from numpy.testing import assert_allclose

import bayesjudge as bj
from bayesjudge.studies.prediction.held_out import held_out
from bayesjudge.studies.prediction.resamples import counted_losses

TOLERANCE = 1e-8


@pytest.fixture(scope="module")
def case(shared_fixture):
    return shared_fixture("oscar_case1")


@pytest.fixture(scope="module")
def data(case):
    return oscar_case.comparisons(case)


@pytest.fixture(scope="module")
def programs(case, data):
    settings = {"reference_judge": "judge-0", "families": oscar_case.families(case)}
    return {
        name: (getattr(bj.models, program), bj.design(data, terms, **settings))
        for name, (program, terms) in oscar_case.MODELS.items()
    }


@pytest.fixture(scope="module")
def folds(case, data):
    fold = case["heldout"]["fold_of_cluster"]
    by_prompt = [fold[str(int(name.removeprefix("prompt-")))] for name in data.prompts]
    return np.array(by_prompt)[data.prompt]


@pytest.fixture(scope="module")
def found(programs, folds):
    return held_out(programs, folds)


@pytest.mark.parametrize("name", oscar_case.MODELS)
def test_pooled_loss_agrees(case, found, name):
    expected = case["heldout"]["models"][name]["log_loss"]
    assert found.log_loss[name] == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("name", oscar_case.MODELS)
def test_first_predictions_agree(case, found, name):
    expected = case["heldout"]["models"][name]["first10_pred"]
    assert_allclose(found.probability[name][:10], expected, atol=TOLERANCE, rtol=0)


def test_every_prompt_once_is_the_point_estimate(programs, folds, data, found):
    once = counted_losses(programs, folds, np.ones(data.n_prompts, dtype=int))
    assert once == pytest.approx(found.log_loss, abs=1e-12)
