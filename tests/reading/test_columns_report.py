"""What is read is told by column: roles, columns not used, weights, and merged verdicts."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.data.comparisons import FIRST, TIE
from bayesjudge.reading.known_columns import SINGLE_COLUMNS, STRENGTH_COLUMNS

CASES = Path(__file__).parent / "cases"


def table(size=2, **more):
    half = size // 2
    rows = {"left": ["x", "y"] * half, "right": ["y", "x"] * half}
    return {**rows, "winner": ["left", "tie"] * half, **more}


def note(data, words):
    (found,) = [sentence for sentence in data.notes if words in sentence]
    return found


def test_every_column_is_named_with_its_role_or_as_unused():
    data = bj.read(CASES / "20_category.csv")
    lines = data.describe().splitlines()
    assert (
        "Columns used: 'question_id' (prompt), 'model_a' (first item), 'model_b' (second item), "
        "'winner' (verdict) and 'judge' (judge)." in lines
    )
    assert "Columns not used: 'category'." in lines


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ({"a_len": [1, 2], "b_len": [3, 4], "id": [1, 2], "qid": [1, 2], "note": ["", ""]}, {}),
        ({"x": [1, 2], "source": ["human", "human"], "turn": [1, 2]}, {"covariates": ["x"]}),
        ({"source": ["web", "web"], "n": [1, 2]}, {"columns": {"weight": None}}),
        ({"g": ["x", "y"], "consistent": [1, 1], "order_known": [1, 0]}, {}),
    ],
)
def test_no_column_is_passed_over(more, options):
    frame = table(**more)
    (source,) = bj.read(frame, **options).sources
    named = [name for _, name in source.columns] + list(source.unused)
    assert sorted(named) == sorted(frame)


@pytest.mark.parametrize(
    "frame",
    [
        {"win1": [1, 2], "win2": [2, 3], "ties": [0, 0]},
        {"winner_model_a": [1, 0], "winner_model_b": [0, 1], "winner_tie": [0, 0]},
    ],
)
def test_columns_of_other_forms_are_verdicts(frame):
    (source,) = bj.read({"left": ["x", "y"], "right": ["y", "x"], **frame}).sources
    assert {name for role, name in source.columns if role == "verdict"} == set(frame)


def test_a_part_of_a_table_keeps_the_account_of_its_columns():
    data = bj.read(CASES / "20_category.csv")
    assert data.select(data.judge == 0).sources == data.sources


# Weights


def test_a_count_of_words_is_questioned():
    data = bj.read(CASES / "02_count_is_words.csv")
    assert "'count' is read as weights, which range from 120 to 297" in note(data, "range from")
    assert "60 rows count as 12,030 verdicts" in note(data, "range from")
    assert "columns={'weight': None}" in note(data, "large")
    assert bj.read(CASES / "02_count_is_words.csv", columns={"weight": None}).weight.sum() == 60


@pytest.mark.parametrize("name", SINGLE_COLUMNS["weight"])
@pytest.mark.parametrize("n", [4, 60, 3000])
def test_lengths_and_running_numbers_are_questioned_whatever_the_size(name, n):
    rng = np.random.default_rng(3)
    for weights in (rng.integers(80, 300, n), np.arange(n) + 10, rng.gamma(9, 20, n) + 1):
        data = bj.read(table(n, question_id=np.arange(n) // 2, **{name: weights}))
        assert f"unless {name!r} counts the verdicts" in note(data, "large")


@pytest.mark.parametrize(
    "weights", [[2, 3] * 15, [16, 16] * 15, list(range(1, 11)) * 3, [0.25, 0.5, 1, 2, 4] * 6]
)
def test_weights_that_are_small_or_few_are_told_and_not_questioned(weights):
    data = bj.read(table(30, question_id=range(30), weight=weights))
    assert note(data, "is read as weights").startswith("Column 'weight' is read as weights")
    assert not any("large" in sentence for sentence in data.notes)


def test_totals_over_prompts_are_not_questioned():
    pairs = [(i, j) for i in range(9) for j in range(9) if i != j]
    totals = {
        "left": [f"m{i}" for i, _ in pairs],
        "right": [f"m{j}" for _, j in pairs],
        "winner": ["left"] * len(pairs),
        "count": 100 + 7 * np.arange(len(pairs)),
    }
    assert not any("large" in sentence for sentence in bj.read(totals).notes)
    more = {name: [*values, *values] for name, values in totals.items()}
    assert any("large" in sentence for sentence in bj.read(more).notes)


def test_weights_that_the_user_names_are_told_and_not_questioned():
    data = bj.read(CASES / "02_count_is_words.csv", columns={"weight": "count"})
    assert note(data, "range from")
    assert not any("large" in sentence for sentence in data.notes)


def test_weights_of_one_are_no_news():
    assert not any("weight" in sentence for sentence in bj.read(table(weight=[1, 1])).notes)
    assert note(bj.read(table(weight=[2, 2])), "which are all 2: 2 rows count as 4 verdicts")


def test_errors_name_the_column_of_weights():
    with pytest.raises(errors.InvalidCovariateError, match="Column 'n' holds 'many'"):
        bj.read(table(n=[1, "many"]))


# Repetitions, confidence, and orders that were merged


def test_repetitions_are_read():
    data = bj.read(CASES / "repeats.csv")
    assert np.unique(data.repeat).tolist() == [1, 2, 3]
    assert ("repeat", "repeat") in data.sources[0].columns


def test_repetitions_can_be_switched_off():
    frame = table(repeat=["one", "two"])
    with pytest.raises(errors.InvalidCovariateError):
        bj.read(frame)
    with pytest.raises(errors.InvalidCovariateError, match=r"columns=\{'repeat': None\}"):
        bj.read(table(repeat=[1, 1.5]))
    assert bj.read(frame, columns={"repeat": None}).repeat.tolist() == [1, 1]


@pytest.mark.parametrize("name", STRENGTH_COLUMNS)
def test_confidence_and_soft_preferences_are_named_as_unused(name):
    data = bj.read(table(**{name: [0.9, 0.6]}))
    assert f"Column {name!r} was not read" in note(data, "counts alike")
    assert data.sources[0].unused == (name,)
    asked = bj.read(table(**{name: [0.9, 0.6]}), covariates=[name])
    assert not any("counts alike" in sentence for sentence in asked.notes)


def test_merged_orders_are_named():
    data = bj.read(CASES / "merged_orders.csv")
    assert not data.order_known.any()
    assert "'consistent' shows that each row merges both orders" in note(data, "merges")
    assert data.outcome_detail is None


@pytest.mark.parametrize("name", SINGLE_COLUMNS["consistent"])
@pytest.mark.parametrize("values", [[1, 0, 1, 0], ["True", "False"] * 2, ["yes", "NO"] * 2])
def test_ties_of_contradicting_games_are_told_from_other_ties(name, values):
    frame = table(4, **{name: values})
    frame["winner"] = ["left", "tie", "tie", "tie"]
    data = bj.read(frame)
    assert data.verdict.tolist() == [FIRST, TIE, TIE, TIE]
    assert "2 of 3 ties stand for two games that contradict each other" in note(data, "contradict")
    assert data.outcome_detail == ("left", "tie (inconsistent)", "tie", "tie (inconsistent)")
    assert bj.read(data.to_frame(), both_bad="tie").outcome_detail == data.outcome_detail
    dropped = bj.read(frame, both_bad="drop")
    assert dropped.verdict.tolist() == [FIRST, TIE]
    assert sum(one.rows for one in dropped.dropped) == 2


def test_ties_in_a_known_order_do_not_merge_games():
    frame = table(consistent=[0, 0])
    data = bj.read(frame, order_known=True)
    assert data.outcome_detail is None
    assert bj.read(frame, columns={"consistent": None}).order_known.all()


def test_a_share_of_agreement_is_not_a_truth_value():
    data = bj.read(table(consistent=[0.25, 0.5]))
    assert "cannot be told from other ties" in note(data, "'consistent' holds other values")
    assert data.sources[0].unused == ("consistent",)
    assert not data.order_known.any()


def test_frames_and_files_tell_the_same(base, tmp_path):
    frame = base.assign(category="math", count=range(100, 130), confidence=0.5)
    frame.to_csv(tmp_path / "t.csv", index=False)
    read = bj.read(tmp_path / "t.csv")
    assert read.notes == bj.read(frame).notes
    assert read.sources[0].columns == bj.read(frame).sources[0].columns
    assert isinstance(read.to_frame(), pd.DataFrame)
