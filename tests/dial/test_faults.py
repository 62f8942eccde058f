"""Votes too few, separated or elsewhere, wrong programs and weights: said in words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors


@pytest.fixture(scope="module")
def judges():
    return bj.example_panel()


def votes(*pairs):
    rows = [
        {"item_first": winner, "item_second": loser, "verdict": "first"} for winner, loser in pairs
    ]
    return bj.read(pd.DataFrame(rows), kind="human")


FEW = (("maple", "alder"), ("alder", "maple"), ("maple", "alder"), ("birch", "maple"))


def test_votes_on_three_items_calibrate_all_eight(judges):
    """rank(D_h M) = 1 is enough: the rest is the judges' structure."""
    path = bj.calibration.weight_path(bj.models.calibrated, judges, votes(*FEW))
    assert path.human_only.fault == "no votes on cedar, fir, hazel and 2 more"
    assert path.anchored.fault is None
    consensus = path.anchored.fit.quantity("consensus").values
    score = path.anchored.human_score.values
    np.testing.assert_allclose(score, score @ consensus / 8 * consensus, atol=1e-10)


def test_separated_votes_have_no_calibration(judges):
    path = bj.calibration.weight_path(
        bj.models.calibrated, judges, votes(("maple", "alder"), ("rowan", "fir"))
    )
    assert "separated" in path.anchored.fault
    assert path.human_only.fault.startswith("no votes on")
    with pytest.raises(errors.NoAdmissibleFitError, match="collect more votes"):
        path.selected  # noqa: B018
    with pytest.raises(errors.NoAdmissibleFitError, match="no fit at weight 0"):
        path.human_only.human_score  # noqa: B018
    with pytest.raises(errors.NoAdmissibleFitError, match="may be shown"):
        bj.calibration.plot_weight_path(path)
    with pytest.raises(errors.NoAdmissibleFitError, match="compares the path's two ends"):
        bj.calibration.likelihood_ratio_test(path)
    assert len(path.table()) == 9


def test_judges_who_saw_too_few_pairs_identify_no_disagreement(judges):
    """All judges but one compare four items only: their scores of the others mean nothing."""
    few = np.isin(judges.first, range(4)) & np.isin(judges.second, range(4))
    panel = judges.select(few | (judges.judge == 0))
    one = bj.calibration.weight_path(bj.models.calibrated, panel, bj.example_votes(), weights=[1.0])
    assert one.anchored.fault == "the judges do not identify a structure of this rank"
    none = bj.calibration.structure(panel, rank=0)
    none = bj.calibration.weight_path(
        bj.models.calibrated, panel, bj.example_votes(), none, weights=[1.0]
    )
    assert none.anchored.fault is None


def test_items_that_judges_never_saw_are_told(judges):
    seen = bj.example_votes()
    extra = votes(("willow", "maple"), ("maple", "willow"))
    with pytest.raises(errors.BayesjudgeError) as caught:
        bj.calibration.weight_path(bj.models.calibrated, judges, extra)
    assert "willow" in str(caught.value)
    assert seen.n_items == judges.n_items


@pytest.mark.parametrize("weights", [[0.0], [np.inf], [-1.0], ["a"], [np.nan], [True]])
def test_weights_are_finite_numbers_above_zero(judges, weights):
    with pytest.raises(errors.WeightError, match="finite numbers above zero"):
        bj.calibration.weight_path(
            bj.models.calibrated, judges, bj.example_votes(), weights=weights
        )


def test_weights_that_are_not_on_the_path(judges):
    path = bj.calibration.weight_path(
        bj.models.calibrated, judges, bj.example_votes(), weights=[1.0]
    )
    with pytest.raises(errors.WeightError, match="has no weight 2"):
        path.at(2.0)
    with pytest.raises(errors.WeightError, match="weight zero"):
        bj.calibration.local_information(path, 0.0)


@pytest.mark.parametrize("model", [bj.models.consensus, bj.models.calibrated_pooled])
def test_other_programs_have_no_path(judges, model):
    with pytest.raises(errors.UnknownProgramError):
        bj.calibration.weight_path(model, judges, bj.example_votes())


@pytest.mark.parametrize("rank", [-1, 5, 1.0, True, "1", None])
def test_ranks_that_a_panel_does_not_allow(judges, rank):
    with pytest.raises(errors.RankError, match="from 0 to 4"):
        bj.calibration.structure(judges, rank=rank)


def test_no_ranks(judges):
    with pytest.raises(errors.RankError, match="ranks is empty"):
        bj.calibration.select_rank(bj.models.calibrated, judges, bj.example_votes(), [])


@pytest.mark.parametrize("power", [0.0, -1.0, np.inf, np.nan, "1", True])
def test_powers_are_finite_numbers_above_zero(judges, power):
    with pytest.raises(errors.InvalidWeightsError, match="above zero"):
        bj.design(judges, power=power)


def test_structure_of_other_data_is_refused(judges):
    small = bj.calibration.structure(bj.read(judges.to_frame().query("judge != 'judge-5'")))
    with pytest.raises(errors.RankError, match=r"bj\.calibration\.structure"):
        bj.mode(bj.models.consensus, judges, small)


def test_a_space_that_is_not_one_is_refused():
    with pytest.raises(errors.BayesjudgeError):
        bj.mode(bj.models.within_space, bj.example_votes(), bj.calibration.Space(np.ones((3, 1))))


def test_one_judge_and_two_items():
    """The smallest panel: rank zero, one order, one loading."""
    rows = [
        {"judge": "only", "item_first": a, "item_second": b, "verdict": v}
        for a, b in (("x", "y"), ("y", "x"))
        for v in ("first", "first", "second")
    ]
    fit = bj.mode(bj.models.consensus, bj.read(pd.DataFrame(rows)))
    assert fit.quantity("disagreement").values == pytest.approx(0.0)
    assert abs(fit.quantity("position").item()) < 1.0


def test_one_judge_is_calibrated(judges):
    one = judges.select(judges.judge == 0)
    path = bj.calibration.weight_path(bj.models.calibrated, one, bj.example_votes())
    assert path.selected.fault is None


def test_votes_and_judges_in_each_others_place_are_told(judges):
    people = replace(judges, human=np.ones(judges.n_judges, dtype=bool))
    for first, second in ((people, bj.example_votes()), (judges, judges), (people, judges)):
        with pytest.raises(errors.JudgeKindError, match="judges first, then the votes"):
            bj.calibration.weight_path(bj.models.calibrated, first, second)
    with pytest.raises(errors.JudgeKindError):
        bj.mode(bj.models.calibrated, bj.example_votes(), judges, prior=False)


def balanced(names, verdicts, **more):
    """Every order of every two names, with the same verdicts."""
    return [
        {"item_first": a, "item_second": b, "verdict": verdict, **more}
        for a in names
        for b in names
        if a != b
        for verdict in verdicts
    ]


def test_a_space_that_holds_everything_leaves_nothing_to_test():
    rows = [
        row
        for judge, verdicts in (("one", "121"), ("two", "12"), ("three", "122"))
        for row in balanced("xyz", [("first", "second")[int(v) - 1] for v in verdicts], judge=judge)
    ]
    panel = bj.read(pd.DataFrame(rows))
    people = bj.read(pd.DataFrame(balanced("xyz", ["first", "first", "second"])), kind="human")
    full = bj.calibration.weight_path(
        bj.models.calibrated_full, panel, people, bj.calibration.structure(panel, rank=1)
    )
    with pytest.raises(errors.RankError, match="nothing is left to test"):
        bj.calibration.likelihood_ratio_test(full)
