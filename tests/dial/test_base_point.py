"""Judges who contradict each other: the chart's base point decides neither fit nor guard."""

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.designs.structure import canonical_structure


def contradicting(seed, n_items=6, n_judges=4):
    """Two of four judges give their verdicts the wrong way round, so that scores average out."""
    rng = np.random.default_rng(seed)
    frame = np.linalg.qr(rng.normal(size=(n_items, 3)))[0]
    frame -= frame.mean(axis=0)
    loading, factor = 1 + 0.3 * rng.normal(size=n_judges), rng.normal(size=n_judges)
    score = np.sqrt(n_items) * (np.outer(loading, frame[:, 0]) + np.outer(factor, frame[:, 1]))
    score[:2] *= -1
    judges = table(rng, score, rng.normal(0.3, 0.4, n_judges), 1500)
    votes = table(rng, np.sqrt(n_items) * frame[None, :, 0], np.zeros(1), 150)
    return bj.read(judges), bj.read(votes, kind="human")


def table(rng, score, position, size):
    n_judges, n_items = score.shape
    judge, first = rng.integers(n_judges, size=size), rng.integers(n_items, size=size)
    second = (first + rng.integers(1, n_items, size=size)) % n_items
    log_odds = score[judge, first] - score[judge, second] + position[judge]
    won = rng.random(size) < 1 / (1 + np.exp(-log_odds))
    return pd.DataFrame(
        {
            "judge": [f"judge-{k}" for k in judge],
            "item_first": [f"item-{i}" for i in first],
            "item_second": [f"item-{i}" for i in second],
            "verdict": np.where(won, "first", "second"),
        }
    )


def moved(structure, score, size, seed):
    """A base point at given scores (Helmert coordinates) and noise."""
    noise = size * np.random.default_rng(seed).normal(size=score.shape)
    return canonical_structure(score + noise, structure.position, structure.rank)


@pytest.mark.parametrize("seed", [1, 3])
def test_neither_fit_nor_guard_depends_on_the_base_point(seed):
    judges, votes = contradicting(seed)
    usual = bj.calibration.structure(judges, votes, rank=1)
    first = bj.calibration.weight_path(bj.models.calibrated, judges, votes, usual, weights=[5.0])
    score = first.anchored.fit.quantity("judge_score").values
    assert first.anchored.fault is None
    for shift in range(3):
        base = moved(usual, score @ helmert_basis(6), 0.1, shift)
        other = bj.calibration.weight_path(bj.models.calibrated, judges, votes, base, weights=[5.0])
        assert other.anchored.fault is None
        found = other.anchored.fit.quantity("judge_score").values
        np.testing.assert_allclose(found, score, atol=1e-6)
        assert other.anchored.gacv == pytest.approx(first.anchored.gacv, abs=1e-9)


@pytest.mark.parametrize("seed", [1, 3])
def test_starts_anywhere_never_beat_the_usual_one(seed):
    judges, votes = contradicting(seed)
    usual = bj.calibration.structure(judges, votes, rank=1)
    ends = [
        bj.calibration.weight_path(
            bj.models.calibrated, judges, votes, base, weights=[5.0]
        ).staged.judges
        for base in (usual, *(moved(usual, np.zeros((4, 5)), 1.0, k) for k in range(4)))
    ]
    assert min(end.value for end in ends[1:]) > ends[0].value - 1e-9


def test_a_maximum_is_about_itself():
    """The same likelihood and scores as in the path, without false alarm."""
    judges, votes = contradicting(3)
    fit = bj.mode(bj.models.consensus, judges, prior=False)
    path = bj.calibration.weight_path(bj.models.calibrated, judges, votes, weights=[5.0])
    score = path.anchored.fit.quantity("judge_score")
    np.testing.assert_allclose(fit.quantity("judge_score"), score, atol=1e-6)
