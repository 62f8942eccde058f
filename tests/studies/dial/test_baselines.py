"""Baselines and simulated panels: frozen cases, and truths of the generator."""

from dataclasses import replace

import numpy as np
import pytest
from dial_case import case_data
from numpy.testing import assert_allclose
from scipy.special import expit

import bayesjudge as bj
from bayesjudge import studies
from bayesjudge.studies.dial.estimators import Paths
from bayesjudge.studies.dial.panel import dial_truth

CASES = ("dial_case1", "dial_case4")


@pytest.mark.parametrize("name", CASES)
def test_baselines_of_frozen_cases(shared_fixture, name):
    case = shared_fixture(name)
    data = case_data(case)
    pooled = studies.pooled_judges(*data)
    assert_allclose(pooled.shape, case["pooled"]["s_llm"], atol=1e-8)
    assert_allclose(pooled.human_score, case["pooled"]["s"], atol=1e-8)
    path = bj.calibration.weight_path(bj.models.calibrated, *data, weights=case["grid"][:1])
    ordered = studies.ordered_consensus(path)
    assert_allclose(ordered.shape, case["atc"]["isotonic_centered"], atol=1e-8)
    assert_allclose(ordered.human_score, case["atc"]["s"], atol=1e-8)


def test_truth_has_the_structure_of_condition_three():
    settings = studies.DialSettings(n_items=9, n_judges=5, rank=2, misalignment=0.5)
    truth = dial_truth(settings, np.random.default_rng(1))
    mean = truth.judge_score.mean(axis=0)
    consensus = mean * 3 / np.linalg.norm(mean)
    loading = truth.judge_score @ consensus / 9
    rest = truth.judge_score - np.outer(loading, consensus)
    assert_allclose([mean.sum(), rest.sum(axis=0).max(), loading.mean()], [0, 0, 1], atol=1e-12)
    assert np.linalg.matrix_rank(rest, tol=1e-9) == 2
    assert_allclose(rest @ consensus, 0, atol=1e-10)
    assert truth.position[0] == 0.05


def test_counts_follow_the_budget_and_the_display():
    """Three quarters of the displays show the item of smaller number first (4.5 errors, seed 3)."""
    panel = studies.dial_panel(studies.DialSettings(verdicts=40_000), seed=3)
    rows = panel.judges.data
    canonical = panel.judges.weight[rows.first < rows.second].sum()
    assert panel.judges.weight.sum() == 40_000
    assert abs(canonical / 40_000 - 0.75) < 4.5 * np.sqrt(0.75 * 0.25 / 40_000)


def test_excess_risk_is_the_mean_divergence():
    truth = dial_truth(studies.DialSettings(), np.random.default_rng(2))
    score = truth.human_score + np.linspace(-0.3, 0.3, 10)
    i, j = np.triu_indices(10, k=1)
    p, q = (expit(s[i] - s[j]) for s in (truth.human_score, score))
    divergence = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    assert_allclose(truth.excess_risk(score), divergence.mean(), rtol=1e-10)


def test_panels_of_one_size_share_compiled_programs():
    one, other = (
        studies.dial_panel(studies.DialSettings(verdicts=400, votes=100), seed=seed)
        for seed in (1, 2)
    )
    programs = [
        Paths(panel.judges, panel.humans, 1, np.array([1.0])).consensus.blocks.program
        for panel in (one, other)
    ]
    assert programs[0] is programs[1]


def test_records_stay_on_one_side():
    panel = bj.example_panel()
    people = replace(panel, human=np.ones(panel.n_judges, dtype=bool))
    split = studies.split_records(panel, people, seed=2)
    train, test = (set(map(str, part.prompts)) for part in (split.judges, split.test))
    assert not train & test
    assert set(split.humans.prompts) == train


def test_protocol_counts_and_compares(shared_fixture):
    panel = bj.example_panel()
    people = replace(panel.select(panel.judge == 1), human=np.ones(1, dtype=bool))
    setting = {
        "votes": 100,
        "verdicts": 0,
        "swapped": 0.5,
        "position_judges": 1,
        "opposed_judges": 1,
    }
    study = studies.dial_protocol(panel, people, [setting])
    drawn = study.draw(setting, 1)
    assert drawn.judges.data.judges[-2:] == ("opposed-1", "position-1")
    assert drawn.humans.weight.sum() == 100
    rows = list(study.metrics(drawn, {"DIAL-Anc": study.estimators["DIAL-Anc"](drawn)}))
    assert [row["metric"] for row in rows] == ["excess loss", "kendall tau"]
    target = drawn.test.values["human_score"]
    assert drawn.excess_loss(target) == pytest.approx(0.0, abs=1e-12)


def path_of(panel, votes, rank):
    frame = bj.calibration.structure(panel, rank=rank)
    return bj.calibration.weight_path(bj.models.calibrated, panel, votes, frame, weights=[5.0])


@pytest.mark.parametrize("slot", [0, 2])
def test_a_consensus_that_judges_do_not_identify_is_not_rearranged(slot):
    """With one direction of disagreement a judge of one slot leaves the structure open."""
    panel = bj.example_panel()
    panel = replace(panel, verdict=np.where(panel.judge == 2, slot, panel.verdict))
    path = path_of(panel, bj.example_votes(), rank=1)
    assert path.anchored.fault is not None
    with pytest.raises(bj.errors.NoAdmissibleFitError, match="no consensus to rearrange") as caught:
        studies.ordered_consensus(path)
    word = {0: "first", 2: "second"}[slot]
    habit = f"judge-3 picked the {word} slot in all of its 400 decisive verdicts"
    assert habit in str(caught.value)
    with pytest.raises(bj.errors.NoAdmissibleFitError):
        path.anchored.human_score  # noqa: B018


def test_votes_that_are_all_ties_do_not_make_a_consensus_identified():
    """Their human score is zero whatever the consensus, which stays as open as before."""
    panel, votes = bj.example_panel(), bj.example_votes()
    panel = replace(panel, verdict=np.where(panel.judge == 2, 0, panel.verdict))
    path = path_of(panel, replace(votes, verdict=np.ones_like(votes.verdict)), rank=1)
    assert path.anchored.fault is None
    with pytest.raises(bj.errors.NoAdmissibleFitError, match="no consensus to rearrange"):
        studies.ordered_consensus(path)


def test_a_judge_of_one_slot_does_not_matter_where_the_others_decide():
    """Rank zero: the consensus is that of the other four judges."""
    panel, votes = bj.example_panel(), bj.example_votes()
    slotted = replace(panel, verdict=np.where(panel.judge == 2, 0, panel.verdict))
    some, others = (
        studies.ordered_consensus(path_of(data, votes, rank=0))
        for data in (slotted, panel.select(panel.judge != 2))
    )
    assert_allclose(some.human_score, others.human_score, atol=1e-5)
