"""Theorem 3's trade-off against brute force and simulation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit

import bayesjudge as bj
from bayesjudge import studies

SCORE = np.array([1.2, 0.3, -0.1, -0.5, -0.9])
SPACE = np.array([[1.0], [0.8], [0.0], [-0.6], [-1.2]])


def test_approximation_error_is_the_least_risk():
    i, j = np.triu_indices(5, k=1)
    p = expit(SCORE[i] - SCORE[j])

    def risk(score):
        gap = score[i] - score[j]
        return np.mean(np.logaddexp(0, gap) - p * gap)

    least = minimize(lambda c: risk(SPACE[:, 0] * c[0]), [1.0], tol=1e-12).fun
    assert_allclose(studies.approximation_error(SCORE, SPACE), least - risk(SCORE), atol=1e-9)


def test_approximation_error_is_half_the_squared_distance_close_by():
    near = SPACE[:, 0] - SPACE.mean() + 1e-3 * np.array([1.0, -2.0, 0.5, 1.5, -1.0])
    laplacian = studies.comparison_laplacian(near)
    m = SPACE
    projected = m @ np.linalg.solve(m.T @ laplacian @ m, m.T @ laplacian @ near)
    half = 0.5 * (near - projected) @ laplacian @ (near - projected)
    assert_allclose(studies.approximation_error(near, m), half, rtol=2e-3)


def test_votes_alone_have_the_first_order_risk():
    """Mean excess risk of 400 fits lies within 4 errors of (N - 1) / (2 n), seed 5."""
    rng, votes, i_j = np.random.default_rng(5), 4000, np.triu_indices(5, k=1)
    basis = np.linalg.svd(np.eye(5) - 0.2)[0][:, :4]
    x = (np.eye(5)[i_j[0]] - np.eye(5)[i_j[1]]) @ basis
    p = expit(SCORE[i_j[0]] - SCORE[i_j[1]])
    found = []
    for _ in range(400):
        n = rng.multinomial(votes, np.full(10, 0.1))
        y, c = rng.binomial(n, p), np.zeros(4)
        for _ in range(8):
            q = expit(x @ c)
            c += np.linalg.solve((x.T * (n * q * (1 - q))) @ x, x.T @ (y - n * q))
        gap = x @ c
        found.append(np.mean(np.logaddexp(0, gap) - p * gap))
    gap = SCORE[i_j[0]] - SCORE[i_j[1]]
    excess = np.array(found) - np.mean(np.logaddexp(0, gap) - p * gap)
    wanted = studies.anchoring_tradeoff(5, 1, votes).votes_alone
    assert abs(excess.mean() - wanted) < 4 * excess.std() / 20


def test_laplacian_has_constant_vectors_in_its_kernel():
    laplacian = studies.comparison_laplacian(SCORE)
    assert_allclose(laplacian @ np.ones(5), 0, atol=1e-15)
    assert np.linalg.matrix_rank(laplacian) == 4


def test_sizes_that_do_not_go_together():
    for call in (
        lambda: studies.anchoring_tradeoff(5, 5, 100),
        lambda: studies.anchoring_tradeoff(5, 1, 0),
        lambda: studies.approximation_error(SCORE, SPACE[:3]),
        lambda: studies.comparison_laplacian(SCORE, np.ones(3)),
    ):
        with pytest.raises(bj.errors.MismatchedRowsError):
            call()
