"""Covariance of estimates: model-based and sandwich, and the delta method for named quantities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import xarray as xr

from bayesjudge.core.algebra import contrast_variance
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import normal_interval
from bayesjudge.engine.precision import in_float64, one_blas_thread
from bayesjudge.errors import NoVariationError, UnknownClusterError
from bayesjudge.fits.cautions import (
    cluster_cautions,
    exact_cautions,
    independence_cautions,
    mode_cautions,
    mode_facts,
    narrow_cautions,
)
from bayesjudge.fits.estimate import EXACT_ERROR, UNSTATED, normal_sample, square_array
from bayesjudge.fits.maximum import Maximum
from bayesjudge.fits.meat import (
    Cluster,
    centred_meat,
    cluster_word,
    count_clusters,
    is_cluster,
)
from bayesjudge.fits.tree import (
    count_arrays,
    data_arrays,
    program_facts,
    quantity_arrays,
    scalar_names,
)
from bayesjudge.models.about import about

Kind = Literal["sandwich", "model", "curvature"]
NO_VARIATION = 1e-6  # of the model-based standard error
WORDS = {"model": "model-based", "curvature": "observed information"}
UNMOVED = 1e-9  # a movement that is rounding


@dataclass(frozen=True, eq=False, repr=False)
class Covariance:
    """Covariance of a mode's free coordinates, and of every quantity by the delta method.

    Attributes
    ----------
    mode : Mode
        The fit.
    kind : str
        "sandwich", "model" or "curvature".
    cluster : str or None
        What the sandwich summed scores over.
    n_clusters : int or None
        Number of clusters.
    matrix : ndarray, shape (size, size)
        Covariance of the flat vector.
    """

    mode: Maximum
    kind: Kind
    cluster: str | None
    n_clusters: int | None
    matrix: FloatArray

    def __repr__(self) -> str:
        return f"Covariance({self.label}, of {self.mode!r})"

    @property
    def label(self) -> str:
        """What the covariance is, in a few words."""
        return f"sandwich by {self.cluster}" if self.kind == "sandwich" else WORDS[self.kind]

    @property
    def quantities(self) -> xr.Dataset:
        """The named quantities at the mode."""
        return self.mode.quantities

    @property
    def constant_data(self) -> xr.Dataset:
        """Numbers of verdicts by item and judge, and the connected component of each item."""
        return data_arrays(self.mode.designs)

    @property
    def observed_data(self) -> xr.Dataset:
        """Verdicts counted by judge and display order."""
        return count_arrays(self.mode.designs)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What captions and files say of the fit: program, data, covariance and cautions."""
        return program_facts(self.mode.program, self.mode.designs) | {
            "inference": "mode",
            "label": self.label,
            "prior": self.mode.prior,
            "clusters": self.n_clusters,
            "gradient_norm": self.mode.gradient_norm,
            "error_ratio": self.mode.error_ratios if self._independent else {},
            **mode_facts(self.mode),
            "cautions": self.cautions,
        }

    @cached_property
    def cautions(self) -> list[str]:
        """Reasons to doubt the estimate or its covariance, as sentences."""
        return mode_cautions(self.mode) + self._own_cautions

    @property
    def _independent(self) -> bool:
        """Whether verdicts on one prompt are taken as independent."""
        return self.kind != "sandwich" or self.cluster == "row"

    @property
    def _exact_names(self) -> list[str]:
        """Name the values without any sandwich variance."""
        names = scalar_names(self.mode.program, self.mode.designs)
        return [
            label
            for name in names
            for label, error in zip(names[name], self.standard_error(name).values.flat, strict=True)
            if error < EXACT_ERROR
        ]

    @property
    def _own_cautions(self) -> list[str]:
        score = about(self.mode.program.model).score
        cautions = independence_cautions(self.mode.error_ratios, score) if self._independent else []
        if self.kind != "sandwich" or self.n_clusters is None:
            return cautions
        few = [
            *exact_cautions(self._exact_names),
            *cluster_cautions(self.n_clusters, len(self.mode.phi)),
            *cautions,
        ]
        if score not in self.quantities or self.quantities[score].dims != ("item",):
            return few
        unknown = np.isnan(self.standard_error(score).values)
        sandwich, usual = (
            np.where(unknown[:, None] | unknown, np.nan, contrast_variance(one.of(score).values))
            for one in (self, usual_covariance(self.mode))
        )
        return few + narrow_cautions(self.mode.designs[0].items, sandwich, usual)

    def quantity(self, name: str) -> xr.DataArray:
        """Return a quantity at the mode.

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        xarray.DataArray
            With the names of items and judges.
        """
        return self.mode.quantity(name)

    def of(self, name: str) -> xr.DataArray:
        """Return the covariance matrix of a quantity.

        Parameters
        ----------
        name : str
            A named quantity with dimensions ``dims``.

        Returns
        -------
        xarray.DataArray
            Dimensions ``dims`` and, for the columns, ``dims`` with an underscore.
        """
        value, gradient = self.mode.quantity(name), self.mode.gradient(name)
        return square_array(value, gradient @ self.matrix @ gradient.T)

    def standard_error(self, name: str) -> xr.DataArray:
        """Return the standard errors of a quantity; NaN where no verdict informs it.

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        xarray.DataArray
            Same dimensions as the quantity, same unit.
        """
        value, gradient = self.mode.quantity(name), self.mode.gradient(name)
        error = _standard_errors(gradient, self.matrix)
        error[~self.mode.informed.determines(gradient) | ~gradient.any(axis=1)] = np.nan
        return value.copy(data=error.reshape(value.shape))

    def interval(self, name: str, prob: float = 0.95) -> xr.DataArray:
        """Return the normal interval of a quantity; NaN where the prior sets it.

        Parameters
        ----------
        name : str
            A named quantity.
        prob : float
            Nominal coverage.

        Returns
        -------
        xarray.DataArray
            The quantity's dimensions and ``bound`` ("lower", "upper"), in its unit. NaN where the
            likelihood sets no bound, or doubling the prior's strength moves the quantity by a
            standard error or more (`prior_shift`).
        """
        error = self.standard_error(name).where(self.prior_shift(name) < UNSTATED)
        return normal_interval(self.quantity(name), error, prob)

    def prior_shift(self, name: str) -> xr.DataArray:
        """Return how far doubling the prior's strength moves a quantity, in standard errors.

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        xarray.DataArray
            Same dimensions as the quantity; infinite where the likelihood does not bound it, NaN
            where nothing is estimated (a coefficient fixed at zero, a reference at one).

        Notes
        -----
        The standard error is this covariance's or the sandwich's by row, whichever is smaller: a
        model-based error hides what a dominant item rests on.
        """
        value, gradient = self.mode.quantity(name), self.mode.gradient(name)
        errors = np.array([_standard_errors(gradient, one) for one in self._matrices])
        shift = _ratio(gradient @ self.mode.prior_drift, errors.min(axis=0))
        shift[self.mode.unbounded.get(name, [])] = np.inf
        shift[~gradient.any(axis=1)] = np.nan
        return value.copy(data=shift.reshape(value.shape))

    def pair_shift(self, name: str) -> xr.DataArray:
        """Return `prior_shift` of the differences of a quantity's values.

        Parameters
        ----------
        name : str
            A named quantity with dimensions ``dims``.

        Returns
        -------
        xarray.DataArray
            Dimensions as for `of`; zero on the diagonal.
        """
        gradient = self.mode.gradient(name)
        variances = np.array(
            [contrast_variance(gradient @ one @ gradient.T) for one in self._matrices]
        )
        moved = gradient @ self.mode.prior_drift
        shift = _ratio(moved[:, None] - moved, np.sqrt(np.maximum(variances.min(axis=0), 0.0)))
        shift[self.mode.bounded_items.apart(gradient)] = np.inf
        return square_array(self.mode.quantity(name), shift)

    @cached_property
    def _matrices(self) -> list[FloatArray]:
        """The covariance and, if there are two verdicts or more, the sandwich by row."""
        alone = sum(float(design.weight.sum()) for design in self.mode.designs) < 2
        return [self.matrix] if alone else [self.matrix, _sandwich(self.mode, "row")[0]]

    def draws(self, seed: int, draws: int) -> FloatArray:
        """Draw flat vectors from the normal approximation.

        Parameters
        ----------
        seed : int
            Same seed, same draws.
        draws : int
            How many.

        Returns
        -------
        ndarray, shape (draws, size)
            Mean at the mode.
        """
        return normal_sample(self.mode.phi, self.matrix, seed, draws)

    def quantity_draws(self, seed: int, draws: int) -> xr.Dataset:
        """Draw all named quantities from the normal approximation.

        Parameters
        ----------
        seed : int
            Same seed, same draws.
        draws : int
            How many.

        Returns
        -------
        xarray.Dataset
            Dimensions chain (one), draw and the quantities' own.
        """
        return quantity_draws(self.mode, self.draws(seed, draws))


@one_blas_thread
def covariance(mode: Maximum, kind: Kind | None, cluster: Cluster | Sequence[str]) -> Covariance:
    """Estimate the covariance of a maximum's free coordinates, as `Mode.covariance` says."""
    if kind is None:
        alone = is_cluster(cluster, "prompt") and count_clusters(mode.designs, "prompt") == 1
        kind = "model" if alone else "sandwich"
    if kind == "model":
        return Covariance(mode, kind, None, None, _model_matrix(mode))
    if kind == "curvature":
        return Covariance(mode, kind, None, None, mode.bread)
    if kind != "sandwich":
        raise UnknownClusterError(
            f"There is no covariance {kind!r}; choose 'sandwich', 'model' or 'curvature'."
        )
    matrix, n_clusters = _sandwich(mode, cluster)
    sandwich = Covariance(mode, kind, cluster_word(cluster), n_clusters, matrix)
    demand_variation(sandwich)
    return sandwich


def _standard_errors(gradient: FloatArray, matrix: FloatArray) -> FloatArray:
    """Return standard errors by the delta method: gradients (n, size) -> (n,)."""
    return np.sqrt(np.maximum(((gradient @ matrix) * gradient).sum(-1), 0.0))


def _ratio(moved: FloatArray, error: FloatArray) -> FloatArray:
    """Return how many standard errors something moved; none where it did not move at all."""
    moved = np.where(np.abs(moved) > UNMOVED, np.abs(moved), 0.0)
    apart = np.where(moved > 0, np.inf, 0.0)
    return np.divide(moved, error, out=apart, where=error > 0)


def _sandwich(mode: Maximum, cluster: Cluster | Sequence[str]) -> tuple[FloatArray, int]:
    """Return the sandwich of the flat vector, and its number of clusters."""
    meat, n_clusters = centred_meat(mode, cluster)
    return mode.bread @ meat @ mode.bread.T, n_clusters


def usual_covariance(mode: Maximum) -> Covariance:
    """Return what a sandwich is compared with: the inverse Hessian, or with powers the model's."""
    powers = [float(design.layout.power) for design in mode.designs]
    return covariance(mode, "curvature" if set(powers) == {1.0} else "model", "row")


def _model_matrix(mode: Maximum) -> FloatArray:
    """Return the inverse information; with powers, the sandwich that the model implies."""
    bread = np.linalg.inv(mode.information + mode.prior_curvature)
    if all(design.layout.power == 1.0 for design in mode.designs):
        return bread
    return bread @ (mode.score_variance + mode.prior_curvature) @ bread


def demand_variation(sandwich: Covariance) -> None:
    """Raise where nothing that the data inform has any sandwich variance (all ties)."""
    still = [fixed for fixed in _unvaried(sandwich).values() if fixed is not None]
    if still and all(fixed.all() for fixed in still):
        raise NoVariationError(
            "A sandwich measures how verdicts vary about the fit and these do not vary (every "
            "verdict a tie, or predicted exactly); use covariance('model')."
        )


def _unvaried(sandwich: Covariance) -> dict[str, BoolArray | None]:
    """Mark the informed values without sandwich variance, by quantity; None where none is known."""
    curvature, marked = covariance(sandwich.mode, "curvature", "prompt"), {}
    for quantity in sandwich.mode.program.sites.quantities:
        usual = curvature.standard_error(quantity.name).values.ravel()
        shown = sandwich.standard_error(quantity.name).values.ravel()
        known = np.isfinite(usual) & (usual > 0)
        marked[quantity.name] = shown[known] < NO_VARIATION * usual[known] if known.any() else None
    return marked


@in_float64
def quantity_draws(mode: Maximum, phi: FloatArray) -> xr.Dataset:
    """Compute the named quantities at flat vectors (draws, size), as one chain."""
    values = mode.program.compiled.quantities_of_draws(phi, mode.layouts)
    named = {name: np.asarray(value)[None] for name, value in values.items()}
    return quantity_arrays(mode.program, named, mode.designs, ("chain", "draw"))
