"""Judges' scores beside human votes: rankings, calibration, bootstrap."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import logit

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.studies.prediction.human_votes import (
    calibrate,
    human_scores,
    human_vote_prediction,
    score_gap,
)
from bayesjudge.studies.prediction.resamples import _predict, human_vote_bootstrap


@pytest.fixture(scope="module")
def votes(panel):
    """One judge's verdicts stand for people."""
    return panel.select(panel.judge == 0)


@pytest.fixture(scope="module")
def judgments(panel):
    return panel.select(panel.judge > 0)


@pytest.fixture(scope="module")
def programs(judgments):
    terms = {"J": (), "J+P": ("position",)}
    return {
        name: (bj.models.sensitivity, bj.design(judgments, each)) for name, each in terms.items()
    }


@pytest.fixture(scope="module")
def fits(programs):
    return {name: bj.mode(*each) for name, each in programs.items()}


@pytest.fixture(scope="module")
def found(fits, votes):
    return human_vote_prediction(fits, votes, seed=1)


def test_human_scores_of_two_items():
    votes = bj.read({"left": list("xxxx"), "right": list("yyyy"), "winner": ["left"] * 3 + ["tie"]})
    gap = -human_scores(votes).diff().iloc[1]
    eta_minus_ridge = 3.5 / 4 - 0.05 * gap / 2 / 4  # the stationarity condition: u = gap / sqrt 2
    assert gap == pytest.approx(logit(eta_minus_ridge), abs=1e-9)


def test_calibration_of_two_gaps_fits_their_shares():
    intercept, slope = calibrate(np.array([1.0, -1.0]), np.array([0.8, 0.3]), np.ones(2))
    assert intercept + slope == pytest.approx(logit(0.8), abs=1e-4)
    assert intercept - slope == pytest.approx(logit(0.3), abs=1e-4)


def test_calibration_counts_votes():
    gap, share = np.array([1.0, -1.0, -0.5]), np.array([0.5, 0.0, 1.0])
    twice = calibrate(np.tile(gap, 2), np.tile(share, 2), np.ones(6))
    assert_allclose(calibrate(gap, share, np.full(3, 2.0)), twice, atol=1e-10)


def test_nothing_to_calibrate_on_is_refused():
    with pytest.raises(errors.EmptyComparisonsError, match="calibrate"):
        calibrate(np.ones(2), np.ones(2), np.zeros(2))


def test_the_scale_of_scores_does_not_matter(fits, votes):
    from bayesjudge.studies.prediction.human_votes import predict_votes

    score = fits["J"].quantity("score").to_series()
    folds = votes.prompt % 5
    made = predict_votes({"one": score, "ten": 10 * score - 3}, votes, folds)
    assert_allclose(made.probability["one"], made.probability["ten"], atol=1e-6)


def test_names_are_mapped(fits, votes):
    renamed = {name: name.upper() for name in votes.items}
    score = fits["J"].quantity("score").to_series().rename(renamed)
    expected = score_gap(fits["J"].quantity("score").to_series(), votes)
    assert_allclose(score_gap(score, votes, renamed), expected)
    with pytest.raises(errors.UnknownItemsError, match="item_names"):
        score_gap(score, votes)


def test_prediction_follows_its_seed(fits, votes, found):
    again = human_vote_prediction(fits, votes, seed=1)
    assert again.log_loss == found.log_loss
    assert human_vote_prediction(fits, votes, seed=2).log_loss != found.log_loss


def test_scores_predict_better_than_a_coin(found):
    assert max(found.log_loss.values()) < np.log(2)


def test_every_prompt_once_is_the_point_estimate(programs, votes, found):
    once = pd.Series(1, index=list(votes.prompts))
    predicted = _predict(programs, votes, found.folds, None, once)
    assert predicted.log_loss == pytest.approx(found.log_loss, abs=1e-12)


def test_bootstrap_follows_its_seed_and_starts_from_the_prediction(programs, votes, found):
    one, two = (
        human_vote_bootstrap(programs, votes, seed=1, replications=3, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    )
    assert one.point.log_loss == pytest.approx(found.log_loss, abs=1e-12)
    assert np.array_equal(one.losses("J"), two.losses("J"))
    assert len(set(one.losses("J"))) == 3


def test_votes_on_other_prompts_are_refused(programs, votes):
    other = bj.read(votes.to_frame().assign(prompt=lambda frame: "x" + frame["prompt"]))
    with pytest.raises(errors.UnmatchedPromptsError, match="share no prompt"):
        human_vote_bootstrap(programs, other, seed=1, replications=1)


def test_human_ranking_of_mtbench(real_data):
    data, votes = real_data("mtbench"), real_data("mtbench_human")
    reference = next(judge for judge in data.judges if "Qwen3-235B" in judge)
    people, firsts, rhos = bj.mode(bj.models.bradley_terry, bj.design(votes, ())), [], []
    for terms in ((), ("position",)):
        design = bj.design(data, terms, reference_judge=reference)
        fit = bj.mode(bj.models.sensitivity, design)
        firsts.append(fit.quantity("score").to_series().idxmax())
        rhos.append(bj.agreement(fit, people).set_index("measure").loc["Spearman's rho"])
    assert [round(rho["estimate"], 2) for rho in rhos] == [0.94, 1.00]
    assert firsts == ["claude-v1", "gpt-4"]
    assert human_scores(votes).equals(people.quantity("score").to_series())
