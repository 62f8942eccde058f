"""Unmarked intervals hold the truth where verdicts do not settle the question; the stored study."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from trust_corners import COPIES, CORNERS
from trust_counts import POSTERIOR, PUBLISHED, SIGNED, summed, tried
from trust_tables import corner_lines, settled_lines

GOLDEN = Path(__file__).parents[1] / "golden" / "trust"
SEED, SETS = json.loads((GOLDEN / "run.json").read_text())["seed"], 3
MOST_MISSED, LEAST_UNMARKED = 0.08, 0.9
SHOWN = ("repeats x3", "best of four", "14 of 32 judges near chance")
UNBOUNDED = ("separation by slot", "separation by length", "two groups, one link")
SLOW = "300 judges x 3 verdicts"  # a mode of 604 parameters


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(GOLDEN / "corners.csv").set_index(["corner", "fit"])


@pytest.fixture(scope="module")
def again():
    """Rerun the first sets of a corner, once a module."""
    known = {}

    def counts(corner, fit, sets=SETS):
        if (corner, fit) not in known:
            place = list(CORNERS).index(corner)
            made = [
                CORNERS[corner](np.random.default_rng([SEED, place, number]))
                for number in range(sets)
            ]
            rows = [tried(one, fit, number, corner in COPIES) for number, one in enumerate(made)]
            known[corner, fit] = summed(rows)
        return known[corner, fit]

    return counts


@pytest.mark.parametrize("fit", [SIGNED, POSTERIOR])
def test_at_most_8_percent_of_unmarked_intervals_miss(table, fit):
    rows = table.xs(fit, level="fit")
    assert (rows["missed"] <= MOST_MISSED * rows["unmarked"]).all()
    assert (rows["pairs_missed"] <= MOST_MISSED * rows["pairs_unmarked"]).all()
    assert (rows["sets"] == 200).sum() >= 9


@pytest.mark.parametrize("corner", SHOWN)
def test_marking_everything_is_no_way_out(table, corner):
    row = table.loc[corner, SIGNED]
    assert row["unmarked"] >= LEAST_UNMARKED * row["all"]


def test_every_data_set_of_the_study_is_counted(table):
    rows = table
    failed = rows["unconverged"] + rows.get("refused", 0)
    answered = rows["sets"] - failed
    assert (rows["all"] % answered == 0).all()
    assert (failed <= 0.1 * rows["sets"]).all()


@pytest.mark.parametrize("corner", UNBOUNDED)
def test_no_score_is_stated_that_nothing_bounds(again, corner):
    counts = again(corner, SIGNED)
    assert counts["stated"] == 0
    assert counts["all"] > 0


def test_a_posterior_of_separated_verdicts_is_marked(again):
    counts = again("separation by slot", POSTERIOR, sets=1)
    assert counts["unmarked"] == counts["pairs_unmarked"] == 0


def test_a_posterior_of_copies_carries_its_caution(again):
    counts = again("repeats x3", POSTERIOR, sets=1)
    assert counts["stated"] == counts["all"]
    assert counts["unmarked"] == 0


def test_opposed_judges_mark_the_published_form_and_not_the_signed_one(again):
    for corner in ("an opposed judge of five", "an opposed judge of three"):
        assert again(corner, PUBLISHED)["unmarked"] == 0
        assert again(corner, PUBLISHED)["pairs_unmarked"] == 0
        assert again(corner, SIGNED)["unmarked"] == again(corner, SIGNED)["all"]


@pytest.mark.parametrize("corner", SHOWN)
def test_where_verdicts_are_enough_scores_are_unmarked(again, corner):
    counts = again(corner, SIGNED)
    assert counts["unmarked"] == counts["all"]


def test_unmarked_intervals_hold_over_all_corners_together(again):
    total = pd.DataFrame([again(corner, SIGNED) for corner in CORNERS if corner != SLOW]).sum()
    assert total["unmarked"] > 100
    assert total["missed"] <= MOST_MISSED * total["unmarked"]
    assert total["pairs_missed"] <= MOST_MISSED * total["pairs_unmarked"]


@pytest.mark.slow
def test_judges_with_three_verdicts_each_state_nothing_by_a_mode(again):
    assert again(SLOW, SIGNED, sets=1)["stated"] == 0


# Where verdicts settle the question


def test_marks_do_not_cry_wolf():
    table = pd.read_csv(GOLDEN / "well_behaved.csv")
    marked = table["scores_marked"] + table["probabilities_marked"]
    assert (marked <= 0.02 * (table["scores"] + table["probabilities"])).all()
    assert (table.loc[table["data"] == "OSCAR generator", "sets"] == 200).all()


# The page that shows the study


def test_the_page_shows_what_is_stored():
    page = (Path(__file__).parents[2] / "docs" / "trust.md").read_text()
    for line in (*corner_lines(), *settled_lines()):
        assert line in page
    assert f"{json.loads((GOLDEN / 'fuzz.json').read_text())['tables']:,} tables" in page
