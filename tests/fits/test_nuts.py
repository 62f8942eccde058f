"""The sampler: against NumPyro's own on real data, one seed one result, no recompilation."""

import json
from pathlib import Path

import jax
import numpy as np
import pytest
from arviz_stats.base import array_stats
from numpy.testing import assert_array_equal

import bayesjudge as bj
from bayesjudge.engine.chains import _kernel
from bayesjudge.fits.estimate import read_meta

GOLDEN = Path(__file__).parents[1] / "golden" / "posteriors"
SETS = ("mtbench", "chatbot_arena", "ultrafeedback")

# Four joint standard errors, over some 130 means a data set: a right sampler fails one seed in 120.
# Seeds are fixed, so the tests are deterministic; the rate says what a later failure means.
MONTE_CARLO_ERRORS = 4.0


@pytest.fixture(scope="module")
def posterior(real_data):
    known = {}

    def sample(name):
        if name not in known:
            program = bj.models.sensitivity_pooled
            known[name] = bj.nuts(program, real_data(name), seed=2, progress=False)
        return known[name]

    return sample


@pytest.mark.parametrize("name", SETS)
def test_converges_at_defaults(posterior, name):
    found = read_meta(posterior(name))["convergence"]
    assert found["r_hat"] < 1.01
    assert min(found["ess_bulk"], found["ess_tail"]) > 400
    assert found["divergences"] == 0


@pytest.mark.parametrize("name", SETS)
def test_means_agree_with_a_long_run_of_numpyros_own_driver(posterior, name):
    golden = json.loads((GOLDEN / f"{name}.json").read_text())
    for quantity, expected in golden["quantities"].items():
        draws = posterior(name).posterior[quantity].values
        ess = array_stats.ess(draws, method="mean", chain_axis=0, draw_axis=1)
        error = np.hypot(draws.std((0, 1)) / np.sqrt(ess), expected["mcse"])
        gap = np.abs(draws.mean((0, 1)) - expected["mean"])
        assert (gap < MONTE_CARLO_ERRORS * error).all()


@pytest.mark.parametrize("name", SETS)
def test_spreads_agree_with_the_long_run(posterior, name):
    golden = json.loads((GOLDEN / f"{name}.json").read_text())
    for quantity, expected in golden["quantities"].items():
        spread = posterior(name).posterior[quantity].values.std((0, 1))
        # a standard deviation from 1,000 effective draws is known to 2 %: five errors
        np.testing.assert_allclose(spread, expected["sd"], rtol=0.12)


def test_one_seed_one_result(panel, panel_posterior):
    again = bj.nuts(bj.models.sensitivity_pooled, panel, seed=1, progress=False)
    assert again.identical(panel_posterior)
    other = bj.nuts(bj.models.sensitivity_pooled, panel, seed=2, progress=False)
    assert not other.posterior.equals(panel_posterior.posterior)


def test_chains_do_not_depend_on_how_many_there_are(panel, panel_posterior):
    two = bj.nuts(
        bj.models.sensitivity_pooled, panel, seed=1, chains=4, draws=50, check=False, progress=False
    )
    assert_array_equal(two.posterior["score"], panel_posterior.posterior["score"][:, :50])


def test_data_of_the_same_shape_compile_nothing(panel_posterior):
    other = bj.synthetic_panel(prompts=400, seed=3)
    layout = bj.design(other).layout
    program = bj.program(bj.models.sensitivity_pooled, layout)
    bj.nuts(bj.models.sensitivity_pooled, other, seed=1, progress=False, check=False)
    kernel = _kernel(program, 500, 0.9, 10)
    before = kernel._advance._cache_size()
    flipped = bj.read(other.to_frame().assign(verdict="first"))
    bj.nuts(bj.models.sensitivity_pooled, flipped, seed=4, progress=False, check=False)
    assert before == kernel._advance._cache_size() == 1


def test_jax_settings_are_left_alone(panel_posterior):
    assert panel_posterior.posterior["score"].dtype == np.float64
    assert not jax.config.jax_enable_x64
    assert jax.numpy.ones(1).dtype == np.float32


def test_groups_and_dimensions(panel, panel_posterior):
    assert set(panel_posterior.children) == {
        "posterior",
        "unconstrained_posterior",
        "sample_stats",
        "observed_data",
        "constant_data",
    }
    assert panel_posterior.posterior["position"].dims == ("chain", "draw", "judge")
    assert tuple(panel_posterior.posterior["item"].values) == panel.items
    counts = panel_posterior.observed_data["judge_verdicts"]
    assert counts.sum() == panel.n_rows


@pytest.mark.parametrize("setting", [{"draws": 0}, {"chains": 0}, {"target_accept": 1.5}])
def test_settings_out_of_range_are_refused(panel, setting):
    with pytest.raises(bj.errors.SamplerSettingError):
        bj.nuts(bj.models.sensitivity_pooled, panel, seed=1, progress=False, **setting)
