"""Numbers of the OSCAR paper on its public data sets, in the order of its Table D1."""

import numpy as np
import pytest

import bayesjudge as bj

SETS = ("ultrafeedback", "mtbench", "chatbot_arena")


@pytest.fixture(scope="module")
def fits(real_data):
    """J and J+P by data set."""
    known = {}

    def fit(name):
        if name not in known:
            data = real_data(name)
            reference = next(judge for judge in data.judges if "Qwen3-235B" in judge)
            known[name] = [
                bj.mode(bj.models.sensitivity, bj.design(data, terms, reference_judge=reference))
                for terms in ((), ("position",))
            ]
        return known[name]

    return fit


def kappa(fit):
    return fit.quantity("scaled_sensitivity").values


def least_sensitive(fit, how_many):
    return set(fit.quantity("scaled_sensitivity").to_series().nsmallest(how_many).index)


def rank_of(fit, judge):
    return int(fit.quantity("scaled_sensitivity").to_series().rank(ascending=False)[judge])


@pytest.mark.parametrize(
    ("name", "expected"), list(zip(SETS, (0.04447, 0.05803, 0.01068), strict=True))
)
def test_attenuation_discrepancy(fits, name, expected):
    plain, adjusted = fits(name)
    preference = adjusted.quantity("net_first_preference").values
    gap = np.log(kappa(plain) / kappa(adjusted)) - np.log(1 - preference**2)
    assert np.median(np.abs(gap)) == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize(("name", "shared"), list(zip(SETS, (2, 1, 3), strict=True)))
def test_bottom_three_judges_shared(fits, name, shared):
    plain, adjusted = fits(name)
    assert len(least_sensitive(plain, 3) & least_sensitive(adjusted, 3)) == shared


def test_mixtral_rises_on_ultrafeedback(fits):
    plain, adjusted = fits("ultrafeedback")
    judge = "mistralai/Mixtral-8x7B-Instruct-v0.1"
    found = [
        float(fit.quantity("scaled_sensitivity").sel(judge=judge)) for fit in (plain, adjusted)
    ]
    assert found == pytest.approx([0.0144, 0.6043], abs=5e-5)
    assert [rank_of(plain, judge), rank_of(adjusted, judge)] == [19, 15]


def test_position_adjustment_puts_gpt_4_first_on_mtbench(fits):
    leaders = [fit.quantity("score").idxmax().item() for fit in fits("mtbench")]
    assert leaders == ["claude-v1", "gpt-4"]


@pytest.mark.parametrize("name", SETS)
def test_every_mode_is_stationary(fits, name):
    assert all(fit.gradient_norm < 1e-9 for fit in fits(name))
