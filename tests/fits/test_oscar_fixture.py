"""Modes and covariances against an independent implementation of OSCAR (numpy, scipy and R)."""

import numpy as np
import oscar_case
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

THETA, ERRORS = 1e-8, 1e-7  # the tolerances that the frozen case promises


@pytest.fixture(scope="module")
def case(shared_fixture):
    return shared_fixture("oscar_case1")


@pytest.fixture(scope="module")
def fitted(case):
    known = {}

    def fit(name):
        if name not in known:
            known[name] = oscar_case.fit(case, name)
        return known[name]

    return fit


@pytest.mark.parametrize("name", oscar_case.MODELS)
def test_parameters_agree(case, fitted, name):
    fit, expected = fitted(name), case["models"][name]
    assert_allclose(fit.phi[oscar_case.theta_order(fit)], expected["theta"], atol=THETA, rtol=0)
    assert fit.gradient_norm < 1e-9


@pytest.mark.parametrize("name", oscar_case.MODELS)
def test_win_probabilities_agree(case, fitted, name):
    score = fitted(name).quantity("score").values
    h = score[:, None] - score
    assert_allclose(h, case["models"][name]["h"], atol=ERRORS)
    assert_allclose(expit(h), case["models"][name]["q"], atol=ERRORS)


@pytest.mark.parametrize("name", [name for name in oscar_case.MODELS if "Davidson" not in name])
@pytest.mark.parametrize("kind", ["cluster", "model"])
def test_standard_errors_agree(case, fitted, name, kind):
    fit, expected = fitted(name), case["models"][name]
    covariance = fit.covariance("sandwich" if kind == "cluster" else "model")
    assert_allclose(oscar_case.contrast_errors(covariance), expected[f"se_{kind}"], rtol=ERRORS)
    order = oscar_case.theta_order(fit)
    errors = np.sqrt(np.diag(covariance.matrix))[order]
    assert_allclose(errors, expected[f"theta_se_{kind}"], rtol=ERRORS)


def test_full_covariances_and_hessian_of_oscar_agree(case, fitted):
    fit, expected = fitted("OSCAR"), case["models"]["OSCAR"]
    order = np.ix_(*[oscar_case.theta_order(fit)] * 2)
    scale = np.abs(expected["cov_cluster"]).max()
    assert_allclose(fit.hessian[order], expected["hessian"], rtol=1e-9, atol=1e-9)
    for kind, key in (("sandwich", "cov_cluster"), ("model", "cov_model")):
        found = fit.covariance(kind).matrix[order]
        assert_allclose(found, expected[key], rtol=0, atol=ERRORS * scale)


def test_scale_invariant_quantities_agree(case, fitted):
    for name in ("J", "J+P", "OSCAR"):
        fit, expected = fitted(name), case["models"][name]
        assert_allclose(fit.quantity("scaled_sensitivity"), expected["kappa"], atol=THETA)
        if name != "J":
            assert_allclose(fit.quantity("net_first_preference"), expected["D"], atol=THETA)
