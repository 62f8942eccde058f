"""Each item in turn as if it were new: how near judges come to what people say of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from bayesjudge import models
from bayesjudge.anchor.orthogonal import Orthogonal, orthogonal
from bayesjudge.anchor.placement import Placement, placement
from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import normal_half_width
from bayesjudge.core.logistic import logistic_coefficients
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.flat_cells import counted_rows, flat_cells
from bayesjudge.designs.roster import Roster, all_historical, roster_of
from bayesjudge.designs.variants import reweighted
from bayesjudge.engine.prepare import demand_kinds
from bayesjudge.errors import BayesjudgeError
from bayesjudge.fits.mode import mode
from bayesjudge.studies.anchor.baselines import (
    direct_score,
    joint_bradley_terry,
    new_place,
    ppi_score,
    two_step_score,
    unbiased_judges_score,
)

FOLDS, LEVEL = 10, 0.95


Placed = tuple[float, float]  # score of the new item and its standard error (NaN for none)


@dataclass(frozen=True, eq=False)
class HeldOutItem:
    """Data in which one item has no votes.

    Attributes
    ----------
    designs : tuple of Design
        All judges' verdicts, and the votes on other items.
    roster : Roster
        The item is new.
    seed : int
        For folds.
    """

    designs: tuple[Design, ...]
    roster: Roster
    seed: int


@dataclass(frozen=True, eq=False)
class VoteScores:
    """Scores that votes give by themselves.

    Attributes
    ----------
    score : ndarray, shape (n_items,)
        Log-odds; they sum to zero over the items that were fitted, and are zero at others.
    covariance : ndarray, shape (n_items, n_items)
        Inverse information, on the scores.
    """

    score: FloatArray
    covariance: FloatArray

    def contrast(self, direction: FloatArray) -> Placed:
        """Give a combination of scores and its standard error, log-odds."""
        variance = direction @ self.covariance @ direction
        return float(direction @ self.score), float(np.sqrt(variance))


Method = Callable[[HeldOutItem], Placed]


def leave_one_item_out(
    judges: Comparisons | Design,
    humans: Comparisons | Design,
    *,
    seed: int,
    methods: Mapping[str, Method] | None = None,
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
        By name, from a `HeldOutItem` to the new score and its standard error. By default ANCHOR,
        the joint maximum, the two-step estimate and baselines of the paper.

    Returns
    -------
    DataFrame
        One row an item and method: ``item``, ``method``, ``score`` and ``standard_error`` (log-odds
        of a human, other items sum to zero), ``reference`` and ``reference_error`` (from all
        votes, on the same scale), ``rank`` among the others' scores from votes,
        ``reference_rank``, ``inside`` (whether the 95 % interval holds the reference; NaN without
        an error), ``within_both`` (the same with the reference's error added in squares), and
        ``failure`` in words.

    Notes
    -----
    ANCHOR Section 6: the reference is itself estimated and shares votes with the fits. ``inside``
    leaves its uncertainty out, as the paper does; ``within_both`` takes the two errors as
    independent.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> methods = {"two-step": METHODS["two-step"]}
    >>> found = leave_one_item_out(bj.example_panel(), bj.example_votes(), seed=1, methods=methods)
    >>> len(found), bool(found["score"].corr(found["reference"]) > 0.8)
    (8, True)
    """
    made, seed = designs(judges, humans), demand_seed(seed)
    demand_kinds(models.new_item, made)
    whole = vote_scores(made[1], np.zeros(len(made[1].items), dtype=bool))
    rows = [
        {"item": item, "method": name} | _row(made, place, seed, whole, method)
        for place, item in enumerate(made[0].items)
        for name, method in (METHODS if methods is None else methods).items()
    ]
    return pd.DataFrame(rows)


def summarised(found: pd.DataFrame) -> pd.DataFrame:
    """Average what `leave_one_item_out` gives over the items.

    Parameters
    ----------
    found : DataFrame
        Its rows.

    Returns
    -------
    DataFrame
        By ``method``: ``rmse`` (log-odds), ``insertion_error`` (mean absolute, ranks), ``exact``,
        ``inside``, ``within_both`` (shares), ``width`` (of 95 % intervals, mean) and ``failed``
        (items).

    Examples
    --------
    >>> rows = {"method": ["m"], "score": [0.5], "standard_error": [1.0], "reference": [0.2]}
    >>> rows |= {"rank": [2], "reference_rank": [1], "inside": [1.0], "within_both": [1.0]}
    >>> rows |= {"failure": [""]}
    >>> summarised(pd.DataFrame(rows))[["method", "rmse", "insertion_error"]].values.tolist()
    [['m', 0.3, 1.0]]
    """
    off = found["score"] - found["reference"]
    moved = (found["rank"] - found["reference_rank"]).abs()
    frame = found.assign(
        rmse=off**2,
        insertion_error=moved,
        exact=(moved == 0).where(moved.notna()),
        width=2 * normal_half_width(LEVEL) * found["standard_error"],
        failed=found["failure"] != "",
    )
    by = frame.groupby("method", sort=False)
    table = by[["rmse", "insertion_error", "exact", "inside", "within_both", "width"]].mean()
    table["rmse"] = np.sqrt(table["rmse"].astype(float)).round(12)
    return table.assign(failed=by["failed"].sum()).reset_index()


def vote_scores(humans: Design, is_new: np.ndarray) -> VoteScores:
    """Fit votes on the items that are not new by themselves.

    Parameters
    ----------
    humans : Design
        Votes.
    is_new : ndarray of bool, shape (n_items,)
        Items to leave out.

    Returns
    -------
    VoteScores
        A Bradley-Terry fit.
    """
    basis = np.asarray((roster_of(is_new) if is_new.any() else all_historical(len(is_new))).basis)
    cells, counts = flat_cells(humans), counted_rows(humans)
    old = ~cells.touches(is_new) & (counts.sum(axis=1) > 0)
    wins, total = counts[old, 0] + counts[old, 1] / 2, counts[old].sum(axis=1)
    matrix = cells.contrast[old] @ basis
    found = logistic_coefficients(matrix, wins, total)
    share = expit(matrix @ found)
    information = (matrix.T * (total * share * (1 - share))) @ matrix
    return VoteScores(basis @ found, basis @ np.linalg.solve(information, basis.T))


def _held_out(made: tuple[Design, ...], place: int, seed: int) -> HeldOutItem:
    is_new = np.arange(len(made[0].items)) == place
    judges, humans = made
    own = flat_cells(humans).touches(is_new)[humans.cell_of_row]
    return HeldOutItem((judges, reweighted(humans, humans.weight * ~own)), roster_of(is_new), seed)


def _row(
    made: tuple[Design, ...], place: int, seed: int, whole: VoteScores, method: Method
) -> dict[str, object]:
    """Place one item by one method; what fails is said, not hidden."""
    old = np.arange(len(made[0].items)) != place
    reference, own_error = whole.contrast(~old - old / old.sum())
    rank = 1 + int((whole.score[old] > whole.score[place]).sum())
    told = {"reference": reference, "reference_error": own_error, "reference_rank": rank}
    try:
        held = _held_out(made, place, seed)
        known = vote_scores(held.designs[1], held.roster.is_new).score[old]
        score, error = method(held)
    except BayesjudgeError as raised:
        names = ("score", "standard_error", "rank", "inside", "within_both")
        return {
            **dict.fromkeys(names, np.nan),
            **told,
            "failure": f"{type(raised).__name__}: {raised}",
        }
    return {
        "score": score,
        "standard_error": error,
        "rank": float(1 + (known > score).sum()),
        "inside": _held(score - reference, error),
        "within_both": _held(score - reference, float(np.hypot(error, own_error))),
        **told,
        "failure": "",
    }


def _held(off: float, error: float) -> float:
    """One if an interval holds the truth, zero if not, NaN without an error."""
    return float(abs(off) <= normal_half_width(LEVEL) * error) if np.isfinite(error) else np.nan


def _read(placed: Placement) -> Placed:
    (place,) = np.flatnonzero(placed.is_new)
    return float(placed.score[place]), float(np.sqrt(placed.covariance[place, place]))


def place_corrected(held: HeldOutItem) -> Placed:
    """Give ANCHOR's score and error."""
    return _read(placement(_corrected(held)))


def place_by_prompt(held: HeldOutItem) -> Placed:
    """Give ANCHOR's score, with an error for verdicts on one prompt that depend on each other."""
    return _read(placement(_corrected(held), "prompt"))


def _corrected(held: HeldOutItem) -> Orthogonal:
    return orthogonal(models.new_item, *held.designs, held.roster, folds=FOLDS, seed=held.seed)


def place_jointly(held: HeldOutItem) -> Placed:
    """Give the joint maximum's score and error."""
    fit = mode(models.new_item, *held.designs, held.roster, prior=False)
    return _read(placement(fit))


def place_penalised(held: HeldOutItem) -> Placed:
    """Give the joint maximum's score and error under the programs' weak ridge."""
    return _read(placement(mode(models.new_item, *held.designs, held.roster)))


@dataclass(frozen=True)
class PlacedBy:
    """A baseline without an error.

    Attributes
    ----------
    score : callable
        From designs and roster to the scores of all items.
    """

    score: Callable[[tuple[Design, ...], Roster], FloatArray]

    def __call__(self, held: HeldOutItem) -> Placed:
        """Give the new item's score; its error is NaN."""
        return float(self.score(held.designs, held.roster)[new_place(held.roster)]), np.nan


METHODS: dict[str, Method] = {
    "ANCHOR": place_corrected,
    "ANCHOR, by prompt": place_by_prompt,
    "joint MLE": place_jointly,
    "joint MAP": place_penalised,
    "two-step": PlacedBy(two_step_score),
    "DirectScore": PlacedBy(direct_score),
    "HistoricalPPI": PlacedBy(ppi_score),
    "ScalarJudge": PlacedBy(unbiased_judges_score),
    "JointBTL": PlacedBy(joint_bradley_terry),
}
