"""The methods that place one new item, by name, for simulated and for real data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from bayesjudge import models
from bayesjudge.anchor.orthogonal import orthogonal
from bayesjudge.anchor.placement import Placement, placement
from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.roster import Roster
from bayesjudge.fits.meat import Cluster
from bayesjudge.fits.mode import mode
from bayesjudge.studies.anchor.baselines import (
    Designs,
    direct_score,
    joint_bradley_terry,
    mean_judge_score,
    new_place,
    pooled_judges_score,
    ppi_score,
    reweighted_score,
    two_step_score,
    unbiased_judges_score,
)

FOLDS, LEVEL = 10, 0.95


@dataclass(frozen=True, eq=False)
class Arrival:
    """Data in which one item has verdicts of judges but no votes.

    Attributes
    ----------
    designs : tuple of Design
        Judges' verdicts, and votes on the other items.
    roster : Roster
        Which item is new.
    seed : int
        For folds.
    """

    designs: Designs
    roster: Roster
    seed: int


class ArrivalEstimate(NamedTuple):
    """An estimate of the new item's human score.

    Attributes
    ----------
    score : float
        Log-odds.
    error : float or None
        Standard error; None for a method without.
    ranks : tuple of int or None
        Best and worst rank of the 95 % set.
    parts : mapping of str to float
        Further metrics of the method's own, by name.
    """

    score: float
    error: float | None = None
    ranks: tuple[int, int] | None = None
    parts: Mapping[str, float] = {}


Method = Callable[[Arrival], ArrivalEstimate]


def corrected_placement(arrival: Arrival, cluster: Cluster) -> Placement:
    """Return the placement by ANCHOR's cross-fitted one-step estimate."""
    fit = orthogonal(
        models.new_item, *arrival.designs, arrival.roster, folds=FOLDS, seed=arrival.seed
    )
    return placement(fit, cluster=cluster)


def corrected(arrival: Arrival, *, cluster: Cluster) -> ArrivalEstimate:
    """Return ANCHOR's estimate, with an error that is robust within clusters of verdicts."""
    return placed_estimate(corrected_placement(arrival, cluster))


def joint_maximum(arrival: Arrival, *, prior: bool) -> ArrivalEstimate:
    """Return the joint maximum, penalised by the program's weak ridge or not, with its error."""
    fit = mode(models.new_item, *arrival.designs, arrival.roster, prior=prior)
    return placed_estimate(placement(fit, kind="model"))


def placed_estimate(placed: Placement) -> ArrivalEstimate:
    """Return the one new item's score, error and rank set."""
    ranks, (place,) = placed.rank_set(), np.flatnonzero(placed.is_new)
    error = float(np.sqrt(placed.covariance[place, place]))
    return ArrivalEstimate(float(placed.score[place]), error, (ranks.best, ranks.worst))


def placed_by(score: Callable[[Designs, Roster], FloatArray], arrival: Arrival) -> ArrivalEstimate:
    """Return a baseline's score, which has no error."""
    scores = score(arrival.designs, arrival.roster)
    return ArrivalEstimate(float(scores[new_place(arrival.roster)]))


METHODS: dict[str, Method] = {
    "ANCHOR": partial(corrected, cluster="row"),
    "ANCHOR, by prompt": partial(corrected, cluster="prompt"),
    "joint MLE": partial(joint_maximum, prior=False),
    "joint MAP": partial(joint_maximum, prior=True),
    "two-step": partial(placed_by, two_step_score),
    "DirectScore": partial(placed_by, direct_score),
    "HistoricalPPI": partial(placed_by, ppi_score),
    "IPWOnly": partial(placed_by, reweighted_score),
    "ScalarJudge": partial(placed_by, unbiased_judges_score),
    "JointBTL": partial(placed_by, joint_bradley_terry),
    "PooledLLM": partial(placed_by, pooled_judges_score),
    "PerJudgeBTL": partial(placed_by, mean_judge_score),
}
