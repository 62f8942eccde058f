"""ANCHOR against a frozen case, made by an independent implementation, to 1e-8."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.anchor.two_step import two_step
from bayesjudge.anchor.voted_pairs import voted_pairs

CLOSE = {"rtol": 0, "atol": 1e-8}
SPLIT = {"human": "V_H", "judge": "V_J"}
CROSSFIT = ["no_crossfit", "crossfit_pooled", "crossfit_fold"]


@pytest.fixture(scope="session")
def targets(case):
    """The new item's score, then its contrasts, as functions of the scores."""
    size = case["input"]["K"]
    rows = np.zeros((size + 1, size + 1))
    rows[:, size], rows[1:, :size] = 1, -np.eye(size)
    return rows


@pytest.fixture(scope="session")
def fits(case_data, case_roster):
    designs, folds = case_data
    whole = bj.new_items.orthogonal(bj.models.new_item, *designs, case_roster, folds=1)
    crossed = bj.new_items.orthogonal(bj.models.new_item, *designs, case_roster, folds=folds)
    return {"no_crossfit": whole, "crossfit_pooled": crossed, "crossfit_fold": crossed}


@pytest.fixture(scope="session")
def joint(case_data, case_roster):
    return bj.mode(bj.models.new_item, *case_data[0], case_roster, prior=False)


def variances(matrix, rows):
    return np.diag(rows @ matrix @ rows.T)


def test_two_step_estimate(case, case_data, case_roster):
    found, expected = two_step(case_data[0], case_roster), case["output"]["two_step"]
    assert np.allclose(found.score, [*expected["theta"], expected["theta_new"]], **CLOSE)
    assert np.allclose(found.sensitivity, expected["c"], **CLOSE)
    assert np.allclose(found.effects, expected["psi"], **CLOSE)
    assert found.linked
    assert found.ridge == 0
    assert not found.floored.any()


def test_starts_of_the_folds(case, fits):
    for start, expected in zip(
        fits["crossfit_pooled"].starts, case["output"]["crossfit_fits"], strict=True
    ):
        assert np.allclose(start.score[:-1], expected["two_step"]["theta"], **CLOSE)
        assert np.allclose(start.sensitivity, expected["two_step"]["c"], **CLOSE)


@pytest.mark.parametrize("kind", CROSSFIT)
def test_corrected_estimate(kind, case, fits, targets):
    found = targets @ fits[kind].quantity("human_score").values
    assert np.allclose(found, case["output"][kind]["T"], **CLOSE)


@pytest.mark.parametrize("kind", CROSSFIT)
def test_variance_by_source(kind, case, fits, targets):
    found, expected = fits[kind].covariance("human_score", "row"), case["output"][kind]
    for source, name in SPLIT.items():
        matrix = found.sel(source=source).values
        assert np.allclose(variances(matrix, targets), expected[name], **CLOSE)
    errors = np.sqrt(variances(found.sum("source").values, targets))
    assert np.allclose(errors, expected["se"], **CLOSE)


@pytest.mark.parametrize("kind", [*CROSSFIT, "joint_mle"])
@pytest.mark.parametrize("sides", ["two", "one"])
def test_rank_sets(kind, sides, case, fits, joint):
    fit = joint if kind == "joint_mle" else fits[kind]
    found = bj.new_items.placement(fit).rank_set(sides=sides)
    expected = case["output"][kind]["rank_set_95"][f"{sides}_sided_holm"]
    assert (found.best, found.worst) == (expected["lo"], expected["hi"])
    assert np.flatnonzero(found.above).tolist() == expected["new_above"]
    assert np.flatnonzero(found.below).tolist() == expected["new_below"]


def test_not_the_unscaled_fold_correction(case, fits, targets):
    wrong = np.array(case["output"]["diagnostic_WRONG_unscaled_fold_riesz"]["T"])
    assert (
        np.abs(targets @ fits["crossfit_pooled"].quantity("human_score").values - wrong).min()
        > 1e-3
    )


def test_joint_maximum(case, joint, targets):
    expected = case["output"]["joint_mle"]
    assert np.allclose(targets @ joint.quantity("human_score").values, expected["T"], **CLOSE)
    assert np.allclose(joint.quantity("sensitivity"), expected["c"], **CLOSE)
    assert np.allclose(joint.quantity("x"), np.array(expected["psi"])[:, 0], **CLOSE)
    assert joint.objective == pytest.approx(expected["nll"], abs=1e-8)


def test_joint_maximum_variance_by_source(case, joint, targets):
    found, expected = bj.new_items.placement(joint, kind="model"), case["output"]["joint_mle"]
    assert np.allclose(variances(found.from_votes, targets), expected["V_H"], **CLOSE)
    assert np.allclose(variances(found.from_judges, targets), expected["V_J"], **CLOSE)
    whole = variances(found.covariance, targets)
    assert np.allclose(whole, expected["V_inverse_information"], **CLOSE)


def test_bound_at_the_joint_maximum(case, joint, targets):
    expected = case["output"]["scale"]["at_joint_mle"]["B"]
    assert np.allclose(variances(bj.new_items.placement(joint).bound, targets), expected, **CLOSE)


def test_bound_at_the_two_step_estimate(case, case_data, case_roster, targets):
    score = two_step(case_data[0], case_roster).score
    pairs = voted_pairs(case_data[0][1])
    found = (targets @ score) ** 2 / pairs.scale_information(score)
    assert np.allclose(found, case["output"]["scale"]["at_two_step"]["B"], **CLOSE)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("sides", ["two", "one"])
def test_rank_set_examples(number, sides, shared_fixture):
    example = shared_fixture("anchor_rank_examples")[number]
    found = bj.new_items.rank_set(example["delta"], example["se"], 1 - example["alpha"], sides)
    expected = example[sides]
    assert (found.best, found.worst) == (expected["lo"], expected["hi"])
    assert np.flatnonzero(found.above).tolist() == expected["new_above"]
    assert np.flatnonzero(found.below).tolist() == expected["new_below"]
