"""Each item in turn as if it were new: drawn data with a truth, real data with a frozen table."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from anchor_draw import drawn

import bayesjudge as bj
from bayesjudge.designs.roster import all_historical
from bayesjudge.designs.terms import log_length_ratio
from bayesjudge.studies.anchor.baselines import vote_scores
from bayesjudge.studies.anchor.leave_one_item_out import METHODS, leave_one_item_out, summarised

GOLDEN = Path(__file__).parents[2] / "golden" / "anchor_real"


@pytest.fixture(scope="module")
def sample():
    return drawn(2, n_old=6, n_new=0, arrivals=0, votes=1500, verdicts=4000)


@pytest.fixture(scope="module")
def found(sample):
    return leave_one_item_out(*sample.designs, seed=1)


def test_one_row_an_item_and_method(found, sample):
    assert len(found) == 6 * len(METHODS)
    assert (found["failure"] == "").all()
    assert set(found["item"]) == set(sample.judges.items)


def test_reference_is_that_of_all_votes(found, sample):
    whole = vote_scores(sample.designs[1], all_historical(6)).score
    for place, item in enumerate(sample.judges.items):
        reference = found[found["item"] == item]["reference"].unique()
        expected = whole[place] - np.delete(whole, place).mean()
        assert reference == pytest.approx(expected, abs=1e-9)


def test_error_of_the_reference_is_that_of_a_bradley_terry_fit(found, sample):
    """Independent route: the program's own maximum and delta method."""
    fit = bj.mode(bj.models.bradley_terry, sample.designs[1], prior=False)
    matrix = fit.covariance("model").of("score").values
    direction = np.full(6, -1 / 5)
    direction[3] = 1.0
    own = found[found["item"] == "item-3"]["reference_error"].unique()
    assert own == pytest.approx(np.sqrt(direction @ matrix @ direction), rel=1e-6)


def test_methods_of_the_model_beat_pooling_where_it_holds(found):
    """Two judges of sensitivity other than one: pooled scores are on no one's scale."""
    table = summarised(found).set_index("method")
    assert table.loc["ANCHOR", "rmse"] < table.loc["JointBTL", "rmse"]
    assert table.loc["joint MLE", "rmse"] < table.loc["JointBTL", "rmse"]
    assert table.loc["ANCHOR", "inside"] >= 4 / 6  # the reference has an error of its own
    assert table.loc["ANCHOR", "within_both"] >= 5 / 6


def test_votes_on_the_item_are_not_looked_at(sample, found):
    """Turning all votes on one item round leaves its placement where it was."""
    own = (sample.votes.first == 3) | (sample.votes.second == 3)
    verdict = np.where(own, 2 - sample.votes.verdict, sample.votes.verdict)
    turned = replace(sample, votes=replace(sample.votes, verdict=verdict))
    methods = {"two-step": METHODS["two-step"]}
    other = leave_one_item_out(*turned.designs, seed=1, methods=methods).set_index("item")
    usual = found[found["method"] == "two-step"].set_index("item")
    assert other.loc["item-3", "score"] == pytest.approx(usual.loc["item-3", "score"], abs=1e-12)
    assert other.loc["item-3", "reference"] != pytest.approx(usual.loc["item-3", "reference"])


@pytest.mark.parametrize("error", [None, np.nan])
def test_a_method_without_an_error_has_no_interval(error, sample):
    table = leave_one_item_out(*sample.designs, seed=1, methods={"zero": lambda _: (0.0, error)})
    assert (table["score"] == 0).all()
    assert table[["standard_error", "inside", "within_both"]].isna().all(axis=None)


def test_failures_are_said(sample):
    def refuse(held):
        raise bj.errors.NoFiniteMaximumError("nothing to be found")

    table = leave_one_item_out(*sample.designs, seed=1, methods={"none": refuse})
    assert table["failure"].str.contains("nothing to be found").all()
    assert summarised(table)["failed"].item() == 6


@pytest.mark.parametrize("name", ["mtbench", "vicuna80"])
def test_real_data_give_the_frozen_table(name, shared_data):
    terms = {"mtbench": (), "vicuna80": ("position",)}[name]
    judges = bj.read(shared_data(name), kind="llm", missing_length="drop")
    votes = bj.read(shared_data(f"{name}_human"), kind="human", missing_length="keep")
    items = tuple(sorted({*judges.items, *votes.items}))
    laid = bj.new_items.features(
        judges, {"log_length": log_length_ratio(judges)}, terms, items=items
    )
    methods = {each: METHODS[each] for each in ("two-step", "JointBTL")}
    found = leave_one_item_out(laid, votes, seed=1, methods=methods)
    frozen = pd.read_csv(GOLDEN / f"{name}.csv")
    frozen = frozen[frozen["method"].isin(methods)].reset_index(drop=True)
    assert np.allclose(found["score"], frozen["score"], rtol=0, atol=1e-5)
    assert np.array_equal(found["rank"], frozen["rank"])
