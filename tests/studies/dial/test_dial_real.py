"""DIAL's protocol on real data: what is learned from, and what it is compared with."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit

import bayesjudge as bj
from bayesjudge.studies.dial.protocol import dial_protocol

SCORE, POSITION = np.array([0.9, 0.3, 0.0, -0.4, -0.8]), (0.8, -0.4, 0.3)
ITEMS = ("a", "b", "c", "d", "e")
SETTING = {
    "votes": 150,
    "verdicts": 900,
    "swapped": 0.5,
    "position_judges": 1,
    "opposed_judges": 0,
}


def table(position, seed, name):
    """One judge per position effect on the pairs of 600 prompts, in both orders."""
    rng = np.random.default_rng(seed)
    rows = []
    for prompt in range(600):
        pair = np.random.default_rng(prompt).permutation(5)[:2]
        for k, bias in enumerate(position):
            for i, j in (pair, pair[::-1]):
                won = rng.random() < expit(SCORE[i] - SCORE[j] + bias)
                verdict = "first" if won else "second"
                rows.append((ITEMS[i], ITEMS[j], verdict, f"{name}{k}", f"p{prompt:03d}"))
    names = ["item_first", "item_second", "verdict", "judge", "prompt"]
    return pd.DataFrame(rows, columns=names)


@pytest.fixture(scope="module")
def study():
    judges = bj.read(table(POSITION, 1, "j"), kind="llm")
    humans = bj.read(table((0.0,), 2, "h"), kind="human")
    return dial_protocol(judges, humans, [SETTING])


@pytest.fixture(scope="module")
def drawn(study):
    return study.draw(SETTING, seed=3)


def mean_loss(score, votes):
    gap = score[votes.first] - score[votes.second]
    return np.mean(np.logaddexp(0, np.where(votes.verdict == 0, -gap, gap)))


def test_excess_loss_is_above_the_best_score_of_the_votes_kept_back(drawn):
    votes = drawn.test.designs[0].data
    best = minimize(mean_loss, np.zeros(5), args=(votes,), options={"gtol": 1e-10})
    score = SCORE - SCORE.mean()
    assert drawn.excess_loss(score) == pytest.approx(mean_loss(score, votes) - best.fun, abs=1e-8)
    fitted = drawn.test.values["human_score"]
    assert fitted == pytest.approx(best.x - best.x.mean(), abs=1e-4)
    assert drawn.excess_loss(fitted) == pytest.approx(0, abs=1e-12)


def test_budgets_are_kept_and_records_are_not_shared(drawn):
    judges, humans, test = drawn.judges.data, drawn.humans.data, drawn.test.designs[0].data
    assert humans.n_rows == 150
    own = ~np.char.startswith(np.array(judges.judges), "position-")[judges.judge]
    assert own.sum() == 900
    assert not (set(judges.prompts) | set(humans.prompts)) & set(test.prompts)


def test_same_seed_same_data(study, drawn):
    again = study.draw(SETTING, seed=3)
    assert (again.judges.layout.counts == drawn.judges.layout.counts).all()
    assert (again.humans.layout.counts == drawn.humans.layout.counts).all()


@pytest.mark.slow
def test_estimates_are_measured_against_the_votes_kept_back(study, drawn):
    names = ("DIAL-Anc", "DIAL-noPos")
    scores = {name: study.estimators[name](drawn) for name in names}
    rows = {(row["estimator"], row["metric"]): row["value"] for row in study.metrics(drawn, scores)}
    assert min(rows[name, "excess loss"] for name in names) >= 0
    assert rows["DIAL-Anc", "excess loss"] < 0.1


def test_another_split_of_the_records_compiles_nothing(study, compilations):
    def estimate(seed):
        drawn = study.draw(SETTING, seed=seed)
        for name in ("Human", "DIAL-Anc", "Pooled"):
            study.estimators[name](drawn)

    estimate(1)
    before = compilations()
    estimate(2)
    assert compilations() == before
