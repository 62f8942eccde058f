"""A posterior of many judges with few verdicts each, in the time of two cores for a minute."""

from time import process_time

import numpy as np
import pytest

import bayesjudge as bj

JUDGES, ITEMS, EACH = 1500, 8, 3
TWO_CORES_A_MINUTE = 120.0  # seconds of processor time, which other programs hardly change


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    score, sensitivity = np.linspace(1.0, -1.0, ITEMS), np.exp(rng.normal(0.0, 0.4, JUDGES))

    def verdict(judge):
        first, second = rng.choice(ITEMS, 2, replace=False)
        log_odds = sensitivity[judge] * (score[first] - score[second]) + 0.2
        return {
            "judge": f"user-{judge}",
            "prompt": f"prompt-{rng.integers(400)}",
            "item_first": f"item-{first}",
            "item_second": f"item-{second}",
            "verdict": "first" if rng.random() < 1 / (1 + np.exp(-log_odds)) else "second",
        }

    return bj.read([verdict(judge) for judge in range(JUDGES) for _ in range(EACH)])


@pytest.mark.slow
def test_fifteen_hundred_judges_take_less_than_a_minute_on_two_cores(data):
    start = process_time()
    fit = bj.nuts(bj.models.sensitivity_pooled, data, seed=1, check=False, progress=False)
    assert process_time() - start < TWO_CORES_A_MINUTE
    score = fit.posterior["score"].mean(("chain", "draw"))
    assert np.abs(score - np.linspace(1.0, -1.0, ITEMS)).max() < 0.35
