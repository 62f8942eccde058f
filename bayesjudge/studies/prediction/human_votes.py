r"""Whether scores learned from judges predict the votes of people.

.. math:: \hat p = \sigma\{\alpha_0 + \alpha_1 (s_a - s_b)\}

Scores stay as the judges' verdicts gave them; the intercept and the slope are fitted to the votes
of four folds of prompts and predict those of the fifth (OSCAR Section 6.4, Appendix F.3).
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.special import expit

from bayesjudge.core.arguments import demand_item_names, demand_named, demand_numbers
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import design
from bayesjudge.engine.optimise import minimise
from bayesjudge.errors import (
    EmptyComparisonsError,
    NotConvergedError,
    TooFewSharedItemsError,
    UnknownItemsError,
    UnrankedItemsError,
)
from bayesjudge.fits.mode import Mode, demand_mode, mode
from bayesjudge.report.table import Table
from bayesjudge.studies.prediction.folds import fold_of_prompt, prompt_folds
from bayesjudge.studies.prediction.losses import HeldOut

RIDGE = 1e-6  # on intercept and slope (OSCAR, Appendix F.3)


GRADIENT_BOUND = 1e-7  # a vote


def human_vote_prediction(
    fits: Mapping[str, Mode],
    votes: Comparisons,
    folds: int = 5,
    *,
    seed: int,
    item_names: Mapping[str, str] | None = None,
) -> HeldOut:
    """Predict the votes of each fold of prompts from the scores of judges.

    Parameters
    ----------
    fits : mapping of str to Mode
        Fits to judgments alone, by name.
    votes : Comparisons
        Votes of people.
    folds : int
        Number of folds of prompts.
    seed : int
        Seed of the folds.
    item_names : mapping of str to str, optional
        The judges' name of an item by the people's, where they differ.

    Returns
    -------
    HeldOut
        Probabilities and losses by model and vote.

    Raises
    ------
    UnknownItemsError
        If people voted on an item that a fit has no score for.
    InvalidFoldsError
        If there are fewer prompts than folds.
    NotMappingError, EmptyComparisonsError, UnknownFitError
        If fits are not given by name, or are not modes.
    NotComparisonsError, SamplerSettingError
        If the votes have not been read, or the seed is no whole number.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fits = {"J+P": bj.mode(bj.models.sensitivity, data)}
    >>> votes = data.select(data.judge == 0)  # stands for people here
    >>> round(human_vote_prediction(fits, votes, seed=1).log_loss["J+P"], 2)
    0.52
    """
    named = demand_named("fits", fits, '{"J": bj.mode(bj.models.sensitivity, data)}')
    scores = {name: demand_mode(fit).quantity("score").to_series() for name, fit in named.items()}
    item_names = demand_item_names(item_names)
    return predict_votes(scores, votes, prompt_folds(votes, folds, seed=seed), item_names)


def predict_votes(
    scores: Mapping[str, pd.Series],
    votes: Comparisons,
    folds: IntArray,
    item_names: Mapping[str, str] | None = None,
    weight: FloatArray | None = None,
) -> HeldOut:
    """Predict the votes of each fold, with folds and counts as given.

    Parameters
    ----------
    scores : mapping of str to pandas.Series
        Scores by item, by model.
    votes : Comparisons
        Votes of people.
    folds : ndarray of int, shape (n_rows,)
        The fold of each vote.
    item_names : mapping of str to str, optional
        The judges' name of an item by the people's.
    weight : ndarray, shape (n_rows,), optional
        How often each vote is counted; by default the votes' own weights.

    Returns
    -------
    HeldOut
        Probabilities and losses by model and vote.
    """
    fold_of_prompt(votes, folds)
    counts = votes.weight if weight is None else weight
    probability = {
        name: _each_fold(score_gap(each, votes, item_names), votes, folds, counts)
        for name, each in scores.items()
    }
    return HeldOut(votes, folds, counts, probability, "scores of judges, calibrated on votes")


def score_gap(
    scores: pd.Series, votes: Comparisons, item_names: Mapping[str, str] | None = None
) -> FloatArray:
    """Give the score of the item shown first minus that of the second.

    Parameters
    ----------
    scores : pandas.Series
        Scores by item.
    votes : Comparisons
        Votes of people.
    item_names : mapping of str to str, optional
        The judges' name of an item by the people's.

    Returns
    -------
    ndarray, shape (n_rows,)
        In the unit of the scores.

    Raises
    ------
    UnknownItemsError
        If an item has no score.
    """
    names = [(item_names or {}).get(name, name) for name in votes.items]
    absent = [name for name in names if name not in scores.index]
    if absent:
        raise UnknownItemsError(
            f"People voted on {absent[0]!r}, which the judges' fit has no score for; give "
            "item_names={the people's name: the judges' name}, or leave those votes out."
        )
    value = scores[names].to_numpy(dtype=np.float64)
    return value[votes.first] - value[votes.second]


def calibrate(gap: FloatArray, share: FloatArray, weight: FloatArray) -> FloatArray:
    """Fit an intercept and a slope that turn score gaps into log-odds of votes.

    Parameters
    ----------
    gap : ndarray, shape (n,)
        Score of the item shown first minus that of the second.
    share : ndarray, shape (n,)
        1, 1/2, 0 where people preferred the first, neither, the second.
    weight : ndarray, shape (n,)
        How often each vote is counted.

    Returns
    -------
    ndarray, shape (2,)
        Intercept and slope that minimise the summed log loss plus half of 1e-6 times their
        squares.

    Raises
    ------
    EmptyComparisonsError
        If no vote is counted.
    NotConvergedError
        If the optimiser fails.

    Examples
    --------
    >>> calibrate(np.array([1.0, 1.0, -1.0]), np.array([1.0, 0.5, 0.25]), np.ones(3)).round(3)
    array([0.   , 1.099])
    """
    total = float(weight.sum())
    if total <= 0:
        raise EmptyComparisonsError(
            "No human vote is left to calibrate on; use fewer folds, or votes on more prompts."
        )
    columns = np.column_stack([np.ones_like(gap), gap])

    def evaluate(alpha: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        eta = columns @ alpha
        p = expit(eta)
        loss = weight @ (np.logaddexp(0.0, eta) - share * eta) + 0.5 * RIDGE * alpha @ alpha
        gradient = columns.T @ (weight * (p - share)) + RIDGE * alpha
        curvature = (columns * (weight * p * (1 - p))[:, None]).T @ columns + RIDGE * np.eye(2)
        return float(loss), gradient, curvature

    found = minimise(evaluate, [np.zeros(2)])
    if not found.gradient_norm <= GRADIENT_BOUND * total:
        raise NotConvergedError(
            f"The calibration on human votes did not converge (gradient {found.gradient_norm:.0e} "
            f"over {total:.0f} votes); see whether votes follow the scores without exception."
        )
    return found.phi


def _each_fold(
    gap: FloatArray, votes: Comparisons, folds: IntArray, weight: FloatArray
) -> FloatArray:
    share, found = 1 - votes.verdict / 2, np.empty(votes.n_rows)
    for fold in np.unique(folds):
        test = folds == fold
        intercept, slope = calibrate(gap[~test], share[~test], weight[~test])
        found[test] = expit(intercept + slope * gap[test])
    return found


def human_scores(votes: Comparisons) -> pd.Series:
    """Score items by a Bradley-Terry model of human votes.

    Parameters
    ----------
    votes : Comparisons
        Votes of people.

    Returns
    -------
    pandas.Series
        Log-odds by item, adding up to zero; ridge 0.05, a tie is half a win.

    Raises
    ------
    NotComparisonsError
        If the votes have not been read.

    Notes
    -----
    OSCAR, Appendix F.2: neither annotators nor the order of display have terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> votes = bj.read({"left": list("xxy"), "right": list("yzz"), "winner": ["left"] * 3})
    >>> list(human_scores(votes).sort_values(ascending=False).index)
    ['x', 'y', 'z']
    """
    from bayesjudge.models import bradley_terry

    return mode(bradley_terry, design(votes, terms=())).quantity("score").to_series()


def ranking_agreement(
    scores: Mapping[str, pd.Series], human_scores: pd.Series, verdicts: float | None = None
) -> Table:
    """Compare rankings by judges with the ranking by people.

    Parameters
    ----------
    scores : mapping of str to pandas.Series
        Scores by item, by model; ``fit.quantity("score").to_series()`` gives them.
    human_scores : pandas.Series
        Scores by item, as `human_scores` gives them.
    verdicts : float, optional
        Number of votes behind the human scores, to be shown.

    Returns
    -------
    Table
        One row a model: ``spearman`` and ``kendall`` (tau-b), from -1 to 1, the item placed
        ``first``, whether the order is the ``same`` as the people's, and the number of ``items``.

    Raises
    ------
    UnknownItemsError
        If a model's items are not the people's.
    TooFewSharedItemsError
        With fewer than two items.
    UnrankedItemsError
        If scores are missing or all alike, are no Series of numbers, or an item has two of them.
    NotMappingError, EmptyComparisonsError
        If scores are not given by model.

    Notes
    -----
    OSCAR Section 6.4 and Appendix F.2. Scores are estimates: `bayesjudge.agreement` gives the
    interval of the correlation.

    Examples
    --------
    >>> people = pd.Series({"x": 1.0, "y": 0.0, "z": -1.0})
    >>> swapped = pd.Series({"x": 0.1, "y": 0.2, "z": -0.3})
    >>> ranking_agreement({"J": swapped, "J+P": 3 * people}, people)
    Rankings by judges beside that by people. spearman, kendall: correlation of ranks, from
    -1 to 1.
      model  spearman  kendall first   same  items
    0     J     0.500    0.333     y  False      3
    1   J+P         1        1     x   True      3
    """
    named = demand_named("scores", scores, '{"J": fit.quantity("score").to_series()}')
    if len(_demand_scores("the people", human_scores)) < 2:
        raise TooFewSharedItemsError(
            f"The human ranking has {len(human_scores)} item; two are needed to compare orders."
        )
    rows = [{"model": name, **_agreement(name, each, human_scores)} for name, each in named.items()]
    frame = pd.DataFrame(rows).assign(items=len(human_scores))
    if verdicts is not None:
        frame = frame.assign(human_votes=verdicts)
    return Table(
        frame,
        caption="Rankings by judges beside that by people.",
        units=dict.fromkeys(["spearman", "kendall"], "correlation of ranks, from -1 to 1"),
    )


def _demand_scores(whose: str, scores: object) -> pd.Series:
    if not isinstance(scores, pd.Series):
        raise UnrankedItemsError(
            f"The scores of {whose} are of type {type(scores).__name__}; give a pandas Series by "
            'item, as fit.quantity("score").to_series() is one.'
        )
    if not scores.index.is_unique:
        twice = scores.index[scores.index.duplicated()][0]
        raise UnrankedItemsError(
            f"The scores of {whose} hold {twice!r} twice; give each item one score."
        )
    demand_numbers(f"The series of scores of {whose}", scores, UnrankedItemsError)
    return scores


def _demand_same_items(name: str, scores: pd.Series, human: pd.Series) -> None:
    apart = sorted(set(scores.index) ^ set(human.index), key=str)
    if apart:
        raise UnknownItemsError(
            f"The items of {name!r} are not those that people voted on (only one side has "
            f"{apart[0]!r}); give both the same names."
        )


def _agreement(name: str, scores: pd.Series, human: pd.Series) -> dict[str, object]:
    from scipy.stats import kendalltau, rankdata, spearmanr

    _demand_same_items(name, _demand_scores(repr(name), scores), human)
    values, reference = scores[human.index].to_numpy(), human.to_numpy()
    for ranked in (values, reference):
        if not np.isfinite(ranked).all() or np.ptp(ranked) == 0:
            raise UnrankedItemsError(
                f"The scores of {name!r} or of the people are missing or all alike, so that there "
                "is no order to compare; leave that ranking out."
            )
    return {
        "spearman": float(spearmanr(values, reference).statistic),
        "kendall": float(kendalltau(values, reference).statistic),
        "first": str(scores.idxmax()),
        "same": bool(np.array_equal(rankdata(values), rankdata(reference))),
    }
