"""Checks of a mode, in words."""

from dataclasses import asdict

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import chosen_form, listing
from bayesjudge.diagnosis.findings import Diagnosis, Finding, judged, labelled
from bayesjudge.fits.estimate import MARKED
from bayesjudge.fits.maximum import FARTHEST, moving_quantities
from bayesjudge.fits.mode import Mode, demand_mode
from bayesjudge.fits.tree import scalar_names

STATIONARITY = 1e-7  # gradient over number of verdicts
INFORMATION_FLOOR = (1e-12, 1e-10)  # absolute, and relative to the largest eigenvalue
CURVATURE_FLOOR = (1e-12, 1e-13)


def check(fit: Mode) -> Diagnosis:
    """Check a mode as the paper does, and name what the prior rather than the data determines.

    Parameters
    ----------
    fit : Mode
        What `bayesjudge.mode` returned.

    Returns
    -------
    Diagnosis
        Findings on stationarity, identification, curvature, other maxima, bounds, judges of
        negative sensitivity, clusters and prior.

    Raises
    ------
    UnknownFitError
        If it is no mode.

    Notes
    -----
    OSCAR, Appendix B.3. The rank of the predictor's information shows confounding that a penalised
    curvature hides: Proposition 3 (two families) and its wider cases.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> print(bj.check(bj.mode(bj.models.sensitivity, bj.example_panel())))
    synthetic panel (OSCAR G.1, seed 2609)
      fine     The gradient vanishes at the mode (... per verdict).
      fine     The verdicts identify all 16 free parameters.
      fine     The mode is a proper maximum in every direction.
      fine     The mode starts from several points and found one maximum.
      fine     Every quantity has a finite estimate without the prior.
      fine     No judge's verdicts contradict the scores.
      fine     There are 400 prompt clusters for 16 free parameters.
      fine     Doubling the prior's strength moves every quantity by less than 0.02 ...
    """
    fit = demand_mode(fit)
    checks = (
        _stationarity,
        _identification,
        _curvature,
        _maxima,
        _bounds,
        _signs,
        _clusters,
        _prior,
    )
    source = fit.designs[0].data.source
    return Diagnosis(tuple(labelled(source, [finding(fit) for finding in checks])))


def prior_share(fit: Mode) -> dict[str, FloatArray]:
    """Return the share of each quantity's precision that the prior contributes."""
    prior = fit.prior_curvature
    precision = fit.information + prior
    covariance = np.linalg.inv(precision)
    shares = {}
    for name in fit.jacobians:
        moved = fit.gradient(name) @ covariance
        total, from_prior = (
            np.einsum("ij,jk,ik->i", moved, matrix, moved) for matrix in (precision, prior)
        )
        shares[name] = np.divide(from_prior, total, out=np.zeros_like(total), where=total > 0)
    return shares


def _stationarity(fit: Mode) -> Finding:
    verdicts = sum(float(design.weight.sum()) for design in fit.designs)
    slope = fit.gradient_norm / verdicts
    bad = f"The gradient is {slope:.0e} per verdict at the mode: the fit has not converged."
    fine = f"The gradient vanishes at the mode ({slope:.0e} per verdict)."
    return judged("stationarity", not slope <= STATIONARITY, "problem", bad, fine)


def _identification(fit: Mode) -> Finding:
    values, vectors = np.linalg.eigh(fit.information)
    lost = values <= max(INFORMATION_FLOOR[0], INFORMATION_FLOOR[1] * values[-1])
    size = len(values)
    if not lost.any():
        sentence = f"The verdicts identify all {size} free parameters."
        return Finding("identification", "fine", sentence)
    moving = listing(moving_quantities(fit, vectors[:, lost]), 5)
    sentence = (
        f"The verdicts identify {size - lost.sum()} of {size} free parameters: {moving} can change "
        "together without changing any prediction, and only the prior determines them."
    )
    return Finding("identification", "problem", sentence)


def _curvature(fit: Mode) -> Finding:
    values = np.linalg.eigvalsh(fit.hessian)
    floor = max(CURVATURE_FLOOR[0], CURVATURE_FLOOR[1] * values[-1])
    proper = values[0] > floor and np.abs(fit.phi).max(initial=0.0) < FARTHEST
    bad = (
        "The objective is flat in some direction, or a parameter diverges: do not use the "
        "covariance of this mode."
    )
    fine = "The mode is a proper maximum in every direction."
    return judged("curvature", not proper, "problem", bad, fine)


def _clusters(fit: Mode) -> Finding:
    prompts = len({name for design in fit.designs for name in design.data.prompts})
    size = len(fit.phi)
    sentence = f"There are {prompts:,} prompt clusters for {size:,} free parameters"
    bad = (
        f"{sentence}: the prompt-clustered covariance matrix is singular and its intervals are too "
        "narrow."
    )
    fine = f"{sentence}."
    return judged("clusters", prompts <= size, "warning", bad, fine)


def _maxima(fit: Mode) -> Finding:
    others = [rival for rival in fit.rivals if rival.leader != fit.leader]
    below = ", ".join(f"{rival.below:.2g} ({rival.leader})" for rival in others)
    bad = (
        "Other maxima, nearly as high, have another item in the lead: log units below the highest "
        f"(leader) {below}; the verdicts do not decide between them and {fit.leader}."
    )
    number = "one maximum" if not fit.rivals else "no other maximum with another leader"
    fine = f"The mode starts from several points and found {number}."
    details = {"rivals": [asdict(rival) for rival in fit.rivals]}
    return judged("maxima", others, "problem", bad, fine, details)


def _bounds(fit: Mode) -> Finding:
    names = fit.unbounded_names
    bad = (
        f"Without the prior {listing(names, 5)} {chosen_form(len(names), 'has', 'have')} no finite "
        "estimate: the likelihood rises without end, so that only the prior keeps these values "
        "finite; see bj.diagnose(...) for the cause."
    )
    fine = "Every quantity has a finite estimate without the prior."
    return judged("bounds", names, "warning", bad, fine, {"unbounded": names})


def _signs(fit: Mode) -> Finding:
    judges = fit.contradicting
    bad = (
        f"The verdicts of {listing(judges, 5)} contradict the scores: the sensitivity would be "
        "negative, which this program excludes; use bj.models.signed_sensitivity."
    )
    fine = "No judge's verdicts contradict the scores."
    return judged("signs", judges, "problem", bad, fine, {"judges": judges})


def _prior(fit: Mode) -> Finding:
    covariance, names = fit.covariance(), scalar_names(fit.program, fit.designs)
    shift = {
        label: float(value)
        for name in names
        for label, value in zip(names[name], covariance.prior_shift(name).values.flat, strict=True)
    }
    rests = {label: value for label, value in shift.items() if value >= MARKED}
    largest = sorted(rests, key=rests.__getitem__, reverse=True)
    listed = [f"{label} ({rests[label]:.2g})" for label in largest]
    bad = (
        f"Doubling the prior's strength moves {listing(listed, 6)} by a quarter of a standard "
        "error or more (number of standard errors; inf where the verdicts set no bound): these "
        "values rest on the prior."
    )
    most = max((value for value in shift.values() if np.isfinite(value)), default=0.0)
    fine = (
        f"Doubling the prior's strength moves every quantity by less than {most + 0.005:.2f} "
        "standard errors."
    )
    return judged("prior", rests, "warning", bad, fine, {"standard_errors": rests})
