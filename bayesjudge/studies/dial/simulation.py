"""The simulations of the DIAL paper: Figure 2, and Figures F1 to F3."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from bayesjudge.core.algebra import contrast_variance
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.errors import UnknownOptionError
from bayesjudge.studies.dial import estimators
from bayesjudge.studies.dial.estimators import PathEstimate, Paths
from bayesjudge.studies.dial.panel import DialSettings, DialTruth, dial_panel
from bayesjudge.studies.runner.metrics import coverage, root_mean_squared_error
from bayesjudge.studies.runner.study import Row, Setting, Study, grid

VOTES = (100, 200, 400, 800, 1600)
VERDICTS = (400, 800, 1600, 3200, 6400, 12_800)
MULTIPLES = np.logspace(1, -1, 7)  # of n_l / n_h


@dataclass(frozen=True, eq=False)
class DrawnPanel(Paths):
    """A simulated panel with its weight paths.

    Attributes
    ----------
    judges, humans, rank, multiples
        As in `Paths`.
    truth : DialTruth
        What verdicts and votes were drawn from.
    """

    truth: DialTruth


@dataclass(frozen=True, eq=False)
class Estimate:
    """The part of an estimate that is compared with the truth.

    Attributes
    ----------
    human_score : ndarray, shape (n_items,)
        Log-odds.
    position : ndarray, shape (n_judges,), or None
        Judges' position effects of the LLM-only fit, log-odds; None for none.
    covariance : ndarray, shape (n_items, n_items), or None
        Of the human score; None for an estimator without intervals.
    """

    human_score: FloatArray
    position: FloatArray | None = None
    covariance: FloatArray | None = None


def dial_simulation(figure: str) -> Study:
    """Return one of the paper's simulation designs.

    Parameters
    ----------
    figure : {"2 top", "2 bottom", "F1 top", "F1 bottom", "F2 top", "F2 bottom", "F3"}
        The figure that shows the design.

    Returns
    -------
    Study
        For `run_study`. Metrics: excess risk (nats a vote), Kendall's tau, RMSE of the position
        effects and coverage of all pairwise contrasts.

    Raises
    ------
    UnknownOptionError
        For another figure.

    Notes
    -----
    DIAL, Appendix F. Estimates that are not finite are failures: counted, never averaged.

    Examples
    --------
    >>> dial_simulation("2 top").settings[0]["votes"]
    100
    """
    if not isinstance(figure, str) or figure not in DESIGNS:
        raise UnknownOptionError(
            f"figure is {figure!r}; give the name of a figure: {listing(map(repr, DESIGNS))}."
        )
    return Study(f"DIAL figure {figure}", DESIGNS[figure], draw_panel, ESTIMATORS, compare)


def draw_panel(setting: Setting, seed: int) -> DrawnPanel:
    """Draw a panel; its paths are fitted when an estimator first reads them."""
    values: dict[str, Any] = dict(setting)
    settings = DialSettings(**values)
    panel = dial_panel(settings, seed=seed)
    return DrawnPanel(panel.judges, panel.humans, settings.rank, MULTIPLES, panel.truth)


def human_only(drawn: DrawnPanel) -> Estimate:
    """Return the estimate from votes alone, with Fisher information."""
    fit = drawn.consensus.human_only.admissible()
    covariance = fit.covariance("model").of("human_score").values
    return Estimate(fit.values["human_score"], covariance=covariance)


def with_intervals(chosen: Callable[[Paths], PathEstimate], drawn: DrawnPanel) -> Estimate:
    """Return an estimate with its sandwich covariance and the judges' position effects."""
    estimate = chosen(drawn)
    covariance = estimate.path.covariance(estimate.weight, "cell").of("human_score")
    position = estimate.path.joint_fit(np.inf).values["position"]
    return Estimate(estimate.human_score, position, covariance.values)


def without_position(score: Callable[[Paths], Any], drawn: DrawnPanel) -> Estimate:
    """Return an estimate that takes every position effect as zero."""
    return Estimate(score(drawn).human_score, np.zeros_like(drawn.truth.position))


def aggregate_then_calibrate(drawn: DrawnPanel) -> Estimate:
    """Return AtC, which has neither position effects nor intervals."""
    return Estimate(estimators.aggregate_then_calibrate(drawn).human_score)


def oracle(drawn: DrawnPanel) -> Estimate:
    """Return the admissible candidate of smallest excess risk, which needs the truth."""
    candidates = drawn.consensus.candidates
    scores = [fit.human_score.values for fit in candidates if fit.fault is None]
    return Estimate(min(scores, key=drawn.truth.excess_risk))


ESTIMATORS: dict[str, Callable[[DrawnPanel], Estimate]] = {
    "Human": human_only,
    "Pooled": partial(without_position, estimators.pooled),
    "DIAL-Anc": partial(with_intervals, estimators.anchored),
    "DIAL-Ada": partial(with_intervals, estimators.adaptive),
    "DIAL-Ada (W)": partial(with_intervals, estimators.adaptive_full),
    "DIAL-noPos": partial(without_position, estimators.adaptive_without_position),
    "AtC": aggregate_then_calibrate,
    "oracle": oracle,
}


def compare(drawn: DrawnPanel, estimates: Mapping[str, Estimate]) -> Iterator[Row]:
    """Compare estimates with the truth."""
    truth = drawn.truth
    for name, estimate in estimates.items():
        score, position = estimate.human_score, estimate.position
        values = {
            "excess risk": truth.excess_risk(score),
            "kendall tau": float(kendalltau(score, truth.human_score).statistic),
        }
        if position is not None:
            values["rmse b"] = root_mean_squared_error(position, truth.position)
        if estimate.covariance is not None:
            values["coverage"] = _coverage(score, estimate.covariance, truth.human_score)
        for metric, value in values.items():
            yield {"estimator": name, "metric": metric, "value": value}


def _coverage(score: FloatArray, covariance: FloatArray, truth: FloatArray) -> float:
    i, j = np.triu_indices(len(truth), k=1)
    error = np.sqrt(contrast_variance(covariance)[i, j])
    return coverage(score[i] - score[j], error, truth[i] - truth[j])


LARGE = {"n_items": [20], "n_judges": [6], "rank": [2]}

DESIGNS = {
    "2 top": grid(votes=list(VOTES)),
    "2 bottom": grid(verdicts=list(VERDICTS), overdispersion=[1.0]),
    "F1 top": grid(votes=[300, 600, 1200, 2400, 4800], verdicts=[60_000], **LARGE),
    "F1 bottom": grid(
        verdicts=[2400 * 2**k for k in range(6)], votes=[2400], overdispersion=[1.0], **LARGE
    ),
    "F2 top": grid(votes=list(VOTES), misalignment=[0.5]),
    "F2 bottom": grid(verdicts=list(VERDICTS), overdispersion=[1.0], misalignment=[0.5]),
    "F3": grid(position_spread=[0.0, 0.25, 0.5, 0.75, 1.0]),
}
