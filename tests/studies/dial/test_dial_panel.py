"""The generator of DIAL's simulations: canonical form, frequencies, departures from the model.

Draws are large and seeds fixed; each check of a frequency fails by chance once in 150,000 seeds.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit

from bayesjudge.studies.dial.panel import DialSettings, dial_panel, dial_truth

LIMIT = 4.5  # standard errors
LARGE = DialSettings(n_items=5, n_judges=3, verdicts=4_000_000, votes=1_000_000)


def counts(settings, seed=1):
    """Wins and totals of the judges, shape (judges, pairs, orders), in the generator's own rows."""
    panel = dial_panel(settings, seed=seed)
    pairs = settings.n_items * (settings.n_items - 1) // 2
    cells = panel.judges.weight.reshape(settings.n_judges, pairs, 2, 2)
    return panel, cells[..., 0], cells.sum(axis=-1)


def log_odds(won, total):
    """Half difference and half sum of the two orders' log-odds, and the error of either."""
    first, second = np.moveaxis(logit(won / total), -1, 0)
    error = np.sqrt((total / (won * (total - won))).sum(axis=-1)) / 2
    return (first - second) / 2, (first + second) / 2, error


@pytest.fixture(scope="module")
def large():
    return counts(LARGE)


@pytest.mark.parametrize("rank", [1, 2])
def test_the_truth_is_canonical(rank):
    settings = DialSettings(n_items=8, n_judges=6, rank=rank)
    for seed in range(20):
        truth = dial_truth(settings, np.random.default_rng(seed))
        consensus = truth.human_score  # of mean square one, as no misalignment was asked for
        assert consensus.sum() == pytest.approx(0, abs=1e-12)
        assert (consensus**2).mean() == pytest.approx(1)
        # S' 1 = K mu: loadings have mean one, factors mean zero
        assert truth.judge_score.mean(axis=0) == pytest.approx(consensus)
        loading = truth.judge_score @ consensus / 8
        rest = truth.judge_score - np.outer(loading, consensus)
        assert np.linalg.matrix_rank(rest, tol=1e-9) == rank


def test_position_effects_are_as_the_paper_says():
    settings = DialSettings(n_judges=6)
    found = np.array([dial_truth(settings, np.random.default_rng(s)).position for s in range(800)])
    drawn = found[:, 1:]
    assert (found[:, 0] == 0.05).all()
    assert ((np.abs(drawn) >= 0.3) & (np.abs(drawn) <= 1.2)).all()
    share = (drawn > 0).mean()
    assert abs(share - 0.8) < LIMIT * np.sqrt(0.16 / drawn.size)


def test_a_misaligned_target_leaves_the_consensus_within_the_structure():
    settings = DialSettings(misalignment=0.5, rank=2)
    found = []
    for seed in range(400):
        truth = dial_truth(settings, np.random.default_rng(seed))
        consensus = truth.judge_score.mean(axis=0)
        away = truth.human_score - consensus
        assert consensus @ away == pytest.approx(0, abs=1e-10)
        rows = np.vstack([truth.judge_score, truth.human_score])
        assert np.linalg.matrix_rank(rows, tol=1e-9) == 3
        found.append((away**2).mean())
    # mean of c_V'c_V is 2 x 0.25; its variance over draws 2 x 2 x 0.25^2
    assert abs(np.mean(found) - 0.5) < LIMIT * 0.5 / np.sqrt(400)


def test_pairs_and_judges_are_uniform_and_orders_three_to_one(large):
    _, _, total = large
    expected = np.broadcast_to([0.75, 0.25], total.shape) * LARGE.verdicts / total[..., 0].size
    assert (np.abs(total - expected) < LIMIT * np.sqrt(expected)).all()


def test_verdicts_and_votes_have_the_model_s_probability(large):
    panel, won, total = large
    low, high = np.triu_indices(5, k=1)
    gap = panel.truth.judge_score[:, low] - panel.truth.judge_score[:, high]
    bias = panel.truth.position[:, None]
    p = expit(np.stack([gap + bias, bias - gap], axis=-1))
    assert (np.abs(won - total * p) < LIMIT * np.sqrt(total * p * (1 - p))).all()
    votes = panel.humans.weight.reshape(-1, 2)
    q = expit(panel.truth.human_score[low] - panel.truth.human_score[high])
    n = votes.sum(axis=1)
    assert (np.abs(votes[:, 0] - n * q) < LIMIT * np.sqrt(n * q * (1 - q))).all()


def test_overdispersion_is_shared_by_both_orders():
    panel, won, total = counts(replace(LARGE, overdispersion=1.0), seed=3)
    low, high = np.triu_indices(5, k=1)
    gap = panel.truth.judge_score[:, low] - panel.truth.judge_score[:, high]
    score, position, error = log_odds(won, total)
    assert (np.abs(position - panel.truth.position[:, None]) < LIMIT * error).all()
    assert 0.5 < (score - gap).std() < 1.6  # 30 draws from N(0, 1)


def test_uneven_position_effects_have_the_judge_s_mean():
    panel, won, total = counts(replace(LARGE, position_spread=0.5), seed=4)
    low, high = np.triu_indices(5, k=1)
    gap = panel.truth.judge_score[:, low] - panel.truth.judge_score[:, high]
    score, position, error = log_odds(won, total)
    uneven = position - panel.truth.position[:, None]
    assert (np.abs(score - gap) < LIMIT * error).all()
    assert (np.abs(uneven.mean(axis=1)) < LIMIT * np.sqrt((error**2).sum(axis=1)) / 10).all()
    assert 0.25 < uneven.std() < 0.8  # 30 draws from N(0, 0.5^2)


def test_excess_risk_is_that_of_random_votes():
    truth = dial_truth(DialSettings(n_items=5), np.random.default_rng(0))
    s, other = truth.human_score, np.linspace(1, -1, 5)
    total = 0.0
    for i in range(5):
        for j in range(i):
            p, q = expit(s[i] - s[j]), expit(other[i] - other[j])
            total += p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    assert truth.excess_risk(other) == pytest.approx(total / 10, rel=1e-10)
    assert truth.excess_risk(s) == pytest.approx(0, abs=1e-14)


def test_same_seed_same_panel_and_all_panels_share_their_cells():
    one, again, other = (dial_panel(DialSettings(verdicts=500), seed=seed) for seed in (1, 1, 2))
    assert (one.judges.weight == again.judges.weight).all()
    assert (one.judges.weight != other.judges.weight).any()
    assert one.judges.layout.counts.shape == other.judges.layout.counts.shape


def test_panels_and_truths_are_shown_in_a_line():
    panel = dial_panel(DialSettings(verdicts=4000, votes=100), seed=1)
    assert repr(panel) == "DialPanel(10 items, 4,000 verdicts of 4 judges, 100 votes)"
    assert repr(panel.truth) == "DialTruth(4 judges, 10 items)"
