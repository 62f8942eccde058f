"""Bootstraps of held-out losses: prompts are resampled, and all models fitted again."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import demand_item_names
from bayesjudge.core.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.variants import reweighted
from bayesjudge.errors import UnmatchedPromptsError
from bayesjudge.fits.mode import mode
from bayesjudge.studies.prediction.folds import (
    Contender,
    demand_programs,
    fold_of_prompt,
    prompt_folds,
)
from bayesjudge.studies.prediction.held_out import held_out, shared_data
from bayesjudge.studies.prediction.human_votes import predict_votes
from bayesjudge.studies.prediction.loss_bootstrap import LossBootstrap, demand_resamples, resampled
from bayesjudge.studies.prediction.losses import HeldOut


def human_vote_bootstrap(
    programs: Mapping[str, Contender],
    humans: Comparisons,
    folds: int = 5,
    *,
    replications: int = 200,
    item_names: Mapping[str, str] | None = None,
    seed: int,
    n_jobs: int | None = None,
) -> LossBootstrap:
    """Resample prompts, refit the judges' models, calibrate again and predict human votes.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        The models to compare, by name. Designs may hold different judgments, where a term is not
        known for all of them.
    humans : Comparisons
        Votes of people, on prompts with the same names as in the judgments.
    folds : int
        Number of folds of prompts; fixed throughout, so that copies of a prompt share a fold.
    replications : int
        Number of resamples.
    item_names : mapping of str to str, optional
        The judges' name of an item by the people's, where they differ.
    seed : int
        Seed of the folds and of the resamples.
    n_jobs : int, optional
        Threads, as joblib counts them: None for one (or what ``joblib.parallel_config`` says).

    Returns
    -------
    LossBootstrap
        Log losses of human votes by model, on the same resamples; those that failed are kept and
        counted.

    Raises
    ------
    UnmatchedPromptsError
        If judgments and votes share no prompt.
    UnknownItemsError, InvalidFoldsError
        As for `human_vote_prediction`.
    BootstrapError, SamplerSettingError, UnknownOptionError
        If the number of resamples, the seed or the number of threads is not a whole number in its
        range.
    WorkerError
        If a program cannot be sent to another process, where ``joblib.parallel_config`` chose
        processes.
    NotMappingError, NotDesignError, EmptyComparisonsError, NotComparisonsError
        If programs are not given by name, each with its design, or votes have not been read.

    Notes
    -----
    OSCAR, Appendix F.4: the same counts of prompts apply to judgments and to votes.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> humans = data.select(data.judge == 0)  # one judge in the role of people
    >>> programs = {"J+P": (bj.models.sensitivity, bj.design(data))}
    >>> bootstrap = bj.studies.human_vote_bootstrap(programs, humans, replications=10, seed=1)
    >>> bootstrap
    LossBootstrap(0 of 10 replications failed, of HeldOut(5 folds, log loss J+P 0.523))
    >>> round(bootstrap.table()["lower"].item(), 2)
    0.48
    """
    demand_resamples(replications, seed, n_jobs)
    prompts = _shared_prompts(demand_programs(programs), demand_comparisons(humans))
    item_names = demand_item_names(item_names)
    fold = prompt_folds(humans, folds, seed=seed)
    predict = partial(_predict, programs, humans, fold, item_names)
    point = predict(pd.Series(1, index=prompts))
    losses_of = partial(_vote_losses_on_resample, predict, prompts)
    return LossBootstrap(point, resampled(losses_of, replications, seed, n_jobs))


def _vote_losses_on_resample(
    predict: Callable[[pd.Series], HeldOut], prompts: list[str], generator: np.random.Generator
) -> dict[str, float]:
    drawn = generator.integers(len(prompts), size=len(prompts))
    return predict(pd.Series(np.bincount(drawn, minlength=len(prompts)), index=prompts)).log_loss


def _predict(
    programs: Mapping[str, Contender],
    humans: Comparisons,
    folds: IntArray,
    item_names: Mapping[str, str] | None,
    count: pd.Series,
) -> HeldOut:
    """Refit and predict with each prompt counted as often as asked."""
    scores = {name: _scores(contender, count) for name, contender in programs.items()}
    weight = humans.weight * _row_counts(humans, count)
    return predict_votes(scores, humans, folds, item_names, weight)


def _scores(contender: Contender, count: pd.Series) -> pd.Series:
    model, design = contender
    fit = mode(model, reweighted(design, design.weight * _row_counts(design.data, count)))
    return fit.quantity("score").to_series()


def _row_counts(data: Comparisons, count: pd.Series) -> IntArray:
    return count[list(data.prompts)].to_numpy()[data.prompt]


def _shared_prompts(programs: Mapping[str, Contender], humans: Comparisons) -> list[str]:
    """Return all prompts, judged or voted on, and raise if none is both."""
    judged = {name for _, design in programs.values() for name in design.data.prompts}
    if judged.isdisjoint(humans.prompts):
        raise UnmatchedPromptsError(
            f"Judgments and human votes share no prompt (such as {min(judged, default='')!r} and "
            f"{humans.prompts[0]!r}); give prompts the same names in both."
        )
    return sorted(judged | set(humans.prompts))


def refit_bootstrap(
    programs: Mapping[str, Contender],
    folds: IntArray,
    *,
    replications: int = 200,
    seed: int,
    n_jobs: int | None = None,
) -> LossBootstrap:
    """Resample prompts within folds, refit all models on each resample and predict again.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        The models to compare, by name; all designs hold the same verdicts.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row, fixed throughout.
    replications : int
        Number of resamples.
    seed : int
        Same seed, same resamples.
    n_jobs : int, optional
        Threads, as joblib counts them: None for one (or what ``joblib.parallel_config`` says).

    Returns
    -------
    LossBootstrap
        Log losses of all models on the same resamples; those that failed are kept and counted.

    Raises
    ------
    InvalidFoldsError, MismatchedRowsError, NotMappingError, NotDesignError, EmptyComparisonsError
        As for `held_out`.
    BootstrapError, SamplerSettingError, UnknownOptionError, WorkerError
        As for `human_vote_bootstrap`.

    Notes
    -----
    OSCAR, Appendix E.3. A resample is a count of each prompt, in training and in the loss; all
    rows of a prompt share it. Refits reuse the code that the full data compiled.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> programs = {
    ...     name: (bj.models.sensitivity, bj.design(data, terms))
    ...     for name, terms in {"J": (), "J+P": ("position",)}.items()
    ... }
    >>> folds = bj.studies.prompt_folds(data, seed=1)
    >>> bootstrap = bj.studies.refit_bootstrap(programs, folds, replications=20, seed=1)
    >>> bootstrap.difference_table(("J", "J+P"))
    Prompt bootstrap, percentile 95 % intervals, 0 of 20 replications failed. difference:
    nats a verdict.
      first second  difference  lower  upper  verdicts
    0     J    J+P       0.030  0.013  0.041      2000
    """
    demand_resamples(replications, seed, n_jobs)
    fold = fold_of_prompt(shared_data(programs), folds)
    point = held_out(programs, folds)  # first, so that threads find the code compiled
    losses_of = partial(_losses_on_resample, programs, np.asarray(folds), fold)
    return LossBootstrap(point, resampled(losses_of, replications, seed, n_jobs))


def _losses_on_resample(
    programs: Mapping[str, Contender],
    folds: IntArray,
    fold: IntArray,
    generator: np.random.Generator,
) -> dict[str, float]:
    return counted_losses(programs, folds, resample_within(fold, generator))


def counted_losses(
    programs: Mapping[str, Contender], folds: IntArray, count: IntArray
) -> dict[str, float]:
    """Return held-out log losses with each prompt counted as often as `count` (n_prompts,) says."""
    _, design = next(iter(programs.values()))
    return held_out(programs, folds, design.weight * count[design.data.prompt]).log_loss


def resample_within(fold: IntArray, generator: np.random.Generator) -> IntArray:
    """Draw as many prompts from each fold as it has, and return counts, both (n_prompts,)."""
    count = np.zeros(len(fold), dtype=np.int64)
    for number in np.unique(fold):
        members = np.flatnonzero(fold == number)
        count += np.bincount(generator.choice(members, len(members)), minlength=len(fold))
    return count
