import numpy as np
import pytest
import xarray as xr
from scipy.special import expit
from scipy.stats import norm

import bayesjudge as bj
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.fits.estimate import SHIFTS, normal_tree


@pytest.mark.parametrize("fit", ["panel_mode", "panel_posterior", "two_groups_mode", "two_items"])
def test_swapping_the_items_turns_everything_round(fit, request):
    won = bj.win_probability(request.getfixturevalue(fit), prob=0.8)
    np.testing.assert_allclose(won["win_probability"], 1 - won["win_probability"].values.T)
    np.testing.assert_allclose(won["lower"], 1 - won["upper"].values.T)
    np.testing.assert_allclose(np.diag(won["win_probability"]), 0.5)
    np.testing.assert_allclose(np.diag(won["lower"]), 0.5)
    known = ~won["rests_on_prior"]
    assert (won["lower"] <= won["win_probability"]).where(known, True).all()
    assert won["win_probability"].dims == ("item", "opponent")


def test_two_items_by_hand(two_items):
    won = bj.win_probability(two_items.covariance("model")).sel(item="yes", opponent="no")
    half = norm.ppf(0.975) * np.sqrt(1 / 30 + 1 / 10)
    assert float(won["win_probability"]) == pytest.approx(0.75)
    assert float(won["lower"]) == pytest.approx(expit(np.log(3) - half))
    assert float(won["upper"]) == pytest.approx(expit(np.log(3) + half))


def test_the_interval_is_the_papers(panel_mode):
    """OSCAR eq. (10): h_ij = mean(gamma) (s_i - s_j), with its gradient written out."""
    exact = panel_mode.covariance("sandwich", "prompt")
    slices = panel_mode.program.sites.slices
    basis, slope = helmert_basis(8), panel_mode.quantity("sensitivity").values
    scores = basis @ panel_mode.free("score_coordinates")
    i, j = 6, 0
    gradient = np.zeros(len(panel_mode.phi))
    gradient[slices["score_coordinates"]] = slope.mean() * (basis[i] - basis[j])
    free = np.delete(slope, panel_mode.designs[0].layout.reference)
    gradient[slices["log_sensitivity_coordinates"]] = free / 5 * (scores[i] - scores[j])
    h = slope.mean() * (scores[i] - scores[j])
    error = np.sqrt(gradient @ exact.matrix @ gradient)
    won = bj.win_probability(exact).isel(item=i, opponent=j)
    assert float(won["win_probability"]) == pytest.approx(expit(h), rel=1e-9)
    assert float(won["lower"]) == pytest.approx(expit(h - norm.ppf(0.975) * error), rel=1e-9)


def test_draws_by_hand(drawn):
    won = bj.win_probability(drawn([[0.0, 0.0], [2.0, 0.0], [4.0, 0.0]], "ab"), prob=0.5)
    pair = won.sel(item="a", opponent="b")
    assert float(pair["win_probability"]) == pytest.approx(expit([0, 2, 4]).mean())
    assert float(pair["lower"]) == pytest.approx(expit(1.0))
    assert float(pair["upper"]) == pytest.approx(expit(3.0))


def test_pairs_across_groups_rest_on_the_prior(two_groups_mode, two_groups_draws):
    exact, draws = (bj.win_probability(fit) for fit in (two_groups_mode, two_groups_draws))
    xr.testing.assert_equal(exact["rests_on_prior"], draws["rests_on_prior"])
    apart = exact["rests_on_prior"]
    assert bool(apart.sel(item="a", opponent="d"))
    assert not apart.sel(item="d", opponent="e")
    assert int(apart.sum()) == 2 * 3 * 2
    assert exact["lower"].isnull().equals(apart)
    assert draws["lower"].notnull().all()


def test_a_tree_that_does_not_say_goes_by_what_was_compared(two_groups_mode):
    exact = two_groups_mode.covariance("sandwich", "prompt")
    tree = normal_tree(exact)
    xr.testing.assert_identical(bj.win_probability(tree), bj.win_probability(exact))
    draws = bj.win_probability(tree.drop_nodes(list(SHIFTS)))
    xr.testing.assert_identical(
        draws["rests_on_prior"], bj.win_probability(exact)["rests_on_prior"]
    )


def test_one_display_order_of_one_pair_says_nothing(verdicts):
    """Position and score are one and the same where every verdict shows the same item first."""
    fit = bj.mode(bj.models.order_effect, verdicts(("a", "b", 8, 4)))
    won = bj.win_probability(fit)
    assert bool(won["rests_on_prior"].sel(item="a", opponent="b"))
    assert np.isnan(won["lower"].sel(item="a", opponent="b"))
