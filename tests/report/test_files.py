import numpy as np
import pandas as pd
import pytest
import xarray as xr

import bayesjudge as bj
from bayesjudge.errors import UnknownFitError, UnreadableFileError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "fit.nc"


def test_a_posterior_comes_back_identical(panel_posterior, path):
    bj.save(panel_posterior, path)
    loaded = bj.load(path)
    xr.testing.assert_identical(loaded, panel_posterior)
    assert loaded.attrs == panel_posterior.attrs


@pytest.mark.parametrize("fit", ["panel_mode", "panel_posterior", "two_groups_mode", "two_items"])
def test_reports_of_the_file_are_reports_of_the_fit(fit, path, request):
    fit = request.getfixturevalue(fit)
    bj.save(fit, path)
    loaded = bj.load(path)
    for report in (bj.rank_table, bj.judge_table, bj.compare_intervals):
        here, there = (report(fit=each) for each in (fit, loaded))
        pd.testing.assert_frame_equal(here, there)
        assert here.legend() == there.legend()
    xr.testing.assert_identical(bj.win_probability(fit), bj.win_probability(loaded))
    pd.testing.assert_frame_equal(bj.agreement(fit, fit), bj.agreement(loaded, loaded))


def test_a_covariance_keeps_its_kind(panel_mode, path):
    bj.save(panel_mode.covariance("model"), path)
    assert "model-based" in bj.rank_table(bj.load(path)).caption


def test_pairs_that_the_data_do_not_inform_are_kept(verdicts, path):
    fit = bj.mode(bj.models.order_effect, verdicts(("a", "b", 8, 4)))
    bj.save(fit, path)
    assert bj.win_probability(bj.load(path))["rests_on_prior"].values.any()


def test_a_file_is_replaced_while_its_fit_is_in_use(two_items, two_groups_mode, path):
    bj.save(two_items, path)
    loaded = bj.load(path)
    bj.save(two_groups_mode, path)
    assert loaded.posterior.sizes["item"] == 2
    assert bj.load(path).posterior.sizes["item"] == 5


def test_arviz_reads_the_file(two_items, path):
    az = pytest.importorskip("arviz")
    bj.save(two_items, path)
    summary = az.summary(az.from_netcdf(path), kind="stats", round_to="none")
    assert np.isclose(summary.loc["score[yes]", "mean"], np.log(3) / 2, atol=0.02)


def test_missing_and_foreign_files(tmp_path, drawn, two_items):
    with pytest.raises(UnreadableFileError, match=r"no file .*none\.nc"):
        bj.load(tmp_path / "none.nc")
    (tmp_path / "text.nc").write_text("not netCDF")
    with pytest.raises(UnreadableFileError, match="not a netCDF file"):
        bj.load(tmp_path / "text.nc")
    drawn([[1.0, 2.0]], "ab").to_netcdf(tmp_path / "foreign.nc", engine="h5netcdf")
    with pytest.raises(UnreadableFileError, match="holds no fit of bayesjudge"):
        bj.load(tmp_path / "foreign.nc")
    with pytest.raises(UnreadableFileError, match="There is no folder"):
        bj.save(two_items, tmp_path / "nowhere" / "fit.nc")


def test_only_fits_are_saved(drawn, path):
    with pytest.raises(UnknownFitError, match="bayesjudge_meta"):
        bj.save(drawn([[1.0, 2.0]], "ab"), path)
    with pytest.raises(UnknownFitError, match="of type str"):
        bj.save("fit", path)
