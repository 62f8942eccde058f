"""Insertion accuracy by the gap between historical scores: Section 5.2 of the ANCHOR paper."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from bayesjudge.anchor.history import fit_history
from bayesjudge.anchor.place import place
from bayesjudge.designs.design import Design, design
from bayesjudge.studies.anchor.baselines import two_step_score
from bayesjudge.studies.anchor.draw import (
    HISTORICAL,
    NAMES,
    DrawnArrival,
    World,
    drawn_arrival,
    historical_pairs,
    judged,
    new_pairs,
    voted,
)
from bayesjudge.studies.anchor.methods import FOLDS, ArrivalEstimate, placed_estimate
from bayesjudge.studies.anchor.simulation import DEFAULT, METHODS, compared
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
        Judges' verdicts on the new item, one design for each midpoint.
    whole : tuple of DrawnArrival
        History and arrivals together, one for each midpoint.
    """

    history: tuple[Design, ...]
    arrivals: tuple[Design, ...]
    whole: tuple[DrawnArrival, ...]


def anchor_insertion() -> Study:
    """Return the study of insertion ranks over gaps of the historical scores.

    Returns
    -------
    Study
        Setting ``gap`` (log-odds). Metrics, averaged over the nine midpoints: ``squared_error``,
        ``insertion_error`` (ranks), ``exact``; of ANCHOR ``rank_coverage``, ``rank_set_size``.

    Notes
    -----
    ANCHOR, Section 5.2. Each replication fits one history, which places all nine items.

    Examples
    --------
    >>> [setting["gap"] for setting in anchor_insertion().settings]
    [0.05, 0.1, 0.2, 0.4]
    """
    estimators: dict[str, Callable[[DrawnInsertion], list[ArrivalEstimate]]] = {
        "ANCHOR": place_all,
        **{name: partial(place_each, METHODS[name]) for name in COMPARED},
    }
    return Study("ANCHOR insertion", grid(gap=GAPS), draw_insertion, estimators, insertion_metrics)


def draw_insertion(setting: Setting, seed: int) -> DrawnInsertion:
    """Draw one history with equally spaced scores, and nine new items."""
    rng = np.random.default_rng(seed)
    old = float(setting["gap"]) * (np.arange(HISTORICAL) - (HISTORICAL - 1) / 2)
    world = World.draw(rng, np.append(old, 0.0), DEFAULT["shift"])
    # Bias has its default size, whatever the gap.
    world = world.with_bias(rng, DEFAULT["bias"] * TYPICAL_SPREAD * world.slope)
    history = judged(rng, world, historical_pairs(rng, int(DEFAULT["verdicts"])))
    humans = voted(rng, world, int(DEFAULT["votes"]))
    arrivals, whole = [], []
    for midpoint in (old[1:] + old[:-1]) / 2:
        there = replace(world, score=np.append(old, midpoint))
        arrival = judged(rng, there, new_pairs(rng, int(DEFAULT["arrivals"])))
        arrivals.append(arrival.design(NAMES))
        whole.append(drawn_arrival(rng, there, history, arrival, humans, seed))
    seen = humans.data.select(np.ones(humans.data.n_rows, dtype=bool))  # drops the item unseen
    designs = (history.design(NAMES[:-1]), design(seen, ()))
    return DrawnInsertion(designs, tuple(arrivals), tuple(whole))


def place_all(drawn: DrawnInsertion) -> list[ArrivalEstimate]:
    """Fit the history once and place each new item by it."""
    seed = drawn.whole[0].seed
    history = fit_history(*drawn.history, folds=FOLDS, seed=seed)
    return [placed_estimate(place(history, arrival, seed=seed)) for arrival in drawn.arrivals]


def place_each(
    method: Callable[[DrawnArrival], ArrivalEstimate], drawn: DrawnInsertion
) -> list[ArrivalEstimate]:
    """Apply a method of one new item at every midpoint."""
    return [method(arrival) for arrival in drawn.whole]


def insertion_metrics(
    drawn: DrawnInsertion, estimates: Mapping[str, list[ArrivalEstimate]]
) -> list[Row]:
    """Average the metrics over the nine midpoints."""
    historical = two_step_score(drawn.whole[0].designs, drawn.whole[0].roster)[:-1]
    rows: list[Row] = []
    for name, placed in estimates.items():
        measured = [
            compared(arrival.score, historical, estimate)
            for arrival, estimate in zip(drawn.whole, placed, strict=True)
        ]
        for metric in [metric for metric in AVERAGED if metric in measured[0]]:
            value = float(np.mean([values[metric] for values in measured]))
            rows.append({"estimator": name, "metric": metric, "value": value})
    return rows
