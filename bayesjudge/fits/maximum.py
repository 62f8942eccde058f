"""A maximum of a program's density, and the checks that it is one."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.engine.precision import in_float64
from bayesjudge.errors import (
    NoFiniteMaximumError,
    NotConvergedError,
    UnidentifiedError,
    UnknownQuantityError,
)
from bayesjudge.fits.bounds import BoundedPoint
from bayesjudge.fits.meat import error_ratios
from bayesjudge.fits.plain_causes import unbounded_causes, unidentified_causes
from bayesjudge.fits.signs import contradicting_judges
from bayesjudge.fits.tree import quantity_arrays, scalar_names

GRADIENT_BOUND = 1e-9
RUNAWAY_LOGIT = 20.0  # a fitted probability within 2e-9 of certainty: no data set says that
SMALLEST_CURVATURE = (1e-12, 1e-13)  # absolute, and relative to the largest (OSCAR, Appendix B.3)
FARTHEST = 15.0  # where the paper bounds log sensitivities (OSCAR, Appendix B.1)
NAMED = 3
TINY = 1e-300
STILL = 1e-6  # relative speed below which a quantity does not move


@dataclass(frozen=True)
class Rival:
    """Another maximum, nearly as high as the highest.

    Attributes
    ----------
    below : float
        How far it lies below the highest, in log units.
    leader : str
        The item with the highest score there.
    """

    below: float
    leader: str


@dataclass(frozen=True, eq=False, repr=False)
class Maximum(BoundedPoint):
    """Where an optimiser ended.

    Attributes
    ----------
    prior : bool
        Whether the prior is part of the objective.
    objective : float
        Negative log-density (or log-likelihood) there.
    gradient_norm : float
        Largest absolute component of its gradient.
    hessian : ndarray, shape (size, size)
        Its exact Hessian.
    rivals : tuple of Rival
        Other maxima that are nearly as high.
    """

    prior: bool
    objective: float
    gradient_norm: float
    hessian: FloatArray
    rivals: tuple[Rival, ...] = ()

    @cached_property
    def quantities(self) -> xr.Dataset:
        """The named quantities at the maximum."""
        return quantity_arrays(self.program, self.values, self.designs)

    def quantity(self, name: str) -> xr.DataArray:
        """Return one named quantity at the maximum.

        Parameters
        ----------
        name : str
            For example "score" (log-odds of an average judge) or "position" (log-odds).

        Returns
        -------
        xarray.DataArray
            With the names of items and judges.

        Raises
        ------
        UnknownQuantityError
            Where the program has no such quantity.
        """
        self.program.demand_quantity(name)
        return self.quantities[name].copy(deep=True)

    def free(self, name: str) -> FloatArray:
        """Return the coordinates of one free site.

        Parameters
        ----------
        name : str
            A name in ``program.sites.slices``.

        Returns
        -------
        ndarray
            Flat.

        Raises
        ------
        UnknownQuantityError
            Listing the free sites there are.
        """
        if name not in self.program.sites.slices:
            raise UnknownQuantityError(
                f"{self.program.model.__name__} has no free site {name!r}; it has "
                f"{', '.join(self.program.sites.slices)}."
            )
        return self.coordinates(name)

    @cached_property
    def bread(self) -> FloatArray:
        """Inverse of the Hessian, which every sandwich and the curvature covariance share."""
        return np.linalg.inv(self.hessian)

    @cached_property
    def error_ratios(self) -> dict[str, float]:
        """Prompt-clustered over model-based standard error, the median of each quantity."""
        return error_ratios(self, self.prior_curvature)

    @cached_property
    def contradicting(self) -> list[str]:
        """Names of the judges whose sensitivity would be negative, were it allowed."""
        return contradicting_judges(self)

    @cached_property
    @in_float64
    def prior_drift(self) -> FloatArray:
        """How far doubling the prior's strength moves the maximum, to first order, shape (size,).

        With the prior's log-density times lambda, d phi / d log lambda = -H^-1 grad(penalty).
        """
        if not self.prior:
            return np.zeros(len(self.phi))
        slope = np.asarray(self.program.compiled.prior_slope(self.phi, self.layouts))
        return -np.log(2.0) * np.linalg.solve(self.hessian, slope)

    @cached_property
    @in_float64
    def prior_curvature(self) -> FloatArray:
        """Negative Hessian of the log-prior, (size, size); zero for maximum likelihood."""
        if not self.prior:
            return np.zeros_like(self.hessian)
        return np.asarray(self.program.compiled.prior_curvature(self.phi, self.layouts))


def demand_maximum(fit: Maximum) -> None:
    """Raise unless a fit is a proper, finite maximum."""
    values, vectors = np.linalg.eigh(fit.hessian)
    flat = values < max(SMALLEST_CURVATURE[0], SMALLEST_CURVATURE[1] * values[-1])
    if not fit.prior and _largest_logit(fit) > RUNAWAY_LOGIT:
        otherwise = (
            f"a combination of {_named(fit, vectors[:, :1])} predicts some verdicts with certainty"
        )
        raise _no_finite_maximum(fit, otherwise, "or see bj.diagnose(...)")
    if not fit.prior and np.abs(fit.phi[_bounded(fit)]).max(initial=0.0) > FARTHEST:
        otherwise = (
            f"{_vanishing(fit)} goes to zero or without end, as for a judge no better than chance"
        )
        raise _no_finite_maximum(fit, otherwise, "or sample the pooled sibling")
    if flat.any():
        raise _unidentified(fit, vectors[:, flat])
    if not fit.gradient_norm < GRADIENT_BOUND * max(1.0, _total(fit) / 1e6):
        raise NotConvergedError(
            f"The maximum of {fit.program.model.__name__} was not reached (gradient "
            f"{fit.gradient_norm:.1e}); see bj.diagnose(...), and report this with the data if it "
            "finds no fault."
        )


def _no_finite_maximum(fit: Maximum, otherwise: str, advice: str) -> NoFiniteMaximumError:
    """Return the error of a likelihood that rises without end, with the plain cause if any."""
    cause = listing(unbounded_causes(fit), NAMED) or otherwise
    return NoFiniteMaximumError(
        f"{fit.program.model.__name__} has no finite maximum of the likelihood, because {cause}; "
        f"keep the prior (prior=True), {advice}."
    )


def _unidentified(fit: Maximum, directions: FloatArray) -> UnidentifiedError:
    """Return the error of parameters without information, with the plain cause if any."""
    causes = listing(unidentified_causes(fit), NAMED)
    cause = f", because {causes}" if causes else ""
    return UnidentifiedError(
        f"The data cannot tell apart {_named(fit, directions)} in "
        f"{fit.program.model.__name__}{cause}; keep the prior (prior=True) knowing that it alone "
        "decides there, or see bj.diagnose(...)."
    )


def _bounded(fit: Maximum) -> BoolArray:
    """Coordinates on a logarithmic scale; others have the units of features, or are ratios."""
    bounded = np.zeros(len(fit.phi), dtype=bool)
    for site in fit.program.sites.free:
        bounded[site.start : site.stop] = site.logarithmic
    return bounded


def _named(fit: Maximum, directions: FloatArray) -> str:
    return listing(moving_quantities(fit, directions), NAMED)


def _largest_logit(fit: Maximum) -> float:
    return max(float(np.abs(fit.log_odds(design)).max()) for design in fit.designs)


def _total(fit: Maximum) -> float:
    return sum(float(design.weight.sum()) for design in fit.designs)


def _vanishing(fit: Maximum) -> str:
    """Name the quantity that the farthest coordinate moves most, relative to its own size."""
    farthest = int((np.abs(fit.phi) * _bounded(fit)).argmax())
    names = scalar_names(fit.program, fit.designs)
    speed: dict[str, float] = {}
    for quantity, jacobian in fit.jacobians.items():
        value = np.abs(fit.quantities[quantity].values.ravel())
        moved = np.abs(jacobian.reshape(-1, len(fit.phi))[:, farthest])
        speed |= dict(zip(names[quantity], moved / np.maximum(value, TINY), strict=True))
    return max(speed, key=speed.__getitem__)


def moving_quantities(fit: Maximum, directions: FloatArray) -> list[str]:
    """Name the quantities that change along directions of the flat vector, fastest first.

    Shapes: directions (size, n).
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
