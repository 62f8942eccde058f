"""A history fitted once places new items as a fit to everything does."""

import time

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.errors import FeatureError, NewItemError, UnknownJudgeError, UnreadableFileError

CLOSE = {"rtol": 0, "atol": 1e-9}


@pytest.fixture(scope="module")
def parts(case_data):
    """Historical and arriving verdicts of the frozen case, votes, and where they came from."""
    (judges, votes), _ = case_data
    data, columns = judges.data, judges.layout.columns[judges.cell_of_row]
    new = data.items.index("item-5")
    arrives = (data.first == new) | (data.second == new)
    old, come = (
        bj.new_items.features(data.select(rows), {"x": columns[rows, 0], "w": columns[rows, 1]})
        for rows in (~arrives, arrives)
    )
    return old, come, votes.data.select(np.ones(votes.data.n_rows, bool)), arrives


@pytest.fixture(scope="module")
def history(parts):
    return bj.new_items.fit_history(parts[0], parts[2], folds=1)


def test_the_same_as_a_fit_to_everything(parts, history, case):
    found = bj.new_items.place(history, parts[1])
    frozen = case["output"]["no_crossfit"]
    rows = np.hstack([-np.eye(5), np.ones((5, 1))])
    assert np.allclose(found.score[-1], frozen["T"][0], rtol=0, atol=1e-8)
    assert np.allclose(rows @ found.score, frozen["T"][1:], rtol=0, atol=1e-8)
    for matrix, name in ((found.from_votes, "V_H"), (found.from_judges, "V_J")):
        assert np.allclose(np.diag(rows @ matrix @ rows.T), frozen[name][1:], rtol=0, atol=1e-8)


def test_the_same_with_folds(parts, case_data, case_roster):
    old, come, votes, arrives = parts
    history = bj.new_items.fit_history(old, votes, folds=5, seed=3)
    (judges, humans), _ = case_data
    folds = _folds_of_history(old, humans, seed=3)
    of_arrivals = np.arange(arrives.sum()) % 5
    whole = np.empty(len(arrives), dtype=int)
    whole[~arrives], whole[arrives] = folds[0], of_arrivals
    both = bj.new_items.orthogonal(
        bj.models.new_item, judges, humans, case_roster, folds=(whole, folds[1])
    )
    found, expected = (
        bj.new_items.place(history, come, fold=of_arrivals),
        bj.new_items.placement(both, "row"),
    )
    assert np.allclose(found.score, expected.score, **CLOSE)
    assert np.allclose(found.covariance, expected.covariance, **CLOSE)
    assert np.allclose(found.bound, expected.bound, **CLOSE)


def _folds_of_history(old, humans, seed):
    """The folds that a seed deals to judges' verdicts and votes, in this order."""
    from bayesjudge.anchor.folds import balanced_folds

    rng = np.random.default_rng(seed)
    strata = (old.data.judge, np.zeros(humans.data.n_rows, dtype=int))
    return [balanced_folds(each, 5, rng) for each in strata]


def test_a_saved_history_is_the_same(parts, history, tmp_path):
    history.save(tmp_path / "history.npz")
    again = bj.new_items.place(bj.new_items.load_history(tmp_path / "history.npz"), parts[1])
    assert np.array_equal(again.covariance, bj.new_items.place(history, parts[1]).covariance)


def test_no_history_in_the_file(tmp_path):
    (tmp_path / "history.npz").write_text("none")
    with pytest.raises(UnreadableFileError, match="fit_history"):
        bj.new_items.load_history(tmp_path / "history.npz")


def test_placing_is_quick(parts, history):
    bj.new_items.place(history, parts[1])
    start = time.process_time()
    bj.new_items.place(history, parts[1])
    assert time.process_time() - start < 0.1


def test_what_cannot_be_placed(parts, history):
    old, come, _, _ = parts
    with pytest.raises(NewItemError, match="historical items"):
        bj.new_items.place(history, old)
    with pytest.raises(FeatureError, match="same features"):
        bj.new_items.place(
            history, bj.new_items.features(come.data, {"x": np.ones(come.data.n_rows)})
        )
    stranger = bj.read(
        {"left": ["item-5"], "right": ["item-0"], "winner": ["left"], "judge": ["stranger"]}
    )
    with pytest.raises(UnknownJudgeError, match="stranger"):
        bj.new_items.place(history, bj.new_items.features(stranger, {"x": [0.0], "w": [0.0]}))


def test_length_in_units_of_a_data_set_is_refused(panel):
    votes = bj.example_votes()
    with pytest.raises(FeatureError, match="log length ratio"):
        bj.new_items.fit_history(bj.design(panel, ("length",), items=votes.items), votes, folds=1)
