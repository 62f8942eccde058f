"""Draws of ANCHOR's designs, and what the methods make of them."""

import anchor_draw
import numpy as np
import pytest

from bayesjudge.designs.flat_cells import flat_cells
from bayesjudge.designs.roster import roster_of
from bayesjudge.studies.anchor.baselines import (
    direct_score,
    oracle_score,
    reweighted_score,
    two_step_score,
)
from bayesjudge.studies.anchor.draw import HISTORICAL
from bayesjudge.studies.anchor.insertion import draw_insertion, insertion_metrics, place_all
from bayesjudge.studies.anchor.simulation import (
    DEFAULT,
    METHODS,
    arrival_metrics,
    draw_arrival,
    fit_anchor,
)

QUICK = [name for name in METHODS if name != "joint MLE"]
BIASED = {"ScalarJudge", "JointBTL", "PooledLLM", "PerJudgeBTL"}  # ignore features or judges' scale


@pytest.fixture(scope="module")
def drawn():
    return draw_arrival(DEFAULT, 5)


@pytest.fixture(scope="module")
def estimates(drawn):
    return {name: METHODS[name](drawn) for name in QUICK}


def test_sizes_and_samples(drawn):
    judges, humans = (each.data for each in drawn.designs)
    assert (judges.n_rows, humans.n_rows) == (6100, 2400)
    assert ((judges.first == HISTORICAL) | (judges.second == HISTORICAL)).sum() == 500
    assert max(humans.first.max(), humans.second.max()) == HISTORICAL - 1
    assert abs(drawn.score[:HISTORICAL].sum()) < 1e-12
    assert drawn.roster.is_new.tolist() == [False] * HISTORICAL + [True]


def test_same_seed_same_verdicts(drawn):
    again = draw_arrival(DEFAULT, 5)
    assert np.array_equal(again.designs[0].data.verdict, drawn.designs[0].data.verdict)


def test_bias_is_as_large_as_asked():
    """Its standard deviation over history is rho times that of the score term, judge by judge."""
    one = draw_arrival({**DEFAULT, "bias": 2.0, "verdicts": 30_000}, 3)
    layout, truth = one.designs[0].layout, one.truth
    old = (layout.first < HISTORICAL) & (layout.second < HISTORICAL) & (layout.counts.sum(1) > 0)
    for judge in range(3):
        rows = old & (layout.judge == judge)
        gap = truth.score[layout.first[rows]] - truth.score[layout.second[rows]]
        bias = layout.columns[rows] @ truth.effects[judge]
        ratio = np.std(bias) / np.std(truth.sensitivity[judge] * gap)
        assert ratio == pytest.approx(2.0, rel=0.1)


def test_new_item_s_features_are_shifted():
    """By tau times the root of five along one direction, seen from any opponent."""
    plain, moved = (draw_arrival({**DEFAULT, "shift": shift}, 4) for shift in (0.0, 1.0))
    means = [
        flat_cells(each.designs[0]).seen_from(HISTORICAL).columns.mean(0) for each in (plain, moved)
    ]
    assert np.linalg.norm(means[1] - means[0]) == pytest.approx(np.sqrt(5), rel=1e-9)


@pytest.mark.parametrize("name", [name for name in QUICK if name not in BIASED])
def test_unbiased_methods_are_near_the_truth(name, drawn, estimates):
    """Within four of the largest standard error, that of 150 votes."""
    assert abs(estimates[name].score - drawn.score[-1]) < 4 * 0.18


def test_oracle_solves_its_likelihood(drawn):
    """The weighted residuals of the arrivals, at the truth but for the new score, sum to zero."""
    score, error = oracle_score(drawn.designs, drawn.roster, drawn.truth)
    rows, truth = flat_cells(drawn.designs[0]).seen_from(HISTORICAL), drawn.truth
    slope = truth.sensitivity[rows.judge]
    bias = (truth.effects[rows.judge] * rows.columns).sum(1)
    expected = 1 / (1 + np.exp(-slope * (score[-1] + rows.pair_contrast @ truth.score) - bias))
    assert abs(slope @ (rows.wins - expected)) < 1e-6
    assert 0.03 < error < 0.3


def test_direct_score_is_the_two_step_score_where_judges_are_alike():
    """Only weights by sensitivity tell the two moments apart."""
    sample = anchor_draw.drawn(7, n_judges=1)
    roster = roster_of(np.arange(6) == 5)
    direct, usual = (f(sample.designs, roster) for f in (direct_score, two_step_score))
    assert np.allclose(direct, usual, rtol=0, atol=1e-8)


def test_reweighting_changes_nothing_where_history_looks_like_arrivals():
    """Without a shift the density ratio is one in the limit: within a standard error."""
    plain = draw_arrival({**DEFAULT, "shift": 0.0}, 9)
    scores = [f(plain.designs, plain.roster)[-1] for f in (reweighted_score, direct_score)]
    assert scores[0] == pytest.approx(scores[1], abs=0.1)


def test_metrics_of_methods(drawn, estimates):
    rows = {
        (each["estimator"], each["metric"]): each["value"]
        for each in arrival_metrics(drawn, estimates)
    }
    for name in estimates:
        assert rows[name, "squared_error"] == pytest.approx(rows[name, "error"] ** 2)
        assert rows[name, "insertion_error"] in range(11)
        assert rows[name, "exact"] == (rows[name, "insertion_error"] == 0)
    assert rows["ANCHOR", "variance_over_bound"] > 1
    assert rows["ANCHOR", "width"] > rows["Oracle", "width"]
    assert ("two-step", "coverage") not in rows


def test_placing_by_a_history_is_anchor_on_everything():
    """Up to the folds, which are drawn otherwise."""
    insertion = draw_insertion({"gap": 0.2}, 3)
    placed = place_all(insertion)
    whole = fit_anchor(insertion.whole[4])
    assert placed[4].score == pytest.approx(whole.score, abs=whole.error / 3)
    assert placed[4].error == pytest.approx(whole.error, rel=0.05)
    (row,) = (
        each["value"]
        for each in insertion_metrics(insertion, {"ANCHOR": placed})
        if each["metric"] == "rank_coverage"
    )
    assert row >= 8 / 9
