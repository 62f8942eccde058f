"""Labels: what each vocabulary means, and that nothing is read in two ways."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.reading.labels import CODINGS

NAMES = {"model_a": "x", "model_b": "y"}


def table(labels, first="x", second="y"):
    return {"model_a": [first] * len(labels), "model_b": [second] * len(labels), "verdict": labels}


@pytest.mark.parametrize(
    ("labels", "verdicts"),
    [
        (["a", "b", "c", "tie"], [FIRST, SECOND, TIE, TIE]),
        ([" A", "[[B]]", "[[C]]", "Draw "], [FIRST, SECOND, TIE, TIE]),
        (["model_a", "MODEL_B", "tie", "equal"], [FIRST, SECOND, TIE, TIE]),
        (["model_1", "model_2"], [FIRST, SECOND]),
        (["left", "Right", "draw"], [FIRST, SECOND, TIE]),
        (["first", "second", "both_equal"], [FIRST, SECOND, TIE]),
        (["A>B", "A >> B", "[[A=B]]", "B>A", "B>>A"], [FIRST, FIRST, TIE, SECOND, SECOND]),
        (["A<B", "A<<B", "B=A", "B<A", "B<<A"], [SECOND, SECOND, TIE, FIRST, FIRST]),
        (["tie", "tie"], [TIE, TIE]),
        (["x", "y", "tie"], [FIRST, SECOND, TIE]),
    ],
)
def test_each_vocabulary(labels, verdicts):
    assert bj.read(table(labels)).verdict.tolist() == verdicts


def test_strength_is_kept_in_words_and_survives_a_round_trip():
    data = bj.read(table(["A>>B", "A>B", "B>>A"]))
    assert data.outcome_detail == ("A>>B", "A>B", "B>>A")
    assert bj.read(data.to_frame()).outcome_detail == data.outcome_detail
    assert bj.read(table(["A>B", "B>A"])).outcome_detail is None


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "left"],
        ["model_a", "model_1"],
        ["A>B", "b"],
        ["left", "c"],
        ["x", "z"],
        ["first", "?"],
    ],
)
def test_a_column_uses_one_vocabulary(labels):
    with pytest.raises(errors.UnknownVerdictError):
        bj.read(table(labels))


def test_the_winner_must_be_one_of_the_two_items():
    with pytest.raises(errors.UnknownVerdictError, match=r"'z' \(2 rows, first in row 3"):
        bj.read(table(["x", "y", "x", "z", "z"]))


def test_items_called_like_slots_need_a_word_from_the_user():
    frame = {"left": ["a", "b"], "right": ["b", "a"], "winner": ["a", "a"]}
    with pytest.raises(errors.AmbiguousVerdictError, match="verdicts='slot' or verdicts='winner'"):
        bj.read(frame)
    assert bj.read(frame, verdicts="slot").verdict.tolist() == [FIRST, FIRST]
    assert bj.read(frame, verdicts="winner").verdict.tolist() == [FIRST, SECOND]


def test_items_called_like_slots_are_no_matter_where_both_readings_agree():
    frame = {"left": ["a", "a"], "right": ["b", "b"], "winner": ["a", "b"]}
    assert bj.read(frame).verdict.tolist() == [FIRST, SECOND]


def test_numbers_that_name_items_are_read_on_request():
    frame = {"left": [1, 2], "right": [2, 3], "winner": [1, 3]}
    with pytest.raises(errors.NumericVerdictError, match="verdicts='winner'"):
        bj.read(frame)
    assert bj.read(frame, verdicts="winner").verdict.tolist() == [FIRST, SECOND]


@pytest.mark.parametrize(
    "label", ["tie (bothbad)", "both_bad", "bothbad_vote", "tie (inconsistent)"]
)
def test_special_ties_need_a_word_from_the_user(label):
    frame = table(["model_a", label, "model_b"])
    with pytest.raises(errors.AmbiguousVerdictError, match="both_bad='tie'"):
        bj.read(frame)
    as_tie = bj.read(frame, both_bad="tie")
    assert as_tie.verdict.tolist() == [FIRST, TIE, SECOND]
    assert as_tie.outcome_detail == ("model_a", label, "model_b")
    dropped = bj.read(frame, both_bad="drop")
    assert dropped.verdict.tolist() == [FIRST, SECOND]
    assert dropped.dropped[0].reason == f"left-out tie {label!r}"


@pytest.mark.parametrize("name", list(CODINGS))
def test_each_named_coding(name):
    numbers = list(CODINGS[name])
    codes = {"first": FIRST, "second": SECOND, "tie": TIE}
    expected = [codes[word] for word in CODINGS[name].values()]
    assert bj.read(table(numbers), verdicts=name).verdict.tolist() == expected
    as_text = [f"{number:g}" for number in numbers]
    assert bj.read(table(as_text), verdicts=name.upper()).verdict.tolist() == expected


TRUTHS = [[True, False], ["True", "False"], ["true", "FALSE"], [np.True_, np.False_]]


@pytest.mark.parametrize("truths", TRUTHS)
@pytest.mark.parametrize(
    "coding",
    [
        {True: "first", False: "second"},
        {"True": "first", "False": "second"},
        {"true": "first", "false": "second", "tie": "tie"},
        {1: "first", 0: "second"},
        "oscar",
    ],
)
def test_truth_values_have_one_coding_in_files_and_frames(truths, coding, tmp_path):
    frame = table(truths)
    assert bj.read(frame, verdicts=coding).verdict.tolist() == [FIRST, SECOND]
    pd.DataFrame(frame).to_csv(tmp_path / "t.csv", index=False)
    assert bj.read(tmp_path / "t.csv", verdicts=coding).verdict.tolist() == [FIRST, SECOND]


@pytest.mark.parametrize("truths", TRUTHS)
def test_truth_values_need_a_declared_coding(truths):
    with pytest.raises(errors.NumericVerdictError) as caught:
        bj.read(table(truths))
    assert "is a truth value" in str(caught.value)
    assert "verdicts={True: 'first', False: 'second'}" in str(caught.value)


def test_truth_values_of_a_file():
    case = Path(__file__).parent / "cases" / "08_true_false.csv"
    data = bj.read(case, verdicts={True: "first", False: "second"})
    labels = pd.read_csv(case)["winner"]
    assert data.verdict.tolist() == [FIRST if label else SECOND for label in labels]
    frame = bj.read(pd.read_csv(case), verdicts={True: "first", False: "second"})
    assert frame.verdict.tolist() == data.verdict.tolist()


def test_pandalm_words_go_with_its_numbers():
    frame = table(["1", "2", "Tie", "garbage"])
    with pytest.raises(errors.NumericVerdictError):
        bj.read(frame)
    data = bj.read(frame, verdicts="pandalm", on_invalid="drop")
    assert data.verdict.tolist() == [FIRST, SECOND, TIE]


def test_minus_one_is_a_failed_verdict_under_a_coding():
    with pytest.raises(errors.InvalidVerdictError):
        bj.read(table([1, 0, -1]), verdicts="oscar")


def test_a_number_outside_the_coding_is_unknown():
    with pytest.raises(errors.UnknownVerdictError, match=r"1\.37"):
        bj.read(table([1, 1.37]), verdicts="alpaca-eval")


def test_a_mapping_may_name_words_too():
    data = bj.read(table(["Yes", "no"]), verdicts={"yes": "first", "no": "second"})
    assert data.verdict.tolist() == [FIRST, SECOND]


@pytest.mark.parametrize("coding", ["elo", {1: "a", 0: "second"}])
def test_unknown_codings_are_refused(coding):
    with pytest.raises(errors.UnknownOptionError):
        bj.read(table([1, 0]), verdicts=coding)


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "robot"},
        {"on_missing": "ignore"},
        {"both_bad": True},
        {"covariates": "length"},
        {"columns": {"winner": "verdict"}},
    ],
)
def test_unknown_options_are_refused(arguments):
    with pytest.raises(errors.UnknownOptionError):
        bj.read(table(["model_a"]), **arguments)
