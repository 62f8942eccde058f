"""Counting rows differently is the same as having other rows."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import bayesjudge as bj

ROWS = ("first", "second", "verdict", "judge", "prompt", "order_known", "weight", "repeat")
LENGTHS = ("length_first", "length_second", "source_row")


def drawn(data, times):
    rows = np.repeat(np.arange(data.n_rows), times)
    return replace(data, **{name: getattr(data, name)[rows] for name in (*ROWS, *LENGTHS)})


@pytest.mark.parametrize("terms", [(), ("position",), ("position", "family")])
def test_weights_are_repetitions(terms):
    data = bj.synthetic_panel(prompts=60, seed=5)
    times = np.random.default_rng(1).integers(0, 3, data.n_rows)
    options = {"families": bj.panel_families(), "reference_judge": "judge-1"}
    full = bj.design(data, terms, **options)
    weighted = bj.reweighted(full, times)
    by_hand = bj.design(drawn(data, times), terms, **options)
    assert weighted.layout.counts.shape == full.layout.counts.shape
    assert_array_equal(weighted.layout.judge_counts, by_hand.layout.judge_counts)
    assert weighted.layout.retained == by_hand.layout.retained
    one, two = (bj.mode(bj.models.sensitivity, each) for each in (weighted, by_hand))
    assert_allclose(one.quantity("score"), two.quantity("score"), atol=1e-9)
    errors = [each.covariance().standard_error("score") for each in (one, two)]
    assert_allclose(errors[0], errors[1], rtol=1e-7)


def test_a_judge_left_out_has_no_effect_of_its_own():
    data = bj.synthetic_panel(prompts=60, seed=5)
    kept = bj.reweighted(bj.design(data), data.judge != 2)
    assert kept.layout.retained == ((True, True, False, True, True),)


@pytest.mark.parametrize("weight", [np.ones(3), -np.ones(50), np.zeros(50), np.full(50, np.nan)])
def test_weights_that_do_not_fit_are_refused(weight):
    full = bj.design(bj.synthetic_panel(prompts=10, seed=1))
    with pytest.raises(bj.errors.InvalidWeightsError):
        bj.reweighted(full, weight)


def test_only_designs_are_reweighted():
    with pytest.raises(bj.errors.NotDesignError, match=r"bj\.design"):
        bj.reweighted(bj.example_panel(), np.ones(2000))
