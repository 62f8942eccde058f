"""Insertion accuracy by the gap between historical scores: Section 5.2 of the ANCHOR paper."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bayesjudge.anchor.history import fit_history
from bayesjudge.anchor.place import place
from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design, design
from bayesjudge.studies.anchor.baselines import two_step_score
from bayesjudge.studies.anchor.draw import (
    HISTORICAL,
    NAMES,
    DrawnArrival,
    World,
    extra_votes,
    historical_pairs,
    judged,
    last_is_new,
    new_pairs,
    voted,
)
from bayesjudge.studies.anchor.metrics import ArrivalEstimate, compared
from bayesjudge.studies.anchor.simulation import DEFAULT, FOLDS, METHODS, placed_estimate, with_bias
from bayesjudge.studies.runner.study import Row, Setting, Study, grid

GAPS = (0.05, 0.1, 0.2, 0.4)


COMPARED = ("two-step", "DirectScore", "HistoricalPPI", "JointBTL", "HumanOnly", "Oracle")


TYPICAL_SPREAD = np.sqrt(2)  # of differences of normal scores, on which the bias is measured


AVERAGED = ("squared_error", "insertion_error", "exact", "rank_coverage", "rank_set_size")


@dataclass(frozen=True, eq=False)
class DrawnInsertion:
    """One history, and a new item at each of nine midpoints.

    Attributes
    ----------
    history : tuple of Design
        Judges and humans, on historical items.
    arrivals : tuple of Design
        Judges' verdicts on the new item, one design a midpoint.
    whole : tuple of DrawnArrival
        History and arrivals together, one a midpoint.
    """

    history: tuple[Design, ...]
    arrivals: tuple[Design, ...]
    whole: tuple[DrawnArrival, ...]


def anchor_insertion() -> Study:
    """Give the study of insertion ranks over gaps of the historical scores.

    Returns
    -------
    Study
        Setting ``gap`` (log-odds). Metrics, averaged over the nine midpoints: ``squared_error``,
        ``insertion_error`` (ranks), ``exact``; of ANCHOR ``rank_coverage``, ``rank_set_size``.

    Notes
    -----
    ANCHOR, Section 5.2. One history a replication is fitted, and places all nine.

    Examples
    --------
    >>> [each["gap"] for each in anchor_insertion().settings]
    [0.05, 0.1, 0.2, 0.4]
    """
    estimators = {"ANCHOR": place_all} | {name: Each(METHODS[name]) for name in COMPARED}
    return Study("ANCHOR insertion", grid(gap=GAPS), draw_insertion, estimators, insertion_metrics)


def draw_insertion(setting: Setting, seed: int) -> DrawnInsertion:
    """Draw one history with equally spaced scores, and nine new items.

    Parameters
    ----------
    setting : mapping
        ``gap``.
    seed : int
        Same seed, same verdicts.

    Returns
    -------
    DrawnInsertion
        Verdicts and truth.

    Notes
    -----
    Bias has the size that it has by default, whatever the gap.
    """
    rng = np.random.default_rng(seed)
    old = float(setting["gap"]) * (np.arange(HISTORICAL) - (HISTORICAL - 1) / 2)
    world = World.draw(rng, np.append(old, 0.0), DEFAULT["shift"])
    world = with_bias(rng, world, DEFAULT["bias"] * TYPICAL_SPREAD * world.slope)
    history = judged(rng, world, historical_pairs(rng, int(DEFAULT["verdicts"])))
    humans = voted(rng, world, int(DEFAULT["votes"]))
    arrivals, whole = [], []
    for midpoint in (old[1:] + old[:-1]) / 2:
        at = World(**(vars(world) | {"score": np.append(old, midpoint)}))
        arrival = judged(rng, at, new_pairs(rng, int(DEFAULT["arrivals"])))
        arrivals.append(arrival.design(NAMES))
        made = (history.joined(arrival).design(NAMES), humans)
        votes = extra_votes(rng, at)
        whole.append(DrawnArrival(made, last_is_new(), at.truth, votes, seed % 2**31))
    seen = humans.data.select(np.ones(humans.data.n_rows, dtype=bool))  # drops the item unseen
    old_designs = (history.design(NAMES[:-1]), design(seen, ()))
    return DrawnInsertion(old_designs, tuple(arrivals), tuple(whole))


def place_all(drawn: DrawnInsertion) -> list[ArrivalEstimate]:
    """Fit the history once and place each new item by it.

    Parameters
    ----------
    drawn : DrawnInsertion
        The verdicts.

    Returns
    -------
    list of ArrivalEstimate
        By midpoint.
    """
    seed = drawn.whole[0].seed
    history = fit_history(*drawn.history, folds=FOLDS, seed=seed)
    return [placed_estimate(place(history, each, seed=seed)) for each in drawn.arrivals]


@dataclass(frozen=True)
class Each:
    """An estimator of one new item, applied at every midpoint.

    Attributes
    ----------
    method : callable
        From a drawn data set to an estimate.
    """

    method: Callable[[DrawnArrival], ArrivalEstimate]

    def __call__(self, drawn: DrawnInsertion) -> list[ArrivalEstimate]:
        """Give one estimate a midpoint."""
        return [self.method(each) for each in drawn.whole]


def insertion_metrics(
    drawn: DrawnInsertion, estimates: Mapping[str, list[ArrivalEstimate]]
) -> list[Row]:
    """Average what is measured over the nine midpoints.

    Parameters
    ----------
    drawn : DrawnInsertion
        The truth.
    estimates : mapping of str to list of ArrivalEstimate
        By method.

    Returns
    -------
    list of mapping
        ``estimator``, ``metric`` and ``value``.
    """
    known = two_step_score(drawn.whole[0].designs, drawn.whole[0].roster)[:-1]
    return [
        {"estimator": name, "metric": metric, "value": value}
        for name, found in estimates.items()
        for metric, value in _averaged(drawn, known, found).items()
    ]


def _averaged(
    drawn: DrawnInsertion, known: FloatArray, found: list[ArrivalEstimate]
) -> dict[str, float]:
    each = [
        compared(one.score, known, estimate)
        for one, estimate in zip(drawn.whole, found, strict=True)
    ]
    names = [name for name in AVERAGED if name in each[0]]
    return {name: float(np.mean([one[name] for one in each])) for name in names}
