r"""Out-of-fold prediction of human votes from scores that were fitted to judges' verdicts.

.. math:: \hat p = \sigma\{\alpha_0 + \alpha_1 (s_a - s_b)\}

The scores s are fixed; the intercept and the slope are fitted to the votes of four folds of prompts
and predict those of the fifth (OSCAR Section 6.4, Appendix F.3).
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.special import expit

from bayesjudge.core.arguments import demand_item_names, demand_named
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.logistic import logistic_information
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import design
from bayesjudge.engine.optimise import minimise
from bayesjudge.errors import EmptyComparisonsError, NotConvergedError, UnknownItemsError
from bayesjudge.fits.mode import Mode, demand_mode, mode
from bayesjudge.models import bradley_terry
from bayesjudge.studies.prediction.folds import fold_of_prompt, prompt_folds
from bayesjudge.studies.prediction.losses import HeldOut

RIDGE = 1e-6  # on intercept and slope (OSCAR, Appendix F.3)
GRADIENT_BOUND = 1e-7  # a vote


def human_vote_prediction(
    fits: Mapping[str, Mode],
    humans: Comparisons,
    folds: int = 5,
    *,
    item_names: Mapping[str, str] | None = None,
    seed: int,
) -> HeldOut:
    """Predict the votes of each fold of prompts from the scores of judges.

    Parameters
    ----------
    fits : mapping of str to Mode
        Fits to judgments only, by name.
    humans : Comparisons
        Votes of people.
    folds : int
        Number of folds of prompts.
    item_names : mapping of str to str, optional
        The judges' name of an item by the people's, where they differ.
    seed : int
        Seed of the folds.

    Returns
    -------
    HeldOut
        Probabilities and losses by model and vote.

    Raises
    ------
    UnknownItemsError
        If people voted on an item for which a fit has no score.
    InvalidFoldsError
        If there are fewer prompts than folds.
    NotMappingError, EmptyComparisonsError, UnknownFitError
        If the fits are not given by name, or are not modes.
    NotComparisonsError, SamplerSettingError
        If the votes have not been read, or the seed is not a whole number.
    NotConvergedError
        If a calibration fails.

    Notes
    -----
    OSCAR Section 6.4 and Appendix F.3: intercept and slope minimise the summed log loss plus a
    ridge, 5e-7 times their squares.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fits = {"J+P": bj.mode(bj.models.sensitivity, data)}
    >>> humans = data.select(data.judge == 0)  # one judge in the role of people
    >>> predictions = bj.studies.human_vote_prediction(fits, humans, seed=1)
    >>> round(predictions.log_loss["J+P"], 2)
    0.52
    """
    named = demand_named("fits", fits, '{"J": bj.mode(bj.models.sensitivity, data)}')
    scores = {name: demand_mode(fit).quantity("score").to_series() for name, fit in named.items()}
    item_names = demand_item_names(item_names)
    return predict_votes(scores, humans, prompt_folds(humans, folds, seed=seed), item_names)


def predict_votes(
    scores: Mapping[str, pd.Series],
    humans: Comparisons,
    folds: IntArray,
    item_names: Mapping[str, str] | None = None,
    weight: FloatArray | None = None,
) -> HeldOut:
    """Predict the votes of each fold with given folds and weights, both (n_rows,)."""
    fold_of_prompt(humans, folds)
    counts = humans.weight if weight is None else weight
    probability = {
        name: _each_fold(score_gap(score, humans, item_names), humans, folds, counts)
        for name, score in scores.items()
    }
    return HeldOut(humans, folds, counts, probability, "scores of judges, calibrated on votes")


def score_gap(
    scores: pd.Series, humans: Comparisons, item_names: Mapping[str, str] | None = None
) -> FloatArray:
    """Return the score of the item shown first minus that of the second, (n_rows,)."""
    names = [(item_names or {}).get(name, name) for name in humans.items]
    absent = [name for name in names if name not in scores.index]
    if absent:
        raise UnknownItemsError(
            f"People voted on {absent[0]!r}, for which the judges' fit has no score; give "
            "item_names={the people's name: the judges' name}, or leave those votes out."
        )
    value = scores[names].to_numpy(dtype=np.float64)
    return value[humans.first] - value[humans.second]


def calibrate(gap: FloatArray, share: FloatArray, weight: FloatArray) -> FloatArray:
    """Fit intercept and slope, (2,), of votes on score gaps, all (n,); a share is 1, 1/2 or 0."""
    total = float(weight.sum())
    if total <= 0:
        raise EmptyComparisonsError(
            "No human vote is left to calibrate on; use fewer folds, or votes on more prompts."
        )
    columns = np.column_stack([np.ones_like(gap), gap])

    # The ridge keeps the maximum finite where votes follow the scores without exception; the
    # logistic regression of core refuses such votes even with a ridge.
    def evaluate(alpha: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        log_odds = columns @ alpha
        loss = weight @ (np.logaddexp(0.0, log_odds) - share * log_odds)
        gradient = columns.T @ (weight * (expit(log_odds) - share)) + RIDGE * alpha
        curvature = logistic_information(columns, weight, log_odds) + RIDGE * np.eye(2)
        return float(loss + 0.5 * RIDGE * alpha @ alpha), gradient, curvature

    optimum = minimise(evaluate, [np.zeros(2)])
    if not optimum.gradient_norm <= GRADIENT_BOUND * total:
        raise NotConvergedError(
            "The calibration on human votes did not converge (gradient "
            f"{optimum.gradient_norm:.0e} over {total:.0f} votes); check whether the votes follow "
            "the scores without exception."
        )
    return optimum.phi


def _each_fold(
    gap: FloatArray, humans: Comparisons, folds: IntArray, weight: FloatArray
) -> FloatArray:
    share, probability = 1 - humans.verdict / 2, np.empty(humans.n_rows)
    for fold in np.unique(folds):
        test = folds == fold
        intercept, slope = calibrate(gap[~test], share[~test], weight[~test])
        probability[test] = expit(intercept + slope * gap[test])
    return probability


def human_scores(humans: Comparisons) -> pd.Series:
    """Return the items' scores in a Bradley-Terry model of human votes.

    Parameters
    ----------
    humans : Comparisons
        Votes of people.

    Returns
    -------
    pandas.Series
        Log-odds by item, with sum zero; ridge 0.05, a tie is half a win.

    Raises
    ------
    NotComparisonsError
        If the votes have not been read.

    Notes
    -----
    OSCAR, Appendix F.2: neither annotators nor the order of display have terms. `bayesjudge.mode`
    of `bayesjudge.models.bradley_terry` is the same fit with its intervals.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> humans = bj.read({"left": list("xxy"), "right": list("yzz"), "winner": ["left"] * 3})
    >>> list(bj.studies.human_scores(humans).sort_values(ascending=False).index)
    ['x', 'y', 'z']
    """
    return mode(bradley_terry, design(humans, terms=())).quantity("score").to_series()
