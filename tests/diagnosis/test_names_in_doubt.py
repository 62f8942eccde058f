"""Names that cannot be kept are refused; names that may mean something else are told."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge import errors


def table(**more):
    return {"left": ["x", "y"], "right": ["y", "z"], "winner": ["left", "right"], **more}


def refused(error, source, **options):
    with pytest.raises(error) as caught:
        bj.read(source, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


UNWRITABLE = ["b\x00c", "\x1b[31mred", "x\ty", "x\ny", "x\x85y", "x\x7f", "x\u2028y", "x\ud800"]


@pytest.mark.parametrize("name", UNWRITABLE)
@pytest.mark.parametrize("column", ["left", "right", "judge", "question_id"])
def test_control_characters_in_names_are_refused_and_escaped(column, name):
    told = refused(errors.UnwritableNameError, table(**{column: ["k", name]}))
    assert repr(name) in told
    assert "1 row (row 1, counting from 0)" in told
    assert told.isprintable()


def test_a_long_name_is_cut_around_the_control_character():
    told = refused(errors.UnwritableNameError, table(judge=["k", "a" * 500 + "\0" + "b" * 500]))
    assert "a\\x00b" in told
    assert len(told) < 300


def test_writing_systems_and_signs_are_no_control_characters():
    names = ["模型", "שלום", "🦜🦜"]
    assert bj.read(table(left=names[:2], right=names[1:])).items == tuple(sorted(names))


def test_texts_chosen_as_names_of_prompts_may_have_lines():
    texts = {"prompt": ["Write\tit.\nNow.", "Say no."]}
    data = bj.read(table(**texts), columns={"prompt": "prompt"})
    assert set(data.prompts) == set(texts["prompt"])
    assert "on prompt Write it. Now. for judge" in data.describe()
    bad = {"prompt": ["Write\nit.\0", "Say no."]}
    refused(errors.UnwritableNameError, table(**bad), columns={"prompt": "prompt"})


def test_a_column_of_texts_that_is_not_read_is_told():
    data = bj.read(table(prompt=["Write\nit.", "Say no."]))
    assert any("Column 'prompt' holds the text of prompts" in note for note in data.notes)


@pytest.mark.parametrize("value", [{"n": 1}, ["a"], ("a",), np.array(["a"]), {"a"}])
@pytest.mark.parametrize("column", ["left", "winner", "question_id", "weight", "order_known"])
def test_nested_values_are_refused(column, value):
    cells = [value, value] if column != "left" else ["x", value]
    told = refused(errors.NestedValueError, table(**{column: cells}))
    assert f"Column '{column}' holds a {type(value).__name__}" in told


def test_only_flat_lists_may_name_judges():
    assert bj.read(table(judge=[["k", "l"], ["k"]])).judges == ("k", "k/l")
    for nested in ({"n": 1}, [["k"]], [{"n": 1}]):
        told = refused(errors.NestedValueError, table(judge=[nested, "k"]))
        assert "a flat list of names" in told


def test_nested_verdicts_of_games_and_of_forms_are_refused():
    games = {"model": ["x"], "baseline": ["y"], "games": [[{"score": ["a"]}, {"score": "a>b"}]]}
    refused(errors.NestedValueError, games)
    counts = {"left": ["x"], "right": ["y"], "win1": [[1]], "win2": [2]}
    refused(errors.NestedValueError, counts)


@pytest.mark.parametrize("name", ["NaN", "none", "NULL", "NA", "n/a", " nan "])
@pytest.mark.parametrize("column", ["left", "judge", "question_id"])
def test_names_that_spell_a_missing_value_are_kept_and_told(column, name):
    data = bj.read(table(**{column: ["k", name]}))
    assert name in data.items + data.judges + data.prompts
    (note,) = [note for note in data.notes if "missing value" in note]
    assert f"{name!r} (1 row) spells a missing value and is kept" in note
    (finding,) = bj.diagnose(data).on("missing names")
    assert finding.level == "warning"
    assert f"{name!r} (1 row)" in finding.sentence


def test_several_names_that_spell_a_missing_value_agree_with_their_verb():
    data = bj.read(table(left=["NA", "NA"], right=["None", "z"]))
    (note,) = [note for note in data.notes if "missing value" in note]
    assert "items 'NA' (2 rows) and 'None' (1 row) spell a missing value and are kept" in note


def test_ordinary_names_spell_nothing():
    (finding,) = bj.diagnose(bj.read(table(judge=["nano", "nancy"]))).on("missing names")
    assert finding.level == "fine"


PEOPLE = ["human", "Human_2", "annotator7", "author_1", "expert_52", "Rater A", "worker", "user-9"]


@pytest.mark.parametrize("judge", PEOPLE)
def test_judges_named_like_people_are_asked_about(judge):
    data = bj.read(table(judge=["gpt-4", judge]))
    assert not data.human.any()
    assert f"Judge {judge} was classified as an LLM by default; say kind='human'" in data.notes[-2]
    (finding,) = bj.diagnose(data).on("judge kinds")
    assert finding.level == "warning"
    assert finding.details["judges"] == [judge]


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ({}, {"kind": "human"}),
        ({}, {"kind": "llm"}),
        ({}, {"human_judges": ["human"]}),
        ({"judge_kind": ["llm", "human"]}, {}),
    ],
)
def test_nothing_is_asked_once_the_kind_is_said(more, options):
    data = bj.read(table(judge=["gpt-4", "human"], **more), **options)
    assert not any("by default" in note for note in data.notes)
    assert bj.diagnose(data).on("judge kinds")[0].level == "fine"
