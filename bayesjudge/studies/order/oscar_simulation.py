"""The simulation of the OSCAR paper: Section 7, with the controls of Appendix G.2.

Eight items, five judges with position, length and family effects, display orders that depend on
verbosity, and prompts that all judges see. Seven models are fitted to the same verdicts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from scipy.special import expit

from bayesjudge import models
from bayesjudge.core.algebra import contrast_variance
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.synthetic import (
    ITEMS,
    JUDGES,
    PanelTruth,
    panel_families,
    panel_truth,
    synthetic_panel,
)
from bayesjudge.designs.design import design
from bayesjudge.designs.terms import Term
from bayesjudge.fits.mode import Mode, mode
from bayesjudge.studies.runner.metrics import (
    coverage,
    rank_correlation,
    root_mean_squared_error,
    selects_best,
)
from bayesjudge.studies.runner.study import Row, Setting, Study, grid

VERDICTS = (1000, 2500, 5000, 10_000)
CONTROL_VERDICTS = 2500
CONTROLS = ((0.0, 0.6), (1.0, 0.0), (0.0, 0.0))  # (bias, dependence): Table G2
PAIRS = np.triu_indices(len(ITEMS), k=1)  # the 28 pairs i < j
ALL_TERMS: tuple[Term, ...] = ("position", "length", "family")

MODELS: dict[str, tuple[str, tuple[Term, ...]]] = {
    "J": ("sensitivity", ()),
    "J+P": ("sensitivity", ("position",)),
    "J+L": ("sensitivity", ("length",)),
    "J+F": ("sensitivity", ("family",)),
    "BT+PLF": ("unit_sensitivity", ALL_TERMS),
    "Davidson+PLF": ("unit_sensitivity_davidson", ALL_TERMS),
    "OSCAR": ("sensitivity", ALL_TERMS),
}

MODEL_BASED, CLUSTERED = "model-based", "prompt-cluster"  # kinds of intervals
INTERVALS = {"J": (CLUSTERED,), "OSCAR": (CLUSTERED, MODEL_BASED)}


@dataclass(frozen=True, eq=False)
class DrawnPanel:
    """One data set of the simulation, with what it was drawn from.

    Attributes
    ----------
    data : Comparisons
        The verdicts.
    truth : PanelTruth
        Generating parameters.
    """

    data: Comparisons
    truth: PanelTruth

    @property
    def log_odds(self) -> FloatArray:
        """True h of the 28 pairs, OSCAR eq. (3)."""
        return pair_log_odds(self.truth.sensitivity.mean() * self.truth.score)

    @property
    def scaled_sensitivity(self) -> FloatArray:
        """True kappa of the five judges."""
        return self.truth.sensitivity * np.sqrt(np.mean(self.truth.score**2))


@dataclass(frozen=True, eq=False)
class PanelEstimate:
    """The estimates of one model.

    Attributes
    ----------
    score : ndarray, shape (8,)
        Scores in log-odds of the average judge.
    scaled_sensitivity : ndarray, shape (5,), or None
        Kappa, where the model estimates it.
    errors : mapping of str to ndarray, shape (28,)
        Standard errors of the pairs' log-odds, by kind of interval.
    """

    score: FloatArray
    scaled_sensitivity: FloatArray | None = None
    errors: Mapping[str, FloatArray] = field(default_factory=dict)

    @property
    def log_odds(self) -> FloatArray:
        """Estimated h of the 28 pairs."""
        return pair_log_odds(self.score)


def oscar_simulation() -> Study:
    """Return the paper's simulation as a study.

    Returns
    -------
    Study
        Settings ``verdicts`` (N), ``bias`` (c) and ``dependence`` (rho). Metrics ``rmse_q`` (over
        28 pairs, probability), ``rmse_kappa`` (over five judges, only of models that estimate
        sensitivities), ``tau_b`` (with the true order), ``best`` (whether the true best item has
        the highest score) and, for OSCAR and J, ``coverage prompt-cluster`` and, for OSCAR,
        ``coverage model-based`` of 95 % intervals for q.

    Notes
    -----
    OSCAR, Section 7 and Appendix G. Lengths are whole characters, and the length contrast is in
    standard deviations of the data (Section 3.2), which matters only through the ridge.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> study = bj.studies.oscar_simulation()
    >>> len(study.settings), list(study.estimators)
    (7, ['J', 'J+P', 'J+L', 'J+F', 'BT+PLF', 'Davidson+PLF', 'OSCAR'])
    """
    main = grid(verdicts=VERDICTS, bias=[1.0], dependence=[0.6])
    controls = [
        {"verdicts": CONTROL_VERDICTS, "bias": bias, "dependence": dependence}
        for bias, dependence in CONTROLS
    ]
    estimators = {name: partial(fit_panel, model=name) for name in MODELS}
    return Study("OSCAR simulation", [*main, *controls], draw_panel, estimators, panel_metrics)


def draw_panel(setting: Setting, seed: int) -> DrawnPanel:
    """Draw the verdicts of a setting."""
    prompts = int(setting["verdicts"]) // len(JUDGES)
    bias, dependence = float(setting["bias"]), float(setting["dependence"])
    data = synthetic_panel(prompts, seed=seed, bias=bias, dependence=dependence)
    return DrawnPanel(data, panel_truth())


def fit_panel(drawn: DrawnPanel, model: str) -> PanelEstimate:
    """Fit one of the paper's models; the first judge is the reference, the ridge 0.05."""
    program, terms = MODELS[model]
    laid_out = design(
        drawn.data, terms, reference_judge=JUDGES[0], families=panel_families(), items=ITEMS
    )
    fit = mode(getattr(models, program), laid_out)
    estimated = "scaled_sensitivity" in fit.quantities
    kappa = fit.quantity("scaled_sensitivity").values if estimated else None
    errors = {kind: _errors(fit, kind) for kind in INTERVALS.get(model, ())}
    return PanelEstimate(fit.quantity("score").values, kappa, errors)


def panel_metrics(drawn: DrawnPanel, estimates: Mapping[str, PanelEstimate]) -> list[Row]:
    """Compare estimates with the truth from which the verdicts were drawn."""
    return [
        {"estimator": name, "metric": metric, "value": value}
        for name, estimate in estimates.items()
        for metric, value in _metrics(drawn, estimate).items()
    ]


def pair_log_odds(score: FloatArray) -> FloatArray:
    """Return h of the 28 pairs i < j, from scores (8,) of the average judge."""
    return score[PAIRS[0]] - score[PAIRS[1]]


def _metrics(drawn: DrawnPanel, estimate: PanelEstimate) -> dict[str, float]:
    metrics = {
        "rmse_q": root_mean_squared_error(expit(estimate.log_odds), expit(drawn.log_odds)),
        "tau_b": rank_correlation(estimate.score, drawn.truth.score),
        "best": selects_best(estimate.score, drawn.truth.score),
    }
    if estimate.scaled_sensitivity is not None:
        kappa = (estimate.scaled_sensitivity, drawn.scaled_sensitivity)
        metrics["rmse_kappa"] = root_mean_squared_error(*kappa)
    for kind, error in estimate.errors.items():
        metrics[f"coverage {kind}"] = coverage(estimate.log_odds, error, drawn.log_odds)
    return metrics


def _errors(fit: Mode, kind: str) -> FloatArray:
    """Return the standard errors of the pairs' log-odds, (28,)."""
    covariance = fit.covariance("model" if kind == MODEL_BASED else "sandwich")  # by prompt
    return np.sqrt(contrast_variance(covariance.of("score").values)[PAIRS])
