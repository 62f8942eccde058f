"""Verdicts that depend on each other: what a robust variance by clusters must give."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.data.pool import pool_comparisons


@pytest.fixture(scope="module")
def data():
    judges, votes = bj.example_panel(), bj.example_votes()
    maple = votes.items.index("maple")
    return judges, votes.select((votes.first != maple) & (votes.second != maple))


@pytest.fixture(scope="module")
def fit(data):
    return bj.new_items.orthogonal(bj.models.new_item, *data, folds=4, seed=1)


def labels(data):
    return [f"{place}-{row}" for place, each in enumerate(data) for row in range(each.n_rows)]


def test_clusters_of_one_verdict_give_the_variance_by_row(fit, data):
    by_row = fit.covariance("human_score", "row").values
    np.testing.assert_allclose(fit.covariance("human_score", labels(data)), by_row, atol=1e-13)


def test_the_same_verdicts_twice_teach_nothing_more(data):
    """By row two copies halve the variance; by label, copies together, they leave it."""
    once = bj.new_items.orthogonal(bj.models.new_item, *data, folds=1)
    twice = [pool_comparisons(each, each) for each in data]
    doubled = bj.new_items.orthogonal(bj.models.new_item, *twice, folds=1)
    names = [
        2 * [f"{place}-{row}" for row in range(each.n_rows)] for place, each in enumerate(data)
    ]
    np.testing.assert_allclose(doubled.quantity("human_score"), once.quantity("human_score"))
    single = once.covariance("human_score", "row").values
    np.testing.assert_allclose(
        doubled.covariance("human_score", "row").values, single / 2, atol=1e-12
    )
    copies = doubled.covariance("human_score", [name for each in names for name in each])
    np.testing.assert_allclose(copies.values, single, atol=1e-12)


def test_parts_by_data_set_add_up_to_a_covariance(fit):
    parts = fit.covariance("human_score", "prompt")
    whole = parts.sum("source").values
    assert np.linalg.eigvalsh(whole).min() > -1e-15
    placed = bj.new_items.placement(fit, "prompt")
    np.testing.assert_allclose(placed.covariance, whole)
    error = np.sqrt(np.diag(whole))
    np.testing.assert_allclose(fit.standard_error("human_score", "prompt"), error)
    half = np.diff(fit.interval("human_score", cluster="prompt"), axis=0)[0] / 2
    np.testing.assert_allclose(half / error, 1.959963984540054)


def test_a_maximum_has_the_same_variance_as_its_own_step(data):
    """At the joint maximum the step is zero, and the robust variance is the sandwich there."""
    top = bj.mode(bj.models.new_item, *data, prior=False)
    placed = bj.new_items.placement(top, labels(data))
    np.testing.assert_allclose(
        placed.covariance, bj.new_items.placement(top, "row").covariance, atol=1e-13
    )
    model = np.sqrt(np.diag(bj.new_items.placement(top, kind="model").covariance))
    robust = np.sqrt(np.diag(bj.new_items.placement(top, "prompt").covariance))
    assert (np.abs(np.log(robust / model)) < 0.4).all()


def test_clusters_that_do_not_exist_are_told(fit):
    with pytest.raises(errors.UnknownClusterError, match="no cluster 'raters'"):
        bj.new_items.placement(fit, "raters")
    with pytest.raises(errors.UnknownClusterError, match="labels have shape"):
        fit.standard_error("human_score", ["a", "b"])


def test_the_correction_stands_beside_other_intervals(fit, data):
    top = bj.mode(bj.models.new_item, *data, prior=False)
    table = bj.compare_intervals("human_score", step=fit, top=top.covariance("model"))
    own = table[table["method"] == "step"]
    assert set(own["kind"]) == {"one step, 4 folds, sandwich by prompt"}
    lower = fit.interval("human_score").sel(bound="lower").values
    np.testing.assert_allclose(own["lower"], lower)
    ranked = bj.rank_table(fit).set_index("item")["lower"]
    np.testing.assert_allclose(own.set_index("item")["lower"].loc[ranked.index], ranked)
