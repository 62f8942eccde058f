"""Bootstrap of held-out losses, with or without refits."""

from collections.abc import Mapping
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
    votes: Comparisons,
    folds: int = 5,
    *,
    seed: int,
    replications: int = 200,
    item_names: Mapping[str, str] | None = None,
    jobs: int = 1,
) -> LossBootstrap:
    """Resample prompts, refit the judges' models, calibrate again and predict human votes.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        What is compared, by name. Designs may hold different judgments, where a term is not known
        for all of them.
    votes : Comparisons
        Votes of people, on prompts with the judgments' names.
    folds : int
        Number of folds of prompts; fixed throughout, so that copies of a prompt share a fold.
    seed : int
        Seed of the folds and of the resamples.
    replications : int
        How many resamples.
    item_names : mapping of str to str, optional
        The judges' name of an item by the people's, where they differ.
    jobs : int
        How many run at once, in threads (`replicate`).

    Returns
    -------
    LossBootstrap
        Log losses of human votes by model, on the same resamples.

    Raises
    ------
    UnmatchedPromptsError
        If judgments and votes share no prompt.
    UnknownItemsError, InvalidFoldsError, BootstrapError, SamplerSettingError, UnknownOptionError,
    WorkerError
        As for `human_vote_prediction` and `replicate`.
    NotMappingError, NotDesignError, EmptyComparisonsError, NotComparisonsError
        If programs are not given by name, each with its design, or votes have not been read.

    Notes
    -----
    OSCAR, Appendix F.4: the same counts of prompts apply to judgments and to votes.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> votes = data.select(data.judge == 0)  # stands for people here
    >>> programs = {"J+P": (bj.models.sensitivity, bj.design(data))}
    >>> found = human_vote_bootstrap(programs, votes, seed=1, replications=10)
    >>> round(found.table()["lower"].item(), 2)
    0.48
    """
    demand_resamples(replications, seed, jobs)
    prompts = _shared_prompts(demand_programs(programs), demand_comparisons(votes))
    item_names = demand_item_names(item_names)
    fold = prompt_folds(votes, folds, seed=seed)
    predict = partial(_predict, programs, votes, fold, item_names)
    point = predict(pd.Series(1, index=prompts))
    losses_of = partial(_vote_losses_on_resample, programs, votes, fold, item_names, prompts)
    return LossBootstrap(point, resampled(losses_of, replications, seed, jobs))


def _vote_losses_on_resample(
    programs: Mapping[str, Contender],
    votes: Comparisons,
    folds: IntArray,
    item_names: Mapping[str, str] | None,
    prompts: list[str],
    generator: np.random.Generator,
) -> dict[str, float]:
    drawn = generator.integers(len(prompts), size=len(prompts))
    count = pd.Series(np.bincount(drawn, minlength=len(prompts)), index=prompts)
    return _predict(programs, votes, folds, item_names, count).log_loss


def _predict(
    programs: Mapping[str, Contender],
    votes: Comparisons,
    folds: IntArray,
    item_names: Mapping[str, str] | None,
    count: pd.Series,
) -> HeldOut:
    """Refit and predict with each prompt counted as often as asked."""
    scores = {name: _scores(each, count) for name, each in programs.items()}
    weight = votes.weight * _row_counts(votes, count)
    return predict_votes(scores, votes, folds, item_names, weight)


def _scores(contender: Contender, count: pd.Series) -> pd.Series:
    model, of = contender
    fit = mode(model, reweighted(of, of.weight * _row_counts(of.data, count)))
    return fit.quantity("score").to_series()


def _row_counts(data: Comparisons, count: pd.Series) -> IntArray:
    return count[list(data.prompts)].to_numpy()[data.prompt]


def _shared_prompts(programs: Mapping[str, Contender], votes: Comparisons) -> list[str]:
    """All prompts, judged or voted on, once it is known that some are both."""
    judged = {name for _, of in programs.values() for name in of.data.prompts}
    if judged.isdisjoint(votes.prompts):
        raise UnmatchedPromptsError(
            f"Judgments and human votes share no prompt (such as {min(judged, default='')!r} and "
            f"{votes.prompts[0]!r}); give prompts the same names in both."
        )
    return sorted(judged | set(votes.prompts))


def refit_bootstrap(
    programs: Mapping[str, Contender],
    folds: IntArray,
    *,
    seed: int,
    replications: int = 200,
    jobs: int = 1,
) -> LossBootstrap:
    """Resample prompts within folds, refit all models on each resample and predict again.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        What is compared, by name; all designs hold the same verdicts.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row, fixed throughout.
    seed : int
        Same seed, same resamples.
    replications : int
        How many resamples.
    jobs : int
        How many run at once, in threads (`replicate`).

    Returns
    -------
    LossBootstrap
        Losses of all models on the same resamples; those that failed are kept and counted.

    Raises
    ------
    InvalidFoldsError, MismatchedRowsError, NotMappingError, NotDesignError
        As for `held_out`.
    BootstrapError, SamplerSettingError, UnknownOptionError, WorkerError
        As for `replicate`.

    Notes
    -----
    OSCAR, Appendix E.3. A resample is a count of each prompt, in training and in the loss; all
    rows of a prompt share it. Refits reuse the code that the full data compiled.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.studies.prediction.folds import prompt_folds
    >>> data = bj.example_panel()
    >>> programs = {
    ...     name: (bj.models.sensitivity, bj.design(data, terms))
    ...     for name, terms in {"J": (), "J+P": ("position",)}.items()
    ... }
    >>> found = refit_bootstrap(programs, prompt_folds(data, seed=1), seed=1, replications=20)
    >>> found.difference_table(("J", "J+P"))
    Prompt bootstrap, percentile 95 % intervals, 0 of 20 replications failed. difference:
    nats a verdict.
      first second  difference  lower  upper  verdicts
    0     J    J+P       0.030  0.013  0.041      2000
    """
    demand_resamples(replications, seed, jobs)
    fold = fold_of_prompt(shared_data(programs), folds)
    point = held_out(programs, folds)  # first, so that threads find the code compiled
    losses_of = partial(_losses_on_resample, programs, np.asarray(folds), fold)
    return LossBootstrap(point, resampled(losses_of, replications, seed, jobs))


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
    """Give held-out log losses with each prompt counted as often as asked.

    Parameters
    ----------
    programs : mapping of str to (program, Design)
        What is compared.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row.
    count : ndarray of int, shape (n_prompts,)
        How often each prompt is counted, in training and in the loss.

    Returns
    -------
    dict of str to float
        Pooled log loss by model, in nats a verdict.
    """
    _, of = next(iter(programs.values()))
    return held_out(programs, folds, of.weight * count[of.data.prompt]).log_loss


def resample_within(fold: IntArray, generator: np.random.Generator) -> IntArray:
    """Draw prompts with replacement, as many from each fold as it has.

    Parameters
    ----------
    fold : ndarray of int, shape (n_prompts,)
        The fold of each prompt.
    generator : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of int, shape (n_prompts,)
        How often each prompt was drawn.

    Examples
    --------
    >>> fold = np.array([0, 0, 0, 1, 1])
    >>> count = resample_within(fold, np.random.default_rng(1))
    >>> np.bincount(fold, weights=count)
    array([3., 2.])
    """
    count = np.zeros(len(fold), dtype=np.int64)
    for each in np.unique(fold):
        members = np.flatnonzero(fold == each)
        count += np.bincount(generator.choice(members, len(members)), minlength=len(fold))
    return count
