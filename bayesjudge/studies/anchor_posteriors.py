"""How posteriors of a new item's score cover the truth in the default design of ANCHOR."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from bayesjudge import models
from bayesjudge.inference.cut_posterior import cut_posterior
from bayesjudge.inference.nuts import nuts
from bayesjudge.studies.anchor_baselines import two_step_score
from bayesjudge.studies.anchor_draw import DrawnArrival
from bayesjudge.studies.anchor_simulation import (
    DEFAULT,
    draw_arrival,
    fit_anchor,
)
from bayesjudge.studies.arrival_metrics import (
    LEVEL,
    ArrivalEstimate,
    compared,
)
from bayesjudge.studies.study import Row, Study

CHAINS, WARMUP, DRAWS = 4, 500, 1500
POINT = ("error", "squared_error", "insertion_error", "exact", "coverage", "width")


def anchor_posteriors() -> Study:
    """Give the joint and the cut posterior beside ANCHOR, in the default setting, as a study.

    Returns
    -------
    Study
        Metrics of `anchor_simulation`; intervals of posteriors have equal tails.

    Examples
    --------
    >>> list(anchor_posteriors().estimators)
    ['ANCHOR', 'joint posterior', 'cut posterior']
    """
    estimators = {
        "ANCHOR": fit_anchor,
        "joint posterior": sample_jointly,
        "cut posterior": sample_cut,
    }
    return Study("ANCHOR posteriors", [DEFAULT], draw_arrival, estimators, posterior_metrics)


def sample_jointly(drawn: DrawnArrival) -> ArrivalEstimate:
    """Sample everything together, and summarise the new score."""
    tree = nuts(
        models.new_item_pooled,
        *drawn.designs,
        drawn.roster,
        seed=drawn.seed,
        chains=CHAINS,
        warmup=WARMUP,
        draws=DRAWS,
        progress=False,
    )
    return _summary(tree)


def sample_cut(drawn: DrawnArrival) -> ArrivalEstimate:
    """Sample the history and then the new score, and summarise it."""
    judges, humans = drawn.designs
    tree = cut_posterior(
        judges,
        humans,
        drawn.roster,
        seed=drawn.seed,
        chains=CHAINS,
        warmup=WARMUP,
        draws=DRAWS,
        progress=False,
    )
    return _summary(tree)


def posterior_metrics(drawn: DrawnArrival, estimates: Mapping[str, ArrivalEstimate]) -> list[Row]:
    """Compare posteriors with the truth.

    Parameters
    ----------
    drawn : DrawnArrival
        The truth.
    estimates : mapping of str to ArrivalEstimate
        By method.

    Returns
    -------
    list of mapping
        ``estimator``, ``metric`` and ``value``.
    """
    known = two_step_score(drawn.designs, drawn.roster)[:-1]
    return [
        {"estimator": name, "metric": metric, "value": value}
        for name, estimate in estimates.items()
        for metric, value in _measured(drawn, known, estimate).items()
    ]


def _measured(
    drawn: DrawnArrival, known: np.ndarray, estimate: ArrivalEstimate
) -> dict[str, float]:
    values = compared(drawn.score, known, estimate)
    parts = estimate.parts or {}
    if "lower" in parts:
        inside = parts["lower"] <= drawn.score[-1] <= parts["upper"]
        values |= {"coverage": float(inside), "width": parts["upper"] - parts["lower"]}
    return {name: values[name] for name in POINT}


def _summary(tree: xr.DataTree) -> ArrivalEstimate:
    """Mean and 95 % interval of the new score."""
    draws = tree["posterior"].to_dataset()["human_score"].values[..., -1].ravel()
    lower, upper = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return ArrivalEstimate(float(draws.mean()), None, None, {"lower": lower, "upper": upper})
