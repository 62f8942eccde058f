"""Judges against the others' scores: slopes, errors, and who is opposed, near chance or runaway."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit

import bayesjudge as bj
from bayesjudge.diagnosis import judge_agreement as module
from bayesjudge.diagnosis.judge_agreement import judge_agreement

CASES = Path(__file__).parent / "cases"
SCORES = np.linspace(-1, 1, 6)


def panel(sensitivity, verdicts, seed, ties=0.0, prompts=80):
    """Judges of given sensitivities on random displays of six items, with random positions."""
    rng = np.random.default_rng(seed)
    sensitivity = np.asarray(sensitivity, dtype=float)
    n_judges = len(sensitivity)
    judge = np.repeat(np.arange(n_judges), verdicts)
    first = rng.integers(6, size=len(judge))
    second = (first + rng.integers(1, 6, size=len(judge))) % 6
    log_odds = sensitivity[judge] * (SCORES[first] - SCORES[second])
    log_odds += rng.normal(0, 0.5, n_judges)[judge]
    won = np.where(rng.random(len(judge)) < expit(log_odds), "left", "right")
    return bj.read(
        {
            "left": [f"item-{i}" for i in first],
            "right": [f"item-{i}" for i in second],
            "winner": np.where(rng.random(len(judge)) < ties, "tie", won),
            "judge": [f"j{k:02d}" for k in judge],
            "question_id": [f"q{i:03d}" for i in rng.integers(prompts, size=len(judge))],
        }
    )


def finding(data, topic):
    (found,) = bj.diagnose(data).on(topic)
    return found


def names(agreement, mask):
    return [name for name, chosen in zip(agreement.judges, mask, strict=True) if chosen]


def ridge_loss(coefficients, matrix, won):
    log_odds = matrix @ coefficients
    return (
        np.logaddexp(0, log_odds).sum()
        - won @ log_odds
        + module.RIDGE / 2 * coefficients @ coefficients
    )


def fitted(matrix, won):
    start = np.zeros(matrix.shape[1])
    return minimize(ridge_loss, start, (matrix, won), method="BFGS", options={"gtol": 1e-9}).x


def test_the_slope_is_a_regression_on_scores_fitted_without_the_judge():
    data = panel([1, 0.7, 1.3], 120, 1, ties=0.1)
    agreement = judge_agreement(data)
    contrast = np.eye(6)[data.first] - np.eye(6)[data.second]
    position = np.eye(3)[data.judge]
    for judge in range(3):
        own = data.judge == judge
        others = np.hstack([contrast, position])[~own]
        fit = fitted(others, 1 - data.verdict[~own] / 2)
        gap = contrast[own] @ fit[:6]
        slope, _ = fitted(np.column_stack([gap, np.ones(own.sum())]), 1 - data.verdict[own] / 2)
        # at equal scores, the share of the gap's variance that is the others' error
        share = 1 / (1 + np.exp(-others @ fit))
        information = (others.T * (share * (1 - share))) @ others + module.RIDGE * np.eye(9)
        covariance = np.linalg.inv(information)[:6, :6]
        centred = contrast[own] - contrast[own].mean(axis=0)
        noise = np.einsum("ij,jk,ik->", centred, covariance, centred)
        reliability = 1 - noise / ((gap - gap.mean()) ** 2).sum()
        assert agreement.slope[judge] == pytest.approx(slope / reliability, rel=2e-3)
    assert agreement.verdicts.tolist() == [120, 120, 120]


@pytest.mark.parametrize("prompts", [12, 80])
def test_standard_errors_are_those_of_the_slopes_over_many_panels(prompts):
    scores = []
    for seed in range(60):
        agreement = judge_agreement(panel(np.ones(5), 120, seed, prompts=prompts))
        scores += ((agreement.slope - 1) / agreement.standard_error).tolist()
    assert abs(np.mean(scores)) < 0.25
    assert 0.75 < np.std(scores) < 1.15


def test_errors_clustered_by_prompt_do_not_shrink_with_copies():
    data = panel([1, 1, 1], 100, 2)
    frame = data.to_frame()
    thrice = bj.read(pd.concat([frame.assign(repeat=number) for number in (1, 2, 3)]))
    once, copied = judge_agreement(data), judge_agreement(thrice)
    assert (copied.standard_error > 0.7 * once.standard_error).all()  # not 1 / sqrt(3)
    assert copied.slope == pytest.approx(once.slope, abs=0.2)


def test_one_newton_step_takes_a_judge_out(monkeypatch):
    data = panel(np.ones(60), 30, 3)
    stepped = judge_agreement(data)
    monkeypatch.setattr(module, "SHORT", -1.0)
    exact = judge_agreement(data)
    known = np.isfinite(exact.slope)
    assert known.sum() > 50
    assert stepped.slope[known] == pytest.approx(exact.slope[known], abs=1e-3)
    assert stepped.standard_error[known] == pytest.approx(exact.standard_error[known], rel=1e-3)


def test_exchanged_slots_and_names_leave_the_slopes_alone():
    data = panel([1, 0.5, 1.5, -1], 100, 4)
    turned = data.to_frame()
    turned["item_first"], turned["item_second"] = data.to_frame()[
        ["item_second", "item_first"]
    ].T.values
    turned["verdict"] = turned.verdict.map({"first": "second", "second": "first", "tie": "tie"})
    turned["judge"] = turned.judge.map(lambda name: f"z{9 - int(name[1:])}")
    one, other = judge_agreement(data), judge_agreement(bj.read(turned))
    assert other.slope[::-1] == pytest.approx(one.slope, rel=1e-6)
    assert other.standard_error[::-1] == pytest.approx(one.standard_error, rel=1e-6)


def test_two_judges_that_contradict_each_other_are_a_problem():
    found = finding(bj.read(CASES / "anti2.csv"), "opposed judges")
    assert found.level == "problem"
    assert found.sentence.startswith(
        "anti (1.04 ± 0.30, 80 verdicts) and good (−1.04 ± 0.30, 80 verdicts) contradict each "
    )
    assert "the verdicts do not tell which item leads" in found.sentence


@pytest.mark.parametrize("ties", [0.0, 0.2])
def test_a_judge_that_contradicts_most_others_is_named_alone(ties):
    data = panel([1, -1, 1, 1], 150, 5, ties)
    found = finding(data, "opposed judges")
    assert found.level == "warning"
    assert list(found.details["judges"]) == ["j01"]
    assert found.details["judges"]["j01"]["slope"] < -0.5
    assert found.sentence.startswith("j01 (−")
    assert "150 verdicts) contradicts the scores that the other judges give" in found.sentence
    assert "check whether the labels or slots of this judge are exchanged" in found.sentence


def test_two_camps_of_equal_size_are_a_problem_with_all_their_names():
    found = finding(panel([1, -1, 1, -1], 200, 6), "opposed judges")
    assert found.level == "problem"
    assert all(name in found.sentence for name in ("j00", "j01", "j02", "j03"))


def test_a_judge_that_contradicts_without_exception_is_opposed():
    data = panel([1, 1, -500], 120, 7)
    agreement = judge_agreement(data)
    assert agreement.slope[2] == -np.inf
    assert names(agreement, agreement.opposed) == ["j02"]
    assert "j02 (without exception, 120 verdicts)" in finding(data, "opposed judges").sentence


def test_a_judge_near_chance_is_named_where_it_would_be_the_reference():
    data = bj.read(CASES / "runaway.csv.gz")
    found = finding(data, "near-chance judges")
    assert found.level == "warning"
    assert list(found.details["judges"]) == ["claude-3-haiku-20240307"]
    assert "claude-3-haiku-20240307 (0.03 ± 0.13, 216 verdicts) is near chance" in found.sentence
    assert finding(data, "opposed judges").level == "fine"


def test_of_32_judges_those_near_chance_are_named_and_no_other():
    sensitivity = np.r_[np.ones(18), np.zeros(14)]
    named = np.zeros(32)
    for seed in range(10):
        agreement = judge_agreement(panel(sensitivity, 600, seed))
        named += agreement.near_chance
        assert not agreement.opposed.any()
        assert not agreement.runaway.any()
    assert named[:18].sum() == 0
    assert named[18:].mean() > 6


def test_a_judge_of_unbounded_sensitivity_is_named():
    data = panel([1, 1, 1, 1, 500], 150, 8)
    found = finding(data, "runaway judges")
    assert found.level == "warning"
    assert found.details["judges"]["j04"]["slope"] == np.inf
    assert "j04 (without exception, 150 verdicts) follows" in found.sentence
    assert bj.diagnose(data).to_dict()["findings"]


def test_a_judge_far_above_the_average_is_named():
    agreement = judge_agreement(panel([0.4, 0.4, 0.4, 0.4, 4], [3000] * 4 + [5000], 9))
    assert names(agreement, agreement.runaway) == ["j04"]
    assert np.isfinite(agreement.slope[4])


def test_a_judge_that_always_picks_one_slot_is_neither_opposed_nor_near_chance():
    frame = panel([1, 1, 1], 100, 10).to_frame()
    frame.loc[frame.judge == "j02", "verdict"] = "first"
    agreement = judge_agreement(bj.read(frame))
    assert agreement.standard_error[2] > 5 * agreement.standard_error[0]
    assert not (agreement.opposed | agreement.near_chance | agreement.runaway).any()


def test_without_others_or_with_few_verdicts_nothing_is_said():
    for data in (panel([1], 100, 11), bj.read(CASES / "05_users_as_judges.csv")):
        agreement = judge_agreement(data)
        assert np.isnan(agreement.slope).all()
        assert np.isnan(agreement.standard_error).all()
        for topic in ("opposed judges", "near-chance judges", "runaway judges"):
            assert finding(data, topic).level == "fine"


def test_verdicts_on_items_that_only_one_judge_saw_do_not_count():
    data = panel([1, 1, 1], 100, 12)
    only = data.to_frame().head(40).assign(item_first="new-a", item_second="new-b", judge="j00")
    more = bj.read(pd.concat([data.to_frame(), only]))
    one, other = judge_agreement(data), judge_agreement(more)
    assert other.verdicts.tolist() == one.verdicts.tolist()
    assert other.slope == pytest.approx(one.slope, abs=0.05)


def test_a_weight_counts_as_so_many_verdicts():
    data = panel([1, 1, 1], 100, 13)
    doubled = replace(data, weight=2 * data.weight)
    one, other = judge_agreement(data), judge_agreement(doubled)
    assert other.verdicts.tolist() == (2 * one.verdicts).tolist()
    assert other.slope == pytest.approx(one.slope, rel=0.1)


def test_unknown_orders_leave_out_the_effect_of_position():
    frame = panel([1, 1, -1], 400, 14).to_frame()
    data = bj.read(frame.assign(order_known=False))
    assert names(judge_agreement(data), judge_agreement(data).opposed) == ["j02"]


def test_few_verdicts_a_judge_are_told_with_what_to_fit_instead():
    found = finding(bj.read(CASES / "05_users_as_judges.csv"), "few verdicts")
    assert found.level == "warning"
    assert "bj.models.sensitivity_pooled" in found.sentence
    assert "--program bradley_terry" in found.sentence
    assert "has nothing to rest on" in found.sentence


@pytest.mark.parametrize(("few", "level"), [(7, "note"), (30, "warning")])
def test_judges_with_few_verdicts_matter_where_they_gave_most_verdicts(few, level):
    """Forty judges gave fifty verdicts each, or two did."""
    busy = 40 if few == 7 else 2
    judges = [f"busy{k}" for k in range(busy) for _ in range(50)]
    judges += [f"few{k}" for k in range(few) for _ in range(9)]
    n = len(judges)
    table = {"left": ["a", "b"] * n, "right": ["b", "a"] * n, "winner": ["left"] * n}
    data = bj.read({name: values[:n] for name, values in table.items()} | {"judge": judges})
    found = finding(data, "few verdicts")
    assert found.level == level
    assert ("sensitivity_pooled" in found.sentence) == (level == "warning")
