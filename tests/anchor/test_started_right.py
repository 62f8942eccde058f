"""First estimates and folds: what they rest on, and what is said where they cannot be had."""

from dataclasses import replace

import numpy as np
import pytest
from anchor_draw import drawn

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.designs.roster import roster_of

NEW = roster_of(np.arange(6) == 5)


@pytest.fixture(scope="module")
def sample():
    return drawn(3, votes=400, verdicts=900, arrivals=300)


def test_where_votes_link_nothing_only_judges_who_rank_all_items_are_asked():
    """A judge that compared two separate pairs cannot say how the pairs lie to each other."""
    sample = drawn(8, votes=4000, verdicts=30_000, arrivals=6000, pair=(0, 1))
    first, second = sample.judges.first, sample.judges.second
    low, high = np.minimum(first, second), np.maximum(first, second)
    apart = ((low == 0) & (high == 1)) | ((low == 2) & (high == 3)) | (high == 5)
    kept = (sample.judges.judge == 0) | apart
    judges = sample.judges.select(kept)
    contrasts = {name: column[kept] for name, column in sample.contrasts.items()}
    made = (
        bj.new_items.features(judges, contrasts, items=sample.designs[0].items),
        sample.designs[1],
    )
    fit = bj.new_items.orthogonal(bj.models.new_item, *made, NEW, folds=1)
    off = np.abs(fit.quantity("human_score").values - sample.score)
    assert (off < 4 * fit.standard_error("human_score").values).all()


def test_votes_that_link_nothing_and_judges_that_rank_nothing():
    sample = drawn(8, pair=(0, 1))
    low = np.minimum(sample.judges.first, sample.judges.second)
    high = np.maximum(sample.judges.first, sample.judges.second)
    kept = ((low == 0) & (high == 1)) | ((low == 2) & (high == 3)) | (high == 5)
    judges = sample.judges.select(kept)
    contrasts = {name: column[kept] for name, column in sample.contrasts.items()}
    made = (
        bj.new_items.features(judges, contrasts, items=sample.designs[0].items),
        sample.designs[1],
    )
    with pytest.raises(errors.UnidentifiedError, match="no judge tells them all apart"):
        bj.new_items.orthogonal(bj.models.new_item, *made, NEW, folds=1)


def test_a_judge_without_history_is_named(sample):
    new = (sample.judges.first == 5) | (sample.judges.second == 5)
    kept = (sample.judges.judge == 0) | new
    judges = sample.judges.select(kept)
    contrasts = {name: column[kept] for name, column in sample.contrasts.items()}
    made = (
        bj.new_items.features(judges, contrasts, items=sample.designs[0].items),
        sample.designs[1],
    )
    with pytest.raises(errors.NewItemError, match="judged no pair of historical items"):
        bj.new_items.orthogonal(bj.models.new_item, *made, NEW, folds=1)
    assert bj.new_items.identify(*made, NEW).on("judges")[0].level == "problem"


def test_numbers_of_folds_are_names(sample):
    judges, votes = np.arange(1200) % 2, np.arange(400) % 2
    fits = [
        bj.new_items.orthogonal(bj.models.new_item, *sample.designs, NEW, folds=folds)
        for folds in ([judges, votes], [judges + 5, votes + 5], [2 * judges, 2 * votes])
    ]
    for other in fits[1:]:
        assert len(other.folds) == 2
        np.testing.assert_array_equal(
            other.quantity("human_score"), fits[0].quantity("human_score")
        )


@pytest.mark.parametrize("folds", [2.5, None, np.nan, "a", True, 0])
def test_folds_that_are_none(sample, folds):
    with pytest.raises(errors.InvalidFoldsError):
        bj.new_items.orthogonal(bj.models.new_item, *sample.designs, NEW, folds=folds)


def test_all_votes_in_one_fold(sample):
    folds = [np.arange(1200) % 2, np.zeros(400, dtype=int)]
    with pytest.raises(errors.InvalidFoldsError, match="without rows"):
        bj.new_items.orthogonal(bj.models.new_item, *sample.designs, NEW, folds=folds)


def test_one_cluster_has_no_variance(sample):
    fit = bj.new_items.orthogonal(bj.models.new_item, *sample.designs, NEW, folds=np.int64(2))
    top = bj.mode(bj.models.new_item, *sample.designs, NEW, prior=False)
    for each in (fit, top):
        with pytest.raises(errors.TooFewClustersError):
            bj.new_items.placement(each, np.array(["a"] * 1600))


def test_quantities_are_copies(sample):
    fit = bj.new_items.orthogonal(bj.models.new_item, *sample.designs, NEW, folds=1)
    before = fit.quantity("human_score").values.copy()
    fit.quantity("human_score").values[:] = 0
    np.testing.assert_array_equal(fit.quantity("human_score"), before)


def test_an_effect_that_is_no_parameter_has_no_error(sample):
    contrasts = sample.contrasts | {"still": np.zeros(sample.judges.n_rows)}
    made = (
        bj.new_items.features(sample.judges, contrasts, items=sample.designs[0].items),
        sample.designs[1],
    )
    fit = bj.new_items.orthogonal(bj.models.new_item, *made, NEW, folds=1)
    assert fit.standard_error("still").isnull().all()
    (found,) = bj.new_items.identify(*made, NEW).on("fixed effects")
    assert found.sentence.startswith("still is fixed at zero")


def test_powers_are_refused(sample):
    judges, votes = sample.designs
    powered = bj.design(sample.votes, power=0.1, items=votes.items)
    with pytest.raises(errors.WeightError, match="without power"):
        bj.new_items.orthogonal(bj.models.new_item, judges, powered, NEW)
    fit = bj.mode(bj.models.new_item, judges, powered, NEW, prior=False)
    with pytest.raises(errors.WeightError, match="without power"):
        bj.new_items.placement(fit)


def test_wrong_programs_and_missing_votes(sample):
    judges, votes = sample.designs
    with pytest.raises(errors.UnknownProgramError, match="learns scales"):
        bj.new_items.orthogonal(bj.models.new_item_pooled, judges, votes, NEW)
    with pytest.raises(errors.UnknownProgramError, match="data sets given is 1"):
        bj.new_items.orthogonal(bj.models.new_item, judges)
    with pytest.raises(errors.UnknownProgramError, match="type str"):
        bj.new_items.orthogonal("new_item", judges, votes)


def votes_alone(sample):
    """Votes with the items that they are on."""
    return sample.votes.select(np.ones(sample.votes.n_rows, dtype=bool))


@pytest.fixture(scope="module")
def history(sample):
    old = (sample.judges.first != 5) & (sample.judges.second != 5)
    parts = [
        bj.new_items.features(
            sample.judges.select(rows),
            {name: column[rows] for name, column in sample.contrasts.items()},
        )
        for rows in (old, ~old)
    ]
    return bj.new_items.fit_history(parts[0], votes_alone(sample), folds=3, seed=1), parts[1]


@pytest.mark.parametrize(
    "fold", ["a", 3, [0.5] * 300, [0] * 300, list(range(9)) * 34, [-1, 0, 1] * 100]
)
def test_folds_of_arrivals_are_those_of_the_history(history, fold):
    with pytest.raises(errors.InvalidFoldsError):
        bj.new_items.place(*history, fold=fold)


def test_histories_and_features_that_do_not_fit(sample, history):
    past, arrival = history
    with pytest.raises(errors.UnknownFitError, match="history is wanted first"):
        bj.new_items.place(arrival, past)
    with pytest.raises(errors.FeatureError, match="lay the arrivals out"):
        bj.new_items.place(past, arrival.data)


def test_an_effect_unknown_to_history_is_not_zero(sample):
    """One feature never varied for one judge until the new item came."""
    old = (sample.judges.first != 5) & (sample.judges.second != 5)
    name = next(iter(sample.contrasts))
    column = np.where(old & (sample.judges.judge == 0), 0.0, sample.contrasts[name])
    contrasts = sample.contrasts | {name: column}
    parts = [
        bj.new_items.features(
            sample.judges.select(rows), {k: v[rows] for k, v in contrasts.items()}
        )
        for rows in (old, ~old)
    ]
    history = bj.new_items.fit_history(parts[0], votes_alone(sample), folds=2)
    with pytest.raises(errors.FeatureError, match="never did in its history"):
        bj.new_items.place(history, parts[1])
    whole = bj.new_items.features(sample.judges, contrasts, items=sample.designs[0].items)
    with pytest.raises(errors.FeatureError, match="never did in its history"):
        bj.new_items.cut_posterior(whole, sample.designs[1], NEW, seed=1)


def test_units_of_features_change_no_finding_and_no_fit(sample):
    name = next(iter(sample.contrasts))
    findings, scores = [], []
    for unit in (1.0, 1e-4):
        contrasts = sample.contrasts | {name: unit * sample.contrasts[name]}
        made = bj.new_items.features(sample.judges, contrasts, items=sample.designs[0].items)
        findings.append(str(bj.new_items.identify(made, sample.designs[1], NEW)))
        fit = bj.mode(bj.models.new_item, made, sample.designs[1], NEW, prior=False)
        scores.append(fit.quantity("human_score").values)
    assert findings[0] == findings[1]
    np.testing.assert_allclose(scores[1], scores[0], atol=1e-6)


def test_a_new_item_that_won_everything_is_said_in_words(sample):
    new = (sample.judges.first == 5) | (sample.judges.second == 5)
    won = np.where(sample.judges.first == 5, 0, 2)
    judges = replace(sample.judges, verdict=np.where(new, won, sample.judges.verdict))
    made = bj.new_items.features(judges, sample.contrasts, items=sample.designs[0].items)
    assert bj.new_items.identify(made, sample.designs[1], NEW).on("judges")


def test_leaving_an_item_out_that_links_the_votes_fails_in_its_row():
    """Votes in a star: without the hub no vote is left."""
    from bayesjudge.studies.anchor.leave_one_item_out import METHODS, leave_one_item_out

    sample = drawn(2, n_old=4, n_new=0, arrivals=0, votes=600, verdicts=900)
    hub = (sample.votes.first == 0) | (sample.votes.second == 0)
    votes = sample.votes.select(hub)
    methods = {"two-step": METHODS["two-step"]}
    table = leave_one_item_out(sample.designs[0], votes, seed=1, methods=methods)
    assert len(table) == 4
    assert (table["failure"] != "").any()
