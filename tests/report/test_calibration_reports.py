"""Reports of calibrated fits: notes on intervals, tests of position, and figures of a path."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.fits.covariance import usual_covariance
from bayesjudge.plots.weight_path import _apart

TESTS = pytest.mark.parametrize(
    "tests", [bj.calibration.position_tests, bj.calibration.shared_position_tests]
)


@pytest.fixture(scope="module")
def path(panel):
    return bj.calibration.weight_path(bj.models.calibrated, panel, bj.example_votes())


@pytest.fixture(scope="module")
def orderless(panel):
    """The panel with all orders of the first judge unknown, fitted by maximum likelihood."""
    data = replace(panel, order_known=panel.order_known & (panel.judge != 0))
    return bj.mode(bj.models.consensus, data, prior=False)


# -- notes on intervals -----------------------------------------------------------------------


def test_the_model_based_covariance_of_powers_counts_each_power_twice(path):
    """H^-1 (p^2 I_l + I_h) H^-1 with H = p I_l + I_h."""
    weight = path.candidates[-2].weight
    fit = path.joint_fit(weight)
    power = float(fit.designs[0].layout.power)
    judges, humans = (fit.expected_information(d) for d in fit.designs)
    bread = np.linalg.inv(power * judges + humans)
    wanted = bread @ (power**2 * judges + humans) @ bread
    found = usual_covariance(path.covariance(weight).mode)
    assert found.label == "model-based"
    np.testing.assert_allclose(found.matrix, wanted, rtol=1e-7, atol=1e-12)


def test_a_fit_without_powers_is_compared_with_its_observed_information(panel_mode):
    found = usual_covariance(panel_mode)
    assert found.label == "observed information"
    np.testing.assert_array_equal(found.matrix, np.linalg.inv(panel_mode.hessian))


def test_low_weights_do_not_make_a_sandwich_look_narrow(real_data, shared_data, tmp_path):
    """The sandwich of vicuna80 is about as wide as independent votes would make it."""
    judges = real_data("vicuna80")
    humans = bj.read(shared_data("vicuna80_human"), missing_length="keep", kind="human")
    flat = bj.calibration.structure(judges, humans, rank=0)
    found = bj.calibration.weight_path(bj.models.calibrated, judges, humans, flat, weights=[0.0166])
    covariance = found.covariance(found.candidates[1].weight)
    bj.save(covariance, tmp_path / "fit.nc")
    for each in (covariance, bj.load(tmp_path / "fit.nc")):
        assert "less than half as wide" not in bj.rank_table(each).caption


# -- tests of position ------------------------------------------------------------------------


def test_a_judge_of_unknown_orders_has_no_test_of_position(orderless):
    table = bj.calibration.position_tests(bj.calibration.two_sample_covariance(orderless))
    numbers = table[["position", "standard_error", "z", "p_value"]].isna()
    assert numbers.iloc[0].all()
    assert not numbers.iloc[1:].to_numpy().any()
    assert "judge-1 do not inform its position: its tests are missing" in table.caption


def test_a_judge_of_unknown_orders_shares_no_position(orderless):
    table = bj.calibration.shared_position_tests(bj.calibration.two_sample_covariance(orderless))
    with_it = table["first_judge"] == "judge-1"
    numbers = table[["difference", "standard_error", "z", "p_value"]].isna()
    assert numbers[with_it].all(axis=None)
    assert not numbers[~with_it].any(axis=None)
    assert "judge-1 do not inform its position" in table.caption


def test_other_judges_are_tested_as_if_that_judge_had_no_row(orderless):
    covariance = bj.calibration.two_sample_covariance(orderless)
    error = covariance.standard_error("position").values[1:]
    table = bj.calibration.position_tests(covariance)
    np.testing.assert_allclose(table["standard_error"][1:], error)
    np.testing.assert_allclose(table["position"][1:], orderless.quantity("position")[1:])


@TESTS
def test_captions_say_nothing_where_all_positions_are_estimated(path, tests):
    assert "missing" not in tests(path.covariance(path.candidates[1].weight)).caption


@TESTS
def test_draws_are_not_tested(two_groups_draws, tests):
    with pytest.raises(errors.UnknownFitError, match=r"give the result of bj\.mode or its cov"):
        tests(two_groups_draws)


@TESTS
def test_a_saved_mode_is_tested_as_before(orderless, tests, tmp_path):
    bj.save(orderless, tmp_path / "fit.nc")
    pd.testing.assert_frame_equal(tests(bj.load(tmp_path / "fit.nc")), tests(orderless))


@pytest.mark.parametrize("report", [bj.rank_table, bj.judge_table, bj.calibration.position_tests])
def test_a_path_is_reported_at_its_selected_weight(path, report):
    shown, chosen = report(path), report(path.covariance())
    pd.testing.assert_frame_equal(shown, chosen)
    assert shown.legend() == chosen.legend()


@pytest.mark.parametrize("report", [bj.rank_table, bj.plot_ranking, bj.judge_table])
def test_a_path_without_an_admissible_fit_is_not_reported(path, report):
    with pytest.raises(errors.NoAdmissibleFitError, match="a reason"):
        report(hidden(path))


# -- the figure of a path ---------------------------------------------------------------------


def names_drawn(figure):
    """Texts beside the scores, with where they end as a share of the figure."""
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    frame = figure.transFigure.inverted()
    found = [text for text in figure.axes[1].texts if text.get_text()]
    return {each.get_text(): frame.transform_bbox(each.get_window_extent()) for each in found}


def hidden(path, *kept):
    """Give a path of which some fits only may be reported."""
    every = enumerate(path.candidates)
    faults = [each if i in kept else replace(each, fault="a reason") for i, each in every]
    return replace(path, candidates=tuple(faults))


@pytest.mark.parametrize("kept", [(0, -1), (-1,), (0,), (0, 1, -1)])
def test_every_item_has_its_name_inside_the_figure(path, kept):
    n = len(path.candidates)
    drawn = names_drawn(bj.calibration.plot_weight_path(hidden(path, *(each % n for each in kept))))
    assert set(path.blocks.designs[0].items) <= set(drawn)
    for box in drawn.values():
        assert min(box.x0, box.y0) > 0
        assert max(box.x1, box.y1) < 1


def test_long_names_stay_apart_and_inside(panel):
    names = tuple(
        f"organisation-{c}/a-rather-long-name-{c}-70B-Instruct-dynamic" for c in "abcdefgh"
    )
    judges, humans = (replace(each, items=names) for each in (panel, bj.example_votes()))
    path = bj.calibration.weight_path(bj.models.calibrated, judges, humans, weights=[])
    drawn = names_drawn(bj.calibration.plot_weight_path(path))
    assert len(drawn) == 8
    assert max(box.x1 for box in drawn.values()) < 1


def test_a_single_fit_has_markers(path):
    axes = bj.calibration.plot_weight_path(hidden(path, len(path.candidates) - 1)).axes[1]
    assert {line.get_marker() for line in axes.lines[:8]} == {"o"}


def test_fits_that_are_left_out_are_named(path):
    n = len(path.candidates)
    whole = names_drawn(bj.calibration.plot_weight_path(path))
    part = names_drawn(bj.calibration.plot_weight_path(hidden(path, *range(1, n))))
    assert not any(text.startswith("not shown") for text in whole)
    assert "not shown: anchored (path.table() says why)" in part


def test_names_move_no_more_than_they_must():
    values = np.array([0.0, 0.1, 5.0, 9.0])
    np.testing.assert_allclose(_apart(values, 1.0, 0.0, 10.0), [0.0, 1.0, 5.0, 9.0])
    np.testing.assert_allclose(_apart(values, 1.0, -5.0, 10.0), [-0.45, 0.55, 5.0, 9.0])
    np.testing.assert_allclose(_apart(values, 3.0, 0.0, 9.0), [0.0, 3.0, 6.0, 9.0])
    assert pd.Series(_apart(values, 4.0, 0.0, 9.0)).is_monotonic_increasing
