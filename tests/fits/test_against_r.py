"""Maximum likelihood and its covariances against R: glm, BradleyTerry2 and sandwich.

Values, script and versions lie in ``tests/golden/r``. The tolerance is that of the stored digits
and of R's convergence criterion, far below any statistical error.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import bayesjudge as bj

GOLDEN = Path(__file__).parents[1] / "golden" / "r"
SETS = ("one_judge_binary", "one_judge_ties", "three_judges", "two_items", "weights")
CLUSTERS = {"independent": "row", "prompt": "prompt", "judge_pair": "cell"}
TOLERANCE = 1e-7


@pytest.fixture(scope="module")
def fitted():
    """Maximum likelihood fit of a data set by a program; shared, since each compiles."""
    known = {}

    def fit(name, model):
        if (name, model) not in known:
            data = bj.read(GOLDEN / f"{name}.csv")
            known[name, model] = bj.mode(getattr(bj.models, model), data, prior=False)
        return known[name, model]

    return fit


def expected(name, model):
    return json.loads((GOLDEN / f"{name}.json").read_text())["models"][model]


def score_name(model):
    return {"bradley_terry": "score", "order_effect": "judge_score"}[model]


def stacked(fit, model, covariance):
    """Covariance of (scores of judge 1, judge 2, ..., positions), as R stores it."""
    names = [score_name(model)] + ["position"] * (model == "order_effect")
    gradient = np.concatenate([fit.gradient(name) for name in names])
    return gradient @ covariance.matrix @ gradient.T


@pytest.mark.parametrize("model", ["bradley_terry", "order_effect"])
@pytest.mark.parametrize("name", SETS)
def test_estimates(fitted, name, model):
    fit, wanted = fitted(name, model), expected(name, model)
    assert_allclose(fit.quantity(score_name(model)), wanted["score"], atol=TOLERANCE)
    assert -fit.objective == pytest.approx(wanted["log_likelihood"], abs=TOLERANCE)
    if model == "order_effect":
        assert_allclose(fit.quantity("position"), wanted["position"], atol=TOLERANCE)


@pytest.mark.parametrize("kind", ["model", *CLUSTERS])
@pytest.mark.parametrize("model", ["bradley_terry", "order_effect"])
@pytest.mark.parametrize("name", SETS)
def test_covariances(fitted, name, model, kind):
    fit, wanted = fitted(name, model), expected(name, model)["covariance"][kind]
    if wanted is None:  # one pair, one judge: a single cluster
        with pytest.raises(bj.errors.TooFewClustersError, match="two clusters"):
            fit.covariance("sandwich", cluster=CLUSTERS[kind])
        return
    how = ("model",) if kind == "model" else ("sandwich", CLUSTERS[kind])
    assert_allclose(stacked(fit, model, fit.covariance(*how)), wanted, atol=TOLERANCE, rtol=0)
