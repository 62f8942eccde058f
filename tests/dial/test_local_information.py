"""What a weight does to the human score: the statements of Proposition D.6 and Corollary D.7."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import bayesjudge as bj
from bayesjudge import errors

N = 8
WEIGHTS = np.logspace(-6, 8, 15)
NOTHING, EVERYTHING = 1e-8, 1e8  # weights near which limits are reached
CENTRED = np.eye(N) - 1 / N


@pytest.fixture(scope="module", params=["calibrated", "calibrated_full"])
def path(request):
    model = getattr(bj.models, request.param)
    return bj.calibration.weight_path(model, bj.example_panel(), bj.example_votes())


@pytest.fixture(scope="module")
def local(path):
    return bj.calibration.local_information(path)


def space(path):
    """The columns of M at the judges' own estimate."""
    fit = path.anchored.fit
    consensus = fit.quantity("consensus").values[:, None]
    if path.blocks.calibration.sum() == 1:
        return consensus
    disagreement = np.linalg.svd(fit.quantity("disagreement").values)[2][:1].T
    return np.hstack([consensus, disagreement])


def laplacian(votes, score):
    """DIAL (C.6), vote by vote."""
    total = np.zeros((N, N))
    for i, j in zip(votes.first, votes.second, strict=True):
        step = np.zeros(N)
        step[i], step[j] = 1.0, -1.0
        p = 1 / (1 + np.exp(score[j] - score[i]))
        total += p * (1 - p) * np.outer(step, step)
    return total / len(votes.first)


def test_laplacian_by_hand(path, local):
    votes = path.blocks.designs[1].data
    assert votes.items == path.blocks.designs[0].items
    by_hand = laplacian(votes, path.anchored.human_score.values)
    assert_allclose(local.laplacian, by_hand, atol=1e-10)


def test_shrinkage_is_self_adjoint_with_eigenvalues_that_fall(local):
    laplacian, before = local.laplacian, np.ones(N)
    for weight in WEIGHTS:
        shrinkage = local.shrinkage(weight)
        assert_allclose(laplacian @ shrinkage, (laplacian @ shrinkage).T, atol=1e-9)
        values = np.sort(np.linalg.eigvals(shrinkage).real)
        assert (values > -1e-7).all()
        assert (values < before + 1e-7).all()
        before = values


def test_shrinkage_keeps_the_space_and_projects_on_it_at_last(path, local):
    basis = space(path)
    for weight in (NOTHING, 1.0, 100.0):
        assert_allclose(local.shrinkage(weight) @ basis, basis, atol=1e-6)
    weighted = basis.T @ local.laplacian
    projection = basis @ np.linalg.solve(weighted @ basis, weighted)
    assert_allclose(local.shrinkage(EVERYTHING), projection, atol=1e-5)
    assert_allclose(local.shrinkage(NOTHING) @ CENTRED, CENTRED, atol=1e-5)


def test_effective_dimension_falls_from_all_to_the_space(path, local):
    found = np.array([local.effective_dimension(weight) for weight in WEIGHTS])
    assert (np.diff(found) < 1e-9).all()
    assert_allclose(found[[0, -1]], [N - 1, path.blocks.calibration.sum()], atol=1e-3)
    traces = [np.trace(local.shrinkage(weight)) for weight in WEIGHTS]
    assert_allclose(traces, found, atol=1e-7)


def test_local_risk_at_both_ends(path, local):
    """Half of all dimensions without judges; misfit and half the space's dimension with them."""
    departure = CENTRED @ np.random.default_rng(4).standard_normal(N)
    basis, dimension = space(path), path.blocks.calibration.sum()
    weighted = basis.T @ local.laplacian
    lost = departure - basis @ np.linalg.solve(weighted @ basis, weighted @ departure)
    misfit = 0.5 * lost @ local.laplacian @ lost
    assert_allclose(local.local_risk(NOTHING, departure), (N - 1) / 2, atol=1e-4)
    assert_allclose(local.local_risk(EVERYTHING, departure), misfit + dimension / 2, atol=1e-4)
    shifted = local.local_risk(3.0, departure + 7.0)
    assert_allclose(shifted, local.local_risk(3.0, departure), atol=1e-9)


def test_local_risk_is_the_mean_of_gaussian_risks(local):
    """Corollary D.7 by drawing its limit: 20,000 draws, four standard errors, seed 5."""
    rng, weight = np.random.default_rng(5), 20.0
    departure = CENTRED @ rng.standard_normal(N)
    bread = np.linalg.inv(local.humans + weight * local.judges)
    root = np.linalg.cholesky(local.humans + 1e-14 * np.eye(len(bread)))
    noise = rng.standard_normal((20_000, len(bread))) @ root.T @ bread @ local.score_gradient.T
    off = departure - local.shrinkage(weight) @ departure - noise
    risks = 0.5 * np.einsum("di,ij,dj->d", off, local.laplacian, off)
    error = risks.std() / np.sqrt(len(risks))
    assert abs(risks.mean() - local.local_risk(weight, departure)) < 4 * error


@pytest.mark.parametrize("departure", [np.zeros(3), np.full(N, np.nan), 0.0])
def test_departures_have_a_number_for_each_item(local, departure):
    with pytest.raises(errors.MismatchedRowsError, match="one finite log-odds"):
        local.local_risk(1.0, departure)


def test_votes_in_two_islands_decide_one_dimension_less():
    judges = bj.example_panel()
    halves = judges.items[:4], judges.items[4:]
    rows = [
        {"item_first": a, "item_second": b, "verdict": verdict}
        for half in halves
        for k, a in enumerate(half)
        for b in half[k + 1 :]
        for verdict in ("first", "first", "second")
    ]
    votes = bj.read(pd.DataFrame(rows), kind="human")
    path = bj.calibration.weight_path(bj.models.calibrated, judges, votes)
    assert path.human_only.fault is not None
    assert path.selected.fault is None
    found = bj.calibration.local_information(path).effective_dimension(NOTHING)
    assert_allclose(found, N - 2, atol=1e-3)
