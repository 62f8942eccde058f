"""Checks of a mode, in words."""

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.diagnosis.findings import Diagnosis, Finding, judged, labelled
from bayesjudge.fits.maximum import FARTHEST, moving_quantities
from bayesjudge.fits.mode import Mode, demand_mode
from bayesjudge.fits.tree import scalar_names

STATIONARITY = 1e-7  # gradient over number of verdicts
INFORMATION_FLOOR = (1e-12, 1e-10)  # absolute, and relative to the largest eigenvalue
CURVATURE_FLOOR = (1e-12, 1e-13)
MADE_BY_PRIOR = 0.25  # share of precision: information below three times the ridge


def check(fit: Mode) -> Diagnosis:
    """Check a mode as the paper does, and name what the prior rather than the data determines.

    Parameters
    ----------
    fit : Mode
        What `bayesjudge.mode` returned.

    Returns
    -------
    Diagnosis
        Findings on stationarity, identification, curvature, clusters and prior.

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
      fine     There are 400 prompt clusters for 16 free parameters.
      fine     The prior contributes less than a quarter of the precision of every quantity.
    """
    fit = demand_mode(fit)
    checks = (_stationarity, _identification, _curvature, _clusters, _prior)
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


def _prior(fit: Mode) -> Finding:
    names = scalar_names(fit.program, fit.designs)
    sensitive = [
        name
        for quantity, shares in prior_share(fit).items()
        for name, share in zip(names[quantity], shares, strict=True)
        if share >= MADE_BY_PRIOR
    ]
    bad = (
        "The prior contributes a quarter or more of the precision of "
        f"{listing(sensitive, 6)}: these estimates are sensitive to the prior."
    )
    fine = "The prior contributes less than a quarter of the precision of every quantity."
    return judged("prior", sensitive, "warning", bad, fine)
