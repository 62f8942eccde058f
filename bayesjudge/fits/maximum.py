"""Checks that an optimum is a maximum, in words that name what is wrong with the data."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.wording import listing
from bayesjudge.engine.precision import in_float64
from bayesjudge.errors import NoFiniteMaximumError, NotConvergedError, UnidentifiedError
from bayesjudge.fits.tree import scalar_names

if TYPE_CHECKING:
    from bayesjudge.fits.mode import Mode


GRADIENT_BOUND = 1e-9


RUNAWAY_LOGIT = 20.0  # a fitted probability within 2e-9 of certainty: no data set says that


SMALLEST_CURVATURE = (1e-12, 1e-13)  # absolute, and relative to the largest (OSCAR, Appendix B.3)


FARTHEST = 15.0  # where the paper bounds log sensitivities (OSCAR, Appendix B.1)


NAMED = 3


TINY = 1e-300


STILL = 1e-6  # relative speed below which a quantity does not move


def demand_maximum(fit: "Mode") -> None:
    """Raise unless a fit is a proper, finite maximum.

    Parameters
    ----------
    fit : Mode
        What the optimiser gave.

    Raises
    ------
    NoFiniteMaximumError, UnidentifiedError, NotConvergedError
        With the names of the quantities concerned.
    """
    values, vectors = np.linalg.eigh(fit.hessian)
    flat = values < max(SMALLEST_CURVATURE[0], SMALLEST_CURVATURE[1] * values[-1])
    if not fit.prior and _largest_logit(fit) > RUNAWAY_LOGIT:
        raise NoFiniteMaximumError(
            f"{fit.program.model.__name__} has no finite maximum of the likelihood: "
            f"{_named(fit, vectors[:, :1])} run away, because some items or judges won or lost "
            "everything; keep the prior (prior=True), or see bj.diagnose(...)."
        )
    if not fit.prior and np.abs(fit.phi[_bounded(fit)]).max(initial=0.0) > FARTHEST:
        raise NoFiniteMaximumError(
            f"{fit.program.model.__name__} has no finite maximum of the likelihood: "
            f"{_vanishing(fit)} goes to zero or without end, as for a judge no better than chance; "
            "keep the prior (prior=True), or sample the pooled sibling."
        )
    if flat.any():
        raise UnidentifiedError(
            f"The data cannot tell apart {_named(fit, vectors[:, flat])} in "
            f"{fit.program.model.__name__}; keep the prior (prior=True) knowing that it alone "
            "decides there, or see bj.diagnose(...)."
        )
    if not fit.gradient_norm < GRADIENT_BOUND * max(1.0, _total(fit) / 1e6):
        raise NotConvergedError(
            f"The maximum of {fit.program.model.__name__} was not reached (gradient "
            f"{fit.gradient_norm:.1e}); see bj.diagnose(...), and report this with the data if it "
            "finds no fault."
        )


def _bounded(fit: "Mode") -> NDArray[np.bool_]:
    """Coordinates on a logarithmic scale; others have the units of features, or are ratios."""
    bounded = np.zeros(len(fit.phi), dtype=bool)
    for name, place in fit.program.sites.slices.items():
        bounded[place] = name.startswith("log_")
    return bounded


def _named(fit: "Mode", directions: NDArray[np.float64]) -> str:
    return listing(moving_quantities(fit, directions), NAMED)


@in_float64
def _largest_logit(fit: "Mode") -> float:
    found = fit.program.compiled.logits(fit.phi, fit.layouts)
    return max(float(np.abs(value).max()) for value in found.values())


def _total(fit: "Mode") -> float:
    return sum(float(each.weight.sum()) for each in fit.designs)


def _vanishing(fit: "Mode") -> str:
    """Name the quantity that the farthest coordinate moves most, relative to its own size."""
    farthest = int((np.abs(fit.phi) * _bounded(fit)).argmax())
    names = scalar_names(fit.program, fit.designs)
    speed: dict[str, float] = {}
    for quantity, jacobian in fit.jacobians.items():
        value = np.abs(fit.quantities[quantity].values.ravel())
        moved = np.abs(jacobian.reshape(-1, len(fit.phi))[:, farthest])
        speed |= dict(zip(names[quantity], moved / np.maximum(value, TINY), strict=True))
    return max(speed, key=speed.__getitem__)


def moving_quantities(fit: "Mode", directions: NDArray[np.float64]) -> list[str]:
    """Name the quantities that change along directions of the flat vector, fastest first.

    Parameters
    ----------
    fit : Mode
        A fit.
    directions : ndarray, shape (size, n)
        Orthonormal directions.

    Returns
    -------
    list of str
        Such as "score[gpt-4]"; what does not move is left out.
    """
    names = scalar_names(fit.program, fit.designs)
    speed = {
        name: float(np.linalg.norm(row))
        for quantity, jacobian in fit.jacobians.items()
        for name, row in zip(
            names[quantity], jacobian.reshape(-1, len(fit.phi)) @ directions, strict=True
        )
    }
    ranked = sorted(speed, key=speed.__getitem__, reverse=True)
    return [name for name in ranked if speed[name] > STILL * speed[ranked[0]]]
