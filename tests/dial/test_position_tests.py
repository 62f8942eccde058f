"""Wald tests of position effects: identities, what stands behind each row, and refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

import bayesjudge as bj
from bayesjudge import errors

CLUSTERS = ["row", "cell", "prompt"]


@pytest.fixture(scope="module")
def judges():
    return bj.example_panel()


@pytest.fixture(scope="module")
def fit(judges):
    return bj.mode(bj.models.consensus, judges, prior=False)


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_rows_agree_with_the_covariance(judges, fit, cluster):
    covariance = bj.calibration.two_sample_covariance(fit, cluster)
    table = bj.calibration.position_tests(covariance)
    position = fit.quantity("position").values
    z = position / covariance.standard_error("position").values
    assert_allclose(table["z"], z, rtol=1e-12)
    assert_allclose(table["p_value"], 2 * norm.sf(np.abs(z)), rtol=1e-10)
    assert table["judge"].tolist() == list(judges.judges)
    assert table["verdicts"].tolist() == np.bincount(judges.judge).tolist()


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_equal_positions_are_tested_by_contrasts(judges, fit, cluster):
    covariance = bj.calibration.two_sample_covariance(fit, cluster)
    table = bj.calibration.shared_position_tests(covariance)
    first, second = np.triu_indices(judges.n_judges, k=1)
    names = np.array(judges.judges)
    assert table["first_judge"].tolist() == names[first].tolist()
    assert table["second_judge"].tolist() == names[second].tolist()
    signs = np.eye(judges.n_judges)[first] - np.eye(judges.n_judges)[second]
    error = np.sqrt(np.diag(signs @ covariance.of("position").values @ signs.T))
    assert_allclose(table["difference"], signs @ fit.quantity("position").values, rtol=1e-12)
    assert_allclose(table["standard_error"], error, rtol=1e-10)
    counts = np.bincount(judges.judge)
    assert table["verdicts"].tolist() == (counts[first] + counts[second]).tolist()


def test_one_judge_shares_with_nobody(judges):
    one = judges.select(judges.judge == 0)
    fit = bj.mode(bj.models.consensus, one, prior=False)
    covariance = bj.calibration.two_sample_covariance(fit)
    assert len(bj.calibration.position_tests(covariance)) == 1
    assert len(bj.calibration.shared_position_tests(covariance)) == 0


@pytest.mark.parametrize(
    "tests", [bj.calibration.position_tests, bj.calibration.shared_position_tests]
)
def test_what_has_no_position_is_refused(judges, tests):
    plain = bj.mode(bj.models.consensus, bj.design(judges, terms=()), prior=False)
    with pytest.raises(errors.UnknownQuantityError, match="position"):
        tests(bj.calibration.two_sample_covariance(plain))
    with pytest.raises(errors.UnknownFitError):
        tests(judges)
