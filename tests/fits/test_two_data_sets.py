"""Programs of two data sets: covariances against plain numpy, whatever the labels are."""

from dataclasses import replace

import numpy as np
import numpyro
import pytest
from numpy.testing import assert_allclose
from numpyro.distributions import Normal

import bayesjudge as bj
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.models.quantities import by_item
from bayesjudge.models.verdicts import observe_half_wins

LABELS = [(None, None), ("a", "b"), ("b", "a")]


def shared_score(judges, humans):
    law = Normal(0.0, 2.0).expand([judges.n_items - 1]).to_event(1)
    score = by_item("score", helmert_basis(judges.n_items) @ numpyro.sample("u", law))
    observe_half_wins(judges, judges.contrast(score))
    observe_half_wins(humans, 0.5 * humans.contrast(score))


def rows_of(data, factor):
    contrast = np.eye(len(data.items))[data.first] - np.eye(len(data.items))[data.second]
    return factor * contrast @ helmert_basis(len(data.items)), 1 - data.verdict / 2


@pytest.fixture(scope="module")
def pair():
    one, two = bj.synthetic_panel(40, seed=1), bj.synthetic_panel(25, seed=2)
    return one, replace(two, human=np.ones(two.n_judges, dtype=bool))


@pytest.mark.parametrize("labels", LABELS)
def test_covariances_equal_plain_numpy(pair, labels):
    designs = [bj.design(data, label=label) for data, label in zip(pair, labels, strict=True)]
    fit = bj.mode(shared_score, *designs)
    parts = [rows_of(data, factor) for data, factor in zip(pair, (1.0, 0.5), strict=True)]
    x, y = (np.concatenate(each) for each in zip(*parts, strict=True))
    p = 1 / (1 + np.exp(-x @ fit.phi))
    information = (x.T * (p * (1 - p))) @ x
    bread = np.linalg.inv(information + np.eye(len(fit.phi)) / 4)
    assert_allclose(fit.covariance("model").matrix, bread, rtol=1e-8)
    names = np.concatenate([np.array(data.prompts)[data.prompt] for data in pair])
    sums = np.array([((y - p)[:, None] * x)[names == name].sum(0) for name in np.unique(names)])
    centred, n = sums - sums.mean(0), len(sums)
    meat = n / (n - 1) * centred.T @ centred
    assert_allclose(fit.covariance("sandwich").matrix, bread @ meat @ bread, rtol=1e-7)


def test_prompts_that_reading_made_up_are_not_shared():
    rows = [
        {"item_first": "x", "item_second": "y", "verdict": v} for v in ("first", "second", "tie")
    ]
    tables = bj.read(rows), bj.read(rows, kind="human")
    fit = bj.mode(shared_score, *tables)
    assert fit.covariance("sandwich").n_clusters == 6


def test_labels_that_collide_are_refused(pair):
    same = [bj.design(data, label="same") for data in pair]
    with pytest.raises(bj.errors.UnknownOptionError, match="same label"):
        bj.mode(shared_score, *same)
