"""Effects without a finite estimate: a slot, longer answers or a family that always win."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

import bayesjudge as bj
from bayesjudge.diagnosis import separation_findings
from bayesjudge.diagnosis.separation_findings import separation, term_values

CASES = Path(__file__).parent / "cases"
ITEMS = ["oak", "elm", "ash", "yew"]


def found(data):
    (finding,) = bj.diagnose(data).on("separation")
    return finding


def pairs(n, seed, judges=("j",), items=ITEMS):
    """Random displays of four items in both orders, with random verdicts."""
    rng = np.random.default_rng(seed)
    first = rng.integers(4, size=n)
    second = (first + rng.integers(1, 4, size=n)) % 4
    return pd.DataFrame(
        {
            "left": np.array(items)[first],
            "right": np.array(items)[second],
            "winner": rng.choice(["left", "right"], n),
            "judge": np.array(judges)[np.arange(n) % len(judges)],
            "question_id": [f"q{i // 2}" for i in range(n)],
        }
    )


def longer(frame):
    return np.where(frame.len_a > frame.len_b, "left", "right")


def random_lengths(frame, seed):
    rng = np.random.default_rng(seed)
    both = rng.permuted(np.tile(np.arange(50, 950, 7), (len(frame), 1)), axis=1)[:, :2]
    return frame.assign(len_a=both[:, 0], len_b=both[:, 1])


def chosen(columns=("a", "b")):
    frame = pd.read_csv(CASES / "01_chosen_rejected.csv")
    frame = frame.rename(columns=dict(zip(("chosen", "rejected"), columns, strict=True)))
    return frame, dict(zip(("item_first", "item_second"), columns, strict=True))


def test_a_table_of_chosen_and_rejected_read_as_slots_is_recognised():
    frame, columns = chosen()
    finding = found(bj.read(frame, columns=columns))
    assert finding.level == "problem"
    assert finding.sentence == (
        "All 60 decisive verdicts went to the first slot: the effect of position has no finite "
        "estimate, and the scores of north, south and west, which are confounded with it, rest on "
        "the prior. The first column looks like the winner's, as in a table of chosen and rejected "
        "answers: if the answers were not shown in this order, read it with order_known=False."
    )
    assert found(bj.read(frame, columns=columns, order_known=False)).level == "fine"


@pytest.mark.parametrize(("slot", "word"), [("left", "first"), ("right", "second")])
@pytest.mark.parametrize("judges", [("j",), ("j", "k", "l")])
def test_a_slot_that_always_wins_is_named_for_all_judges_together(slot, word, judges):
    finding = found(bj.read(pairs(90, 1, judges).assign(winner=slot)))
    assert finding.level == "problem"
    assert f"All 90 decisive verdicts went to the {word} slot" in finding.sentence
    assert f"The {word} column looks like the winner's" in finding.sentence
    assert finding.details == {"terms": ["position"], "judges": {}, "items": sorted(ITEMS)}


def test_ties_that_alone_bound_the_effect_of_position_do_not_hide_the_column():
    frame = pairs(60, 2).assign(winner="left")
    frame.loc[:2, "winner"] = "tie"
    finding = found(bj.read(frame))
    assert finding.level == "problem"
    assert finding.sentence.startswith(
        "All 57 decisive verdicts went to the first slot: nothing but 3 ties bounds the effect of "
    )
    assert "The first column looks like the winner's" in finding.sentence
    frame.loc[5, "winner"] = "right"
    assert "looks like" not in found(bj.read(frame)).sentence


def test_few_verdicts_for_one_slot_are_a_note_without_advice():
    frame = pairs(8, 3).assign(winner="left")
    finding = found(bj.read(frame))
    assert finding.level == "note"
    assert "looks like" not in finding.sentence


@pytest.mark.parametrize(("turned", "word"), [(False, "longer"), (True, "shorter")])
def test_the_longer_answer_that_always_wins_is_named(turned, word):
    frame = random_lengths(pairs(120, 4), 5)
    winner = longer(frame)
    if turned:
        winner = np.where(winner == "left", "right", "left")
    finding = found(bj.read(frame.assign(winner=winner)))
    assert finding.level == "problem"
    assert finding.details["terms"] == ["position", "length"]
    assert f"on answers of different lengths went to the {word} answer" in finding.sentence
    assert "The first column" not in finding.sentence


def test_an_effect_of_length_is_left_out_where_a_length_is_missing():
    frame = random_lengths(pairs(120, 4), 5)
    frame = frame.assign(winner=longer(frame)).astype({"len_a": float})
    frame.loc[3, "len_a"] = np.nan
    data = bj.read(frame, missing_length="keep")
    assert list(term_values(data)) == ["position"]
    assert found(data).level == "fine"


MODELS = ["gpt-4", "gpt-3.5-turbo", "claude-v1", "vicuna-13b"]


def own_family(frame, favours):
    """The judge's own model wins wherever it meets another family's."""
    own = {"gpt-4o": "gpt", "claude-3-opus": "claude"}
    winner = frame.winner.to_numpy().copy()
    for row, (left, right, judge) in enumerate(frame[["left", "right", "judge"]].to_numpy()):
        mine = [name.startswith(own[judge]) for name in (left, right)]
        if mine[0] != mine[1] and judge in favours:
            winner[row] = "left" if mine[0] else "right"
    return frame.assign(winner=winner)


def test_an_own_family_that_always_wins_is_named_for_all_judges():
    judges = ("gpt-4o", "claude-3-opus")
    finding = found(bj.read(own_family(pairs(200, 6, judges, MODELS), judges)))
    assert finding.level == "problem"
    assert finding.details["terms"] == ["family"]
    assert "on one answer of the judge's own family went to that answer" in finding.sentence
    assert found(bj.read(pairs(200, 6, judges, MODELS))).level == "fine"


def test_an_own_family_that_always_wins_is_named_for_one_judge_only():
    judges = ("gpt-4o", "claude-3-opus")
    finding = found(bj.read(own_family(pairs(200, 6, judges, MODELS), judges[:1])))
    assert finding.level == "warning"
    assert finding.details["judges"] == {"gpt-4o": ["family"]}
    assert "All decisive verdicts of gpt-4o" in finding.sentence
    assert "for this judge, the effect of family has no finite estimate" in finding.sentence


def test_with_two_families_only_one_judges_habit_is_confounded_with_the_scores():
    """OSCAR, Proposition 3: the judges' family effects and the scores move together."""
    judges = ("gpt-4o", "claude-3-opus")
    two = ["gpt-4", "gpt-3.5-turbo", "claude-v1", "claude-instant"]
    finding = found(bj.read(own_family(pairs(200, 6, judges, two), judges[:1])))
    assert "some combination of the scores and the effect of family" in finding.sentence
    assert finding.details["items"] == ["gpt-3.5-turbo", "gpt-4"]


def test_families_are_left_out_where_a_name_has_none():
    judges = ("gpt-4o", "claude-3-opus")
    frame = own_family(pairs(200, 6, judges, MODELS), judges)
    data = bj.read(frame.replace({"vicuna-13b": "my-model"}))
    assert list(term_values(data)) == ["position"]


def test_one_slot_that_always_wins_is_named_for_the_judges_that_do_so():
    frame = pairs(300, 7, ("a", "b", "c", "d"))
    frame.loc[frame.judge == "b", "winner"] = "left"
    frame.loc[frame.judge == "d", "winner"] = "right"
    finding = found(bj.read(frame))
    assert finding.level == "warning"
    assert finding.details["judges"] == {"b": ["position"], "d": ["position"]}
    assert "All decisive verdicts of b (75) went to the first slot" in finding.sentence
    assert "all decisive verdicts of d (75) went to the second slot" in finding.sentence
    assert finding.details["items"] == []
    assert finding.sentence.endswith("and only the prior bounds it.")


def test_where_each_judge_has_its_slot_nothing_is_left_for_the_scores():
    frame = pairs(80, 8, ("a", "b"))
    finding = found(bj.read(frame.assign(winner=np.where(frame.judge == "a", "left", "right"))))
    assert finding.level == "problem"
    assert finding.details["items"] == sorted(ITEMS)
    assert "the scores of ash, elm, oak and yew" in finding.sentence


def test_a_combination_that_no_verdict_contradicts_is_no_habit():
    frame = random_lengths(pairs(150, 9), 10)
    log_odds = 0.7 + np.log(frame.len_a / frame.len_b)
    finding = found(bj.read(frame.assign(winner=np.where(log_odds > 0, "left", "right"))))
    assert finding.level == "warning"
    assert finding.sentence.startswith(
        "No verdict contradicts some combination of the scores and the effects of position and "
        "length: the effects of position and length have no finite estimate, and the scores of "
    )


def test_judges_with_few_verdicts_are_not_named():
    frame = pairs(200, 11, ("a", "b"))
    few = pairs(9, 12, ("few",)).assign(winner="left")
    assert found(bj.read(pd.concat([frame, few]))).level == "fine"
    more = pairs(10, 12, ("few",)).assign(winner="left")
    assert found(bj.read(pd.concat([frame, more]))).details["judges"] == {"few": ["position"]}


def test_an_item_that_wins_everything_leaves_the_effect_of_position_bounded():
    frame = pairs(200, 13)
    top = np.where(frame.left == "oak", "left", np.where(frame.right == "oak", "right", ""))
    data = bj.read(frame.assign(winner=np.where(top == "", frame.winner, top)))
    assert bj.diagnose(data).on("finite estimate")[0].level == "warning"
    assert found(data).level == "fine"


rows = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(1, 3),
        st.sampled_from(["left", "right", "right", "tie"]),
        st.sampled_from("jk"),
        st.booleans(),
        st.sampled_from([10, 20, 40]),
    ),
    min_size=1,
    max_size=14,
)


def drawn(rows):
    return bj.read(
        {
            "left": [ITEMS[first] for first, *_ in rows],
            "right": [ITEMS[(first + step) % 4] for first, step, *_ in rows],
            "winner": [row[2] for row in rows],
            "judge": [row[3] for row in rows],
            "order_known": [row[4] for row in rows],
            "len_a": [row[5] for row in rows],
            "len_b": [20] * len(rows),
        }
    )


def by_definition(data, by_judge):
    """Terms that rows which no direction raises leave undetermined, by one program a row."""
    columns = np.column_stack(list(term_values(data).values()))
    n_terms, group = columns.shape[1], data.judge if by_judge else 0 * data.judge
    n_groups = data.n_judges if by_judge else 1
    matrix = np.zeros((data.n_rows, data.n_items + n_groups * n_terms))
    place = np.arange(data.n_rows)
    matrix[place, data.first] += 1
    matrix[place, data.second] -= 1
    for term in range(n_terms):
        matrix[place, data.n_items + n_terms * group + term] = columns[:, term]
    side = 1 - data.verdict
    signed, still = (side[:, None] * matrix)[side != 0], matrix[side == 0]
    raised = np.zeros(data.n_rows, dtype=bool)
    for row in np.flatnonzero(side):
        best = linprog(
            -side[row] * matrix[row],
            A_ub=-signed,
            b_ub=np.zeros(len(signed)),
            A_eq=still if len(still) else None,
            b_eq=np.zeros(len(still)) if len(still) else None,
            bounds=(-1, 1),
        )
        raised[row] = -best.fun > 1e-7
    unit = np.eye(matrix.shape[1])[data.n_items :]

    def determined(kept):
        rank = np.linalg.matrix_rank(kept) if len(kept) else 0
        return np.array([np.linalg.matrix_rank(np.vstack([kept, one])) == rank for one in unit])

    lost = determined(matrix) & ~determined(matrix[~raised])
    return lost.reshape(n_groups, n_terms)


@given(rows, st.booleans())
@settings(max_examples=150, deadline=None)
def test_unbounded_effects_agree_with_their_definition(rows, by_judge):
    data = drawn(rows)
    if term_values(data):
        expected = by_definition(data, by_judge)
        assert (separation(data, by_judge=by_judge).unbounded == expected).all()


@pytest.mark.parametrize("seed", range(6))
def test_judges_looked_at_alone_are_separated_as_they_are_together(seed, monkeypatch):
    frame = random_lengths(pairs(260, seed, [f"j{k}" for k in range(52)]), seed)
    frame = pd.concat([frame, random_lengths(pairs(200, 50 + seed, ("busy",)), seed)])
    data = bj.read(frame)
    together = separation(data, by_judge=True)
    assert together.unbounded.any()
    monkeypatch.setattr(separation_findings, "LEADING", 100)
    apart = separation(data, by_judge=True)
    assert (together.unbounded == apart.unbounded).all()
    assert together.items == apart.items


def test_fifteen_hundred_judges_are_looked_at():
    frame = random_lengths(pairs(1500 * 12, 14, [f"j{k:04d}" for k in range(1500)]), 15)
    frame.loc[frame.judge == "j0007", "winner"] = "left"
    assert "position" in found(bj.read(frame)).details["judges"]["j0007"]
