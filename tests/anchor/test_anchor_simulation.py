"""Draws of ANCHOR's design, and what the methods make of one."""

import numpy as np
import pytest

from bayesjudge.studies.anchor_simulation import (
    DEFAULT,
    arrival_metrics,
    draw_arrival,
    fit_joint_btl,
    fit_two_step,
)


@pytest.fixture(scope="module")
def drawn():
    return draw_arrival(DEFAULT, 5)


def test_sizes_and_samples(drawn):
    judges, humans = (each.data for each in drawn.designs)
    assert judges.n_rows + humans.n_rows == DEFAULT["history"] + DEFAULT["arrivals"]
    new = (judges.first == 10) | (judges.second == 10)
    assert new.sum() == DEFAULT["arrivals"]
    assert humans.n_items == 10
    assert abs(drawn.score[:10].sum()) < 1e-12


def test_same_seed_same_verdicts(drawn):
    again = draw_arrival(DEFAULT, 5)
    assert np.array_equal(again.designs[0].data.verdict, drawn.designs[0].data.verdict)


def test_bias_is_as_large_as_asked():
    """With no bias the judges' verdicts say nothing about features."""
    none = draw_arrival({**DEFAULT, "bias": 0.0, "history": 40_000}, 3)
    from bayesjudge.inference.two_step import two_step

    assert np.abs(two_step(none.designs, none.roster).effects).max() < 0.15  # five errors


def test_metrics_of_two_methods(drawn):
    estimates = {"two-step": fit_two_step(drawn), "JointBTL": fit_joint_btl(drawn)}
    rows = {
        (each["estimator"], each["metric"]): each["value"]
        for each in arrival_metrics(drawn, estimates)
    }
    assert abs(rows["two-step", "error"]) < 0.6  # five standard errors of 0.11
    for name in estimates:
        assert rows[name, "squared_error"] == pytest.approx(rows[name, "error"] ** 2)
        assert rows[name, "insertion_error"] in range(11)
