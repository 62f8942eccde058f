import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import bayesjudge as bj
from bayesjudge.errors import MissingEstimateError, NoQualityGapError
from bayesjudge.studies.order.attenuation import population_sensitivity
from bayesjudge.studies.order.conditional_position import conditional_position
from bayesjudge.studies.order.refits import (
    fixed_score_sensitivity,
    refit_table,
    standardised_scores,
)


def test_refit_minimises_its_objective():
    rng = np.random.default_rng(3)
    gap, score = rng.normal(size=40), rng.choice([0, 0.5, 1], 40)
    weight, offset = rng.uniform(0.5, 2, 40), 0.4

    def loss(gamma):
        eta = gamma * gap + offset
        return np.sum(weight * (np.logaddexp(0, eta) - score * eta)) + 0.025 * gamma**2

    signed = minimize_scalar(loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-10}).x
    found = fixed_score_sensitivity(gap, score, offset, weight)
    assert found == pytest.approx(max(signed, 0.0), abs=1e-6)
    against = fixed_score_sensitivity(-np.sign(signed) * gap, score, offset, weight)
    assert against == 0.0


def test_separated_verdicts_are_held_by_the_ridge():
    found = fixed_score_sensitivity(np.array([1.0, -1.0]), np.array([1.0, 0.0]))
    assert 2 / (1 + np.exp(found)) == pytest.approx(0.05 * found)


def test_large_populations_give_the_population_fit():
    """Eq. (11) without position on expected scores, both orders equally often, is eq. (6)."""
    x, position = np.linspace(-1, 1, 41), 1.5
    gap = np.concatenate([x, -x])
    shown_first = 1 / (1 + np.exp(-(gap + position)))
    found = fixed_score_sensitivity(gap, shown_first, weight=1e7)
    assert found == pytest.approx(population_sensitivity(x, position), abs=1e-6)
    recovered = fixed_score_sensitivity(gap, shown_first, position, weight=1e7)
    assert recovered == pytest.approx(1.0, abs=1e-6)


def test_scores_are_centred_and_scaled():
    found = np.array(list(standardised_scores({"x": 1.0, "y": 2.0, "z": 6.0}).values()))
    assert found.mean() == pytest.approx(0, abs=1e-15)
    assert np.mean(found**2) == pytest.approx(1)
    with pytest.raises(NoQualityGapError):
        standardised_scores({"x": 1.0, "y": 1.0})


def test_absent_values_are_named(balanced_panel):
    scores = dict.fromkeys(balanced_panel.items, 0.0) | {"a": 1.0}
    with pytest.raises(MissingEstimateError, match="judge-2"):
        refit_table(balanced_panel, scores, {"judge-1": 0.0, "judge-3": 0.0})
    with pytest.raises(MissingEstimateError, match="'c'"):
        refit_table(balanced_panel, {"a": 1.0, "b": 0.0, "d": 0.0}, {})


def test_held_out_ratios_follow_the_prediction(real_data):
    """Section 6.2 on vicuna80: calibrate on half of the prompts, refit on the others."""
    data = real_data("vicuna80")
    half = np.random.default_rng(0).permutation(data.n_prompts)[data.prompt] < 40
    calibration, held_out = data.select(half), data.select(~half)
    fit = bj.mode(bj.models.sensitivity, calibration)
    scores = fit.quantity("score").to_series().to_dict()
    positions = fit.quantity("position").to_series().to_dict()
    found = refit_table(held_out, scores, positions)
    gap = np.abs(np.log(found["ratio"] / found["predicted_ratio"]))
    assert np.median(gap) < 0.05
    assert np.corrcoef(np.log(found["ratio"]), np.log(found["predicted_ratio"]))[0, 1] > 0.95


def test_conditional_positions_can_be_held_fixed(balanced_panel):
    table = conditional_position(balanced_panel)
    positions = dict(zip(table["judge"], table["position"], strict=True))
    scores = dict(zip("abcd", (0.6, 0.2, -0.2, -0.6), strict=True))
    found = refit_table(balanced_panel, scores, positions)
    np.testing.assert_allclose(found["ratio"], found["predicted_ratio"], rtol=0.15)
