"""Columns: known names, overrides, and what is said when one is missing or doubtful."""

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.reading.known_columns import (
    ITEM_PAIRS,
    LENGTH_PAIRS,
    PROMPT_PRIORITY,
    SINGLE_COLUMNS,
)


def table(**more):
    return {"left": ["x", "y"], "right": ["y", "z"], "winner": ["left", "tie"], **more}


@pytest.mark.parametrize("pair", ITEM_PAIRS)
@pytest.mark.parametrize("upper", [False, True])
def test_each_pair_of_item_columns(pair, upper):
    first, second = (name.upper() if upper else name for name in (pair.first, pair.second))
    data = bj.read({first: ["x", "y"], second: ["y", "z"], "winner": ["left", "right"]})
    assert [data.items[i] for i in data.first] == ["x", "y"]
    assert [data.items[i] for i in data.second] == ["y", "z"]


@pytest.mark.parametrize("name", SINGLE_COLUMNS["verdict"])
def test_each_verdict_column(name):
    data = bj.read({"left": ["x"], "right": ["y"], name: ["left"]})
    assert data.verdict.tolist() == [0]


@pytest.mark.parametrize("name", SINGLE_COLUMNS["judge"])
def test_each_judge_column(name):
    assert bj.read(table(**{name: ["k", "l"]})).judges == ("k", "l")


@pytest.mark.parametrize("name", PROMPT_PRIORITY)
def test_each_prompt_column(name):
    assert bj.read(table(**{name: [7, 8]})).prompts == ("7", "8")


@pytest.mark.parametrize("pair", LENGTH_PAIRS)
def test_each_pair_of_length_columns(pair):
    data = bj.read(table(**{pair.first: [1, 2], pair.second: ["3", "4"]}))
    assert data.length_first.tolist() == [1, 2]
    assert data.length_second.tolist() == [3, 4]
    assert any("tokens" in note for note in data.notes) == ("tokens" in pair.first)


@pytest.mark.parametrize("name", SINGLE_COLUMNS["weight"])
def test_each_weight_column(name):
    assert bj.read(table(**{name: [2, 0.5]})).weight.tolist() == [2, 0.5]


@pytest.mark.parametrize("name", SINGLE_COLUMNS["repeat"])
def test_repetitions_are_counted_from_one(name):
    assert bj.read(table(**{name: [1, 2]})).repeat.tolist() == [1, 2]
    from_zero = bj.read(table(**{name: [0, 1]}))
    assert from_zero.repeat.tolist() == [1, 2]
    assert any("from 1" in note for note in from_zero.notes)


def test_a_missing_column_lists_the_columns_and_near_names():
    frame = {"left": ["x"], "right": ["y"], "winnr": ["left"]}
    with pytest.raises(errors.MissingColumnError) as caught:
        bj.read(frame)
    text = str(caught.value)
    assert "left, right and winnr" in text
    assert "near: winnr" in text
    assert "columns={'verdict':" in text


def test_half_a_pair_names_the_other_half():
    with pytest.raises(errors.MissingColumnError, match="generator_2"):
        bj.read({"generator_1": ["x"], "output": ["t"], "winner": ["x"]})
    with pytest.raises(errors.MissingColumnError, match="length_b"):
        bj.read(table(length_a=[1, 2]))


@pytest.mark.parametrize(
    "more", [{"label": ["left", "tie"]}, {"model_a": ["x", "y"], "model_b": ["y", "z"]}]
)
def test_two_columns_for_one_role_are_refused(more):
    with pytest.raises(errors.AmbiguousColumnError, match="choose with columns="):
        bj.read(table(**more))


def test_an_override_settles_the_choice():
    data = bj.read(table(label=["right", "right"]), columns={"verdict": "label"})
    assert data.verdict.tolist() == [2, 2]


def test_one_item_column_alone_is_not_enough():
    with pytest.raises(errors.MissingColumnError, match=r"item_second \(the other item\)"):
        bj.read(table(mine=["x", "y"]), columns={"item_first": "mine"})


def test_overrides_are_checked():
    with pytest.raises(errors.NotMappingError, match="columns is of type list"):
        bj.read(table(), columns=["winner"])
    with pytest.raises(errors.MissingColumnError, match="my column"):
        bj.read(table(), columns={"verdict": "my column"})
    with pytest.raises(errors.UnknownOptionError, match="role"):
        bj.read(table(), columns={"winners": "winner"})


def test_none_switches_a_role_off():
    frame = table(len_a=[1, np.nan], len_b=[1, 2])
    off = {"length_first": None, "length_second": None}
    assert bj.read(frame, columns=off).length_first is None


def test_prompt_ids_have_an_order_of_priority_and_a_note():
    data = bj.read(table(id=["r1", "r2"], question_id=["q", "q"]))
    assert data.prompts == ("q",)
    assert any("'question_id'" in note and "id" in note for note in data.notes)


def test_prompt_texts_are_not_taken_for_identifiers():
    texts = ["Write a poem.\nMake it long.", "Say no."]
    without = bj.read(table(prompt=texts))
    assert without.prompts == ("row-0", "row-1")
    assert any("clustering by prompt is not possible" in note for note in without.notes)
    asked = bj.read(table(prompt=texts), columns={"prompt": "prompt"})
    assert set(asked.prompts) == set(texts)
    assert bj.read(table(prompt=["p1", "p2"])).prompts == ("p1", "p2")


def test_judges_may_be_absent():
    assert bj.read(table()).judges == ("judge",)
    people = bj.read(table(), kind="human")
    assert people.judges == ("human",)
    assert people.human.tolist() == [True]
    assert any("No judge column" in note for note in people.notes)


def test_judges_given_as_lists_are_joined():
    data = bj.read(table(judge=[["gpt-4", "pair-v2"], ["gpt-4", "pair-v2"]]))
    assert data.judges == ("gpt-4/pair-v2",)


@pytest.mark.parametrize("column", ["judge", "question_id"])
def test_missing_judges_and_prompts_are_refused(column):
    with pytest.raises(errors.MissingIdentifierError, match="1 row"):
        bj.read(table(**{column: ["k", None]}))


def test_kinds_come_from_a_column_only_if_it_says_nothing_else():
    said = bj.read(table(judge=["k", "l"], source=["human", "LLM"]))
    assert said.human.tolist() == [True, False]
    assert not bj.read(table(judge=["k", "l"], source=["human", "web"])).human.any()
    with pytest.raises(errors.JudgeKindError, match="web"):
        bj.read(table(judge=["k", "l"], judge_kind=["human", "web"]))


def test_kinds_must_not_contradict():
    with pytest.raises(errors.JudgeKindError, match="both human and llm"):
        bj.read(table(judge=["k", "k"], judge_kind=["human", "llm"]))
    with pytest.raises(errors.JudgeKindError, match="contradicts"):
        bj.read(table(judge=["k", "l"], judge_kind=["human", "llm"]), kind="human")


def test_human_judges_can_be_named():
    data = bj.read(table(judge=["k", "l"]), human_judges=["l"])
    assert data.human.tolist() == [False, True]
    with pytest.raises(errors.UnknownJudgeError, match="m"):
        bj.read(table(judge=["k", "l"]), human_judges=["m"])


def test_order_is_unknown_where_the_source_lost_it():
    alpaca = {"generator_1": ["x"], "generator_2": ["y"], "preference": [2.0]}
    data = bj.read(alpaca, verdicts="alpaca-eval")
    assert not data.order_known.any()
    assert bj.read(alpaca, verdicts="alpaca-eval", order_known=True).order_known.all()
    assert not bj.read(table(consistent=[1, 0])).order_known.any()
    merged = {**table(), "winner": ["left", "tie (inconsistent)"]}
    assert not bj.read(merged, both_bad="tie").order_known.any()
    assert bj.read(table(order_known=["True", "0"])).order_known.tolist() == [True, False]
    assert "order of display unknown" in bj.read(table(), order_known=False).describe()


def test_a_column_of_swaps_is_not_passed_over_in_silence():
    assert any("'swapped' was not read" in note for note in bj.read(table(swapped=[0, 1])).notes)
    assert not any("not read" in note for note in bj.read(table()).notes)


def test_turns_become_a_covariate_and_are_no_repetition():
    frame = pd.concat([pd.DataFrame(table(question_id=["q", "r"], turn=[t, t])) for t in (1, 2)])
    data = bj.read(frame)
    assert dict(data.covariates)["turn"].tolist() == [1, 1, 2, 2]
    assert data.n_prompts == 2
    assert bj.diagnose(data).on("repeated rows")[0].level == "fine"


@pytest.mark.parametrize("weight", [0, -1, np.nan, np.inf, "many"])
def test_weights_must_be_positive(weight):
    with pytest.raises((errors.InvalidWeightError, errors.InvalidCovariateError)):
        bj.read(table(weight=[1, weight]))


@pytest.mark.parametrize("length", [-1, np.inf, "long"])
def test_lengths_must_be_lengths(length):
    with pytest.raises(errors.InvalidCovariateError, match="len_a"):
        bj.read(table(len_a=[1, length], len_b=[1, 1]), missing_length="keep")


def test_columns_of_one_name_are_refused():
    frame = pd.DataFrame([["x", "y", "left", "tie"]], columns=["left", "right", "winner", "winner"])
    with pytest.raises(errors.AmbiguousColumnError, match="two columns named 'winner'"):
        bj.read(frame)
