"""What must not change the answer, and identities that the method promises."""

from dataclasses import replace

import numpy as np
import pytest
from anchor_draw import drawn

import bayesjudge as bj
from bayesjudge.anchor.folds import fold_sums, whole_split
from bayesjudge.anchor.two_step import two_step
from bayesjudge.designs.layouts import observed_site
from bayesjudge.designs.roster import roster_of


def turned(data, rows):
    """The same verdicts with first and second exchanged in some rows."""
    return replace(
        data,
        first=np.where(rows, data.second, data.first),
        second=np.where(rows, data.first, data.second),
        verdict=np.where(rows, 2 - data.verdict, data.verdict),
    )


def corrected(designs, roster, folds):
    fit = bj.new_items.orthogonal(bj.models.new_item, *designs, roster, folds=folds)
    return fit.quantity("human_score").values, fit.covariance("human_score", "row").values


@pytest.fixture(scope="module")
def sample():
    return drawn(1)


@pytest.fixture(scope="module")
def roster(sample):
    return roster_of(np.arange(6) == 5)


@pytest.fixture(scope="module")
def folds(sample):
    rng = np.random.default_rng(3)
    return [rng.permutation(each.n_rows) % 4 for each in (sample.judges, sample.votes)]


@pytest.fixture(scope="module")
def usual(sample, roster, folds):
    return corrected(sample.designs, roster, folds)


def assert_same(found, usual):
    for one, other in zip(found, usual, strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-8)


def test_turning_rows_round_changes_nothing(sample, roster, folds, usual):
    rng = np.random.default_rng(5)
    rows = rng.random(sample.judges.n_rows) < 0.5
    sign = np.where(rows, -1, 1)
    contrasts = {name: sign * value for name, value in sample.contrasts.items()}
    votes = turned(sample.votes, rng.random(sample.votes.n_rows) < 0.5)
    found = replace(sample, judges=turned(sample.judges, rows), contrasts=contrasts, votes=votes)
    assert_same(corrected(found.designs, roster, folds), usual)


def test_mixing_features_linearly_changes_nothing(sample, roster, folds, usual):
    x, w = sample.contrasts["x"], sample.contrasts["w"]
    mixed = replace(sample, contrasts={"x": 2 * x - w, "w": x + 3 * w})
    assert_same(corrected(mixed.designs, roster, folds), usual)


def test_order_of_items_changes_nothing(sample, folds, usual):
    order = np.array([3, 5, 0, 2, 1, 4])  # new place of each item
    place = lambda data: replace(data, first=order[data.first], second=order[data.second])  # noqa: E731
    moved = replace(sample, judges=place(sample.judges), votes=place(sample.votes))
    score, covariance = corrected(moved.designs, roster_of(np.arange(6) == order[5]), folds)
    assert_same((score[order], covariance[:, order][:, :, order]), usual)


def test_without_crossfitting_it_is_a_step_of_fisher_scoring(sample, roster):
    fit = bj.new_items.orthogonal(bj.models.new_item, *sample.designs, roster, folds=1)
    start, c = two_step(sample.designs, roster), np.array([1.3, 0.8])
    assert not np.allclose(start.sensitivity, c)
    step = fisher_step(sample, start)
    assert np.allclose(fit.quantity("human_score"), step, rtol=0, atol=1e-10)


def fisher_step(sample, start):
    """The step by hand, in scores and sensitivities themselves, from rows."""
    basis = np.linalg.svd(np.ones((1, 5)))[2][1:].T  # another basis than the package's
    information, total = np.zeros((11, 11)), np.zeros(11)
    for data, human in ((sample.judges, False), (sample.votes, True)):
        z = np.column_stack(list(sample.contrasts.values()))
        for row in range(data.n_rows):
            a, b, m = data.first[row], data.second[row], data.judge[row]
            e = np.eye(6)[a] - np.eye(6)[b]
            gap, c = e @ start.score, 1.0 if human else start.sensitivity[m]
            g = np.zeros(11)
            g[0], g[1:5] = c * e[5], c * e[:5] @ basis
            eta = c * gap
            if not human:
                g[5 + m], g[7 + 2 * m : 9 + 2 * m] = gap, z[row]
                eta += z[row] @ start.effects[m]
            p = 1 / (1 + np.exp(-eta))
            information += p * (1 - p) * np.outer(g, g)
            total += g * ((data.verdict[row] == 0) - p)
    moved = np.linalg.solve(information, total)
    return start.score + np.append(basis @ moved[1:5], moved[0])


def test_scoring_leads_to_the_joint_maximum(sample, roster):
    """Each step is the estimator with the last one as its start."""
    joint = bj.mode(bj.models.new_item, *sample.designs, roster, prior=False)
    found = two_step(sample.designs, roster)
    for _ in range(12):
        at = found
        fit = bj.new_items.orthogonal(
            bj.models.new_item, *sample.designs, roster, folds=1, start=lambda *_, at=at: at
        )
        effects = np.column_stack([fit.quantity("x"), fit.quantity("w")])
        slope = fit.quantity("sensitivity").values
        score = fit.quantity("human_score").values
        found = replace(at, score=score, sensitivity=slope, effects=effects)
    assert np.allclose(found.score, joint.quantity("human_score"), rtol=0, atol=1e-8)


def test_votes_alone_know_the_scale(sample, roster):
    """Scores up and sensitivities down by one factor: no information from judges (Section 6)."""
    fit = bj.mode(bj.models.new_item, *sample.designs, roster, prior=False)
    sums = fold_sums(fit, whole_split(fit.designs))
    along = fit.program.sites.flat(
        {
            "score_coordinates": fit.free("score_coordinates"),
            "new_score_coordinates": fit.free("new_score_coordinates"),
            "log_sensitivity_coordinates": -np.ones(2),
        }
    )
    judges, votes = sums.information
    assert np.abs(judges @ along).max() < 1e-10
    expected = bj.new_items.placement(fit).pairs.scale_information(
        fit.quantity("human_score").values
    )
    assert along @ votes @ along == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bound_votes_and_whole_variance_are_ordered(seed):
    sample = drawn(seed)
    fit = bj.mode(bj.models.new_item, *sample.designs, roster_of(np.arange(6) == 5), prior=False)
    table = bj.new_items.placement(fit, kind="model").contrasts()
    assert (table["bound_share"] <= table["votes_share"] + 1e-12).all()
    assert (table["votes_share"] <= 1).all()


def test_bound_vanishes_for_equal_scores(sample, roster):
    placed = bj.new_items.placement(
        bj.mode(bj.models.new_item, *sample.designs, roster, prior=False)
    )
    equal = replace(placed, score=np.array([0.4, -1.0, 0.3, 0.1, 0.2, 0.4]))
    contrast = np.array([-1.0, 0, 0, 0, 0, 1])
    assert contrast @ equal.bound @ contrast == pytest.approx(0, abs=1e-15)


def test_two_new_items_that_judges_compare_with_each_other():
    sample = drawn(4, n_new=2, arrivals=500)
    fit = bj.mode(bj.models.new_item, *sample.designs, roster_of(np.arange(7) >= 5), prior=False)
    step = bj.new_items.orthogonal(
        bj.models.new_item, *sample.designs, roster_of(np.arange(7) >= 5), folds=1
    )
    placed = bj.new_items.placement(step)
    assert placed.new_items == ("item-5", "item-6")
    error = np.sqrt(np.diag(placed.covariance))
    assert (np.abs(placed.score - fit.quantity("human_score").values) < 0.3 * error).all()
    assert (np.abs(placed.score - sample.score) < 4 * error).all()


def test_votes_on_one_pair_alone_are_enough():
    """Judges rank, people set the scale (Section 2.1, after Theorem C.1)."""
    sample = drawn(6, pair=(0, 1), verdicts=2500, votes=600)
    roster = roster_of(np.arange(6) == 5)
    assert not two_step(sample.designs, roster).linked
    step = bj.new_items.orthogonal(bj.models.new_item, *sample.designs, roster, folds=1)
    joint = bj.mode(bj.models.new_item, *sample.designs, roster, prior=False)
    error = step.standard_error("human_score").values
    gap = step.quantity("human_score").values - joint.quantity("human_score").values
    assert (np.abs(gap) < 0.5 * error).all()


def test_expected_information_is_that_of_the_mode(sample, roster):
    fit = bj.mode(bj.models.new_item, *sample.designs, roster, prior=False)
    sums = fold_sums(fit, whole_split(fit.designs))
    assert np.allclose(sums.information.sum(axis=0), fit.information, rtol=1e-12)
    assert observed_site(fit.designs[1].layout) == "human_verdicts"
