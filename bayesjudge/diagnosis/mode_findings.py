"""Checks of a mode, in words."""

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.wording import listing
from bayesjudge.diagnosis.findings import Diagnosis, Finding, Level
from bayesjudge.engine.point import prior_curvature
from bayesjudge.fits.maximum import FARTHEST, moving_quantities
from bayesjudge.fits.mode import Mode, demand_mode
from bayesjudge.fits.tree import scalar_names

STATIONARITY = 1e-7  # gradient over number of verdicts


INFORMATION_FLOOR = (1e-12, 1e-10)  # absolute, and relative to the largest eigenvalue


CURVATURE_FLOOR = (1e-12, 1e-13)


MADE_BY_PRIOR = 0.25  # share of precision: information below three times the ridge


def check(fit: Mode) -> Diagnosis:
    """Check a mode as the paper does, and say where the prior rather than the data decides.

    Parameters
    ----------
    fit : Mode
        What `bayesjudge.mode` gave.

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
      fine     The gradient vanishes at the mode (4e-18 a verdict).
      fine     All 16 coordinates are identified by the verdicts.
      fine     The mode is a proper maximum in every direction.
      fine     400 prompts stand against 16 coordinates: a sandwich by prompt has full rank.
      fine     No quantity owes a quarter of its precision to the prior.
    """
    fit = demand_mode(fit)
    checks = (_stationarity, _identification, _curvature, _clusters, _prior)
    about = fit.designs[0].data.source
    findings = (each(fit) for each in checks)
    return Diagnosis(tuple(Finding(*said, about=about) for said in findings))


def prior_share(fit: Mode) -> dict[str, NDArray[np.float64]]:
    """Give the share of each quantity's precision that the prior contributes.

    Parameters
    ----------
    fit : Mode
        A mode.

    Returns
    -------
    dict of str to ndarray
        By quantity, flattened; 0 where the data alone speak, 1 where the prior alone does.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> share = prior_share(bj.mode(bj.models.sensitivity, bj.example_panel()))
    >>> bool(share["position"].max() < 0.01)
    True
    """
    prior = prior_curvature(fit)
    covariance = np.linalg.inv(fit.information + prior)
    return {name: _share(fit, name, covariance, prior) for name in fit.jacobians}


def _share(
    fit: Mode, name: str, covariance: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    moved = fit.jacobians[name].reshape(-1, len(fit.phi)) @ covariance
    total = np.einsum("ij,jk,ik->i", moved, np.linalg.inv(covariance), moved)
    from_prior = np.einsum("ij,jk,ik->i", moved, prior, moved)
    return np.divide(from_prior, total, out=np.zeros_like(total), where=total > 0)


def _stationarity(fit: Mode) -> tuple[str, Level, str]:
    verdicts = sum(float(each.weight.sum()) for each in fit.designs)
    slope = fit.gradient_norm / verdicts
    if slope <= STATIONARITY:
        return "stationarity", "fine", f"The gradient vanishes at the mode ({slope:.0e} a verdict)."
    sentence = f"The gradient is {slope:.0e} a verdict at the mode: the fit has not converged."
    return "stationarity", "problem", sentence


def _identification(fit: Mode) -> tuple[str, Level, str]:
    values, vectors = np.linalg.eigh(fit.information)
    lost = values <= max(INFORMATION_FLOOR[0], INFORMATION_FLOOR[1] * values[-1])
    size = len(values)
    if not lost.any():
        sentence = f"All {size} coordinates are identified by the verdicts."
        return "identification", "fine", sentence
    moving = listing(moving_quantities(fit, vectors[:, lost]), 5)
    sentence = (
        f"The verdicts identify {size - lost.sum()} of {size} coordinates: {moving} can change "
        "together without changing any prediction, and the prior alone chooses among them."
    )
    return "identification", "problem", sentence


def _curvature(fit: Mode) -> tuple[str, Level, str]:
    values = np.linalg.eigvalsh(fit.hessian)
    floor = max(CURVATURE_FLOOR[0], CURVATURE_FLOOR[1] * values[-1])
    if values[0] > floor and np.abs(fit.phi).max(initial=0.0) < FARTHEST:
        return "curvature", "fine", "The mode is a proper maximum in every direction."
    sentence = "The mode is flat in some direction or far out: do not use its covariance."
    return "curvature", "problem", sentence


def _clusters(fit: Mode) -> tuple[str, Level, str]:
    prompts = len({name for each in fit.designs for name in each.data.prompts})
    size = len(fit.phi)
    stand = f"{prompts} prompts stand against {size} coordinates"
    if prompts > size:
        return "clusters", "fine", f"{stand}: a sandwich by prompt has full rank."
    sentence = f"{stand}: a sandwich by prompt is singular, and its intervals too short."
    return "clusters", "warning", sentence


def _prior(fit: Mode) -> tuple[str, Level, str]:
    names = scalar_names(fit.program, fit.designs)
    made = [
        name
        for quantity, share in prior_share(fit).items()
        for name, part in zip(names[quantity], share, strict=True)
        if part >= MADE_BY_PRIOR
    ]
    if not made:
        return "prior", "fine", "No quantity owes a quarter of its precision to the prior."
    sentence = (
        "The prior contributes a quarter of the precision or more to "
        f"{listing(made, 6)}: what is said of them leans on the prior and moves with it."
    )
    return "prior", "warning", sentence
