"""How sure a prediction of human votes is, with judgments and votes resampled together."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd

from bayesjudge.data.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.data.reweight import reweighted
from bayesjudge.errors import UnmatchedPromptsError
from bayesjudge.inference.mode import mode
from bayesjudge.studies.arguments import demand_item_names
from bayesjudge.studies.contenders import Contender, demand_programs
from bayesjudge.studies.folds import prompt_folds
from bayesjudge.studies.human_votes import predict_votes
from bayesjudge.studies.loss_bootstrap import LossBootstrap, demand_resamples, replicate
from bayesjudge.studies.prediction_loss import HeldOut


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
    losses_of = partial(_losses_on_resample, programs, votes, fold, item_names, prompts)
    return LossBootstrap(point, replicate(losses_of, replications, seed, jobs))


def _losses_on_resample(
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
