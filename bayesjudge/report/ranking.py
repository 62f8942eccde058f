"""Which item is better, by how much, and how certain that is: the rank table."""

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import demand_level, level_words
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import (
    Fit,
    Readable,
    caution_words,
    components,
    facts,
    rater,
    readable,
    score_name,
    verdict_counts,
)
from bayesjudge.report.marks import MEANING, maxima_doubts, prior_words, score_marks
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of

RANK_COLUMNS = ["rank", "rank_lower", "rank_upper", "p_best"]


def rank_table(fit: Fit, quantity: str | None = None, prob: float = 0.95) -> Table:
    """Rank the items, with the uncertainty of scores and of ranks.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        The fit. Standard errors of a mode, a path or a one-step estimate are clustered by prompt.
    quantity : str, optional
        A quantity with one value an item; by default what the fit's program ranks items by.
    prob : float
        Level of all intervals.

    Returns
    -------
    Table
        One row an item, the highest score first. Columns ``item``; ``score``, ``lower``, ``upper``
        (log-odds against the average item); ``rank`` (median over draws), ``rank_lower``,
        ``rank_upper`` (equal-tailed interval of the rank); ``p_best`` (probability of being the
        best); ``verdicts`` (how many verdicts the item took part in). Where something is to be
        said of what an answer rests on, also ``component`` (items that a chain of comparisons
        joins), ``rests_on_prior`` and ``mark``: "prior matters" (doubling the prior's strength
        moves the score by a quarter of a standard error or more; for a posterior, ArviZ's
        power-scaling diagnostic is 0.05 or more), "prior decides" (by a whole one), "unbounded"
        (the verdicts alone set no bound), "opposed judges" (some judge's verdicts contradict the
        scores), "two maxima" (another maximum, nearly as high, has another item in the lead). An
        estimate with a covariance has no interval for a score that the prior decides or nothing
        bounds (NaN), and no rank where a difference of items is such; a posterior's interval then
        rests on its prior.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If the fit, its quantity or the level is not one that a report can read.

    Notes
    -----
    Where a fit is an estimate with a covariance, ranks come from 4,000 draws of that normal
    distribution, always with the same seed.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> bj.rank_table(fit)[["item", "score", "lower", "upper", "rank"]].head(2)
    Items by score (sandwich by prompt), 95 % intervals. score, lower, upper: log-odds of an
    average judge; rank: 1 is the best.
        item  score  lower  upper  rank
    0  maple  0.881  0.578  1.183     1
    1  rowan  0.604  0.317  0.891     2
    """
    fit = readable(fit)
    scores = evidence(fit, score_name(fit, quantity))
    columns = _score_columns(scores, demand_level(prob)) | _rank_columns(fit, scores, prob)
    frame = pd.DataFrame(columns | _data_columns(fit, scores))
    ranked = frame.sort_values("score", ascending=False, ignore_index=True, kind="stable")
    caption = _caption(scores, prob) + caution_words(fit)
    return Table(ranked, caption=caption, units=_units(unit_of(scores.quantity, rater(fit))))


def _score_columns(scores: Evidence, prob: float) -> dict[str, object]:
    lower, upper = scores.interval(prob).values
    score = scores.estimate.values
    return {"item": scores.names("item"), "score": score, "lower": lower, "upper": upper}


def _rank_columns(fit: Readable, scores: Evidence, prob: float) -> dict[str, object]:
    ranks = item_ranks(scores.draws)
    values = [np.median(ranks, axis=0), *rank_bounds(ranks, prob), best_probability(scores.draws)]
    undecided = bool(facts(fit).get("contradicting") or maxima_doubts(fit))
    missing = scores.missing.any(axis=1) | undecided
    return {
        name: np.where(missing, np.nan, value)
        for name, value in zip(RANK_COLUMNS, values, strict=True)
    }


def _data_columns(fit: Readable, scores: Evidence) -> dict[str, object]:
    columns: dict[str, object] = {}
    items = scores.names("item")
    verdicts = verdict_counts(fit, "item", items)
    if verdicts is not None:
        columns["verdicts"] = verdicts
    marks = score_marks(fit, scores)
    if any(marks):
        columns["component"] = components(fit, items)
        columns["rests_on_prior"] = np.diag(scores.rests_on_prior)
        columns["mark"] = marks
    return columns


def _caption(scores: Evidence, prob: float) -> str:
    head = f"Items by {scores.quantity} ({scores.label}), {level_words(prob)}."
    return head + prior_words([scores])


def _units(unit: str) -> dict[str, str]:
    score = dict.fromkeys(["score", "lower", "upper"], unit)
    rank = dict.fromkeys(["rank", "rank_lower", "rank_upper"], "1 is the best")
    return score | rank | {"p_best": "probability of being the best", "mark": MEANING}


def item_ranks(draws: FloatArray) -> FloatArray:
    """Rank the items in each draw, the best first: draws (n_draws, n) -> the same shape."""
    from scipy.stats import rankdata

    return rankdata(-draws, axis=1)


def rank_bounds(ranks: FloatArray, prob: float) -> FloatArray:
    """Return the equal-tailed interval of each item's rank: ranks (n_draws, n) -> (2, n)."""
    tail = (1 - prob) / 2
    # Ends that are ranks themselves, and symmetric: turning the ranking round turns them round.
    lower = np.quantile(ranks, tail, axis=0, method="inverted_cdf")
    upper = -np.quantile(-ranks, tail, axis=0, method="inverted_cdf")
    return np.stack([lower, upper])


def best_probability(draws: FloatArray) -> FloatArray:
    """Return the share of draws in which each item is best: draws (n_draws, n) -> (n,)."""
    best = draws == draws.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
