"""Averaging over orders: identities of DIAL B.2, at moderate and at extreme numbers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit

import bayesjudge as bj
from bayesjudge import studies

GAPS = np.array([-6.0, -1.5, -0.2, 0.0, 0.3, 2.0, 5.0])
POSITIONS = np.array([-3.0, -0.5, 0.0, 1.0, 4.0])[:, None]


def test_debiased_log_odds_are_the_mean_of_both_orders():
    mean = 0.5 * (logit(expit(GAPS + POSITIONS)) + logit(expit(GAPS - POSITIONS)))
    deb = np.broadcast_to(expit(GAPS), mean.shape)
    assert_allclose(deb, expit(mean), atol=1e-12)


def test_factor_is_what_averaging_leaves_of_the_preference():
    average = studies.averaged_probability(GAPS, POSITIONS) - 0.5
    debiased = expit(GAPS) - 0.5
    factor = studies.averaging_factor(GAPS, POSITIONS)
    assert_allclose(average, factor * debiased, atol=1e-12)
    assert (factor[POSITIONS[:, 0] != 0] < 1).all()


def test_log_odds_are_those_of_the_average_also_far_out():
    assert_allclose(
        studies.averaged_log_odds(GAPS, POSITIONS),
        logit(studies.averaged_probability(GAPS, POSITIONS)),
        atol=1e-10,
    )
    far = studies.averaged_log_odds([800.0, -800.0], 3.0)
    assert np.isfinite(far).all()
    assert far[0] == -far[1]
    assert_allclose(studies.averaging_factor(800.0, 3.0), 1.0)
    assert_allclose(studies.averaging_factor(0.0, 800.0), 0.0, atol=1e-300)


@pytest.mark.parametrize("position", [0.5, 2.0])
def test_slope_at_zero_is_the_attenuation_of_sensitivity(position):
    slope = studies.averaged_log_odds(1e-6, position) / 1e-6
    assert_allclose(slope, 1 - np.tanh(position / 2) ** 2, rtol=1e-6)


def test_scores_close_round_a_triangle_only_without_position():
    assert_allclose(studies.cycle_defect(1.0, 0.5, 0.0), 0.0, atol=1e-14)
    assert abs(studies.cycle_defect(1.0, 0.5, 1.5)) > 0.01


def test_missing_numbers_are_named():
    with pytest.raises(bj.errors.MissingEstimateError, match="position holds NaN"):
        studies.averaged_log_odds(1.0, np.nan)


@pytest.mark.parametrize("position", [5.0, 40.0])
def test_log_odds_keep_their_digits_where_position_is_large(position):
    share = np.sinh(GAPS) / (np.cosh(GAPS) + np.cosh(position))
    found = studies.averaged_log_odds(GAPS, position)
    assert_allclose(found, 2 * np.arctanh(share), rtol=1e-9, atol=0)
