"""A likelihood without a finite maximum: the error names what in the verdicts is the reason."""

from dataclasses import replace

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.errors import NoFiniteMaximumError, UnidentifiedError

FIRST, TIE, SECOND = 0, 1, 2
OF_JUDGES = ("order_effect", "sensitivity", "sensitivity_davidson", "unit_sensitivity", "consensus")
OF_ITEMS = ("bradley_terry", "bradley_terry_davidson", *OF_JUDGES)
PRIOR = "keep the prior (prior=True)"


@pytest.fixture(scope="module")
def mixed(panel):
    """The panel with a tie in every twelfth row, so that tie parameters have a maximum."""
    return replace(panel, verdict=np.where(np.arange(panel.n_rows) % 12 == 5, TIE, panel.verdict))


def always(data, slot, *numbers):
    decisive = np.isin(data.judge, numbers) & (data.verdict != TIE)
    return replace(data, verdict=np.where(decisive, slot, data.verdict))


def without_ties_of(data, number):
    """The same verdicts, with the judge's ties as wins of the item shown first."""
    own = (data.judge == number) & (data.verdict == TIE)
    return replace(data, verdict=np.where(own, FIRST, data.verdict))


def decided_for(data, winners, rows=slice(None)):
    """Every verdict between some items and the others won by the former."""
    index = [data.items.index(name) for name in winners]
    first, second = np.isin(data.first, index), np.isin(data.second, index)
    verdict = np.where(first & ~second, FIRST, np.where(~first & second, SECOND, data.verdict))
    chosen = np.zeros(data.n_rows, dtype=bool)
    chosen[rows] = True
    return replace(data, verdict=np.where(chosen, verdict, data.verdict))


def refused(model, data, kind=NoFiniteMaximumError, terms=("position",)):
    with pytest.raises(kind) as caught:
        bj.mode(getattr(bj.models, model), bj.design(data, terms), prior=False)
    message = str(caught.value)
    assert PRIOR in message
    assert len(message) < 400
    return message


@pytest.mark.parametrize("model", OF_JUDGES)
@pytest.mark.parametrize(("slot", "word"), [(FIRST, "first"), (SECOND, "second")])
def test_a_judge_who_always_picks_one_slot_is_named_by_that_habit(mixed, model, slot, word):
    data = without_ties_of(always(mixed, slot, 2), 2)
    data = always(data, slot, 2)
    message = refused(model, data)
    assert f"because judge-3 picked the {word} slot in all of its 400 decisive verdicts" in message
    assert "[" not in message


def test_the_habits_of_several_judges_are_said_once(mixed):
    data = mixed
    for number, slot in ((0, SECOND), (1, FIRST), (3, FIRST)):
        data = always(without_ties_of(data, number), slot, number)
    message = refused("unit_sensitivity", data)
    assert "judge-2 and judge-4 picked the first slot in all of their 800 decisive" in message
    assert "judge-1 picked the second slot in all of its 400 decisive verdicts" in message


def test_ties_hide_a_habit_only_where_they_are_half_wins(mixed):
    """A tie bounds a position effect as half a win, and does not as an outcome of its own."""
    data = always(mixed, FIRST, 2)
    decisive = int((data.verdict[data.judge == 2] == FIRST).sum())
    fit = bj.mode(bj.models.unit_sensitivity, data, prior=False)
    assert np.isfinite(fit.quantity("position")).all()
    message = refused("unit_sensitivity_davidson", data)
    assert f"judge-3 picked the first slot in all of its {decisive} decisive verdicts" in message


@pytest.mark.parametrize(("sign", "word"), [(1, "longer"), (-1, "shorter")])
def test_a_judge_who_always_prefers_longer_answers(panel, sign, word):
    longer = sign * (panel.length_first - panel.length_second) > 0
    habit = np.where(longer, FIRST, SECOND)
    data = replace(panel, verdict=np.where(panel.judge == 2, habit, panel.verdict))
    message = refused("sensitivity", data, terms=("position", "length"))
    assert f"judge-3 preferred the {word} answer in all of its 400 decisive verdicts" in message


def test_a_habit_among_verdicts_of_known_order(panel):
    known = np.arange(panel.n_rows) % 2 == 0
    verdict = np.where((panel.judge == 2) & known, FIRST, panel.verdict)
    message = refused("unit_sensitivity", replace(panel, verdict=verdict, order_known=known))
    number = int((known & (panel.judge == 2)).sum())
    assert f"the first slot in all of its {number} decisive verdicts of known order" in message


def test_a_habit_is_no_cause_in_a_program_without_its_effect(panel):
    data = always(panel, FIRST, 2)
    assert np.isfinite(bj.mode(bj.models.bradley_terry, data, prior=False).phi).all()
    losing = decided_for(data, [name for name in data.items if name != "maple"])
    message = refused("bradley_terry", losing)
    assert "because maple lost all of its 525 verdicts" in message
    assert "slot" not in message


@pytest.mark.parametrize("model", OF_ITEMS)
def test_an_item_that_won_everything_is_named(mixed, model):
    message = refused(model, decided_for(mixed, ["maple"]))
    assert "because maple won all of its 525 verdicts" in message


@pytest.mark.parametrize("model", ["bradley_terry", "sensitivity"])
def test_a_group_that_won_everything_against_the_others_is_named_once(mixed, model):
    message = refused(model, decided_for(mixed, ["alder", "birch", "cedar"]))
    assert "alder, birch and cedar won all of their 1,025 verdicts against the other" in message
    assert message.count("verdicts") == 1


def test_an_item_that_won_everything_with_one_judge_whose_scores_are_its_own(mixed):
    rows = np.flatnonzero(mixed.judge == 1)
    maple = mixed.items.index("maple")
    number = int(((mixed.first == maple) | (mixed.second == maple))[rows].sum())
    message = refused("order_effect", decided_for(mixed, ["maple"], rows))
    assert f"because maple won all of its {number} verdicts from judge-2" in message


def test_weights_are_counted(panel):
    data = replace(always(panel, FIRST, 2), weight=np.full(panel.n_rows, 2.5))
    assert "all of its 1,000 decisive verdicts" in refused("unit_sensitivity", data)


def test_rows_that_do_not_count_are_no_cause(panel):
    """A design that leaves out the only verdicts against a habit."""
    design = bj.design(panel)
    against = (panel.judge == 2) & (panel.verdict == SECOND)
    kept = bj.reweighted(design, ~against)
    with pytest.raises(NoFiniteMaximumError, match="judge-3 picked the first slot in all of its"):
        bj.mode(bj.models.unit_sensitivity, kept, prior=False)


def test_a_judge_whose_verdicts_are_all_ties(panel):
    data = replace(panel, verdict=np.where(panel.judge == 2, TIE, panel.verdict))
    message = refused("sensitivity", data)
    assert "because judge-3 called all of its 400 verdicts ties" in message


@pytest.mark.parametrize("model", ["sensitivity", "consensus"])
def test_verdicts_that_are_all_ties(panel, model):
    message = refused(model, replace(panel, verdict=np.full(panel.n_rows, TIE)), UnidentifiedError)
    assert "because every verdict is a tie" in message


def test_tie_parameters_without_ties(panel):
    kinds = (NoFiniteMaximumError, UnidentifiedError)
    assert "because no verdict is a tie" in refused("sensitivity_davidson", panel, kinds)


@pytest.mark.parametrize("model", ["bradley_terry", "sensitivity", "consensus"])
def test_items_that_no_verdict_links_to_the_others(mixed, model):
    data = mixed.select((mixed.first < 3) == (mixed.second < 3))
    message = refused(model, data, UnidentifiedError)
    assert "because no verdict links alder, birch and cedar to the other items" in message


def test_what_has_no_plain_cause_names_the_quantities_that_run_away(verdicts):
    """Position and a gap of scores grow together, though no judge and no item is one-sided."""
    data = verdicts(("a", "b", 5, 0), ("b", "a", 3, 2), ("b", "c", 4, 0), ("c", "b", 2, 2))
    data = replace(data, order_known=np.ones(data.n_rows, dtype=bool))
    with pytest.raises(NoFiniteMaximumError) as caught:
        bj.mode(bj.models.unit_sensitivity, data, prior=False)
    assert "a combination of" in str(caught.value)
    assert "predicts some verdicts with certainty" in str(caught.value)
