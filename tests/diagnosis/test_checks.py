"""Checks of a mode: what they catch, and that they stay quiet otherwise."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.diagnosis.mode_findings import prior_share

RIDGE_SET = {
    "zai-org/GLM-4.5-Air-FP8",
    "arize-ai/qwen-2-1.5b-instruct",
    "mistralai/Mixtral-8x7B-Instruct-v0.1",
}


def levels(fit):
    return {one.topic: one.level for one in bj.check(fit).findings}


def two_families(data):
    named = (*enumerate(data.items), *enumerate(data.judges))
    return {name: f"family-{index % 2}" for index, name in named}


def test_a_sound_fit_has_nothing_to_report(panel_mode):
    assert set(levels(panel_mode).values()) == {"fine"}


def test_two_families_are_confounded_as_proposition_3_says(panel):
    laid_out = bj.design(panel, ("position", "family"), families=two_families(panel))
    fit = bj.mode(bj.models.sensitivity, laid_out)
    assert levels(fit)["identification"] == "problem"
    assert levels(fit)["curvature"] == "fine"  # the ridge hides it: only the rank shows it
    size = len(fit.phi)
    assert np.linalg.matrix_rank(fit.information, tol=1e-8) == size - 1


def test_all_judges_in_one_family_are_confounded_whatever_the_items_are(panel):
    families = bj.panel_families() | dict.fromkeys(panel.judges, "family-1")
    fit = bj.mode(bj.models.sensitivity, bj.design(panel, ("family",), families=families))
    assert levels(fit)["identification"] == "problem"


def test_a_judge_without_items_of_its_family_breaks_the_confounding(panel):
    families = two_families(panel) | {"judge-5": "nobody's"}
    fit = bj.mode(bj.models.sensitivity, bj.design(panel, ("family",), families=families))
    assert levels(fit)["identification"] == "fine"


def test_sensitivities_that_the_ridge_sets_are_named(real_data):
    data = real_data("ultrafeedback")
    reference = next(judge for judge in data.judges if "Qwen3-235B" in judge)
    fit = bj.mode(bj.models.sensitivity, bj.design(data, (), reference_judge=reference))
    share = dict(zip(data.judges, prior_share(fit)["sensitivity"], strict=True))
    assert {judge for judge, part in share.items() if part >= 0.25} == RIDGE_SET


def test_few_prompts_are_said_to_be_few():
    fit = bj.mode(bj.models.sensitivity, bj.synthetic_panel(prompts=15, seed=1))
    assert levels(fit)["clusters"] == "warning"


def test_the_prior_share_is_one_where_there_are_no_data():
    rows = [
        {"item_first": a, "item_second": b, "verdict": v}
        for a, b in ("ab", "cd")
        for v in ("first", "second", "first")
    ]
    fit = bj.mode(bj.models.bradley_terry, bj.read(rows))
    weights = np.linalg.eigh(fit.information)[0]
    assert weights[0] == pytest.approx(0.0, abs=1e-12)
    assert 0 < prior_share(fit)["score"].max() < 1
