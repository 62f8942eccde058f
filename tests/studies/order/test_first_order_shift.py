import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.errors import InvalidCovariateError, UnsuitableModeError
from bayesjudge.studies.order.first_order_shift import (
    first_order_shift,
    population_mode,
    position_columns,
)


def without_terms(data):
    return bj.mode(bj.models.sensitivity, bj.design(data, terms=()))


def errors_of(fit, columns, effects, sizes):
    """How far the linear shift is from the exact one, for effects of several sizes."""
    slope = first_order_shift(fit, columns).slope
    exact = [population_mode(fit, columns, size * effects).phi - fit.phi for size in sizes]
    return [
        np.abs(found - slope @ (size * effects)).max()
        for found, size in zip(exact, sizes, strict=True)
    ]


@pytest.fixture(scope="module")
def fit(panel):
    return without_terms(panel)


@pytest.fixture(scope="module")
def balanced_fit(balanced_panel):
    return without_terms(balanced_panel)


def test_error_is_of_second_order(fit, panel):
    effects = np.array([1.0, -0.5, 0.3, 0.8, -1.0])
    coarse, fine = errors_of(fit, position_columns(panel), effects, (0.02, 0.01))
    assert coarse / fine == pytest.approx(4, rel=0.05)


def test_a_shift_names_its_columns(fit, panel):
    shown = repr(first_order_shift(fit, position_columns(panel)))
    assert shown == f"FirstOrderShift(5 omitted columns, of {fit!r})"


def test_any_column_may_be_omitted(fit, panel):
    ratio = np.log(panel.length_first / panel.length_second)
    columns = np.column_stack([ratio, ratio * (panel.judge == 2)])
    coarse, fine = errors_of(fit, columns, np.array([0.5, 1.0]), (0.02, 0.01))
    assert coarse / fine == pytest.approx(4, rel=0.05)


def test_balanced_orders_protect_to_first_order(balanced_fit, balanced_panel):
    """Corollary 2: position columns of B vanish, and what is left is of second order."""
    columns = position_columns(balanced_panel)
    shift = first_order_shift(balanced_fit, columns)
    assert np.abs(shift.cross).max() < 1e-10 * np.abs(shift.information).max()
    coarse, fine = errors_of(balanced_fit, columns, np.array([1.0, -1.0, 0.5]), (0.1, 0.05))
    assert coarse / fine == pytest.approx(4, rel=0.05)


def test_what_is_left_is_the_attenuation(balanced_fit, balanced_panel):
    """The same position effect in all judges but one lowers their sensitivities by 1 - D^2."""
    effects = np.array([0.0, 0.6, 0.6])
    exact = population_mode(balanced_fit, position_columns(balanced_panel), effects)
    before, after = (each.quantity("scaled_sensitivity").values for each in (balanced_fit, exact))
    expected = 1 / np.cosh(effects / 2) ** 2
    np.testing.assert_allclose(after / before, expected, rtol=0.02)


def test_unbalanced_orders_do_not(fit, panel):
    assert np.abs(first_order_shift(fit, position_columns(panel)).cross).max() > 1


def test_quantities_move_by_the_delta_method(fit, panel):
    columns, effects = position_columns(panel), np.array([0.01, 0, 0, -0.01, 0])
    found = first_order_shift(fit, columns).of("score", effects)
    exact = population_mode(fit, columns, effects).quantity("score") - fit.quantity("score")
    np.testing.assert_allclose(found, exact, atol=5e-5)
    assert found.dims == ("item",)


def test_unknown_orders_have_no_position(read_rows):
    data = read_rows(("a", "b", "first", "p"), ("b", "a", "first", "p"), order_known=[True, False])
    assert position_columns(data).ravel().tolist() == [1, 0]


def test_what_the_theorem_does_not_cover_is_refused(fit, panel):
    with pytest.raises(InvalidCovariateError, match="one row a verdict"):
        first_order_shift(fit, np.ones(panel.n_rows))
    davidson = bj.mode(bj.models.sensitivity_davidson, bj.design(panel, terms=()))
    with pytest.raises(UnsuitableModeError, match="half wins"):
        first_order_shift(davidson, position_columns(panel))
