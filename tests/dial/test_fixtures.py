"""DIAL against two frozen cases of an independent implementation, written from the paper alone."""

import numpy as np
import pytest
from dial_case import case_data
from numpy.testing import assert_allclose

import bayesjudge as bj

CASES = ("dial_case1", "dial_case4")
SPACES = {"M_mu": "calibrated", "M_W": "calibrated_full"}
CLUSTERS = {"identity": "row", "cell": "cell"}  # by DIAL's kernel
SCORE = 1e-8
COVARIANCE = 1e-8  # relative to the largest entry


@pytest.fixture(scope="module", params=CASES)
def case(request, shared_fixture):
    return shared_fixture(request.param)


@pytest.fixture(scope="module")
def data(case):
    return case_data(case)


@pytest.fixture(scope="module")
def judges_alone(data):
    return bj.mode(bj.models.consensus, data[0], prior=False)


@pytest.fixture(scope="module")
def paths(case, data):
    return {
        space: bj.calibration.weight_path(getattr(bj.models, program), *data, weights=case["grid"])
        for space, program in SPACES.items()
    }


def assert_covariance(found, wanted):
    wanted = np.array(wanted)
    assert_allclose(found, wanted, atol=COVARIANCE * np.abs(wanted).max(), rtol=0)


def test_judges_alone(case, judges_alone):
    wanted = case["theta_inf"]
    for name, key in {
        "consensus": "mu",
        "loading": "gamma",
        "position": "b",
        "judge_score": "S",
        "disagreement": "UVt",
    }.items():
        assert_allclose(judges_alone.quantity(name).values, wanted[key], atol=SCORE)
    assert_allclose(judges_alone.objective / case["n_l"], wanted["loss"], atol=SCORE)


@pytest.mark.parametrize("cluster", ["info", "identity", "cell"])
def test_errors_and_tests_of_judges(case, judges_alone, cluster):
    wanted = case["theta_inf"]
    covariance = (
        judges_alone.covariance("curvature")
        if cluster == "info"
        else bj.calibration.two_sample_covariance(judges_alone, CLUSTERS[cluster])
    )
    assert_covariance(covariance.of("position").values, wanted["cov_b"][cluster])
    assert_allclose(
        covariance.standard_error("loading").values, wanted["se_gamma"][cluster], rtol=1e-8
    )
    assert_allclose(
        bj.calibration.position_tests(covariance)["z"], wanted["z_b"][cluster], rtol=1e-8
    )
    pairs = np.triu_indices(case["K"], k=1)
    equal = np.array(wanted["z_equal"][cluster])[pairs]
    assert_allclose(bj.calibration.shared_position_tests(covariance)["z"], equal, rtol=1e-8)


def test_humans_alone(case, paths):
    wanted, path = case["human_only"], paths["M_mu"]
    found = path.human_only
    assert (found.fault is None) == wanted["finite"]
    assert_allclose(found.human_score.values, wanted["s"], atol=SCORE)
    assert_allclose(found.gacv, wanted["gacv"], atol=SCORE)
    assert_allclose(found.optimism, wanted["trace"], atol=SCORE)
    scaled = case["n_h"] * path.covariance(0.0, "row").of("human_score").values
    assert_covariance(scaled, wanted["cov_sandwich"])
    fisher = case["n_h"] * found.fit.covariance("model").of("human_score").values
    assert_covariance(fisher, wanted["cov_fisher"])


@pytest.mark.parametrize("space", SPACES)
def test_anchored(case, paths, space):
    wanted, path = case[space]["anc"], paths[space]
    found = path.anchored
    assert (found.fault is None) == wanted["admissible"]
    assert_allclose(found.human_score.values, wanted["s"], atol=SCORE)
    assert_allclose(found.human_loss, wanted["loss"], atol=SCORE)
    assert_allclose(found.gacv, wanted["gacv"], atol=SCORE)
    assert_allclose(found.optimism, wanted["trace"], atol=SCORE)
    for key, cluster in CLUSTERS.items():
        scaled = case["n_h"] * path.covariance(np.inf, cluster).of("human_score").values
        assert_covariance(scaled, wanted["cov_staged"][key])


@pytest.mark.parametrize("space", SPACES)
def test_anchored_without_judges_noise(case, data, judges_alone, space):
    """The space held fixed, as if judges' verdicts were without number."""
    consensus = judges_alone.quantity("consensus").values[:, None]
    disagreement = np.linalg.svd(judges_alone.quantity("disagreement").values)[2][: case["r"]].T
    columns = consensus if space == "M_mu" else np.hstack([consensus, disagreement])
    basis = columns / np.linalg.norm(columns, axis=0)
    fit = bj.mode(bj.models.within_space, data[1], bj.calibration.Space(basis), prior=False)
    found = case["n_h"] * bj.calibration.two_sample_covariance(fit, "row").of("human_score").values
    assert_covariance(found, case[space]["anc"]["cov_fixed_space"])


@pytest.mark.parametrize("space", SPACES)
def test_finite_weights(case, paths, space):
    path = paths[space]
    for wanted in case[space]["finite"]:
        found = path.at(wanted["lam"])
        assert (found.fault is None) == wanted["admissible"]
        for name, key in {"human_score": "s", "judge_score": "S", "position": "b"}.items():
            assert_allclose(found.fit.quantity(name).values, wanted[key], atol=SCORE)
        criterion = found.fit.objective / case["n_h"]
        assert_allclose(criterion, wanted["objective"], rtol=SCORE)
        judges_part = wanted["lam"] * wanted["loss_l"]
        assert_allclose(found.human_loss, wanted["loss_h"], atol=SCORE)
        assert_allclose(criterion - found.human_loss, judges_part, rtol=SCORE)
        assert_allclose(found.gacv, wanted["gacv"], atol=SCORE)
        assert_allclose(found.optimism, wanted["trace"], atol=SCORE)
        for key, cluster in CLUSTERS.items():
            scaled = case["n_h"] * path.covariance(wanted["lam"], cluster).of("human_score").values
            assert_covariance(scaled, wanted[f"cov_{key}"])


@pytest.mark.parametrize("space", SPACES)
def test_selected_weight(case, paths, space):
    wanted, path = case[space], paths[space]
    assert np.isclose(path.selected.weight, float(wanted["selected_lambda_gacv"]), rtol=1e-9)
    assert_allclose(path.selected.human_score.values, wanted["s_selected"], atol=SCORE)
    covariance = path.covariance(cluster="cell").of("human_score").values
    error = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    assert_allclose(error, wanted["interval_0_minus_1_cell"][1], rtol=1e-8)


@pytest.mark.parametrize("space", SPACES)
def test_effective_dimension_and_shrinkage(case, paths, space):
    staged = bj.calibration.local_information(paths[space])
    for wanted in case[space]["finite"]:
        weight = wanted["lam"]
        own = bj.calibration.local_information(paths[space], weight).effective_dimension(weight)
        assert_allclose(own, wanted["df"], atol=SCORE)
        assert_allclose(staged.effective_dimension(weight), wanted["df_at_staged"], atol=SCORE)
    shrinkage = case[space]["shrinkage_at_staged_lam_mid"]
    assert_allclose(staged.shrinkage(case["grid"][3]), shrinkage, atol=SCORE)


@pytest.mark.parametrize("space", SPACES)
def test_likelihood_ratio(case, paths, space):
    found, wanted = bj.calibration.likelihood_ratio_test(paths[space]), case[space]["lr"]
    assert_allclose([found.statistic, found.p_value], [wanted["T"], wanted["p"]], atol=SCORE)
    assert found.degrees == wanted["dof"]
    assert found.anchoring_has_lower_aic == wanted["aic_anchor"]


def test_exact_leave_one_out(case, paths):
    for space, path in paths.items():
        wanted = [
            case[space]["anc"]["loo"],
            *(each["loo"] for each in case[space]["finite"]),
            case["human_only"]["loo"],
        ]
        found = bj.calibration.leave_one_vote_out(path)
        assert_allclose(found["leave_one_out"], np.array(wanted, dtype=float), atol=SCORE)
        best = found["weight"][found["leave_one_out"].idxmin()]
        assert np.isclose(best, float(case[space]["selected_lambda_loo"]), rtol=1e-9)


def test_without_position(case, data):
    wanted = case["noPos_mu"]
    plain = bj.design(data[0], terms=())
    path = bj.calibration.weight_path(bj.models.calibrated, plain, data[1], weights=case["grid"])
    assert_allclose(path.anchored.human_score.values, wanted["s_anc"], atol=SCORE)
    assert np.isclose(path.selected.weight, float(wanted["selected_lambda"]), rtol=1e-9)
    assert_allclose(path.selected.human_score.values, wanted["s"], atol=SCORE)


LARGE = pytest.param("dial_case4", marks=pytest.mark.slow)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", ["dial_case1", LARGE])
def test_rank_selection(shared_fixture, name, space):
    case = shared_fixture(name)
    wanted, ranks = case["rank_selection"][space[2:]], case["rank_selection"]["ranks"]
    model = getattr(bj.models, SPACES[space])
    found = bj.calibration.select_rank(model, *case_data(case), ranks, weights=case["grid"])
    weight = found.selected.selected.weight
    assert (found.rank, weight) == (wanted["r"], pytest.approx(float(wanted["lam"])))
    table = found.table()
    for rank, weight, gacv in wanted["table"]:
        same = (table["rank"] == rank) & np.isclose(table["weight"], float(weight), rtol=1e-9)
        assert_allclose(table.loc[same, "gacv"], gacv, atol=SCORE)
