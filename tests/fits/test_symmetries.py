"""Exact symmetries of every fixed-scale program, by hypothesis: the data decide, not their order.

Hypothesis is derandomised, so that the tests are deterministic; panels share one shape a program,
so that each compiles once.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose

import bayesjudge as bj

PROGRAMS = (
    "bradley_terry",
    "bradley_terry_davidson",
    "order_effect",
    "sensitivity",
    "sensitivity_davidson",
)
EXACT = 1e-8  # of modes whose gradient is 1e-10: the optimum is shared, the path to it is not
seeds = st.integers(0, 10_000)
few = settings(max_examples=8, deadline=None, derandomize=True)


def panel(seed):
    """A full round robin of four items before three judges, with ties: the same cells each time.

    The items differ, so that every program has one maximum: pure noise may have two.
    """
    rng = np.random.default_rng(seed)
    judge, first, second, prompt = np.meshgrid(*map(np.arange, (3, 4, 4, 5)), indexing="ij")
    shown = (first != second).ravel()
    n_rows = int(shown.sum())
    gap = (second - first).ravel()[shown]
    decided = np.where(rng.random(n_rows) < 1 / (1 + np.exp(-0.8 * gap - 0.4)), 0, 2)
    return bj.Comparisons(
        items=tuple("abcd"),
        judges=("j1", "j2", "j3"),
        prompts=tuple(f"p{i}" for i in range(5)),
        first=first.ravel()[shown],
        second=second.ravel()[shown],
        verdict=np.where(rng.random(n_rows) < 0.15, 1, decided),
        judge=judge.ravel()[shown],
        prompt=prompt.ravel()[shown],
        human=np.zeros(3, dtype=bool),
        order_known=np.ones(n_rows, dtype=bool),
        weight=np.ones(n_rows),
        repeat=np.ones(n_rows, dtype=int),
        source_row=np.arange(n_rows),
    )


def fit(program, data):
    return bj.mode(getattr(bj.models, program), bj.design(data, reference_judge="j1"))


def rows(data, index):
    names = ("first", "second", "verdict", "judge", "prompt", "order_known", "weight", "repeat")
    taken = {name: getattr(data, name)[index] for name in names}
    return replace(data, source_row=np.arange(len(index)), **taken)


def same(one, other, sign=None):
    for name in one.quantities:
        factor = (sign or {}).get(name, 1.0)
        found = other.quantities[name].sel(one.quantities[name].coords)
        assert_allclose(factor * found, one.quantities[name], atol=EXACT)
    assert_allclose(one.objective, other.objective, rtol=1e-12)
    for cluster in ("prompt", "cell", "row"):
        mine, theirs = (each.covariance("sandwich", cluster) for each in (one, other))
        error = theirs.standard_error("score").sel(item=one.quantity("score")["item"])
        assert_allclose(error, mine.standard_error("score"), rtol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS)
@few
@given(seed=seeds)
def test_the_order_of_rows_does_not_matter(program, seed):
    data = panel(seed)
    shuffled = rows(data, np.random.default_rng(seed).permutation(data.n_rows))
    same(fit(program, data), fit(program, shuffled))


@pytest.mark.parametrize("program", PROGRAMS)
@few
@given(seed=seeds)
def test_names_do_not_matter(program, seed):
    data = panel(seed)
    turn = np.array([2, 0, 3, 1])  # item i is now called by the name in this place
    renamed = replace(data, first=turn[data.first], second=turn[data.second])
    one, other = fit(program, data), fit(program, renamed)
    assert_allclose(other.quantity("score").values[turn], one.quantity("score"), atol=EXACT)


@pytest.mark.parametrize("program", PROGRAMS)
@few
@given(seed=seeds)
def test_exchanging_slots_negates_position_and_nothing_else(program, seed):
    data = panel(seed)
    mirrored = replace(data, first=data.second, second=data.first, verdict=2 - data.verdict)
    sign = {"position": -1.0, "net_first_preference": -1.0}
    same(fit(program, data), fit(program, mirrored), sign)


@pytest.mark.parametrize("program", PROGRAMS)
@few
@given(seed=seeds)
def test_a_row_repeated_is_a_row_of_weight_two(program, seed):
    data = panel(seed)
    heavy = np.random.default_rng(seed).random(data.n_rows) < 0.3
    repeated = rows(data, np.concatenate([np.arange(data.n_rows), np.flatnonzero(heavy)]))
    same(fit(program, replace(data, weight=1.0 + heavy)), fit(program, repeated))


def test_exchanging_items_negates_their_contrast_to_the_last_digits():
    data = panel(3)
    turn = np.array([1, 0, 2, 3])
    swapped = replace(data, first=turn[data.first], second=turn[data.second])
    one, other = (fit("sensitivity", each).quantity("score").values for each in (data, swapped))
    assert one[0] - one[1] == pytest.approx(other[1] - other[0], abs=1e-13)
