"""Inputs that other tools answer wrongly without a word; one test a row of that list."""

import re

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.data.graph import all_won_or_lost, item_components, unbounded_items


def one_sentence(caught):
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


def test_row_1_labels_of_another_vocabulary_are_refused(changed):
    frame = changed("winner", range(4, 14), "A")
    with pytest.raises(errors.UnknownVerdictError) as caught:
        bj.read(frame)
    text = one_sentence(caught)
    assert "'A' (10 rows, first in row 4" in text
    for accepted in ("model_a", "model_b", "tie"):
        assert accepted in text


@pytest.mark.parametrize("numbers", [[1, 0], [1.0, 0.0], ["1", "0"]])
def test_row_2_numbers_need_a_declared_coding(base, numbers):
    frame = base.assign(winner=numbers * 15)
    with pytest.raises(errors.NumericVerdictError) as caught:
        bj.read(frame)
    assert "verdicts={1: 'first', 0: 'second', 0.5: 'tie'}" in one_sentence(caught)
    data = bj.read(frame, verdicts={1: "first", 0: "second"})
    assert data.verdict.tolist() == [FIRST, SECOND] * 15


def test_row_3_missing_verdicts_are_dropped_only_on_request_and_counted(changed):
    frame = changed("winner", [3, 7, 8, 20], None)
    with pytest.raises(errors.MissingVerdictError) as caught:
        bj.read(frame)
    assert "4 rows (3, 7, 8 and 20, counting from 0)" in one_sentence(caught)
    data = bj.read(frame, on_missing="drop")
    assert data.n_rows == 26
    assert sum(one.rows for one in data.dropped) == 4
    assert {one.reason for one in data.dropped} == {"no verdict"}
    assert "Left out: 4 rows (no verdict) of 30 rows." in data.describe()
    assert data.source_row.tolist() == [i for i in range(30) if i not in (3, 7, 8, 20)]


@pytest.mark.parametrize("missing", [None, np.nan, "", "  "])
@pytest.mark.parametrize("column", ["model_a", "model_b"])
def test_row_4_missing_items_are_refused(changed, column, missing):
    frame = changed(column, [0, 5, 9, 12], missing)
    with pytest.raises(errors.MissingItemError) as caught:
        bj.read(frame, on_missing="drop", on_invalid="drop", on_self="drop")
    assert "4 rows (0, 5, 9 and 12, counting from 0)" in one_sentence(caught)


def test_row_5_self_comparisons_are_refused_or_dropped_with_report(base):
    frame = base.copy()
    frame.loc[[0, 1, 2, 3], ["model_a", "model_b"]] = "a"
    with pytest.raises(errors.SelfComparisonError) as caught:
        bj.read(frame)
    assert "4 rows" in one_sentence(caught)
    data = bj.read(frame, on_self="drop")
    assert data.n_rows == 26
    assert {(one.reason, one.first, one.second) for one in data.dropped} == {
        ("self comparison", "a", "a")
    }


def test_row_6_disconnected_blocks_are_reported(base):
    other = base.assign(model_a="x", model_b="y")
    data = bj.read(pd.concat([base, other]))
    assert item_components(data).tolist() == [0, 0, 0, 1, 1]
    (finding,) = bj.diagnose(data).on("components")
    assert finding.level == "problem"
    assert finding.details["groups"] == [["a", "b", "c"], ["x", "y"]]
    assert "{a, b and c}; {x and y}" in finding.sentence
    assert "rest on the prior alone" in finding.sentence


def test_row_7_the_item_that_lost_everything_is_named_and_no_other(base):
    lost = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(6)],
            "judge": "judge-0",
            "model_a": ["x", "a", "x", "b", "x", "c"],
            "model_b": ["a", "x", "b", "x", "c", "x"],
            "winner": ["model_b", "model_a"] * 3,
        }
    )
    data = bj.read(pd.concat([base, lost]))
    assert unbounded_items(data) == ("x",)
    won_all, lost_all = all_won_or_lost(data)
    assert lost_all.tolist() == [False, False, False, True]
    assert not won_all.any()
    (finding,) = bj.diagnose(data).on("finite estimate")
    assert "no finite MLE for x (lost all of its 6 verdicts)" in finding.sentence
    assert unbounded_items(bj.read(base)) == ()


def test_row_8_all_ties_have_a_finite_estimate_and_a_warning(base):
    data = bj.read(base.assign(winner="tie"))
    assert (data.verdict == TIE).all()
    assert unbounded_items(data) == ()
    (finding,) = bj.diagnose(data).on("ties")
    assert finding.level == "warning"
    assert "Davidson" in finding.sentence


def test_row_9_an_empty_table_is_refused_in_one_line(base, changed):
    with pytest.raises(errors.EmptyComparisonsError):
        bj.read(base.iloc[:0])
    frame = changed("winner", range(10), None)
    frame.loc[10:, "winner"] = "error"
    with pytest.raises(errors.EmptyComparisonsError) as caught:
        bj.read(frame, on_missing="drop", on_invalid="drop")
    text = one_sentence(caught)
    assert "No comparison is left of 30 rows" in text
    assert "10 left out (no verdict)" in text
    assert "20 left out (failed verdict 'error')" in text


def test_row_10_a_covariate_with_a_gap_is_refused(base):
    frame = base.assign(difficulty=np.arange(30.0))
    frame.loc[17, "difficulty"] = np.nan
    with pytest.raises(errors.MissingCovariateError) as caught:
        bj.read(frame, covariates=["difficulty"])
    assert "'difficulty' is missing in 1 row (row 17, counting from 0)" in one_sentence(caught)
    assert bj.read(frame).covariates == ()


def test_row_12_a_polars_frame_reads_like_the_same_pandas_frame(base, tuples):
    polars = pytest.importorskip("polars")
    assert tuples(bj.read(polars.from_pandas(base))) == tuples(bj.read(base))


def test_row_13_names_that_look_alike_are_kept_apart_and_named(changed):
    data = bj.read(changed("model_a", [0, 1], "c "))
    assert data.items == ("a", "b", "c", "c ")
    (note,) = data.notes
    assert "'c' and 'c '" in note
    (finding,) = bj.diagnose(data).on("names")
    assert finding.level == "warning"
    assert finding.details["items"] == [["c", "c "]]


def test_row_14_rows_repeated_three_times_are_found(base):
    once = bj.read(base)
    assert bj.diagnose(once).on("repeated rows")[0].level == "fine"
    thrice = bj.read(pd.concat([base] * 3))
    (finding,) = bj.diagnose(thrice).on("repeated rows")
    assert finding.level == "warning"
    assert finding.details["rows"] == finding.details["identical"] == 60
    assert finding.details["first_row"] == 30
    numbered = base.assign(repeat=1), base.assign(repeat=2), base.assign(repeat=3)
    (finding,) = bj.diagnose(bj.read(pd.concat(numbered))).on("repeated rows")
    assert finding.details["rows"] == 60
    assert "identical" not in finding.details


def test_row_15_unknown_letters_and_missing_lengths_are_refused(base):
    letters = base["winner"].map({"model_a": "a", "model_b": "b", "tie": "tie"})
    frame = base.assign(choice=letters).drop(columns="winner")
    frame = frame.replace({"model_a": {"a": "d"}, "model_b": {"a": "d"}})
    frame.loc[[2, 3], "choice"] = "x"
    with pytest.raises(errors.UnknownVerdictError, match="'x'"):
        bj.read(frame)
    frame = base.assign(len_a=100.0, len_b=50.0)
    frame.loc[[4, 6], "len_b"] = np.nan
    with pytest.raises(errors.MissingCovariateError) as caught:
        bj.read(frame)
    assert "column 'len_b' 2 times" in one_sentence(caught)
    kept = bj.read(frame, missing_length="keep")
    assert np.isnan(kept.length_second).sum() == 2
    assert any("missing in 2 rows (4 and 6" in note for note in kept.notes)
    assert bj.read(frame, missing_length="drop").n_rows == 28


def test_row_16_a_tie_is_an_outcome_and_never_an_item(base):
    winners = [
        row.model_a
        if row.winner == "model_a"
        else row.model_b
        if row.winner == "model_b"
        else "tie"
        for row in base.itertuples()
    ]
    named = base.assign(label=winners).drop(columns="winner")
    renamed = named.replace({"a": "alpha", "b": "beta", "c": "gamma"})
    data = bj.read(renamed)
    assert data.items == ("alpha", "beta", "gamma")
    assert (data.verdict == TIE).sum() == (base["winner"] == "tie").sum()
    assert data.verdict.tolist() == bj.read(base).verdict.tolist()
    with pytest.raises(errors.AmbiguousVerdictError, match="rename that item"):
        bj.read(renamed.replace({"alpha": "tie"}))


@pytest.mark.parametrize("failed", ["error", "unknown", "Garbage", "null", -1, "-1"])
def test_row_17_failed_verdicts_are_counted_by_judge_and_order(changed, failed):
    frame = changed("winner", [0, 6, 1], failed)
    with pytest.raises(errors.InvalidVerdictError):
        bj.read(frame)
    data = bj.read(frame, on_invalid="drop")
    assert data.n_rows == 27
    counted = {(one.judge, one.first, one.second): one.rows for one in data.dropped}
    assert counted == {("judge-0", "a", "b"): 2, ("judge-1", "b", "c"): 1}
    (finding,) = bj.diagnose(data).on("left out")
    assert "3 rows of 30" in finding.sentence
    assert "2 of judge-0" in finding.sentence


def test_row_17_a_missing_and_a_failed_verdict_are_one_family():
    assert issubclass(errors.InvalidVerdictError, errors.MissingVerdictError)


@pytest.mark.parametrize(
    ("name", "value"), [("first", 999), ("second", -1), ("verdict", 3), ("judge", 2), ("prompt", 5)]
)
def test_row_19_indices_out_of_range_are_refused(base, name, value):
    data = bj.read(base)
    arrays = {field: getattr(data, field) for field in data.__dataclass_fields__}
    arrays[name] = arrays[name].copy()
    arrays[name][7] = value
    with pytest.raises(errors.InvalidComparisonsError, match=re.escape(f"`{name}` is {value}")):
        bj.Comparisons(**arrays)
