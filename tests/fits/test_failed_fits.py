"""Fits that did not go to a good end: what they say, and the draws that they keep."""

import pickle
import re
from contextlib import nullcontext

import pytest
import xarray as xr

import bayesjudge as bj
from bayesjudge.engine.chains import BLOCK
from bayesjudge.fits.estimate import read_meta

SHORT = {"seed": 1, "draws": 20, "progress": False}
INTERRUPTED = {"seed": 1, "chains": 2, "warmup": 2 * BLOCK, "draws": 8 * BLOCK, "progress": False}


@pytest.fixture(scope="module")
def unchecked(panel):
    return bj.nuts(bj.models.sensitivity_pooled, panel, check=False, **SHORT)


@pytest.fixture(scope="module")
def error(panel):
    with pytest.raises(bj.errors.NotConvergedError) as caught:
        bj.nuts(bj.models.sensitivity_pooled, panel, **SHORT)
    return caught.value


def test_the_error_says_which_limit_was_missed_by_how_much(error, unchecked):
    found = read_meta(unchecked)["convergence"]
    place = re.escape(found["worst"])
    (shown,) = re.findall(rf"R-hat ([\d.]+), limit 1.01, at {place};", str(error))
    assert float(shown) == pytest.approx(found["r_hat"], rel=0.01)
    assert "run longer (warmup=1000, draws=2000)" in str(error)


def test_the_error_carries_what_no_check_returns(error, unchecked):
    assert error.fit.identical(unchecked)
    assert "attribute `fit`" in error.__notes__[0]


def test_the_error_pickles_with_its_draws(error, unchecked):
    again = pickle.loads(pickle.dumps(error))
    assert again.fit.identical(unchecked)
    assert str(again) == str(error)


def test_errors_of_other_fits_carry_nothing():
    assert bj.errors.NotConvergedError("It was not reached.").fit is None


@pytest.mark.parametrize("report", [bj.rank_table, bj.judge_table])
def test_tables_of_the_draws_say_so(report, unchecked, panel_posterior):
    words = "The chains did not converge (R-hat"
    assert words in report(unchecked).caption
    assert words not in report(panel_posterior).caption


def test_the_caution_and_the_statistics_are_saved(unchecked, tmp_path):
    bj.save(unchecked, tmp_path / "fit.nc")
    loaded = bj.load(tmp_path / "fit.nc")
    assert loaded.identical(unchecked)
    assert {"tree_depth", "step_size"} <= set(loaded["sample_stats"].data_vars)


def test_a_lower_rank_is_advised_where_there_is_one(panel):
    def advice(rank):
        structure = bj.calibration.structure(panel, rank=rank)
        with pytest.raises(bj.errors.NotConvergedError) as caught:
            bj.nuts(bj.models.consensus_pooled, panel, structure, **SHORT)
        return str(caught.value)

    assert "lower the rank of disagreement (bj.calibration.structure(..., rank=0))" in advice(1)
    assert "rank of disagreement" not in advice(0)


def test_one_chain_is_a_fit_that_says_what_was_not_checked(panel):
    fit = bj.nuts(bj.models.sensitivity_pooled, panel, seed=1, chains=1, draws=2000, progress=False)
    assert fit.posterior.sizes["chain"] == 1
    assert "chains from other starts agree with it was not checked" in bj.rank_table(fit).caption
    assert read_meta(fit)["convergence"]["r_hat"] < 1.05


@pytest.fixture
def interrupted(panel, monkeypatch):
    """Sample with Ctrl-C after so many blocks, and return what is raised."""

    def sample(blocks):
        left = iter(range(blocks - 1, -1, -1))

        def report(_):
            if next(left) == 0:
                raise KeyboardInterrupt

        monkeypatch.setattr(
            "bayesjudge.fits.nuts.sampling_progress", lambda *_: nullcontext(report)
        )
        monkeypatch.setattr("bayesjudge.engine.chains.os.cpu_count", lambda: 1)
        with pytest.raises(KeyboardInterrupt) as caught:
            bj.nuts(bj.models.sensitivity_pooled, panel, **INTERRUPTED)
        return caught.value

    return sample


@pytest.fixture(scope="module")
def whole(panel):
    return bj.nuts(bj.models.sensitivity_pooled, panel, check=False, **INTERRUPTED)


def test_the_draws_of_all_chains_are_kept(whole, interrupted):
    error = interrupted(blocks=11)
    assert type(error) is bj.errors.InterruptedFitError
    for group in ("unconstrained_posterior", "sample_stats"):
        first = whole[group].to_dataset().isel(draw=slice(3 * BLOCK))
        # log-densities are summed in batches of another size, which moves their last digit
        xr.testing.assert_allclose(error.fit[group].to_dataset(), first, rtol=1e-12)
    assert error.fit.posterior.sizes["draw"] == 3 * BLOCK
    assert error.fit["constant_data"].identical(whole["constant_data"])


def test_tables_of_the_draws_say_what_happened(interrupted):
    caption = bj.rank_table(interrupted(blocks=11).fit).caption
    assert "Sampling was interrupted after 150 of 400 draws a chain." in caption
    assert "The chains did not converge" in caption


def test_a_script_ends_and_an_error_handler_of_ours_does_not_stop_that(interrupted):
    error = interrupted(blocks=11)
    assert not isinstance(error, Exception)
    assert pickle.loads(pickle.dumps(error)).fit.identical(error.fit)


def test_before_the_warmup_is_over_it_is_an_ordinary_ctrl_c(interrupted):
    assert type(interrupted(blocks=3)) is KeyboardInterrupt
