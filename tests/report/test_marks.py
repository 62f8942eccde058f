"""Marks of values and of differences: what has no interval, or one without width, says why."""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, sparse

import bayesjudge as bj
from bayesjudge.core.intervals import LOG_ODDS_OF_PREFERENCE
from bayesjudge.core.separation import separated
from bayesjudge.errors import NotConvergedError


def table(rows, **columns):
    names = ["prompt", "judge", "slot_a", "slot_b", "verdict"]
    return bj.read(pd.DataFrame(rows, columns=names).assign(**columns), kind="llm")


@pytest.fixture(scope="module")
def one_length():
    """One of two judges sees answers of equal length only."""
    rng, rows, lengths = np.random.default_rng(3), [], []
    for number in range(120):
        first, second = rng.permutation(["x", "y", "z"])[:2]
        who = ("even", "odd")[number % 2]
        rows.append((f"p{number}", who, first, second, "ab"[rng.integers(2)]))
        lengths.append((200, 200 if who == "even" else int(rng.integers(100, 400))))
    long, short = np.transpose(lengths)
    return table(rows, length_a=long, length_b=short)


def test_a_coefficient_whose_term_does_not_vary_is_marked_as_fixed(one_length):
    fit = bj.mode(bj.models.signed_sensitivity, bj.design(one_length, terms=("position", "length")))
    judges = bj.judge_table(fit).set_index("judge")
    assert "length fixed" in judges.loc["even", "mark"]
    assert "length fixed" not in judges.loc["odd", "mark"]
    assert judges["length_lower"].isna().tolist() == [True, False]


def test_the_reference_sensitivity_is_marked_as_fixed(panel_mode):
    values = bj.prior_sensitivity(panel_mode, "sensitivity").set_index("judge")
    assert (values["mark"] == "fixed").tolist() == [True, False, False, False, False]
    assert values["shift"].isna().tolist() == [True, False, False, False, False]


@pytest.mark.parametrize("scale", [1.0, 0.5, 1e6])
def test_a_difference_whose_verdicts_cancel_is_marked_as_exact(scale):
    """Two items tie with each other, and on every prompt fare alike against a third."""
    rows = [
        (f"p{number}", "j", item, "z", "abb"[number % 3]) for number in range(9) for item in "xy"
    ] + [("q", "j", "x", "y", "tie")]
    data = table(rows, weight=[scale] * len(rows))
    won = bj.win_probability(bj.mode(bj.models.bradley_terry, data))
    pair = won.sel(item="x", opponent="y")
    assert pair["mark"].item() == "exact"
    assert (pair["upper"] - pair["lower"]).item() == pytest.approx(0.0, abs=1e-6)
    assert won["mark"].sel(item="x", opponent="z").item() != "exact"
    assert (np.diag(won["mark"]) == "").all()
    assert (won["mark"].values == won["mark"].values.T).all()


def test_win_probabilities_carry_the_marks_of_the_whole_fit():
    """Two judges of opposite taste: the published form cannot say which item wins."""
    rows = [
        (f"p{number}", who, *pair, wins if number % 5 else "ba"["ab".index(wins)])
        for number in range(60)
        for who, first in (("good", "a"), ("anti", "b"))
        for pair, wins in ((("x", "y"), first), (("y", "x"), "ba"["ab".index(first)]))
    ]
    data = table(rows)
    published = bj.win_probability(bj.mode(bj.models.sensitivity, data))
    assert "opposed judges" in published["mark"].sel(item="x", opponent="y").item()


def test_marks_of_pairs_agree_with_the_column_on_the_prior(two_groups_mode, panel_mode):
    for fit, some in ((two_groups_mode, True), (panel_mode, False)):
        won = bj.win_probability(fit)
        assert ((won["mark"] != "") == won["rests_on_prior"]).all()
        assert bool(won["rests_on_prior"].any()) is some


# The linear program behind "unbounded"


def test_separation_is_decided_though_the_first_solver_fails(monkeypatch):
    rows = sparse.csr_array(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, -1.0]]))
    none = sparse.csr_array((0, 2))
    known, failing = separated(rows, none), {"highs"}
    assert known.tolist() == [True, True, False, False]
    solve = optimize.linprog

    def stubborn(*arguments, method):
        end = solve(*arguments, method=method)
        if method in failing:
            end.update(status=4, x=None, message="Numerical difficulties.")
        return end

    monkeypatch.setattr(optimize, "linprog", stubborn)
    assert (separated(rows, none) == known).all()
    failing.update(("highs-ds", "highs-ipm"))
    with pytest.raises(NotConvergedError, match="separation"):
        separated(rows, none)


# A preference for a slot that is certain to the last digit


def test_the_log_odds_of_a_preference_stay_finite_where_rounding_makes_it_certain():
    certain = np.tanh(np.array([-60.0, -40.0, -1.5, 0.0, 1.5, 40.0, 60.0]) / 2)
    assert (np.abs(certain) == 1).sum() == 4
    line, slope = LOG_ODDS_OF_PREFERENCE.to_line(certain), LOG_ODDS_OF_PREFERENCE.slope(certain)
    assert np.isfinite(line).all()
    assert np.isfinite(slope).all()
    assert (np.abs(line[certain**2 == 1]) > 36).all()
    np.testing.assert_allclose(line[2:5], [-1.5, 0.0, 1.5])
    np.testing.assert_allclose(LOG_ODDS_OF_PREFERENCE.from_line(line), certain, rtol=0, atol=1e-15)
