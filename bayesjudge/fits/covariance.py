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
from bayesjudge.errors import NoVariationError, TooFewClustersError, UnknownClusterError
from bayesjudge.fits.cautions import (
    cluster_cautions,
    count_clusters,
    independence_cautions,
    narrow_cautions,
)
from bayesjudge.fits.estimate import normal_sample, square_array
from bayesjudge.fits.maximum import Maximum
from bayesjudge.fits.meat import (
    Cluster,
    cluster_codes,
    cluster_word,
    is_cluster,
    rows_alone,
    sums_by_cluster,
)
from bayesjudge.fits.tree import count_arrays, data_arrays, program_facts, quantity_arrays
from bayesjudge.models.about import about

Kind = Literal["sandwich", "model", "curvature"]
NO_VARIATION = 1e-6  # of the model-based standard error
WORDS = {"model": "model-based", "curvature": "observed information"}
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
            "cautions": self.cautions,
        }

    @property
    def cautions(self) -> list[str]:
        """Reasons to doubt the covariance, as sentences."""
        if self.kind != "sandwich" or self.n_clusters is None:
            return independence_cautions(self.mode.designs)
        few = cluster_cautions(self.n_clusters, len(self.mode.phi))
        if self.cluster == "row":
            few += independence_cautions(self.mode.designs)
        score = about(self.mode.program.model).score
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
        """Return the standard errors of a quantity; NaN where only the prior decides.

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
        gradient = self.mode.gradient(name)
        variance = ((gradient @ self.matrix) * gradient).sum(-1)
        error = np.sqrt(np.maximum(variance, 0.0))
        error[~self.informed(gradient)] = np.nan
        return value.copy(data=error.reshape(value.shape))

    def interval(self, name: str, prob: float = 0.95) -> xr.DataArray:
        """Return the normal interval of a quantity; NaN where only the prior decides.

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
        return normal_interval(self.quantity(name), self.standard_error(name), prob)

    def informed(self, gradient: FloatArray) -> BoolArray:
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

    def informed_pairs(self, name: str) -> xr.DataArray:
        """Mark the differences of a quantity's values that the likelihood informs.

        Parameters
        ----------
        name : str
            A named quantity with dimensions ``dims``.

        Returns
        -------
        xarray.DataArray
            Of bool, with dimensions as for `of`; False where the prior alone decides.
        """
        from scipy.spatial.distance import cdist

        gradient = self.mode.gradient(name)
        lost = gradient @ self.uninformed_directions
        # Distances rather than differences: memory grows with pairs, not pairs times parameters.
        informed = cdist(lost, lost) <= LOST * cdist(gradient, gradient)
        return square_array(self.mode.quantity(name), informed)

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

    @cached_property
    def uninformed_directions(self) -> FloatArray:
        """Orthonormal directions without information, shape (size, n)."""
        values, vectors = np.linalg.eigh(self.mode.information)
        return vectors[:, values <= RANGE_TOLERANCE * values[-1]]


@one_blas_thread
def covariance(mode: Maximum, kind: Kind | None, cluster: Cluster | Sequence[str]) -> Covariance:
    """Estimate the covariance of a maximum's free coordinates, as `Mode.covariance` says."""
    if kind is None:
        alone = is_cluster(cluster, "prompt") and count_clusters(mode.designs, "prompt") == 1
        kind = "model" if alone else "sandwich"
    if kind == "model":
        return Covariance(mode, kind, None, None, _model_matrix(mode))
    if kind == "curvature":
        return Covariance(mode, kind, None, None, np.linalg.inv(mode.hessian))
    if kind != "sandwich":
        raise UnknownClusterError(
            f"There is no covariance {kind!r}; choose 'sandwich', 'model' or 'curvature'."
        )
    meat, n_clusters = _meat(mode, cluster)
    bread = np.linalg.inv(mode.hessian)
    sandwich = Covariance(mode, kind, cluster_word(cluster), n_clusters, bread @ meat @ bread.T)
    demand_variation(sandwich)
    return sandwich


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


def _meat(mode: Maximum, cluster: Cluster | Sequence[str]) -> tuple[FloatArray, int]:
    """Return the centred covariance of summed scores times G, and G (OSCAR eq. 9)."""
    scores = [mode.scores(design).times(float(design.layout.power)) for design in mode.designs]
    if rows_alone(mode.designs, cluster):
        counts = [np.asarray(design.layout.counts).reshape(-1, 3) for design in mode.designs]
        pairs = list(zip(scores, counts, strict=True))
        products = np.sum([one.products(count) for one, count in pairs], axis=0)
        total = np.sum([one.total(count) for one, count in pairs], axis=0)
        n_clusters = float(sum(count.sum() for count in counts))
    else:
        codes = cluster_codes(mode.designs, cluster)
        sums = np.sum(sums_by_cluster(scores, mode.designs, codes), axis=0)
        products, total, n_clusters = sums.T @ sums, sums.sum(axis=0), float(len(sums))
    if n_clusters < 2:
        raise TooFewClustersError(
            f"A sandwich by {cluster_word(cluster)} needs at least two clusters and there is "
            f"{n_clusters:g}; use cluster='row', or covariance('model')."
        )
    centred = products - np.outer(total, total) / n_clusters
    return n_clusters / (n_clusters - 1) * centred, round(n_clusters)


def demand_variation(sandwich: Covariance) -> None:
    """Raise where a quantity that the data inform has no sandwich variance at all (all ties)."""
    curvature = covariance(sandwich.mode, "curvature", "prompt")
    for quantity in sandwich.mode.program.sites.quantities:
        usual = curvature.standard_error(quantity.name).values
        shown = sandwich.standard_error(quantity.name).values
        known = np.isfinite(usual) & (usual > 0)
        if known.any() and (shown[known] < NO_VARIATION * usual[known]).all():
            raise NoVariationError(
                f"A sandwich measures how verdicts vary about the fit and those behind "
                f"{quantity.name} do not vary (every verdict a tie, or predicted exactly); use "
                "covariance('model')."
            )


@in_float64
def quantity_draws(mode: Maximum, phi: FloatArray) -> xr.Dataset:
    """Compute the named quantities at flat vectors (draws, size), as one chain."""
    values = mode.program.compiled.quantities_of_draws(phi, mode.layouts)
    named = {name: np.asarray(value)[None] for name, value in values.items()}
    return quantity_arrays(mode.program, named, mode.designs, ("chain", "draw"))
