"""Held-out prediction: hand cases, identities, and an independent implementation."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.studies.prediction.folds import prompt_folds
from bayesjudge.studies.prediction.held_out import held_out, row_win_probability
from bayesjudge.studies.prediction.losses import HeldOut, log_loss


@pytest.fixture(scope="module")
def programs(panel):
    terms = {"J": (), "J+P": ("position",)}
    return {name: (bj.models.sensitivity, bj.design(panel, each)) for name, each in terms.items()}


@pytest.fixture(scope="module")
def found(panel, programs):
    return held_out(programs, prompt_folds(panel, seed=1))


def renamed(data, names):
    return data.to_frame().replace({"item_first": names, "item_second": names, "judge": names})


def test_folds_are_equal_in_prompts_and_keep_prompts_whole(panel):
    folds = prompt_folds(panel, 3, seed=4)
    of_prompt = pd.Series(folds).groupby(panel.prompt).unique()
    assert (of_prompt.map(len) == 1).all()
    assert sorted(of_prompt.map(lambda each: each[0]).value_counts()) == [133, 133, 134]


def test_folds_follow_their_seed(panel):
    assert np.array_equal(prompt_folds(panel, seed=4), prompt_folds(panel, seed=4))
    assert not np.array_equal(prompt_folds(panel, seed=4), prompt_folds(panel, seed=5))


@pytest.mark.parametrize("folds", [1, 401])
def test_impossible_numbers_of_folds_are_refused(panel, folds):
    with pytest.raises(errors.InvalidFoldsError, match="400 prompts"):
        prompt_folds(panel, folds, seed=1)


def test_folds_that_part_a_prompt_are_refused(panel, programs):
    with pytest.raises(errors.InvalidFoldsError, match="is in two folds"):
        held_out(programs, np.arange(panel.n_rows) % 2)


def test_folds_that_do_not_fit_are_refused(panel, programs):
    with pytest.raises(errors.InvalidFoldsError, match="shape"):
        held_out(programs, np.zeros(panel.n_rows, dtype=int))


def test_designs_of_different_verdicts_are_refused(panel, programs):
    part = panel.select(panel.prompt > 0)
    mixed = programs | {"part": (bj.models.sensitivity, bj.design(part))}
    with pytest.raises(errors.MismatchedRowsError, match="different verdicts"):
        held_out(mixed, prompt_folds(panel, seed=1))


def test_no_program_is_refused(panel):
    with pytest.raises(errors.EmptyComparisonsError):
        held_out({}, prompt_folds(panel, seed=1))


def test_loss_of_hand_cases():
    loss = log_loss(np.array([0.5, 0.9, 0.9, 0.9]), np.array([0, 0, 2, 1]))
    assert_allclose(loss, [np.log(2), -np.log(0.9), -np.log(0.1), -0.5 * np.log(0.09)])


def test_certain_predictions_are_clipped():
    loss = log_loss(np.array([0.0, 1.0]), np.array([0, 2]))
    assert_allclose(loss, -np.log(1e-15), rtol=2e-3)


def test_table_of_hand_predictions(verdicts_of_two_prompts):
    data = verdicts_of_two_prompts
    half = {"coin": np.full(3, 0.5), "bold": np.array([0.8, 0.8, 0.8])}
    made = HeldOut(data, np.array([0, 0, 1]), data.weight, half, "hand")
    mean = -(2 * np.log(0.8) + np.log(0.2)) / 3
    assert made.log_loss == pytest.approx({"coin": np.log(2), "bold": mean})
    assert_allclose(made.prompt_sums["bold"], [-2 * np.log(0.8), -np.log(0.2)])
    # two prompts, whose deviations from the mean cancel
    gap = -2 * np.log(0.8) - 2 * mean
    assert made.standard_error("bold") == pytest.approx(np.sqrt(2) * abs(gap) / 3)
    assert made.standard_error("coin") == pytest.approx(0.0, abs=1e-12)
    table = made.difference_table(("coin", "bold"))
    assert table["difference"].item() == pytest.approx(np.log(2) - mean)
    assert table[["verdicts", "prompts"]].to_numpy().tolist() == [[3, 2]]


@pytest.fixture
def verdicts_of_two_prompts():
    rows = {"left": list("xxx"), "right": list("yyy"), "winner": ["left", "left", "right"]}
    return bj.read(rows | {"prompt": ["p", "p", "q"]})


def test_an_unknown_model_is_refused(found):
    with pytest.raises(errors.UnknownModelError, match="J, J\\+P"):
        found.difference_table(("J", "OSCAR"))


def test_a_fold_is_predicted_by_a_fit_to_the_rest(panel, found):
    kept = panel.select(found.folds != 0)
    fit = bj.mode(bj.models.sensitivity, bj.design(kept, reference_judge="judge-1"))
    first = [panel.items[i] for i in panel.first]
    second = [panel.items[i] for i in panel.second]
    judge = [panel.judges[k] for k in panel.judge]
    gap = [fit.quantity("score").to_series()[each].to_numpy() for each in (first, second)]
    # scores are on the average judge's scale
    slope = fit.quantity("sensitivity").to_series()
    eta = (slope / slope.mean())[judge].to_numpy() * (gap[0] - gap[1])
    eta += fit.quantity("position").to_series()[judge].to_numpy()
    test = found.folds == 0
    assert_allclose(found.probability["J+P"][test], expit(eta)[test], atol=1e-9)


def test_a_mode_predicts_its_own_rows(panel, panel_mode):
    probability = row_win_probability(panel_mode)
    losses = log_loss(probability, panel.verdict)
    ridge = 0.5 * 0.05 * (panel_mode.phi**2).sum()
    constant = 0.5 * len(panel_mode.phi) * np.log(2 * np.pi / 0.05)
    assert losses.sum() + ridge + constant == pytest.approx(panel_mode.objective, rel=1e-9)


def test_twice_the_verdicts_is_a_weight_of_two(panel, programs, found):
    folds = found.folds
    frame = pd.concat([panel.to_frame(), panel.to_frame().assign(repeat=2)])
    twice = bj.read(frame)
    doubled = {"J+P": (bj.models.sensitivity, bj.design(twice))}
    of_prompt = dict(zip([panel.prompts[g] for g in panel.prompt], folds, strict=True))
    copied = held_out(doubled, np.array([of_prompt[twice.prompts[g]] for g in twice.prompt]))
    weighted = held_out(programs, folds, 2 * panel.weight)
    assert weighted.log_loss["J+P"] == pytest.approx(copied.log_loss["J+P"], abs=1e-9)
    assert weighted.log_loss["J+P"] != found.log_loss["J+P"]


def test_names_and_order_of_rows_do_not_matter(panel, found):
    names = {item: f"zz-{9 - i}" for i, item in enumerate(panel.items)}
    names |= {judge: f"aa-{9 - k}" for k, judge in enumerate(panel.judges)}
    frame = renamed(panel, names).sample(frac=1.0, random_state=1)
    other = bj.read(frame)
    reference = names["judge-1"]
    design = bj.design(other, ("position",), reference_judge=reference)
    again = held_out({"J+P": (bj.models.sensitivity, design)}, prompt_folds(other, seed=1))
    assert again.log_loss["J+P"] == pytest.approx(found.log_loss["J+P"], abs=1e-10)


def test_the_position_term_predicts_better(found):
    gap = found.difference_table(("J", "J+P"))
    assert gap["difference"].item() > 3 * gap["standard_error"].item()
