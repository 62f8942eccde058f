"""On a well-specified panel, three roads to a standard error lead to the same place."""

import numpy as np
import pytest

import bayesjudge as bj

TOLERANCE = 0.10


@pytest.fixture(scope="module")
def well_specified():
    # no dependence within prompts, no length or family effects: J+P is the truth
    return bj.synthetic_panel(prompts=2000, seed=11, bias=0.0, dependence=0.0)


@pytest.fixture(scope="module")
def posterior_sd(well_specified):
    post = bj.nuts(bj.models.sensitivity, well_specified, seed=3, draws=2000, progress=False)
    wanted = ["score", "position", "scaled_sensitivity"]
    return post.posterior.to_dataset()[wanted].std(("chain", "draw"))


@pytest.mark.parametrize("name", ["score", "position", "scaled_sensitivity"])
def test_laplace_agrees_with_sampling(well_specified, posterior_sd, name):
    approximate = bj.laplace(bj.models.sensitivity, well_specified, seed=4)
    found = approximate.posterior[name].std(("chain", "draw"))
    np.testing.assert_allclose(found, posterior_sd[name], rtol=TOLERANCE)


@pytest.mark.parametrize("name", ["score", "position", "scaled_sensitivity"])
@pytest.mark.parametrize("cluster", ["row", "prompt"])
def test_sandwich_agrees_with_sampling(well_specified, posterior_sd, name, cluster):
    fit = bj.mode(bj.models.sensitivity, well_specified)
    found = fit.covariance("sandwich", cluster).standard_error(name)
    np.testing.assert_allclose(found, posterior_sd[name], rtol=TOLERANCE)
