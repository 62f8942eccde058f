"""The maximum of a program: of its posterior, or of its likelihood alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from bayesjudge import models
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.optimise import Optimum, derivatives, minimise, two_starts
from bayesjudge.engine.point import expected_information
from bayesjudge.engine.precision import in_float64, one_blas_thread
from bayesjudge.engine.prepare import prepared_data, program_data
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import HierarchicalModeError, UnknownFitError, UnknownQuantityError
from bayesjudge.fits.covariance import Covariance, Kind, covariance
from bayesjudge.fits.maximum import demand_maximum
from bayesjudge.fits.meat import Cluster
from bayesjudge.fits.recentre import ROUNDS, is_far, recentred
from bayesjudge.fits.tree import quantity_arrays


@dataclass(frozen=True, eq=False, repr=False)
class Mode:
    """A maximum that has been checked, and everything that can be read off it.

    Attributes
    ----------
    program : Program
        The program, with the map from names to slices of `phi`.
    designs : tuple of Design
        The verdicts.
    frames : tuple of Frame
        What else the program reads.
    phi : ndarray, shape (size,)
        The flat vector at the maximum.
    prior : bool
        Whether the prior is part of the objective.
    objective : float
        Negative log-density (or log-likelihood) at the maximum.
    gradient_norm : float
        Largest absolute component of its gradient.
    hessian : ndarray, shape (size, size)
        Its exact Hessian.
    """

    program: Program
    designs: tuple[Design, ...]
    frames: tuple[Frame, ...]
    phi: NDArray[np.float64]
    prior: bool
    objective: float
    gradient_norm: float
    hessian: NDArray[np.float64]

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.program.sites.quantities)
        verdicts = sum(each.data.n_rows for each in self.designs)
        return f"Mode({self.program.model.__name__} of {verdicts:,} verdicts: {names})"

    @property
    def layouts(self) -> Data:
        """The arrays that the program reads."""
        return program_data(self.designs, self.frames)

    @cached_property
    def quantities(self) -> xr.Dataset:
        """The named quantities at the maximum."""
        return quantity_arrays(self.program, self._values_and_jacobians[0], self.designs)

    @cached_property
    @in_float64
    def values(self) -> dict[str, NDArray[np.float64]]:
        """The bare values of the named quantities, without the work of their derivatives."""
        found = self.program.compiled.values(self.phi, self.layouts)
        return {name: np.asarray(value) for name, value in found.items()}

    @property
    def jacobians(self) -> dict[str, NDArray[np.float64]]:
        """Derivatives of each quantity, its own shape and then (size,)."""
        return self._values_and_jacobians[1]

    @cached_property
    @in_float64
    def _values_and_jacobians(self) -> tuple[dict[str, NDArray[np.float64]], ...]:
        found = self.program.compiled.quantities(self.phi, self.layouts)
        return tuple({name: np.asarray(array) for name, array in each.items()} for each in found)

    @cached_property
    def information(self) -> NDArray[np.float64]:
        """The likelihood's expected information, shape (size, size)."""
        return expected_information(self)

    def quantity(self, name: str) -> xr.DataArray:
        """Give one named quantity at the maximum.

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
        demand_quantity(name, self.program)
        return self.quantities[name].copy(deep=True)

    def free(self, name: str) -> NDArray[np.float64]:
        """Give the coordinates of one free site.

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
        return self.phi[self.program.sites.slices[name]]

    def covariance(
        self, kind: Kind = "sandwich", cluster: Cluster | Sequence[str] = "prompt"
    ) -> Covariance:
        """Estimate the covariance of the free coordinates, and by the delta method of any quantity.

        Parameters
        ----------
        kind : {"sandwich", "model"}
            Robust, or the inverse of the expected information (with the prior's curvature).
        cluster : {"prompt", "judge_pair", "row"} or sequence of str, shape (n_rows,)
            What the sandwich sums scores over: what was judged together, the judge and unordered
            pair, each verdict by itself, or labels of the user's. The model-based covariance has no
            clusters.

        Returns
        -------
        Covariance
            With ``of(quantity)``, ``standard_error(quantity)`` and ``interval(quantity)``.

        Raises
        ------
        TooFewClustersError
            With fewer than two clusters.
        UnknownClusterError
            If the labels do not fit the rows.

        Examples
        --------
        >>> import bayesjudge as bj
        >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
        >>> fit.covariance("sandwich", cluster="prompt").standard_error("score").dims
        ('item',)
        """
        return covariance(self, kind, cluster)


@one_blas_thread
def mode(model: Model, *data: Comparisons | Design | Frame, prior: bool = True) -> Mode:
    """Find the maximum of a program's posterior, or of its likelihood alone.

    Parameters
    ----------
    model : callable
        A program with fixed-scale priors, for example ``bj.models.sensitivity``.
    *data : Comparisons, Design or Frame
        The data sets that it reads, in its order; then its frame, if another than its own.
    prior : bool
        True for the maximum a posteriori (the papers' ridge estimates), False for maximum
        likelihood.

    Returns
    -------
    Mode
        The checked maximum.

    Raises
    ------
    HierarchicalModeError
        For a program that learns a scale, whose mode is degenerate.
    NoFiniteMaximumError
        If the likelihood rises without end; the message names what runs away.
    UnidentifiedError
        If the data cannot tell parameters apart.
    NotConvergedError
        If the optimiser fails.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> bool(fit.gradient_norm < 1e-9)
    True
    """
    prepared, frames = prepared_data(model, *data)
    layouts = program_data(prepared, frames)
    target = program(model, *layouts)
    _refuse_learned_scales(target)
    compiled = target.compiled.objective if prior else target.compiled.loss
    end = minimise(derivatives(compiled, layouts), _starts(target, frames))
    if not prior:  # a prior's mode depends on the chart, whose base point is then part of it
        frames, end = _about_itself(target, prepared, frames, end)
    fit = Mode(target, prepared, frames, end.phi, prior, end.value, end.gradient_norm, end.hessian)
    demand_maximum(fit)
    return fit


def _about_itself(
    target: Program, designs: tuple[Design, ...], frames: tuple[Frame, ...], end: Optimum
) -> tuple[tuple[Frame, ...], Optimum]:
    """Move the base point of a chart to where the likelihood is largest."""
    for _ in range(ROUNDS):
        if not is_far(target, end.phi):
            break
        frames, phi = recentred(target, designs, frames, end.phi)
        end = minimise(derivatives(target.compiled.loss, program_data(designs, frames)), [phi])
    return frames, end


def demand_quantity(name: str, target: Program) -> None:
    """Raise where a program has no quantity of a name.

    Parameters
    ----------
    name : str
        The name.
    target : Program
        The program.

    Raises
    ------
    UnknownQuantityError
        Listing the names there are.
    """
    names = [each.name for each in target.sites.quantities]
    if name not in names:
        raise UnknownQuantityError(
            f"{target.model.__name__} has no quantity {name!r}; it has {', '.join(names)}."
        )


def _starts(target: Program, frames: tuple[Frame, ...]) -> list[NDArray[np.float64]]:
    """Start where the frame says; else at the paper's two starts."""
    known = {name: value for frame in frames for name, value in frame.starts().items()}
    return [target.sites.flat(known)] if known else two_starts(target.sites.size)


def _refuse_learned_scales(target: Program) -> None:
    learned = [site.name for site in target.sites.free if not site.is_real]
    if learned:
        raise HierarchicalModeError(
            f"{target.model.__name__} learns {', '.join(learned)}, and the mode of a program that "
            f"learns a scale is degenerate; use bj.nuts{_fixed_sibling(target.model.__name__)}."
        )


def _fixed_sibling(name: str) -> str:
    plain = name.removesuffix("_chart").removesuffix("_pooled")
    there = plain != name and hasattr(models, plain)
    return f", or the sibling with fixed scales ({plain})" if there else ""


def demand_mode(fit: object) -> Mode:
    """Check that a fit is a mode.

    Parameters
    ----------
    fit : object
        What a user gave.

    Returns
    -------
    Mode
        The same.

    Raises
    ------
    UnknownFitError
        If it is anything else, such as verdicts, draws or a covariance.
    """
    if not isinstance(fit, Mode):
        raise UnknownFitError(
            f"A mode is wanted and this is of type {type(fit).__name__}; give what bj.mode(...) "
            "returned (bj.diagnose looks at verdicts)."
        )
    return fit
