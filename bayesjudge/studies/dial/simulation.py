"""The simulations of the DIAL paper: Figure 2, and Figures F1 to F3."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.errors import UnknownOptionError
from bayesjudge.studies.dial.estimators import ESTIMATORS, SIMULATION_MULTIPLES, DialFits, Estimate
from bayesjudge.studies.dial.panel import DialSettings, dial_panel
from bayesjudge.studies.runner.metrics import coverage, root_mean_squared_error
from bayesjudge.studies.runner.study import Row, Setting, Study, grid

VOTES = (100, 200, 400, 800, 1600)


VERDICTS = (400, 800, 1600, 3200, 6400, 12_800)


def dial_simulation(figure: str) -> Study:
    """Give one of the paper's simulation designs.

    Parameters
    ----------
    figure : {"2 top", "2 bottom", "F1 top", "F1 bottom", "F2 top", "F2 bottom", "F3"}
        By the figure that shows it.

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
    return Study(
        name=f"DIAL figure {figure}",
        settings=DESIGNS[figure],
        draw=draw_fits,
        estimators=ESTIMATORS,
        metrics=compare,
    )


def draw_fits(setting: Setting, seed: int) -> DialFits:
    """Draw a panel, to be fitted when it is first asked for."""
    known = [each.name for each in fields(DialSettings)]
    given: dict[str, Any] = {name: setting[name] for name in known if name in setting}
    settings = DialSettings(**given)
    return DialFits(dial_panel(settings, seed), settings.rank, SIMULATION_MULTIPLES)


def compare(drawn: DialFits, estimates: Mapping[str, Estimate]) -> Iterator[Row]:
    """Compare estimates with the truth."""
    truth = drawn.panel.truth
    for name, found in estimates.items():
        numbers = {
            "excess risk": truth.excess_risk(found.human_score),
            "kendall tau": float(kendalltau(found.human_score, truth.human_score).statistic),
        }
        if found.position is not None:
            numbers["rmse b"] = root_mean_squared_error(found.position, truth.position)
        if found.covariance is not None:
            numbers["coverage"] = _coverage(found, truth.human_score)
        for metric, value in numbers.items():
            yield {"estimator": name, "metric": metric, "value": value}


def _coverage(found: Estimate, truth: FloatArray) -> float:
    assert found.covariance is not None
    i, j = np.triu_indices(len(truth), k=1)
    own = np.diag(found.covariance)
    error = np.sqrt(np.maximum(own[i] + own[j] - 2 * found.covariance[i, j], 0.0))
    score = found.human_score
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
