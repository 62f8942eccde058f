"""The paired refit bootstrap: seeds, failures, and percentiles."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.core.intervals import equal_tailed
from bayesjudge.studies.prediction.folds import fold_of_prompt, prompt_folds
from bayesjudge.studies.prediction.loss_bootstrap import LossBootstrap, resampled
from bayesjudge.studies.prediction.resamples import counted_losses, refit_bootstrap, resample_within


@pytest.fixture(scope="module")
def programs(panel):
    terms = {"J": (), "J+P": ("position",)}
    return {name: (bj.models.sensitivity, bj.design(panel, each)) for name, each in terms.items()}


@pytest.fixture(scope="module")
def folds(panel):
    return prompt_folds(panel, seed=1)


@pytest.fixture(scope="module")
def found(programs, folds):
    return refit_bootstrap(programs, folds, seed=3, replications=6)


def losses(found):
    return [dict(each.losses) for each in found.replications]


def sometimes(generator):
    value = generator.random()
    if value > 0.7:
        raise errors.NotConvergedError(f"Stopped at {value:.2f}; run longer.")
    return {"J": value, "J+P": value - 0.1}


def always(generator):
    raise errors.NotConvergedError("Stopped; run longer.")


def test_a_resample_keeps_the_size_of_each_fold(panel, folds):
    fold = fold_of_prompt(panel, folds)
    count = resample_within(fold, np.random.default_rng(1))
    assert np.array_equal(np.bincount(fold, weights=count), np.bincount(fold))
    assert count.max() > 1


def test_every_prompt_once_is_the_point_estimate(panel, programs, folds, found):
    once = counted_losses(programs, folds, np.ones(panel.n_prompts, dtype=int))
    assert once == found.point.log_loss


def test_same_seed_same_replications_in_threads(programs, folds, found):
    again = refit_bootstrap(programs, folds, seed=3, replications=6, n_jobs=2)
    assert losses(again) == losses(found)


def test_more_replications_begin_with_the_same(programs, folds, found):
    short = refit_bootstrap(programs, folds, seed=3, replications=2)
    assert losses(short) == losses(found)[:2]


def test_differences_are_paired(found):
    gaps = found.losses("J") - found.losses("J+P")
    table = found.difference_table(("J", "J+P"), prob=0.9)
    assert table[["lower", "upper"]].to_numpy().tolist() == [equal_tailed(gaps, 0.9).tolist()]
    assert gaps.std() < found.losses("J").std()


def test_failures_are_counted_for_all_models_and_never_averaged(found):
    runs = resampled(sometimes, 50, seed=1)
    kept = LossBootstrap(found.point, runs)
    failed = len(kept.failures)
    assert 5 < failed < 25
    assert all("run longer" in sentence for sentence in kept.failures)
    assert len(kept.losses("J")) == len(kept.losses("J+P")) == 50 - failed
    assert f"{failed} of 50 replications failed" in kept.table().caption
    assert kept.losses("J").max() <= 0.7
    assert kept.difference_table(("J", "J+P"))["upper"].item() == pytest.approx(0.1)


def test_predictions_and_resamples_show_their_losses(found):
    losses = ", ".join(f"{name} {loss:.3f}" for name, loss in found.point.log_loss.items())
    shown = f"HeldOut(3 folds, log loss {losses})"
    assert repr(found.point) == shown
    assert repr(found) == f"LossBootstrap(0 of 6 replications failed, of {shown})"
    assert "Held-out prediction by modes" in found.point._repr_html_()
    assert "Prompt bootstrap" in found._repr_html_()


def test_nothing_but_failures_is_an_error(found):
    kept = LossBootstrap(found.point, resampled(always, 3, seed=1))
    assert kept._repr_html_() is None
    with pytest.raises(errors.BootstrapError, match="All 3 replications failed"):
        kept.table()


def test_an_error_that_is_not_ours_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        resampled(lambda generator: 1 / 0, 1, seed=1)


def test_no_replication_is_refused():
    with pytest.raises(errors.BootstrapError, match="at least one"):
        resampled(sometimes, 0, seed=1)


def test_an_unknown_model_is_refused(found):
    with pytest.raises(errors.UnknownModelError, match="OSCAR"):
        found.difference_table(("J", "OSCAR"))
