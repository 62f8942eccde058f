"""The simulations of Section 5.1 of the ANCHOR paper, and posteriors in its default setting."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray as xr

from bayesjudge import models
from bayesjudge.anchor.cut_posterior import cut_posterior
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import equal_tailed, normal_half_width
from bayesjudge.fits.nuts import nuts
from bayesjudge.studies.anchor import methods
from bayesjudge.studies.anchor.baselines import oracle_score, people_only_score, two_step_score
from bayesjudge.studies.anchor.draw import (
    HISTORICAL,
    DrawnArrival,
    World,
    drawn_arrival,
    historical_pairs,
    judged,
    new_pairs,
    voted,
)
from bayesjudge.studies.anchor.methods import LEVEL, ArrivalEstimate
from bayesjudge.studies.runner.study import Row, Setting, Study

DEFAULT = {
    "votes": 2400,
    "verdicts": 5600,
    "arrivals": 500,
    "bias": 0.5,
    "shift": 0.3,
    "new_score": 0.5,
}

BIASES, SHIFTS = (0.0, 0.5, 1.0, 2.0), (0.0, 0.3, 0.6, 1.0)  # rho, tau
IN_GRID = ("ANCHOR", "two-step", "DirectScore", "JointBTL", "Oracle")
JUDGE_SIZES = (1000, 2000, 4000, 8000, 16_000)  # N_J
HISTORY_SHARE, FEW_VOTES = 0.7, 1000
SAMPLER: dict[str, Any] = {"chains": 4, "warmup": 500, "draws": 1500, "progress": False}
OF_POSTERIORS = ("error", "squared_error", "insertion_error", "exact", "coverage", "width")


def anchor_simulation() -> Study:
    """Return the default setting, with all methods, as a study.

    Returns
    -------
    Study
        Settings ``votes``, ``verdicts`` (on historical items), ``arrivals``, ``bias`` (rho),
        ``shift`` (tau), ``new_score``. Metrics of the new score: ``error``, ``squared_error``,
        ``coverage`` and ``width`` of 95 % intervals, ``insertion_error`` (ranks), ``exact`` (rank)
        and ``rank_coverage``; of ANCHOR the parts of its variance.

    Notes
    -----
    ANCHOR, Section 5.1; baselines of Supplementary Section A.8.

    Examples
    --------
    >>> study = anchor_simulation()
    >>> len(study.settings), len(study.estimators)
    (1, 12)
    """
    return Study("ANCHOR simulation", [DEFAULT], draw_arrival, METHODS, arrival_metrics)


def anchor_grid() -> Study:
    """Return the grid of judge bias and feature shift as a study.

    Returns
    -------
    Study
        As `anchor_simulation`, for some of its methods.

    Notes
    -----
    ANCHOR, Section 5.1, Figure 3.

    Examples
    --------
    >>> len(anchor_grid().settings)
    16
    """
    settings = [DEFAULT | {"bias": bias, "shift": shift} for bias in BIASES for shift in SHIFTS]
    chosen = {name: METHODS[name] for name in IN_GRID}
    return Study("ANCHOR grid", settings, draw_arrival, chosen, arrival_metrics)


def anchor_precision() -> Study:
    """Return the sweep over the number of judges' verdicts at 1,000 votes as a study.

    Returns
    -------
    Study
        As `anchor_simulation`, for ANCHOR and the joint maximum.

    Notes
    -----
    ANCHOR, Section 5.1: 70 % of the verdicts are on historical items.

    Examples
    --------
    >>> [setting["arrivals"] for setting in anchor_precision().settings]
    [300, 600, 1200, 2400, 4800]
    """
    settings = []
    for size in JUDGE_SIZES:
        old = round(HISTORY_SHARE * size)
        settings.append(DEFAULT | {"votes": FEW_VOTES, "verdicts": old, "arrivals": size - old})
    chosen = {name: METHODS[name] for name in ("ANCHOR", "joint MLE")}
    return Study("ANCHOR precision", settings, draw_arrival, chosen, arrival_metrics)


def anchor_posteriors() -> Study:
    """Return the joint and the cut posterior beside ANCHOR, in the default setting, as a study."""
    estimators = {
        "ANCHOR": fit_anchor,
        "joint posterior": sample_jointly,
        "cut posterior": sample_cut,
    }
    return Study("ANCHOR posteriors", [DEFAULT], draw_arrival, estimators, posterior_metrics)


def draw_arrival(setting: Setting, seed: int) -> DrawnArrival:
    """Draw the verdicts of a setting.

    Each judge's bias has rho times the standard deviation of its score term over history.
    """
    rng = np.random.default_rng(seed)
    score = rng.normal(size=HISTORICAL)
    score = np.append(score - score.mean(), float(setting["new_score"]))
    world = World.draw(rng, score, float(setting["shift"]))
    pairs = historical_pairs(rng, int(setting["verdicts"]))
    spread = world.slope * np.std(world.gap(pairs))
    world = world.with_bias(rng, float(setting["bias"]) * spread)
    history = judged(rng, world, pairs)
    arrivals = judged(rng, world, new_pairs(rng, int(setting["arrivals"])))
    humans = voted(rng, world, int(setting["votes"]))
    return drawn_arrival(rng, world, history, arrivals, humans, seed)


def fit_anchor(drawn: DrawnArrival) -> ArrivalEstimate:
    """Return ANCHOR's estimate under independent verdicts, with the parts of its variance."""
    placed = methods.corrected_placement(drawn, "row")
    votes, whole = placed.from_votes[-1, -1], placed.covariance[-1, -1]
    parts = {
        "votes_variance": votes,
        "judges_variance": placed.from_judges[-1, -1],
        "variance_over_votes": whole / votes,
    }
    if drawn.score[-1] != 0:  # at zero a common factor of all scores does not move the score
        bound = drawn.score[-1] ** 2 / placed.pairs.scale_information(drawn.score)
        parts |= {"bound": bound, "variance_over_bound": whole / bound}
    parts = {name: float(value) for name, value in parts.items()}
    return methods.placed_estimate(placed)._replace(parts=parts)


def fit_people(drawn: DrawnArrival) -> ArrivalEstimate:
    """Return the estimate from votes on the new item."""
    score, error = people_only_score(drawn.designs, drawn.roster, drawn.votes)
    return ArrivalEstimate(float(score[-1]), error)


def fit_oracle(drawn: DrawnArrival) -> ArrivalEstimate:
    """Return the estimate with all but the new score known."""
    score, error = oracle_score(drawn.designs, drawn.roster, drawn.truth)
    return ArrivalEstimate(float(score[-1]), error)


SHARED = (
    "joint MLE",
    "two-step",
    "DirectScore",
    "HistoricalPPI",
    "IPWOnly",
    "ScalarJudge",
    "JointBTL",
    "PooledLLM",
    "PerJudgeBTL",
)

METHODS: dict[str, Callable[[DrawnArrival], ArrivalEstimate]] = {
    "ANCHOR": fit_anchor,
    **{name: methods.METHODS[name] for name in SHARED},
    "HumanOnly": fit_people,
    "Oracle": fit_oracle,
}


def sample_jointly(drawn: DrawnArrival) -> ArrivalEstimate:
    """Sample everything together, and summarise the new score."""
    tree = nuts(models.new_item_pooled, *drawn.designs, drawn.roster, seed=drawn.seed, **SAMPLER)
    return _summary(tree, drawn)


def sample_cut(drawn: DrawnArrival) -> ArrivalEstimate:
    """Sample the history and then the new score, and summarise it."""
    judges, humans = drawn.designs
    return _summary(cut_posterior(judges, humans, drawn.roster, seed=drawn.seed, **SAMPLER), drawn)


def _summary(tree: xr.DataTree, drawn: DrawnArrival) -> ArrivalEstimate:
    """Return the posterior mean of the new score, with coverage and width of its interval."""
    draws = tree["posterior"].to_dataset()["human_score"].values[..., -1].ravel()
    lower, upper = equal_tailed(draws, LEVEL)
    inside = float(lower <= drawn.score[-1] <= upper)
    return ArrivalEstimate(
        float(draws.mean()), parts={"coverage": inside, "width": float(upper - lower)}
    )


def posterior_metrics(drawn: DrawnArrival, estimates: Mapping[str, ArrivalEstimate]) -> list[Row]:
    """Compare posteriors with the truth, by the metrics that they share with ANCHOR."""
    return [row for row in arrival_metrics(drawn, estimates) if row["metric"] in OF_POSTERIORS]


def arrival_metrics(drawn: DrawnArrival, estimates: Mapping[str, ArrivalEstimate]) -> list[Row]:
    """Compare estimates with the truth."""
    historical = two_step_score(drawn.designs, drawn.roster)[:-1]
    return [
        {"estimator": name, "metric": metric, "value": value}
        for name, estimate in estimates.items()
        for metric, value in compared(drawn.score, historical, estimate).items()
    ]


def compared(
    truth: FloatArray, historical: FloatArray, estimate: ArrivalEstimate
) -> dict[str, float]:
    """Return the metrics of an estimate: truth (11,), estimated historical scores (10,)."""
    error = estimate.score - float(truth[-1])
    true_rank = 1 + int((truth[:-1] > truth[-1]).sum())
    rank = 1 + int((historical > estimate.score).sum())
    values = {
        "error": error,
        "squared_error": error**2,
        "insertion_error": float(abs(rank - true_rank)),
        "exact": float(rank == true_rank),
    }
    if estimate.error is not None:
        half = normal_half_width(LEVEL) * estimate.error
        values |= {"coverage": float(abs(error) <= half), "width": 2 * half}
    if estimate.ranks is not None:
        best, worst = estimate.ranks
        values |= {
            "rank_coverage": float(best <= true_rank <= worst),
            "rank_set_size": float(worst - best + 1),
        }
    return values | dict(estimate.parts)
