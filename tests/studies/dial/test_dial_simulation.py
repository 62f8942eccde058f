"""The stored simulations against the paper's numbers, and one replication run anew."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesjudge import studies

STORED = Path(__file__).parents[2] / "golden" / "dial_simulation"
ERRORS = 3.0  # of the difference of two simulations of 50 replications
# What does not agree, and docs/models/human.md says so: position that varies over pairs.
MISSED = {
    ("F3", 1.0, "DIAL-Anc", "excess risk"),
    ("F3", 1.0, "DIAL-Ada", "excess risk"),
    ("F3", 1.0, "DIAL-Ada", "kendall tau"),
}


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(STORED / "table.csv")


def stored(table, row):
    same = (
        (table["figure"] == row["figure"])
        & (table["estimator"] == row["estimator"])
        & (table["metric"] == row["metric"])
        & np.isclose(table[row["varied"]], row["value"])
    )
    (found,) = table[same].to_dict("records")
    return found


def distances(table):
    """Distance from what is printed, in errors of the difference of two simulations."""
    printed = pd.read_csv(STORED / "published.csv", dtype={"published_low": str})
    for row in printed.to_dict("records"):
        found, low = stored(table, row), row["published_low"]
        nearest = np.clip(found["mean"], float(low), row["published_high"])
        last_digit = 0.5 * 10.0 ** -len(low.partition(".")[2])
        error = np.hypot(np.sqrt(2) * found["mc_error"], last_digit)
        yield row, (found["mean"] - nearest) / error


def test_stored_numbers_agree_with_the_paper(table):
    """Within three errors each but for three, and more than eight in ten within two."""
    found = {
        (row["figure"], row["value"], row["estimator"], row["metric"]): abs(distance)
        for row, distance in distances(table)
    }
    assert {key for key, distance in found.items() if distance >= ERRORS} == MISSED
    assert np.mean(np.array(list(found.values())) < 2) > 0.8


def test_anchoring_helps_where_votes_are_few(table):
    """Eight to fourteen times below humans alone in the paper; two errors about that here."""
    risk = table[(table["figure"] == "2 top") & (table["metric"] == "excess risk")]
    few = risk[risk["votes"] <= 200].pivot_table(
        index="votes", columns="estimator", values=["mean", "mc_error"]
    )
    ratio = few["mean"]["Human"] / few["mean"]["DIAL-Anc"]
    relative = np.hypot(
        *(few["mc_error"][name] / few["mean"][name] for name in ("Human", "DIAL-Anc"))
    )
    assert ((ratio * (1 + 2 * relative) > 8) & (ratio * (1 - 2 * relative) < 14)).all()


def test_adaptive_weight_beats_both_ends_under_misspecification(table):
    risk = table[(table["figure"] == "2 bottom") & (table["metric"] == "excess risk")]
    mean = risk.pivot_table(index="verdicts", columns="estimator", values="mean")
    assert (mean["DIAL-Ada"] < mean["Human"]).all()
    assert (mean["DIAL-Ada"] < mean["DIAL-Anc"]).all()


def test_failures_are_counted(table):
    few = table[(table["figure"] == "2 top") & (table["estimator"] == "Human")]
    assert (few["replications"] + few["failures"] == 50).all()
    assert few["failures"].max() > 0


def test_one_replication_is_what_the_study_says():
    """The same seed gives the same numbers, whoever draws (design 2 top, 100 votes)."""
    study = studies.dial_simulation("2 top")
    drawn, again = (study.draw(study.settings[0], 4) for _ in range(2))
    assert_allclose(drawn.truth.human_score, again.truth.human_score)
    estimates = {name: study.estimators[name](drawn) for name in ("DIAL-Anc", "DIAL-Ada")}
    rows = {
        (row["estimator"], row["metric"]): row["value"] for row in study.metrics(drawn, estimates)
    }
    assert rows["DIAL-Anc", "excess risk"] >= 0
    assert 0.5 < rows["DIAL-Anc", "coverage"] <= 1
