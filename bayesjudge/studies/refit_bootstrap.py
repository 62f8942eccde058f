"""How sure a comparison of held-out losses is, with the fits' own uncertainty."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from bayesjudge.data.arrays import IntArray
from bayesjudge.studies.contenders import Contender
from bayesjudge.studies.folds import fold_of_prompt
from bayesjudge.studies.held_out import held_out, shared_data
from bayesjudge.studies.loss_bootstrap import LossBootstrap, demand_resamples, replicate


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
    >>> from bayesjudge.studies.folds import prompt_folds
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
    return LossBootstrap(point, replicate(losses_of, replications, seed, jobs))


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
