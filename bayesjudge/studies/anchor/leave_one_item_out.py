"""Each item in turn as if it were new: agreement of judges with the votes on it."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from bayesjudge import models
from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.intervals import normal_half_width
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.flat_cells import flat_cells
from bayesjudge.designs.roster import all_historical, roster_of
from bayesjudge.designs.variants import reweighted
from bayesjudge.engine.prepare import demand_kinds
from bayesjudge.errors import BayesjudgeError
from bayesjudge.studies.anchor import methods as anchor_methods
from bayesjudge.studies.anchor.baselines import Designs, VoteScores, vote_scores
from bayesjudge.studies.anchor.methods import LEVEL, Arrival

NAMES = (
    "ANCHOR",
    "ANCHOR, by prompt",
    "joint MLE",
    "joint MAP",
    "two-step",
    "DirectScore",
    "HistoricalPPI",
    "ScalarJudge",
    "JointBTL",
)
METHODS = {name: anchor_methods.METHODS[name] for name in NAMES}


def leave_one_item_out(
    judges: Comparisons | Design,
    humans: Comparisons | Design,
    *,
    seed: int,
    methods: Mapping[str, Callable[[Arrival], tuple[Any, ...]]] | None = None,
) -> pd.DataFrame:
    """Place each item by judges alone, and compare with the votes on it.

    Parameters
    ----------
    judges : Comparisons or Design
        Verdicts, with features as terms.
    humans : Comparisons or Design
        Votes on all items.
    seed : int
        For folds.
    methods : mapping of str to callable, optional
        By name, a function of an arrival (with ``designs``, ``roster`` and ``seed``) that returns
        the new score and its standard error (None or NaN without one). By default ANCHOR, the joint
        maximum, the two-step estimate and baselines of the paper.

    Returns
    -------
    DataFrame
        One row for each item and method: ``item``, ``method``, ``score`` and ``standard_error``
        (log-odds of a human, the other items summing to zero), ``reference`` and
        ``reference_error`` (from all votes, on the same scale), ``rank`` among the others' scores
        from votes, ``reference_rank``, ``inside`` (whether the 95 % interval contains the
        reference; NaN without an error), ``within_both`` (the same with the variance of the
        reference added), and ``failure`` in words.

    Notes
    -----
    ANCHOR Section 6: the reference is itself estimated and shares votes with the fits. ``inside``
    ignores its uncertainty, as the paper does; ``within_both`` treats the two errors as
    independent.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> methods = {"two-step": METHODS["two-step"]}
    >>> table = leave_one_item_out(bj.example_panel(), bj.example_votes(), seed=1, methods=methods)
    >>> len(table), bool(table["score"].corr(table["reference"]) > 0.8)
    (8, True)
    """
    prepared, seed = designs(judges, humans), demand_seed(seed)
    demand_kinds(models.new_item, prepared)
    items = prepared[0].items
    reference = vote_scores(prepared[1], all_historical(len(items)))
    rows = []
    for place, item in enumerate(items):
        known = _reference(reference, place)
        for name, method in (METHODS if methods is None else methods).items():
            placed = _placed(prepared, place, seed, method, known)
            rows.append({"item": item, "method": name} | placed)
    return pd.DataFrame(rows)


def summarised(table: pd.DataFrame) -> pd.DataFrame:
    """Average the table of `leave_one_item_out` over items: one row for each method."""
    moved = (table["rank"] - table["reference_rank"]).abs()
    frame = table.assign(
        rmse=(table["score"] - table["reference"]) ** 2,
        insertion_error=moved,
        exact=(moved == 0).where(moved.notna()),
        width=2 * normal_half_width(LEVEL) * table["standard_error"],
        failed=table["failure"] != "",
    )
    by = frame.groupby("method", sort=False)
    means = by[["rmse", "insertion_error", "exact", "inside", "within_both", "width"]].mean()
    means["rmse"] = np.sqrt(means["rmse"].astype(float)).round(12)
    return means.assign(failed=by["failed"].sum()).reset_index()


def _reference(votes: VoteScores, place: int) -> dict[str, float]:
    """Return an item's score from all votes, the others summing to zero, its error and rank."""
    own = np.arange(len(votes.score)) == place
    score, error = votes.contrast(own - ~own / (~own).sum())
    rank = 1 + int((votes.score[~own] > votes.score[place]).sum())
    return {"reference": score, "reference_error": error, "reference_rank": rank}


def _placed(
    prepared: Designs,
    place: int,
    seed: int,
    method: Callable[[Arrival], tuple[Any, ...]],
    known: Mapping[str, float],
) -> dict[str, object]:
    """Place one item by one method; an error becomes a row with the reason."""
    try:
        arrival = _without_votes(prepared, place, seed)
        others = np.delete(vote_scores(arrival.designs[1], arrival.roster).score, place)
        score, error, *_ = method(arrival)
    except BayesjudgeError as raised:
        names = ("score", "standard_error", "rank", "inside", "within_both")
        failure = f"{type(raised).__name__}: {raised}"
        return {**dict.fromkeys(names, np.nan), **known, "failure": failure}
    error, off = np.nan if error is None else error, score - known["reference"]
    return {
        "score": score,
        "standard_error": error,
        "rank": float(1 + (others > score).sum()),
        "inside": _contains(off, error),
        "within_both": _contains(off, float(np.hypot(error, known["reference_error"]))),
        **known,
        "failure": "",
    }


def _without_votes(prepared: Designs, place: int, seed: int) -> Arrival:
    """Return the data with the votes on one item left out."""
    judges, humans = prepared
    is_new = np.arange(len(judges.items)) == place
    own = flat_cells(humans).touches(is_new)[humans.cell_of_row]
    return Arrival((judges, reweighted(humans, humans.weight * ~own)), roster_of(is_new), seed)


def _contains(off: float, error: float) -> float:
    """Return one if an interval contains the truth, zero if not, NaN without an error."""
    return float(abs(off) <= normal_half_width(LEVEL) * error) if np.isfinite(error) else np.nan
