"""Fits are written and read by pickle, copied, and sent between processes without a change."""

import copy
import pickle

import numpy as np
import pytest
from joblib import Parallel, delayed, parallel_config
from pandas.testing import assert_frame_equal

import bayesjudge as bj

KINDS = ("mode", "covariance", "path", "candidate", "history", "placement", "orthogonal", "laplace")


@pytest.fixture(scope="module")
def fits(panel, panel_mode):
    """One fit of each kind, and a placement by a stored history."""
    votes, new = bj.example_votes(), panel.items.index("maple")
    arrives = (panel.first == new) | (panel.second == new)
    old_votes = (votes.first != new) & (votes.second != new)
    path = bj.calibration.weight_path(bj.models.calibrated, panel, votes, weights=[5.0])
    history = bj.new_items.fit_history(panel.select(~arrives), votes.select(old_votes), folds=2)
    roster = bj.new_items.roster(panel, votes, new=["maple"])
    anchored = bj.new_items.orthogonal(bj.models.new_item, panel, votes, roster, folds=2)
    return {
        "mode": panel_mode,
        "covariance": panel_mode.covariance("sandwich"),
        "path": path,
        "candidate": path.selected,
        "history": history,
        "placement": bj.new_items.place(history, panel.select(arrives)),
        "orthogonal": anchored,
        "laplace": bj.laplace(bj.models.bradley_terry, panel, seed=1),
    }


def numbers(kind, fit):
    """Return what a user reads off a fit, some of it computed only now."""
    if kind == "mode":
        return {
            "score": fit.quantity("score").values,
            "error": fit.covariance("sandwich").standard_error("score").values,
            "chances": fit.outcome_probs(fit.designs[0]),
        }
    if kind == "path":
        errors = fit.covariance(np.inf).standard_error("human_score").values
        return {"table": fit.table(), "error": errors}
    if kind == "candidate":
        return {"score": fit.human_score.values, "gacv": fit.gacv}
    if kind == "history":
        return {name: getattr(fit, name) for name in ("score", "information", "verdicts")}
    return {"table": bj.rank_table(fit)}


def demand_equal(some, others):
    assert list(some) == list(others)
    for name, value in some.items():
        if hasattr(value, "columns"):
            assert_frame_equal(others[name], value, check_exact=True)
        else:
            np.testing.assert_array_equal(others[name], value)
            assert np.asarray(others[name]).dtype == np.asarray(value).dtype


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("again", [lambda fit: pickle.loads(pickle.dumps(fit)), copy.deepcopy])
def test_what_is_loaded_or_copied_says_the_same(fits, kind, again):
    demand_equal(numbers(kind, fits[kind]), numbers(kind, again(fits[kind])))


def test_fits_come_to_another_process_and_back(fits):
    """By the backend that joblib takes by default; the tables are computed over there."""
    ranked = [kind for kind in KINDS if kind not in ("history", "candidate")]
    with parallel_config(backend="loky", n_jobs=2):
        there = Parallel()(delayed(bj.rank_table)(fits[kind]) for kind in ranked)
        back = Parallel()(delayed(copy.copy)(fits[kind]) for kind in KINDS)
    for kind, table in zip(ranked, there, strict=True):
        assert_frame_equal(table, bj.rank_table(fits[kind]), check_exact=True)
    for kind, fit in zip(KINDS, back, strict=True):
        demand_equal(numbers(kind, fits[kind]), numbers(kind, fit))


def test_a_process_has_one_program_of_a_model_and_shape(panel_mode):
    program = panel_mode.program
    assert pickle.loads(pickle.dumps(program)) is copy.deepcopy(program) is program


def test_a_fit_that_is_loaded_is_drawn_from_as_before(fits):
    loaded = pickle.loads(pickle.dumps(fits["covariance"]))
    some, others = (one.draws(seed=3, draws=5) for one in (fits["covariance"], loaded))
    np.testing.assert_array_equal(some, others)
