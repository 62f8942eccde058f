"""Wrong arguments are refused by name, with one sentence that says what to do."""

import numpy as np
import pandas as pd
import pytest
from anchor_draw import drawn

import bayesjudge as bj
from bayesjudge.core.logistic import logistic_coefficients
from bayesjudge.designs.roster import roster_of
from bayesjudge.errors import (
    FeatureError,
    InvalidFoldsError,
    NewItemError,
    NoFiniteMaximumError,
    UnknownFitError,
    UnknownOptionError,
)

ROSTER = roster_of(np.arange(6) == 5)


@pytest.fixture(scope="module")
def sample():
    return drawn(1)


@pytest.mark.parametrize("name", ["two words", "", "sensitivity", 3])
def test_names_of_features(name, sample):
    with pytest.raises(FeatureError, match="give each a name"):
        bj.new_items.features(sample.judges, {name: sample.contrasts["x"]})


def test_name_of_a_term(panel):
    with pytest.raises(FeatureError, match="give each a name"):
        bj.new_items.features(panel, {"position": np.zeros(panel.n_rows)}, ("position",))


@pytest.mark.parametrize("change", [lambda x: x[1:], lambda x: np.where(x > 1, np.nan, x)])
def test_values_of_features(change, sample):
    with pytest.raises(FeatureError, match="one finite number"):
        bj.new_items.features(sample.judges, {"x": change(sample.contrasts["x"])})


@pytest.fixture
def answers():
    data = bj.read({"left": ["x"], "right": ["y"], "winner": ["left"], "prompt": ["p"]})
    table = pd.DataFrame({"prompt": ["p", "p"], "item": ["x", "y"], "tone": [2.0, 0.5]})
    return data, table


def test_answers_without_a_column_of_names(answers):
    data, table = answers
    with pytest.raises(FeatureError, match="no column 'prompt'"):
        bj.new_items.answer_contrasts(data, table.drop(columns="prompt"))


def test_answers_that_occur_twice(answers):
    data, table = answers
    with pytest.raises(FeatureError, match="occurs twice"):
        bj.new_items.answer_contrasts(data, pd.concat([table, table]))


def test_answers_that_are_missing(answers):
    data, table = answers
    with pytest.raises(FeatureError, match="lacks 1 answers"):
        bj.new_items.answer_contrasts(data, table[:1])


@pytest.mark.parametrize("new", [["nobody"], "item-5", []])
def test_rosters(new, sample):
    with pytest.raises(NewItemError):
        bj.new_items.roster(*sample.designs, new=new)


def test_roster_of_all_items(sample):
    with pytest.raises(NewItemError, match="5 new and 1 historical"):
        bj.new_items.roster(*sample.designs, new=[f"item-{i}" for i in range(5)])


def test_roster_of_other_items(sample):
    with pytest.raises(NewItemError, match="roster is of 7 items"):
        bj.new_items.orthogonal(bj.models.new_item, *sample.designs, roster_of(np.arange(7) == 5))


def test_no_item_is_new(panel):
    with pytest.raises(NewItemError, match="0 new"):
        bj.mode(bj.models.new_item, panel, bj.example_votes())


def test_another_program(panel):
    with pytest.raises(NewItemError, match="has no new items"):
        bj.new_items.orthogonal(bj.models.calibrated, panel, bj.example_votes())


@pytest.mark.parametrize("folds", [0, -1, True, [np.zeros(3, int)] * 2, [np.zeros(1200)] * 2])
def test_folds(folds, sample):
    with pytest.raises(InvalidFoldsError):
        bj.new_items.orthogonal(bj.models.new_item, *sample.designs, ROSTER, folds=folds)


def test_folds_that_leave_a_judge_without_verdicts(sample):
    judges, votes = np.arange(1200) % 2, np.arange(400) % 2
    judges[sample.judges.judge == 0] = 0
    with pytest.raises(InvalidFoldsError, match="without rows"):
        bj.new_items.orthogonal(bj.models.new_item, *sample.designs, ROSTER, folds=[judges, votes])


def test_more_than_one_new_item_must_be_named():
    two = drawn(4, n_new=2)
    roster = roster_of(np.arange(7) >= 5)
    placed = bj.new_items.placement(
        bj.new_items.orthogonal(bj.models.new_item, *two.designs, roster, folds=1)
    )
    with pytest.raises(NewItemError, match="item-5, item-6"):
        placed.rank_set()
    with pytest.raises(NewItemError, match="item is 'item-0'"):
        placed.contrasts("item-0")
    assert placed.contrasts("item-6")["opponent"].nunique() == 5


def test_placement_and_check_of_something_else(panel_mode):
    with pytest.raises(UnknownFitError, match="new items"):
        bj.new_items.placement(panel_mode)
    with pytest.raises(UnknownFitError, match="corrected fit"):
        bj.new_items.check(panel_mode)


@pytest.mark.parametrize("options", [{"sides": "both"}, {"prob": 1.0}])
def test_rank_set_options(options):
    with pytest.raises(UnknownOptionError):
        bj.new_items.rank_set([1.0], [1.0], **options)


def test_logistic_regression_of_separated_verdicts():
    with pytest.raises(NoFiniteMaximumError, match="won or lost everything"):
        logistic_coefficients(np.ones((1, 1)), np.array([4.0]), np.array([4.0]))


def test_logistic_regression_on_regressors_that_are_one():
    column = np.random.default_rng(1).normal(size=20)
    matrix, total = np.column_stack([column, 2 * column]), np.ones(20)
    with pytest.raises(NoFiniteMaximumError, match="told from"):
        logistic_coefficients(matrix, total / 2, total)


def test_logistic_regression_with_one_far_row_is_finite():
    matrix = np.array([[1.0], [1.0], [1.0], [80.0]])
    wins, total = np.array([1.0, 0.0, 1.0, 1.0]), np.ones(4)
    assert np.isfinite(logistic_coefficients(matrix, wins, total)).all()


def test_units_of_regressors_do_not_matter():
    rng = np.random.default_rng(4)
    matrix, total = rng.normal(size=(60, 2)), np.ones(60)
    wins = (rng.random(60) < 0.5).astype(float)
    usual = logistic_coefficients(matrix, wins, total)
    for unit in (1e4, 1e-4):
        found = logistic_coefficients(matrix * [1.0, unit], wins, total)
        assert np.allclose(found * [1.0, unit], usual, rtol=1e-6)


def test_logistic_regression_against_its_moment_equation():
    rng = np.random.default_rng(2)
    matrix, total = rng.normal(size=(40, 3)), rng.integers(1, 5, 40).astype(float)
    wins, offset = rng.binomial(total.astype(int), 0.4).astype(float), rng.normal(size=40)
    found = logistic_coefficients(matrix, wins, total, offset, ridge=0.3)
    expected = total / (1 + np.exp(-(matrix @ found + offset)))
    assert np.allclose(matrix.T @ (wins - expected), 0.3 * found, atol=1e-8)
