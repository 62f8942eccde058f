import numpy as np
import pytest
import xarray as xr

import bayesjudge as bj
from bayesjudge.errors import UnknownFitError, UnknownQuantityError
from bayesjudge.fits.estimate import normal_tree
from bayesjudge.report.evidence import evidence


def test_a_posterior_is_read_by_median_and_quantiles(panel_posterior):
    found = evidence(panel_posterior, "position")
    drawn = panel_posterior["posterior"]["position"]
    np.testing.assert_allclose(found.estimate, drawn.median(("chain", "draw")))
    np.testing.assert_allclose(found.interval(0.9), drawn.quantile([0.05, 0.95], ("chain", "draw")))
    assert found.label == "NUTS"
    assert found.dims == ("judge",)


def test_a_mode_is_its_sandwich_by_prompt(panel_mode):
    exact = panel_mode.covariance("sandwich", "prompt")
    found = evidence(panel_mode, "position")
    assert found.label == "sandwich by prompt"
    xr.testing.assert_allclose(found.interval(0.9), exact.interval("position", 0.9))


def test_a_mode_of_a_single_prompt_is_model_based(verdicts):
    frame = verdicts(("a", "b", 3, 2)).to_frame().assign(prompt="the same")
    fit = bj.mode(bj.models.bradley_terry, bj.read(frame, kind="llm"))
    found = evidence(fit, "score")
    assert found.label == "model-based"
    xr.testing.assert_allclose(found.interval(), fit.covariance("model").interval("score"))


def test_labels(panel_mode, two_groups_draws, drawn):
    assert evidence(panel_mode.covariance("model"), "score").label == "model-based"
    assert evidence(panel_mode.covariance(cluster="row"), "score").label == "sandwich by row"
    assert evidence(two_groups_draws, "score").label == "Laplace"
    assert evidence(drawn([[1.0, 2.0]], "ab"), "score").label == "posterior"


@pytest.mark.parametrize("quantity", ["score", "net_first_preference", "scaled_sensitivity"])
def test_a_mode_as_a_tree_says_the_same(panel_mode, quantity):
    exact = panel_mode.covariance("sandwich", "prompt")
    here, there = evidence(exact, quantity), evidence(normal_tree(exact), quantity)
    xr.testing.assert_identical(here.interval(), there.interval())
    np.testing.assert_array_equal(here.draws, there.draws)


def test_normal_draws_have_the_covariance_of_the_fit(panel_mode):
    found = evidence(panel_mode, "score")
    spread = np.sqrt(np.diag(found.covariance))
    error = np.cov(found.draws.T) - found.covariance
    assert (np.abs(error) < 5 * np.outer(spread, spread) / np.sqrt(4000)).all()
    np.testing.assert_allclose(found.draws.sum(1), 0, atol=1e-6)  # scores sum to zero
    assert not np.array_equal(found.draws, evidence(panel_mode, "score", seed=1).draws)


def test_net_preference_stays_within_its_range_and_agrees_with_position(panel_mode):
    preference = evidence(panel_mode, "net_first_preference").interval(0.999999)
    position = evidence(panel_mode, "position").interval(0.999999)
    np.testing.assert_allclose(preference, np.tanh(position / 2))


def test_errors_name_what_is_wrong(panel_mode, panel_posterior):
    with pytest.raises(UnknownFitError, match="of type dict"):
        evidence({}, "score")
    with pytest.raises(UnknownFitError, match="no group 'posterior'"):
        evidence(xr.DataTree(), "score")
    for fit in (panel_mode, panel_posterior):
        with pytest.raises(UnknownQuantityError, match="net_first_preference"):
            evidence(fit, "charm")
