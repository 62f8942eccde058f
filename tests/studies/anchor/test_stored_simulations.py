"""The stored simulations beside the paper's numbers and an independent implementation's."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "anchor_simulation"
PLACE = {"insertion": "gap", "precision": "size"}


def stored(name):
    table = pd.read_csv(GOLDEN / f"{name}.csv")
    if "verdicts" in table:
        table["size"] = table["verdicts"] + table["arrivals"]
    return table


def found(row):
    """Mean and Monte Carlo error of a published number; a root mean square from mean squares."""
    table = stored(row.study)
    rooted = row.metric == "rmse"
    metric = "squared_error" if rooted else row.metric
    chosen = (table["estimator"] == row.estimator) & (table["metric"] == metric)
    if row.study in PLACE:
        chosen &= np.isclose(table[PLACE[row.study]], row.at)
    ((mean, error),) = table.loc[chosen, ["mean", "mc_error"]].to_numpy()
    return (np.sqrt(mean), error / (2 * np.sqrt(mean))) if rooted else (mean, error)


PUBLISHED = pd.read_csv(GOLDEN / "published.csv")
INDEPENDENT = PUBLISHED[PUBLISHED["independent"].notna()]
INSERTION = PUBLISHED[PUBLISHED["study"] == "insertion"]
PRECISION = PUBLISHED[PUBLISHED["study"] == "precision"]


@pytest.mark.parametrize("row", list(INDEPENDENT.itertuples()), ids=lambda row: row.metric)
def test_default_setting_agrees_with_an_independent_implementation(row):
    """Same networks up to the draw: within three joint Monte Carlo errors."""
    mean, error = found(row)
    assert abs(mean - row.independent) < 3 * np.hypot(error, row.independent_error)


@pytest.mark.parametrize("row", list(INSERTION.itertuples()), ids=lambda row: row.metric)
def test_insertion_is_near_the_paper(row):
    """The paper's networks are not given: within four of our errors and a twentieth."""
    mean, error = found(row)
    assert abs(mean - row.paper) < 4 * error + 0.05 * row.paper


@pytest.mark.parametrize("row", list(PRECISION.itertuples()), ids=lambda row: row.metric)
def test_variances_fall_as_in_the_paper(row):
    """The judges' part falls with their verdicts, the votes' stops: within a fifth."""
    mean, _ = found(row)
    assert abs(np.log(mean / row.paper)) < 0.2


def test_orderings_of_the_paper_hold_in_the_default_setting():
    table = stored("simulation").set_index(["metric", "estimator"])["mean"]
    square = table["squared_error"]
    assert square["Oracle"] < square["ANCHOR"] < square["two-step"] < square["DirectScore"]
    assert square["DirectScore"] < square["HumanOnly"] < square["JointBTL"]
    assert table["rank_coverage"]["ANCHOR"] >= 0.99


def test_intervals_hold_over_the_grid():
    """16 settings of 200: none below .91, the mean near .95 (paper: .960 to .980)."""
    table = stored("grid")
    cover = table[(table["estimator"] == "ANCHOR") & (table["metric"] == "coverage")]["mean"]
    assert len(cover) == 16
    assert cover.min() > 0.91
    assert abs(cover.mean() - 0.955) < 0.015


def test_posteriors_cover_beside_the_correction():
    """100 data sets: 95 % intervals hold in 88 to 100 of them."""
    table = stored("posteriors")
    cover = table[table["metric"] == "coverage"].set_index("estimator")
    assert (cover["failures"] <= 2).all()
    assert cover["mean"].between(0.88, 1.0).all()


@pytest.mark.parametrize("name", ["simulation", "insertion", "precision", "grid", "posteriors"])
def test_each_table_says_how_it_was_made(name):
    about = json.loads((GOLDEN / f"{name}.json").read_text())
    assert about["seed"] == 11
    assert {"numpy", "jax", "bayesjudge"} <= set(about["versions"])
    assert about["replications"] == stored(name)["replications"].add(stored(name)["failures"]).max()
