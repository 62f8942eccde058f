"""Features of answers, rosters and ranks that cannot be used are refused by name."""

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge.designs.roster import Roster, all_historical, demand_roster, roster_of
from bayesjudge.errors import (
    FeatureError,
    JudgeKindError,
    NewItemError,
    NotComparisonsError,
    NotMappingError,
    UnknownFitError,
    UnrankedItemsError,
)


@pytest.fixture(scope="module")
def ratio(panel):
    return np.log(panel.length_first / panel.length_second)


@pytest.fixture
def answers():
    data = bj.read({"left": ["x"], "right": ["y"], "winner": ["left"], "prompt": ["p"]})
    table = pd.DataFrame({"prompt": ["p", "p", "q"], "item": ["x", "y", "x"]})
    return data, table.assign(tone=[2.0, 0.5, 1.0])


# -- features ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["item", "judge", "draw", "chain", "judge_verdicts", None, ("x",)])
def test_names_that_are_taken(name, panel, ratio):
    with pytest.raises(FeatureError, match="give each a name"):
        bj.new_items.features(panel, {name: ratio})


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.astype(str),
        lambda x: x.astype(complex),
        lambda x: [None] * len(x),
        lambda x: [[1.0], [2.0, 3.0]],
        lambda x: [10**400] * len(x),
        lambda x: {"values": x},
        lambda x: np.full(len(x), np.datetime64("2020-01-01")),
        lambda x: 1.0 if x is None else None,
        lambda x: iter(x),
    ],
)
def test_values_that_are_no_numbers(change, panel, ratio):
    with pytest.raises(FeatureError, match="not an array of real numbers"):
        bj.new_items.features(panel, {"x": change(ratio)})


@pytest.mark.parametrize(
    "kind", [list, pd.Series, np.float32, lambda x: pd.Series(x, dtype=object)]
)
def test_numbers_of_any_kind(kind, panel, ratio):
    rounded = ratio.astype(np.float32)
    found = bj.new_items.features(panel, {"x": kind(rounded)}).layout.columns
    assert np.array_equal(found, bj.new_items.features(panel, {"x": rounded}).layout.columns)


def test_shapes(panel, ratio):
    for wrong in (ratio[1:], ratio[:, None], 1.0):
        with pytest.raises(FeatureError, match=r"has shape \("):
            bj.new_items.features(panel, {"x": wrong})


def test_rows_that_are_not_finite_are_counted(panel, ratio):
    values = ratio.copy()
    values[[3, 8]] = np.nan, np.inf
    with pytest.raises(FeatureError, match=r"in 2 rows \(3 and 8, counting from 0\)") as caught:
        bj.new_items.features(panel, {"x": values})
    assert "shape" not in str(caught.value)


def test_numbers_too_large_to_square(panel, ratio):
    with pytest.raises(FeatureError, match="in a larger unit"):
        bj.new_items.features(panel, {"x": 1e200 * ratio})


@pytest.mark.parametrize("change", [lambda x: [x], lambda x: x, lambda x: None, lambda x: "x"])
def test_contrasts_without_names(change, panel, ratio):
    with pytest.raises(NotMappingError, match="dict of an array by name"):
        bj.new_items.features(panel, change(ratio))


def test_verdicts_that_are_something_else(panel, ratio):
    with pytest.raises(NotComparisonsError, match="laid out already"):
        bj.new_items.features(bj.design(panel), {"x": ratio})
    with pytest.raises(NotComparisonsError, match="DataFrame"):
        bj.new_items.features(pd.DataFrame({"x": ratio}), {"x": ratio})


# -- answers ----------------------------------------------------------------------------------


def test_answers_without_a_number(answers):
    data, table = answers
    with pytest.raises(FeatureError, match=r"'tone' is not finite in 1 answer .* 'y' on 'p'"):
        bj.new_items.answer_contrasts(data, table.assign(tone=[2.0, np.nan, 1.0]))


def test_answers_that_no_judge_saw_need_no_number(answers):
    data, table = answers
    for kind in (float, "Float64"):
        values = pd.Series([2.0, 0.5, np.nan]).astype(kind)
        assert bj.new_items.answer_contrasts(data, table.assign(tone=values))["tone"].tolist() == [
            1.5
        ]


def test_answers_without_features(answers):
    data, table = answers
    with pytest.raises(FeatureError, match="has no features"):
        bj.new_items.answer_contrasts(data, table[["prompt", "item"]])


@pytest.mark.parametrize("values", [["a", "b", "c"], ["1", "2", "3"], [1j, 2.0, 3.0], [None] * 3])
def test_columns_that_are_no_numbers(values, answers):
    data, table = answers
    with pytest.raises(FeatureError, match="'tone' of the table of answers holds values of type"):
        bj.new_items.answer_contrasts(data, table.assign(tone=values))


def test_columns_of_one_name(answers):
    data, table = answers
    with pytest.raises(FeatureError, match="the same name"):
        bj.new_items.answer_contrasts(data, pd.concat([table, table[["tone"]]], axis=1))
    with pytest.raises(FeatureError, match="name the same one"):
        bj.new_items.answer_contrasts(data, table, prompt="item")


@pytest.mark.parametrize("change", [lambda x: x.to_dict("list"), lambda x: None, np.asarray])
def test_answers_that_are_no_table(change, answers):
    data, table = answers
    with pytest.raises(FeatureError, match="give a pandas DataFrame"):
        bj.new_items.answer_contrasts(data, change(table))


def test_answers_to_verdicts_that_are_something_else(answers):
    data, table = answers
    with pytest.raises(NotComparisonsError):
        bj.new_items.answer_contrasts(table, table)
    with pytest.raises(NotComparisonsError):
        bj.new_items.answer_contrasts(bj.design(data, ()), table)


# -- a basis from a network -------------------------------------------------------------------


@pytest.fixture(scope="module")
def votes():
    return bj.example_votes()


@pytest.fixture(scope="module")
def lengths(panel):
    return np.log(np.column_stack([panel.length_first, panel.length_second]))


def test_judges_and_votes_exchanged(panel, votes, lengths):
    with pytest.raises(JudgeKindError, match="judges' verdicts first"):
        bj.new_items.neural_basis(votes, panel, {"x": lengths})
    with pytest.raises(JudgeKindError, match="judges' verdicts first"):
        bj.new_items.neural_basis(panel, panel, {"x": lengths})


@pytest.mark.parametrize("new", ["maple", ["nobody"], 3, [["maple"]], ("maple", None)])
def test_new_items_of_a_basis(new, panel, votes, lengths):
    with pytest.raises(NewItemError, match="give a list of names"):
        bj.new_items.neural_basis(panel, votes, {"x": lengths}, new=new)


def test_features_that_do_not_vary(panel, votes, lengths):
    with pytest.raises(FeatureError, match="'tone' is the same in all answers"):
        bj.new_items.neural_basis(panel, votes, {"x": lengths, "tone": np.full(lengths.shape, 0.1)})


@pytest.mark.parametrize("name", ["two words", 3, "judge", "network_1"])
def test_names_that_a_basis_cannot_have(name, panel, votes, lengths):
    with pytest.raises(FeatureError, match="is named"):
        bj.new_items.neural_basis(panel, votes, {name: lengths})


def test_numbers_that_a_basis_cannot_have(panel, votes, lengths):
    with pytest.raises(FeatureError, match="in a larger unit"):
        bj.new_items.neural_basis(panel, votes, {"x": 1e200 * lengths})
    lengths = lengths.copy()
    lengths[4, 1] = np.nan
    with pytest.raises(FeatureError, match=r"in 1 row \(row 4"):
        bj.new_items.neural_basis(panel, votes, {"x": lengths})


def test_widths_of_numpy_and_answers_without_names(panel, votes, lengths):
    basis = bj.new_items.neural_basis(panel, votes, {"x": lengths}, units=np.int64(2))
    for given in (None, [lengths], lengths):
        with pytest.raises(NotMappingError, match="dict of an array by name"):
            basis.contrasts(given)
        with pytest.raises(NotMappingError, match="dict of an array by name"):
            bj.new_items.neural_basis(panel, votes, given)


# -- ranks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "error"),
    [
        ([1.0, 2.0], [1.0, np.nan]),
        ([1.0, 2.0], [1.0, -1.0]),
        ([np.nan, 2.0], [1.0, 1.0]),
        ([1.0, 2.0], [1.0]),
        (1.0, 1.0),
        ([[1.0]], [[1.0]]),
        (["1", "2"], [1.0, 1.0]),
        ([1.0], None),
        (None, [1.0]),
        ({1.0}, {1.0}),
    ],
)
@pytest.mark.parametrize("sides", ["two", "one"])
def test_differences_that_rank_nothing(difference, error, sides):
    with pytest.raises(UnrankedItemsError, match="give"):
        bj.new_items.rank_set(difference, error, sides=sides)


@pytest.mark.parametrize("sides", ["two", "one"])
def test_differences_without_error_are_certain(sides):
    found = bj.new_items.rank_set(
        [1e-9, 0.0, -3.0, 0.5, 1e300], [0.0, 0.0, 0.0, 1.0, 1e-300], sides=sides
    )
    assert found.above.tolist() == [True, False, False, False, True]
    assert found.below.tolist() == [False, False, True, False, False]


def test_a_rank_set_says_its_ends():
    found = bj.new_items.rank_set([2.9, 2.5, 0.3, -2.2, -4.0], np.ones(5))
    assert repr(found) == "RankSet(best=2, worst=4, of 6 items)"


# -- what to ask next -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seen(votes):
    maple = votes.items.index("maple")
    return votes.select((votes.first != maple) & (votes.second != maple))


def test_an_item_is_not_compared_with_itself(panel, seen):
    fit = bj.mode(bj.models.new_item, panel, seen, prior=False)
    for item in (None, "maple"):
        with pytest.raises(NewItemError, match="name another item"):
            bj.new_items.next_comparisons(fit, item, against="maple")


def test_fits_that_say_nothing_of_what_to_ask_next(panel, panel_mode, seen):
    corrected = bj.new_items.orthogonal(bj.models.new_item, panel, seen, folds=1)
    for fit in (corrected, panel_mode, None, "fit"):
        with pytest.raises(UnknownFitError, match="new_item"):
            bj.new_items.next_comparisons(fit)


# -- rosters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("new", [None, 3, "maple", [None], [["maple"]], b"maple"])
def test_names_that_are_no_list(new, panel, votes):
    with pytest.raises(NewItemError, match="give a list of names"):
        bj.new_items.roster(panel, votes, new=new)


GOOD = roster_of(np.arange(5) == 4)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        ["maple"],
        roster_of(np.arange(6) == 4),
        Roster(GOOD.basis * np.nan, GOOD.new),
        Roster(GOOD.basis * 0, GOOD.new),
        Roster(GOOD.basis * 2, GOOD.new),
        Roster(GOOD.basis + 1, GOOD.new),
        Roster(GOOD.basis[:, :-1], GOOD.new),
        Roster(GOOD.basis[:, :0], GOOD.new),
        Roster(GOOD.basis, GOOD.new[:, [0, 0]]),
        Roster(GOOD.basis, GOOD.new[::-1]),
        Roster(GOOD.basis, GOOD.new * np.nan),
        Roster(GOOD.basis, GOOD.new[:, 0]),
        Roster(None, None),
        Roster("basis", "new"),
    ],
)
def test_rosters_that_are_none(wrong):
    with pytest.raises(NewItemError, match=r"bj\.new_items\.roster"):
        demand_roster(wrong, 5)


def test_rosters_that_are_good():
    for good in (GOOD, all_historical(5), roster_of(np.arange(5) > 2)):
        assert demand_roster(good, 5) is good
        single = Roster(good.basis.astype(np.float32), good.new.astype(np.float32))
        assert demand_roster(single, 5) is single


def test_a_fit_takes_a_roster_that_leaves_an_item_out_and_a_user_does_not(panel):
    """A cut posterior samples history so."""
    whole = roster_of(np.arange(8) == 3)
    history = Roster(whole.basis, whole.new[:, :0])
    history.demand_fit((bj.design(panel).layout,))
    with pytest.raises(NewItemError, match="leaves 1 of 8 items out"):
        demand_roster(history, 8)


def test_a_fit_refuses_a_roster_of_zeros(panel, seen):
    whole = roster_of(np.arange(8) == 3)
    with pytest.raises(NewItemError, match="do not lay the scores"):
        bj.mode(bj.models.new_item, panel, seen, Roster(whole.basis * 0, whole.new), prior=False)
