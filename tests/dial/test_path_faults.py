"""What a weight path refuses, and what it says instead of a number."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors


@pytest.fixture(scope="module")
def judges():
    return bj.example_panel()


@pytest.fixture(scope="module")
def path(judges):
    return bj.calibration.weight_path(
        bj.models.calibrated, judges, bj.example_votes(), weights=[5.0]
    )


def weighted(data, weight):
    return replace(data, weight=np.asarray(weight, dtype=float))


@pytest.mark.parametrize("powers", [(1.0, 0.1), (0.3, 1.0)])
def test_a_power_beside_the_weights_is_told(judges, powers):
    made = [
        bj.design(each, power=power)
        for each, power in zip((judges, bj.example_votes()), powers, strict=True)
    ]
    with pytest.raises(errors.WeightError, match="lay the verdicts out without power"):
        bj.calibration.weight_path(bj.models.calibrated, *made)


@pytest.mark.parametrize("total", [1.0, 0.9])
def test_a_path_needs_more_than_one_vote(judges, total):
    votes = bj.example_votes().select(np.arange(300) < 3)
    with pytest.raises(errors.EmptyComparisonsError, match="needs more than one"):
        bj.calibration.weight_path(
            bj.models.calibrated, judges, weighted(votes, np.full(3, total / 3))
        )


def taken(votes, rows, weight):
    """Rows in any order and as often as wanted, with weights."""
    columns = ("first", "second", "verdict", "judge", "prompt", "order_known", "repeat")
    return replace(
        votes,
        **{name: getattr(votes, name)[rows] for name in columns},
        length_first=None,
        length_second=None,
        source_row=np.arange(len(rows)),
        weight=np.asarray(weight, dtype=float),
    )


def test_leaving_one_vote_out_does_not_depend_on_how_votes_are_written(judges):
    """Whole votes, and each in two parts, one after the other or apart."""
    votes, parts = bj.synthetic_votes(60, seed=1), np.tile([0.3, 0.7], 60)
    rows = np.repeat(np.arange(60), 2)
    apart = np.argsort(parts, kind="stable")
    written = (votes, taken(votes, rows, parts), taken(votes, rows[apart], parts[apart]))
    first, *others = (
        bj.calibration.leave_one_vote_out(
            bj.calibration.weight_path(bj.models.calibrated, judges, each, weights=[30.0])
        )
        for each in written
    )
    for other in others:
        np.testing.assert_allclose(other["leave_one_out"], first["leave_one_out"], rtol=1e-7)


@pytest.mark.parametrize("name", ["Cell", "judge_pair", "judges"])
def test_clusters_that_do_not_exist_are_told(path, name):
    with pytest.raises(errors.UnknownClusterError, match="'prompt', 'cell' or 'row'"):
        path.covariance(5.0, cluster=name)


def test_one_label_for_each_verdict_and_vote_serves_the_whole_path(path):
    rows = sum(each.data.n_rows for each in path.blocks.designs)
    labels = [str(row) for row in range(rows)]
    for weight in (np.inf, 5.0, 0.0):
        by_label = path.covariance(weight, labels).standard_error("human_score")
        by_row = path.covariance(weight, "row").standard_error("human_score")
        np.testing.assert_allclose(by_label, by_row, rtol=1e-9)


def test_a_fit_that_may_not_be_reported_gives_no_numbers(judges):
    panel = judges.select(judges.judge < 3)
    rows = [
        {"item_first": "maple", "item_second": "alder", "verdict": "first"},
        {"item_first": "rowan", "item_second": "fir", "verdict": "first"},
    ]
    votes = bj.read(pd.DataFrame(rows), kind="human")
    broken = bj.calibration.weight_path(bj.models.calibrated, panel, votes, weights=[1.0])
    assert "separated" in broken.anchored.fault
    for ask in (
        lambda: broken.anchored.human_score,
        lambda: broken.covariance(np.inf),
        lambda: bj.calibration.local_information(broken),
    ):
        with pytest.raises(errors.NoAdmissibleFitError, match="may be reported"):
            ask()
    assert bj.calibration.leave_one_vote_out(broken)["leave_one_out"].isna().all()
    assert broken.anchored.fit is not None


def test_a_judge_who_only_sees_the_first_slot_costs_nothing_where_the_rest_decides(judges):
    """E.3.2: at an infinite weight only the calibration must be resolved; rank zero here."""
    verdict = np.where(judges.judge == 0, 0, judges.verdict)
    panel = replace(judges, verdict=verdict)
    none = bj.calibration.structure(panel, rank=0)
    whole = bj.calibration.weight_path(
        bj.models.calibrated, panel, bj.example_votes(), none, weights=[1.0]
    )
    assert whole.anchored.fault is None
    rest = panel.select(panel.judge != 0)
    none = bj.calibration.structure(rest, rank=0)
    alone = bj.calibration.weight_path(
        bj.models.calibrated, rest, bj.example_votes(), none, weights=[1.0]
    )
    np.testing.assert_allclose(whole.anchored.human_score, alone.anchored.human_score, atol=1e-5)


@pytest.mark.parametrize("weight", [-1.0, 0.0, np.inf, np.nan, "a", None, True])
def test_effective_dimensions_are_at_finite_weights_above_zero(path, weight):
    with pytest.raises(errors.WeightError):
        bj.calibration.local_information(path).effective_dimension(weight)


@pytest.mark.parametrize("weights", [5.0, None, "inf"])
def test_weights_of_other_types_are_told(judges, path, weights):
    with pytest.raises(errors.WeightError):
        path.at(weights) if weights is None else path.at("inf")
    if weights is not None:
        with pytest.raises(errors.WeightError, match="finite numbers above zero"):
            bj.calibration.weight_path(
                bj.models.calibrated, judges, bj.example_votes(), weights=weights
            )


def test_functions_of_a_path_want_a_path(path):
    for ask in (
        bj.calibration.likelihood_ratio_test,
        bj.calibration.leave_one_vote_out,
        bj.calibration.local_information,
    ):
        for wrong in (path.anchored, path.joint_fit(5.0), None, pd.DataFrame()):
            with pytest.raises(errors.UnknownFitError, match=r"bj.calibration.weight_path\(...\)"):
                ask(wrong)


def test_a_sandwich_wants_a_maximum_of_the_likelihood(judges, path):
    for wrong in (path, None, path.covariance(5.0)):
        with pytest.raises(errors.UnknownFitError, match=r"bj.mode\(...\)"):
            bj.calibration.two_sample_covariance(wrong)
    with pytest.raises(errors.UnknownFitError, match="prior=False"):
        bj.calibration.two_sample_covariance(bj.mode(bj.models.consensus, judges))


def test_ties_alone_have_no_interval(judges):
    votes = bj.example_votes()
    tied = replace(votes, verdict=np.ones_like(votes.verdict))
    even = bj.calibration.weight_path(bj.models.calibrated, judges, tied, weights=[5.0])
    with pytest.raises(errors.NoVariationError):
        even.covariance(0.0)


def test_a_path_is_shown_in_a_line(path):
    assert repr(path) == "WeightPath(3 weights, all of them admissible; selected: 5)"
    assert repr(path.human_only).startswith("Candidate(weight 0, GACV 0.")
