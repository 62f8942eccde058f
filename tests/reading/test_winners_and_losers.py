"""Columns named for the outcome: the winner is known, and the order of display is not."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.reading.known_columns import OUTCOME_WORDS

CASE = Path(__file__).parent / "cases" / "01_chosen_rejected.csv"
CHOSEN = {"item_first": "chosen", "item_second": "rejected"}
SPELLINGS = ("{}", "{}_model", "model_{}", "{}-model", "{} Model Name", "{}_id", "{}Item")


def outcomes(won="chosen", lost="rejected", **more):
    return {won: ["x", "y", "x"], lost: ["y", "z", "z"], **more}


def winners(data):
    """The names of each row's winner and loser."""
    won = np.where(data.verdict == FIRST, data.first, data.second)
    lost = np.where(data.verdict == FIRST, data.second, data.first)
    return [(data.items[i], data.items[j]) for i, j in zip(won, lost, strict=True)]


def test_chosen_and_rejected_do_not_say_what_was_shown_first(tuples):
    by_name, named = bj.read(CASE), bj.read(CASE, columns=CHOSEN)
    without = bj.read(CASE, columns={**CHOSEN, "verdict": None})
    for data in (by_name, named, without):
        assert not data.order_known.any()
        assert (data.verdict == FIRST).all()
        assert any("'chosen' and 'rejected' are named for the outcome" in x for x in data.notes)
        assert "'chosen' (winner)" in data.describe()
        assert "'rejected' (loser)" in data.describe()
        assert tuples(data) == tuples(by_name)


@pytest.mark.parametrize(("words", "spelling"), list(product(OUTCOME_WORDS, SPELLINGS)))
def test_each_spelling_of_winners_and_losers(words, spelling):
    won, lost = map(spelling.format, words)
    data = bj.read(outcomes(won, lost, length=[1, 2, 3]))
    assert winners(data) == [("x", "y"), ("y", "z"), ("x", "z")]
    assert not data.order_known.any()
    assert data.sources[0].columns == (("winner", won), ("loser", lost))
    assert data.sources[0].unused == ("length",)


def test_the_loser_may_be_named_first():
    data = bj.read(outcomes(), columns={"item_first": "rejected", "item_second": "chosen"})
    assert winners(data) == [("x", "y"), ("y", "z"), ("x", "z")]
    assert (data.verdict == SECOND).all()
    assert not data.order_known.any()


def test_columns_that_only_the_user_can_name_are_recognised_by_their_words():
    table = outcomes("picked_by_user", "left", winner_of_vote=["a"] * 3, loser_of_vote=["b"] * 3)
    with pytest.raises(errors.MissingColumnError):
        bj.read(table)
    chosen = {"item_first": "winner_of_vote", "item_second": "loser_of_vote"}
    data = bj.read(table, columns=chosen)
    assert winners(data) == [("a", "b")] * 3
    assert not data.order_known.any()


def test_a_verdict_that_agrees_is_read_with_its_ties():
    data = bj.read(outcomes(verdict=["first", "tie", "first"]))
    assert data.verdict.tolist() == [FIRST, TIE, FIRST]
    assert not data.order_known.any()
    assert bj.read(outcomes(winner=["x", "y", "x"])).verdict.tolist() == [FIRST] * 3


def test_a_verdict_for_the_loser_is_refused_until_the_user_decides():
    table = outcomes(verdict=["first", "first", "second"])
    with pytest.raises(errors.AmbiguousVerdictError, match=r"they won in 1 row \(row 2,") as caught:
        bj.read(table)
    assert "columns={'verdict': None}" in str(caught.value)
    assert "columns={'verdict': 'verdict'}" in str(caught.value)
    assert bj.read(table, columns={"verdict": None}).verdict.tolist() == [FIRST] * 3
    followed = bj.read(table, columns={"verdict": "verdict"})
    assert followed.verdict.tolist() == [FIRST, FIRST, SECOND]
    assert not followed.order_known.any()
    with pytest.raises(errors.AmbiguousVerdictError):
        bj.read(table, columns={"item_first": "rejected", "item_second": "chosen"})


@pytest.mark.parametrize("name", ["tie", "is_tie", "both_equal", "Draw"])
def test_ties_may_be_flagged(name):
    data = bj.read(outcomes("winner", "loser", **{name: ["False", "True", "False"]}))
    assert data.verdict.tolist() == [FIRST, TIE, FIRST]
    assert any(f"but for ties in {name!r}" in note for note in data.notes)


def test_counts_of_wins_are_weights():
    data = bj.read(outcomes("winner", "loser", n=[3, 4, 5]))
    assert data.weight.tolist() == [3, 4, 5]


def test_the_order_may_be_stated_all_the_same():
    stated = bj.read(outcomes(order_known=[True, False, True]))
    assert stated.order_known.tolist() == [True, False, True]
    assert bj.read(outcomes(), order_known=True).order_known.all()


def test_a_coding_of_labels_does_not_touch_names_of_outcomes():
    data = bj.read(outcomes(), verdicts={1: "first", 0: "second"})
    assert data.verdict.tolist() == [FIRST] * 3
    slots = {"winner": ["second", "first"], "loser": ["first", "third"]}
    assert winners(bj.read(slots)) == [("second", "first"), ("first", "third")]


def test_a_table_in_the_order_shown_is_read_in_that_order():
    table = {"model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["x", "x"]}
    data = bj.read({**table, "loser": ["y", "y"]})
    assert data.verdict.tolist() == [FIRST, SECOND]
    assert data.order_known.all()
    assert data.sources[0].unused == ("loser",)


def test_neutral_names_are_left_alone_even_if_every_winner_stands_first():
    data = bj.read({"left": ["x", "y"], "right": ["y", "x"], "winner": ["left", "left"]})
    assert data.order_known.all()


@pytest.mark.parametrize("text", ["word " * 100, "two\nlines", [{"role": "user"}]])
def test_answers_are_not_taken_for_items(text):
    table = {"chosen": [text, "no"], "rejected": ["yes", text]}
    with pytest.raises(errors.MissingColumnError, match="the texts of answers"):
        bj.read(table)
    named = {**table, "chosen-model": ["x", "y"], "rejected-model": ["y", "x"]}
    assert winners(bj.read(named)) == [("x", "y"), ("y", "x")]


def test_scores_and_lengths_of_the_chosen_answer_are_not_items():
    table = {"chosen_score": [3, 4], "rejected_score": [1, 2], "chosen_length": [9, 9]}
    with pytest.raises(errors.MissingColumnError):
        bj.read(table)


def test_two_pairs_of_winners_are_ambiguous():
    table = outcomes("chosen_model", "rejected_model", winner_name=["x"] * 3, loser_name=["y"] * 3)
    with pytest.raises(errors.AmbiguousColumnError, match="winner_name / loser_name"):
        bj.read(table)


def test_without_a_winner_there_must_be_verdicts():
    with pytest.raises(errors.MissingColumnError, match="No column for verdict"):
        bj.read({"left": ["x"], "right": ["y"]}, columns={"verdict": None})
