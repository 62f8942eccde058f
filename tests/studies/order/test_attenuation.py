import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize
from scipy.special import expit, logit

from bayesjudge.errors import InvalidWeightError, NoQualityGapError, UnknownOptionError
from bayesjudge.studies.order.attenuation import (
    FIGURE_GAPS,
    attenuation_factor,
    net_first_preference,
    order_averaged_log_odds,
    population_sensitivity,
)

BETTER = np.arange(1, 201) / 200  # OSCAR, Appendix A.3
positions = st.floats(-6, 6)


def test_figure_1b():
    assert population_sensitivity(FIGURE_GAPS, 4.0) == pytest.approx(0.07715, abs=5e-6)
    assert population_sensitivity(FIGURE_GAPS, 0.0) == pytest.approx(1.0, abs=1e-12)


def test_forty_sixty_example():
    assert population_sensitivity(BETTER, 1.0, 0.4) == pytest.approx(0.52767, abs=5e-6)


def test_with_a_position_term_the_truth_comes_back():
    gap, order = np.repeat(BETTER, 2), np.tile([1.0, -1.0], 200)
    share = np.tile([0.4, 0.6], 200)
    mean = expit(gap + order)

    def loss(theta):
        eta = theta[0] * gap + theta[1] * order
        return np.sum(share * (np.logaddexp(0, eta) - mean * eta))

    found = minimize(loss, [0.5, 0.0], method="BFGS", options={"gtol": 1e-9}).x
    np.testing.assert_allclose(found, [1, 1], atol=1e-5)


@settings(deadline=None)
@given(positions, st.floats(0.1, 5))
def test_balanced_orders_attenuate(position, sensitivity):
    found = population_sensitivity(FIGURE_GAPS, position, sensitivity=sensitivity)
    assert 0 < found <= sensitivity * (1 + 1e-12)
    assert found == pytest.approx(
        population_sensitivity(FIGURE_GAPS, -position, sensitivity=sensitivity)
    )


@given(positions)
def test_factor_is_one_less_the_squared_preference(position):
    expected = 1 - net_first_preference(position) ** 2
    assert attenuation_factor(position) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("position", [0.5, 2.0])
def test_gaps_near_zero_give_the_local_factor(position):
    """Lemma A.3: what is left falls with the square of the gaps."""
    errors = [
        population_sensitivity(delta * BETTER, position) - attenuation_factor(position)
        for delta in (0.2, 0.1)
    ]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.02)


def test_slope_at_equal_quality():
    step = 1e-5
    ends = order_averaged_log_odds([-step, step], 1.3, sensitivity=2.0)
    assert (ends[1] - ends[0]) / (2 * step) == pytest.approx(2 * attenuation_factor(1.3))


def test_log_odds_are_those_of_the_mean():
    mean = 0.3 * expit(2 * BETTER + 0.7) + 0.7 * expit(2 * BETTER - 0.7)
    found = order_averaged_log_odds(BETTER, 0.7, 0.3, 2.0)
    np.testing.assert_allclose(found, logit(mean), atol=1e-12)


def test_one_gap_is_fitted_exactly():
    expected = order_averaged_log_odds([0.5], 1.0)[0] / 0.5
    assert population_sensitivity([0.5], 1.0) == pytest.approx(expected, abs=1e-12)
    assert population_sensitivity([-0.5], 1.0) == pytest.approx(expected, abs=1e-12)


def test_whole_weights_repeat_gaps():
    weighted = population_sensitivity([0.5, 2.0], 1.0, weights=[3, 1])
    assert weighted == pytest.approx(population_sensitivity([0.5, 0.5, 0.5, 2.0], 1.0))


def test_always_second_can_hide_all_sensitivity():
    assert population_sensitivity(BETTER, 4.0, 0.0) == 0.0
    assert population_sensitivity(BETTER, 4.0, 1.0) > 1.0


def test_extreme_positions_stay_finite():
    assert 0 <= population_sensitivity(FIGURE_GAPS, 80.0) < 1e-15
    assert np.isfinite(population_sensitivity([1.0], 80.0, 1.0))


def test_what_cannot_be_is_refused():
    with pytest.raises(NoQualityGapError):
        population_sensitivity([0.0, 0.0], 1.0)
    with pytest.raises(UnknownOptionError):
        population_sensitivity([1.0], 1.0, first_share=40)
    with pytest.raises(InvalidWeightError):
        population_sensitivity([1.0], 1.0, weights=[0.0])
