"""Faults that a reviewer found, so that they stay mended."""

import math

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.studies.runner.study import definition

st = bj.studies


def study(estimator):
    return st.Study(
        name="toy",
        settings=[{"n": 1}],
        draw=lambda setting, seed: setting,
        estimators={"m": estimator},
        metrics=lambda drawn, estimates: [{"estimator": "m", "metric": "value", "value": 1.0}],
    )


class Constant:
    def __init__(self, value):
        self.value = value

    def __call__(self, drawn):
        return self.value

    def fit(self, drawn):
        return self.value


def defaulted(value):
    return lambda drawn, value=value: value


def closed_over(value):
    array = np.zeros(2_000)
    array[1_000] = value
    return lambda drawn: array


@pytest.mark.parametrize(
    "make", [defaulted, closed_over, Constant, lambda value: Constant(value).fit]
)
def test_a_study_is_another_one_when_its_functions_carry_other_values(make):
    one, again, other = (definition(study(make(value)), 1) for value in (1.0, 1.0, 2.0))
    assert one == again
    assert one["estimators"] != other["estimators"]


def recursive():
    def countdown(number):
        return countdown(number - 1) if number else 0

    return countdown


@pytest.mark.parametrize("function", [max, math.sqrt, np.exp, recursive()])
def test_compiled_and_recursive_functions_are_digested(function):
    estimators = [definition(study(each), 1)["estimators"] for each in (function, function, min)]
    assert estimators[0] == estimators[1] != estimators[2]


def test_a_function_that_moves_to_another_module_keeps_its_digest():
    before = definition(study(defaulted(1.0)), 1)
    moved = defaulted(1.0)
    moved.__module__, moved.__qualname__ = "elsewhere", "another.place"
    assert definition(study(moved), 1) == before


def test_the_exact_shift_counts_reweighted_rows():
    data = bj.synthetic_panel(60, seed=1)
    weight = np.where(data.prompt < 30, 9.0, 1.0)
    fit = bj.mode(bj.models.sensitivity, bj.reweighted(bj.design(data, ()), weight), prior=False)
    columns, effects = st.position_columns(data), 1e-3 * np.arange(1, 6)
    exact = st.population_mode(fit, columns, effects).quantity("score") - fit.quantity("score")
    first_order = st.first_order_shift(fit, columns).of("score", effects)
    np.testing.assert_allclose(exact, first_order, atol=2e-5)


def test_designs_of_other_names_are_not_compared():
    def named(a, b):
        rows = [
            {"item_first": a, "item_second": b, "verdict": v, "prompt": f"p{i}"}
            for i, v in enumerate(["first", "second"] * 6)
        ]
        return bj.read(rows)

    one, other = named("a", "b"), named("c", "d")
    programs = {
        "x": (bj.models.bradley_terry, bj.design(one)),
        "y": (bj.models.bradley_terry, bj.design(other)),
    }
    with pytest.raises(bj.errors.MismatchedRowsError):
        st.held_out(programs, st.prompt_folds(one, seed=1))


def test_unknown_order_compares_nothing():
    rows = bj.synthetic_panel(60, seed=1).to_frame().assign(order_known=False)
    table = st.attenuation_table(bj.read(rows))
    assert table["discrepancy"].isna().all()
    assert table["net_first_preference"].isna().all()
