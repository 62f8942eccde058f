"""Covariance of estimates: model-based and sandwich, and the delta method for named quantities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from bayesjudge.core.intervals import demand_level, normal_half_width
from bayesjudge.engine.point import outcome_scores, prior_curvature, score_variance
from bayesjudge.engine.precision import in_float64, one_blas_thread
from bayesjudge.errors import NoVariationError, TooFewClustersError, UnknownClusterError
from bayesjudge.fits.meat import Cluster, cluster_scores
from bayesjudge.fits.tree import quantity_arrays

if TYPE_CHECKING:
    from bayesjudge.fits.mode import Mode


Kind = Literal["model", "sandwich"]


NO_VARIATION = 1e-6  # of the model-based standard error


LOST = 1e-6  # share of a gradient in uninformed directions, beyond which the prior decides


RANGE_TOLERANCE = 1e-8  # relative; below it a direction is not informed by the likelihood


@dataclass(frozen=True, eq=False, repr=False)
class Covariance:
    """Covariance of a mode's free coordinates, and of every quantity by the delta method.

    Attributes
    ----------
    mode : Mode
        The fit.
    kind : str
        "model" or "sandwich".
    cluster : str or None
        What the sandwich summed scores over.
    n_clusters : int or None
        Number of clusters.
    matrix : ndarray, shape (size, size)
        Covariance of the flat vector.
    """

    mode: "Mode"
    kind: Kind
    cluster: str | None
    n_clusters: int | None
    matrix: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"Covariance({self.label}, of {self.mode!r})"

    @property
    def label(self) -> str:
        """What the covariance is, in a few words."""
        return self.kind if self.cluster is None else f"{self.kind} by {self.cluster}"

    def of(self, name: str) -> xr.DataArray:
        """Give the covariance matrix of a quantity.

        Parameters
        ----------
        name : str
            A named quantity with dimensions ``dims``.

        Returns
        -------
        xarray.DataArray
            Dimensions ``dims`` and, for the columns, ``dims`` with an underscore.
        """
        value = self.mode.quantity(name)
        gradient = quantity_gradient(self.mode, name)
        matrix = (gradient @ self.matrix @ gradient.T).reshape(value.shape * 2)
        dims = [*value.dims, *(f"{dim}_" for dim in value.dims)]
        coords = {dim: value[dim.rstrip("_")].values for dim in map(str, dims)}
        return xr.DataArray(matrix, coords, dims, name=name)

    def standard_error(self, name: str) -> xr.DataArray:
        """Give the standard errors of a quantity; NaN where only the prior speaks.

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        xarray.DataArray
            Same dimensions as the quantity, same unit.
        """
        value = self.mode.quantity(name)
        gradient = quantity_gradient(self.mode, name)
        variance = ((gradient @ self.matrix) * gradient).sum(-1)
        error = np.sqrt(np.maximum(variance, 0.0))
        error[~self.informed(gradient)] = np.nan
        return value.copy(data=error.reshape(value.shape))

    def interval(self, name: str, prob: float = 0.95) -> xr.DataArray:
        """Give the normal interval of a quantity; NaN where only the prior speaks.

        Parameters
        ----------
        name : str
            A named quantity.
        prob : float
            Nominal coverage.

        Returns
        -------
        xarray.DataArray
            The quantity's dimensions and ``bound`` ("lower", "upper"), in its unit.
        """
        value, error = self.mode.quantity(name), self.standard_error(name)
        half = normal_half_width(demand_level(prob)) * error
        both = xr.concat([value - half, value + half], dim="bound")
        return both.assign_coords(bound=["lower", "upper"]).rename(name)

    def informed(self, gradient: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Mark the functions of the parameters that the likelihood informs.

        Parameters
        ----------
        gradient : ndarray, shape (n, size)
            Gradients of scalar functions of the flat vector.

        Returns
        -------
        ndarray of bool, shape (n,)
            False where a direction without information matters, so that the prior alone decides,
            and where nothing is estimated (a coefficient fixed at zero, a reference at one).
        """
        lost = np.linalg.norm(gradient @ self.uninformed_directions, axis=1)
        size = np.linalg.norm(gradient, axis=1)
        return (size > 0) & (lost <= LOST * size)

    def draws(self, seed: int, draws: int) -> NDArray[np.float64]:
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
        noise = np.random.default_rng(seed).standard_normal((draws, len(self.matrix)))
        return self.mode.phi + noise @ _square_root(self.matrix).T

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

    @cached_property
    def uninformed_directions(self) -> NDArray[np.float64]:
        """Orthonormal directions without information, shape (size, n)."""
        values, vectors = np.linalg.eigh(self.mode.information)
        return vectors[:, values <= RANGE_TOLERANCE * values[-1]]


@one_blas_thread
def covariance(mode: "Mode", kind: Kind, cluster: Cluster | Sequence[str]) -> Covariance:
    """Estimate the covariance of a mode's free coordinates.

    Parameters
    ----------
    mode : Mode
        The fit.
    kind : {"model", "sandwich"}
        Inverse expected information (where data sets have powers, whose scores vary with power
        squared, the sandwich that the model implies), or bread-meat-bread.
    cluster : {"prompt", "judge_pair", "row"} or sequence of str
        What the meat sums scores over.

    Returns
    -------
    Covariance
        The matrix with its provenance.
    """
    if kind == "model":
        return Covariance(mode, kind, None, None, _model_matrix(mode))
    if kind != "sandwich":
        raise UnknownClusterError(f"There is no covariance {kind!r}; choose 'sandwich' or 'model'.")
    meat, n_clusters = _meat(mode, cluster)
    bread = np.linalg.inv(mode.hessian)
    label = _word(cluster)
    found = Covariance(mode, kind, label, n_clusters, bread @ meat @ bread.T)
    demand_variation(found)
    return found


def _model_matrix(mode: "Mode") -> NDArray[np.float64]:
    prior = prior_curvature(mode)
    bread = np.linalg.inv(mode.information + prior)
    if all(each.layout.power == 1.0 for each in mode.designs):
        return bread
    return bread @ (score_variance(mode) + prior) @ bread


def curvature_covariance(mode: "Mode") -> Covariance:
    """Give the inverse of the exact Hessian: the normal approximation at the mode.

    Parameters
    ----------
    mode : Mode
        The fit.

    Returns
    -------
    Covariance
        Of kind "model", by observed rather than expected information.

    Notes
    -----
    DIAL's "info" errors for a fit to judges alone. Where a data set has a power, the inverse
    Hessian is no covariance of the estimate; use `bayesjudge.two_sample_covariance`.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> curvature_covariance(fit).standard_error("position").dims
    ('judge',)
    """
    return Covariance(mode, "model", None, None, np.linalg.inv(mode.hessian))


def _meat(mode: "Mode", cluster: Cluster | Sequence[str]) -> tuple[NDArray[np.float64], int]:
    """Centred covariance of summed scores times G (OSCAR eq. 9)."""
    sums, weights = cluster_scores(mode, outcome_scores(mode), cluster)
    total = float(weights.sum())
    if total < 2:
        raise TooFewClustersError(
            f"A sandwich by {_word(cluster)} needs at least two clusters and there is {total:g}; "
            "use cluster='row', or covariance('model')."
        )
    centred = sums - weights @ sums / total
    return total / (total - 1) * (centred.T * weights) @ centred, round(total)


def _word(cluster: Cluster | Sequence[str]) -> str:
    return cluster if isinstance(cluster, str) else "labels"


def demand_variation(covariance: Covariance) -> None:
    """Raise where a quantity that the data inform has no sandwich variance at all (all ties).

    Parameters
    ----------
    covariance : Covariance
        A sandwich.

    Raises
    ------
    NoVariationError
        Naming the quantity.
    """
    model = curvature_covariance(covariance.mode)
    for each in covariance.mode.program.sites.quantities:
        usual = model.standard_error(each.name).values
        shown = covariance.standard_error(each.name).values
        known = np.isfinite(usual) & (usual > 0)
        if known.any() and (shown[known] < NO_VARIATION * usual[known]).all():
            raise NoVariationError(
                f"A sandwich measures how verdicts vary about the fit and those behind "
                f"{each.name} do not vary (every verdict a tie, or predicted exactly); use "
                "covariance('model')."
            )


def quantity_gradient(mode: "Mode", name: str) -> NDArray[np.float64]:
    """Give the gradient of a quantity with respect to the flat vector.

    Parameters
    ----------
    mode : Mode
        The fit.
    name : str
        A named quantity.

    Returns
    -------
    ndarray, shape (n, size)
        One row a scalar of the quantity, flattened.
    """
    return mode.jacobians[name].reshape(-1, len(mode.phi))


@in_float64
def quantity_draws(mode: "Mode", phi: NDArray[np.float64]) -> xr.Dataset:
    """Compute the named quantities at given flat vectors.

    Parameters
    ----------
    mode : Mode
        The fit.
    phi : ndarray, shape (draws, size)
        Flat vectors.

    Returns
    -------
    xarray.Dataset
        Dimensions chain (one), draw and the quantities' own.
    """
    values = mode.program.compiled.quantities_of_draws(phi, mode.layouts)
    named = {name: np.asarray(value)[None] for name, value in values.items()}
    return quantity_arrays(mode.program, named, mode.designs, ("chain", "draw"))


def _square_root(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Symmetric square root; a sandwich of few clusters has rank below its size."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
