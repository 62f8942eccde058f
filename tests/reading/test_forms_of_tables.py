"""Tables with more than one verdict column become one verdict a row."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge import errors


def shown(data):
    """(first, second, verdict, weight) by row."""
    frame = data.to_frame()
    return list(
        zip(
            frame["item_first"],
            frame["item_second"],
            frame["verdict"],
            frame["weight"],
            strict=True,
        )
    )


def test_one_hot_columns():
    data = bj.read(
        {
            "id": [1, 2, 3],
            "model_a": ["x"] * 3,
            "model_b": ["y"] * 3,
            "winner_model_a": [1, 0, 0],
            "winner_model_b": [0, 1, 0],
            "winner_tie": [0, 0, 1],
        }
    )
    assert [row[2] for row in shown(data)] == ["first", "second", "tie"]


def test_one_hot_rows_must_be_one_hot():
    frame = {"model_a": ["x"], "model_b": ["y"], "winner_model_a": [1], "winner_model_b": [1]}
    with pytest.raises(errors.InvalidComparisonsError):
        bj.read({**frame, "winner_tie": [0]})
    nothing = {**frame, "winner_model_a": [0], "winner_model_b": [0], "winner_tie": [0]}
    with pytest.raises(errors.MissingVerdictError):
        bj.read(nothing)


def test_named_choice_with_both_equal():
    data = bj.read(
        {
            "model_a_name": ["x", "x", "x"],
            "model_b_name": ["y", "y", "y"],
            "chosen_model_name": ["x", "y", None],
            "both_equal": [False, False, True],
        }
    )
    assert [row[2] for row in shown(data)] == ["first", "second", "tie"]


def test_two_games_become_two_rows_and_the_second_exchanges_the_slots():
    data = bj.read(
        [
            {
                "question_id": 81,
                "model_1": "x",
                "model_2": "y",
                "g1_winner": "model_1",
                "g2_winner": "model_1",
                "judge": ["gpt-4", "pair-v2"],
                "length_a": 10,
                "length_b": 20,
            },
            {
                "question_id": 82,
                "model_1": "x",
                "model_2": "y",
                "g1_winner": "tie",
                "g2_winner": "model_2",
                "judge": ["gpt-4", "pair-v2"],
                "length_a": 30,
                "length_b": 40,
            },
        ]
    )
    assert shown(data) == [
        ("x", "y", "first", 1),
        ("y", "x", "second", 1),
        ("x", "y", "tie", 1),
        ("y", "x", "first", 1),
    ]
    assert data.length_first.tolist() == [10, 20, 30, 40]
    assert data.source_row.tolist() == [0, 0, 1, 1]
    assert data.judges == ("gpt-4/pair-v2",)
    assert data.prompts == ("81", "82")


def test_failed_games_are_counted_in_their_order():
    frame = {
        "model_1": ["x", "x"],
        "model_2": ["y", "y"],
        "g1_winner": ["model_1", "model_2"],
        "g2_winner": ["error", "model_2"],
    }
    with pytest.raises(errors.InvalidVerdictError, match="row 0"):
        bj.read(frame)
    data = bj.read(frame, on_invalid="drop")
    assert [(one.first, one.second, one.rows) for one in data.dropped] == [("y", "x", 1)]
    assert data.n_rows == 3


def test_lists_of_games_show_the_baseline_first_in_the_first_game():
    data = bj.read(
        [
            {
                "uid": "u1",
                "judge": "j",
                "model": "new",
                "baseline": "old",
                "games": [{"score": "A>>B"}, {"score": "B>A"}],
            },
            {
                "uid": "u2",
                "judge": "j",
                "model": "new",
                "baseline": "old",
                "games": [{"score": "A=B"}, None],
            },
        ],
        on_missing="drop",
    )
    assert [row[:3] for row in shown(data)] == [
        ("old", "new", "first"),
        ("new", "old", "second"),
        ("old", "new", "tie"),
    ]
    assert data.outcome_detail == ("A>>B", "B>A", "A=B")
    assert data.dropped[0].rows == 1


def test_win_counts_become_weights():
    frame = {"player1": ["x", "y"], "player2": ["y", "z"], "win1": [7, 0], "win2": [3, 2]}
    assert shown(bj.read(frame)) == [
        ("x", "y", "first", 7),
        ("x", "y", "second", 3),
        ("y", "z", "second", 2),
    ]
    with_ties = bj.read({**frame, "ties": [0, 4]})
    assert shown(with_ties)[-1] == ("y", "z", "tie", 4)
    for wrong in (-1, np.nan):
        with pytest.raises(errors.InvalidWeightError):
            bj.read({**frame, "win1": [7, wrong]})


def test_two_forms_at_once_are_refused():
    frame = {"left": ["x"], "right": ["y"], "win1": [1], "win2": [0], "winner": ["left"]}
    with pytest.raises(errors.AmbiguousColumnError, match="more than one way"):
        bj.read(frame)
    assert bj.read(frame, columns={"verdict": "winner"}).verdict.tolist() == [0]
    with pytest.raises(errors.AmbiguousColumnError, match="'n'"):
        bj.read({"left": ["x"], "right": ["y"], "win1": [1], "win2": [0], "n": [1]})
    frame = {"left": ["x"], "right": ["y"], "win1": [1], "win2": [0], "mine": [1]}
    with pytest.raises(errors.AmbiguousColumnError, match="'mine'"):
        bj.read(frame, columns={"weight": "mine"})
