"""Which item is better, by how much, and how sure one may be: the rank table."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import demand_level, level_words
from bayesjudge.report.evidence import Evidence, NormalEvidence, PosteriorEvidence, evidence
from bayesjudge.report.fits import caution_words, data_facts, rater, readable, score_name
from bayesjudge.report.prior_only import components, rests_on_prior
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of, whole_numbers

if TYPE_CHECKING:
    from bayesjudge.report.fits import Fit


RANK_COLUMNS = ["rank", "rank_lower", "rank_upper", "p_best"]


def rank_table(fit: "Fit", quantity: str | None = None, prob: float = 0.95) -> Table:
    """Rank the items, with the uncertainty of scores and of ranks.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit. A mode stands for its sandwich by prompt.
    quantity : str, optional
        A quantity with one value an item; by default "human_score" if the fit has one, else
        "score".
    prob : float
        Level of all intervals.

    Returns
    -------
    Table
        One row an item, the highest score first. Columns ``item``; ``score``, ``lower``, ``upper``
        (log-odds against the average item); ``rank`` (median over draws), ``rank_lower``,
        ``rank_upper`` (equal-tailed interval of the rank); ``p_best`` (probability of being the
        best); ``verdicts`` (how many verdicts the item took part in). Where the data leave some
        differences of items to the prior alone, also ``component`` (items that a chain of
        comparisons joins) and ``rests_on_prior``. There a mode has no interval and no rank (NaN),
        while a posterior's rest on the prior.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If the fit, its quantity or the level is not one that a report can read.

    Notes
    -----
    Ranks of a normal fit come from 4,000 draws of the normal distribution with its covariance,
    always with the same seed.

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
    found = evidence(fit, score_name(fit, quantity))
    prior_only = rests_on_prior(fit, found.quantity).any(axis=1)
    columns = _score_columns(found, prob) | _rank_columns(found, prob, prior_only)
    frame = pd.DataFrame(columns | _data_columns(fit, found, prior_only))
    ranked = frame.sort_values("score", ascending=False, ignore_index=True, kind="stable")
    caption = _caption(found, prob, prior_only) + caution_words(fit)
    return Table(ranked, caption=caption, units=_units(unit_of(found.quantity, rater(fit))))


def _score_columns(found: Evidence, prob: float) -> dict[str, object]:
    lower, upper = found.interval(demand_level(prob)).values
    score = found.estimate.values
    return {"item": found.names("item"), "score": score, "lower": lower, "upper": upper}


def _rank_columns(found: Evidence, prob: float, prior_only: BoolArray) -> dict[str, object]:
    ranks = item_ranks(found.draws)
    values = [np.median(ranks, axis=0), *rank_bounds(ranks, prob), best_probability(found.draws)]
    silent = prior_only if isinstance(found, NormalEvidence) else np.zeros_like(prior_only)
    return {
        name: np.where(silent, np.nan, value)
        for name, value in zip(RANK_COLUMNS, values, strict=True)
    }


def _data_columns(fit: "Fit", found: Evidence, prior_only: BoolArray) -> dict[str, object]:
    columns: dict[str, object] = {}
    items, verdicts = found.names("item"), data_facts(fit).get("verdicts_by_item")
    if verdicts is not None:
        columns["verdicts"] = whole_numbers(verdicts.sel(item=items).values)
    if prior_only.any():
        columns["component"] = components(fit, items)
        columns["rests_on_prior"] = prior_only
    return columns


def _caption(found: Evidence, prob: float, prior_only: BoolArray) -> str:
    head = f"Items by {found.quantity} ({found.label}), {level_words(prob)}."
    if not prior_only.any():
        return head
    tail = "" if isinstance(found, PosteriorEvidence) else ": intervals and ranks are missing there"
    return f"{head} Some differences of items rest on the prior, no verdicts inform them{tail}."


def _units(unit: str) -> dict[str, str]:
    score = dict.fromkeys(["score", "lower", "upper"], unit)
    rank = dict.fromkeys(["rank", "rank_lower", "rank_upper"], "1 is the best")
    return score | rank | {"p_best": "probability of being the best"}


def item_ranks(draws: FloatArray) -> FloatArray:
    """Rank the items in each draw, the best first.

    Parameters
    ----------
    draws : ndarray, shape (S, n)
        Scores.

    Returns
    -------
    ndarray, shape (S, n)
        From 1; equal scores share the mean of their ranks.

    Examples
    --------
    >>> item_ranks(np.array([[0.1, 0.7, -0.2], [0.5, 0.5, 0.0]]))
    array([[2. , 1. , 3. ],
           [1.5, 1.5, 3. ]])
    """
    from scipy.stats import rankdata

    return rankdata(-draws, axis=1)


def rank_bounds(ranks: FloatArray, prob: float) -> FloatArray:
    """Give the equal-tailed interval of each item's rank.

    Parameters
    ----------
    ranks : ndarray, shape (S, n)
        Ranks by draw.
    prob : float
        Level.

    Returns
    -------
    ndarray, shape (2, n)
        Ranks that occur: at most (1 - prob) / 2 of the draws lie below the first, and at most as
        many above the second. Turning the ranking round turns the interval round.
    """
    tail = (1 - prob) / 2
    lower = np.quantile(ranks, tail, axis=0, method="inverted_cdf")
    upper = -np.quantile(-ranks, tail, axis=0, method="inverted_cdf")
    return np.stack([lower, upper])


def best_probability(draws: FloatArray) -> FloatArray:
    """Give the share of draws in which each item has the highest score.

    Parameters
    ----------
    draws : ndarray, shape (S, n)
        Scores.

    Returns
    -------
    ndarray, shape (n,)
        Sums to one; equal best items share a draw.

    Examples
    --------
    >>> best_probability(np.array([[0.1, 0.7, -0.2], [0.5, 0.5, 0.0]]))
    array([0.25, 0.75, 0.  ])
    """
    best = draws == draws.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
