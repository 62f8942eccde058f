"""What is said in words about new items, where each thing is amiss."""

from dataclasses import replace

import numpy as np
import pytest
from anchor_draw import drawn

import bayesjudge as bj
from bayesjudge.designs.roster import roster_of
from bayesjudge.diagnosis.new_item_numbers import heaviest_verdict

ROSTER = roster_of(np.arange(6) == 5)


def level(topic, sample):
    (found,) = bj.new_items.identify(*sample.designs, ROSTER).on(topic)
    return found.level


@pytest.fixture(scope="module")
def sample():
    return drawn(1, votes=600)


def test_nothing_is_amiss(sample):
    findings = bj.new_items.identify(*sample.designs, ROSTER).findings
    assert len(findings) == 7
    assert {each.level for each in findings} == {"fine"}


def test_unlinked_votes_rest_on_judges_that_rank_all():
    assert level("human graph", drawn(1, pair=(0, 1))) == "warning"


def test_unlinked_votes_without_such_judges_are_a_problem():
    sample = drawn(1, pair=(0, 1))
    kept = (sample.judges.first != 4) & (sample.judges.second != 4)
    contrasts = {name: value[kept] for name, value in sample.contrasts.items()}
    cut = replace(sample, judges=sample.judges.select(kept), contrasts=contrasts)
    (found,) = bj.new_items.identify(*cut.designs, ROSTER).on("human graph")
    assert found.level == "problem"
    (whole,) = bj.new_items.identify(*cut.designs, ROSTER).on("identification")
    assert (whole.level, "item-4" in whole.details["items"]) == ("problem", True)


def test_separated_votes_are_named(sample):
    lost = (sample.votes.first == 2) | (sample.votes.second == 2)
    verdict = np.where(sample.votes.first == 2, 2, np.where(lost, 0, sample.votes.verdict))
    told = replace(sample, votes=replace(sample.votes, verdict=verdict))
    (found,) = bj.new_items.identify(*told.designs, ROSTER).on("separation")
    assert (found.level, found.details["items"]) == ("warning", ["item-2"])
    fit = bj.new_items.orthogonal(bj.models.new_item, *told.designs, ROSTER, folds=1)
    assert fit.starts[0].ridge > 0
    assert bj.new_items.check(fit).on("start")[0].level == "warning"


def test_few_votes_leave_the_scale_open():
    assert level("scale", drawn(1, votes=30)) == "warning"


def test_relative_error_of_the_scale_is_that_of_a_common_factor(sample):
    """One over the root of the information of a one-parameter logistic fit."""
    (found,) = bj.new_items.identify(*sample.designs, ROSTER).on("scale")
    gap = sample.score[sample.votes.first] - sample.score[sample.votes.second]
    share = 1 / (1 + np.exp(-gap))
    truth = 1 / np.sqrt((share * (1 - share) * gap**2).sum())
    assert found.details["relative_error"] == pytest.approx(truth, rel=0.2)


def test_features_that_give_the_items_away(sample):
    gap = sample.score[sample.judges.first] - sample.score[sample.judges.second]
    noise = np.random.default_rng(1).normal(size=len(gap))
    for spread, expected in ((0.2, "warning"), (2.0, "fine")):
        leaking = replace(sample, contrasts={"x": gap + spread * noise, "w": sample.contrasts["w"]})
        assert level("features", leaking) == expected
    by_item = {
        f"i{k}": (sample.judges.first == k) * 1.0 - (sample.judges.second == k) for k in range(4)
    }
    (found,) = bj.new_items.identify(*replace(sample, contrasts=by_item).designs, ROSTER).on(
        "features"
    )
    assert found.level == "problem"


def test_arrivals_far_from_history(sample):
    new = (sample.judges.first == 5) | (sample.judges.second == 5)
    far = replace(sample, contrasts=sample.contrasts | {"x": sample.contrasts["x"] * (1 + 4 * new)})
    assert level("overlap", far) == "warning"


def test_a_feature_that_only_arrivals_have(sample):
    new = (sample.judges.first == 5) * 1.0 - (sample.judges.second == 5)
    unseen = replace(sample, contrasts=sample.contrasts | {"style": new})
    assert level("overlap", unseen) == "problem"
    assert level("identification", unseen) == "problem"


def test_judge_without_history(sample):
    old = (sample.judges.first != 5) & (sample.judges.second != 5)
    kept = ~(old & (sample.judges.judge == 1))
    contrasts = {name: value[kept] for name, value in sample.contrasts.items()}
    cut = replace(sample, judges=sample.judges.select(kept), contrasts=contrasts)
    (found,) = bj.new_items.identify(*cut.designs, ROSTER).on("judges")
    assert (found.level, found.details["unseen"]) == ("problem", ["judge-1"])


@pytest.fixture(scope="module")
def fit(sample):
    return bj.new_items.orthogonal(bj.models.new_item, *sample.designs, ROSTER, folds=1)


def test_a_usual_correction_passes(fit):
    assert {each.level for each in bj.new_items.check(fit).findings} == {"fine"}


def test_sum_of_squared_influences_is_the_variance(sample, fit):
    """The heaviest verdict is one of n, so that it is at least a root of n-th."""
    n = sample.judges.n_rows + sample.votes.n_rows
    assert (heaviest_verdict(fit) > 1 / np.sqrt(n)).all()


def test_an_outlying_answer_weighs_too_much(sample):
    x = sample.contrasts["x"].copy()
    x[np.flatnonzero(sample.judges.first == 5)[0]] = 60
    heavy = replace(sample, contrasts=sample.contrasts | {"x": x})
    fit = bj.new_items.orthogonal(bj.models.new_item, *heavy.designs, ROSTER, folds=1)
    assert bj.new_items.check(fit).on("weights")[0].details["standard_errors"] > 0


@pytest.fixture(scope="module")
def joint(sample):
    return bj.mode(bj.models.new_item, *sample.designs, ROSTER, prior=False)


def test_gain_of_a_vote_is_what_a_vote_would_take_off(sample, joint):
    """A vote's expected information, added by hand, shrinks the variance by the promised share."""
    table = bj.new_items.next_comparisons(joint)
    vote = table[(table["rater"] == "people") & (table["first"] == "item-1")].iloc[0]
    scores = joint.jacobians["human_score"]
    names = list(joint.designs[0].items)
    g = scores[names.index(vote["first"])] - scores[names.index(vote["second"])]
    value = joint.quantity("human_score")
    p = 1 / (1 + np.exp(float(value.sel(item=vote["second"]) - value.sel(item=vote["first"]))))
    before = np.linalg.inv(joint.information)
    after = np.linalg.inv(joint.information + p * (1 - p) * np.outer(g, g))
    aim = scores[names.index("item-5")]
    assert vote["gain"] == pytest.approx(1 - (aim @ after @ aim) / (aim @ before @ aim), rel=1e-9)


def test_votes_on_the_new_item_help_most(joint):
    table = bj.new_items.next_comparisons(joint, against="item-0")
    votes = table[table["rater"] == "people"]
    assert votes.iloc[0][["first", "second"]].tolist() == ["item-0", "item-5"]


def test_verdicts_so_far_are_all_counted(sample, joint):
    table = bj.new_items.next_comparisons(joint)
    people = table["rater"] == "people"
    assert table.loc[people, "so_far"].sum() == sample.votes.n_rows
    assert table.loc[~people, "so_far"].sum() == sample.judges.n_rows
    assert (table["gain"] >= 0).all()
