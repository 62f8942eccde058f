"""What a fit says about one quantity: estimate, interval and draws, whatever the method."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.special import expit

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import AS_IT_IS, BOUNDED, Scale, demand_level, normal_half_width
from bayesjudge.report.fits import (
    EXACT,
    as_covariance,
    demand_posterior,
    demand_quantity,
    group,
    is_normal,
    method_label,
    readable,
)

if TYPE_CHECKING:
    from bayesjudge.anchor.orthogonal import Orthogonal
    from bayesjudge.report.fits import Fit


NORMAL_DRAWS = 4000


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence(ABC):
    """What a fit says about one quantity.

    Attributes
    ----------
    quantity : str
        Its name.
    label : str
        The method: "NUTS", "Laplace", "sandwich by prompt", "model-based".
    estimate : xarray.DataArray
        The quantity, with its dimensions and names.
    """

    quantity: str
    label: str
    estimate: xr.DataArray

    @property
    def dims(self) -> tuple[str, ...]:
        """Dimensions of the quantity."""
        return tuple(str(dim) for dim in self.estimate.dims)

    def names(self, dim: str) -> list[str]:
        """Give the names along a dimension.

        Parameters
        ----------
        dim : str
            "item" or "judge".

        Returns
        -------
        list of str
            In the order of the values.
        """
        return [str(name) for name in self.estimate[dim].values]

    def interval(self, prob: float = 0.95) -> xr.DataArray:
        """Give the interval of the quantity.

        Parameters
        ----------
        prob : float
            Level.

        Returns
        -------
        xarray.DataArray
            Dimensions ``bound`` ("lower", "upper") and the quantity's own.
        """
        values = self._bounds(demand_level(prob)).reshape(2, *self.estimate.shape)
        coords = {"bound": ["lower", "upper"], **self.estimate.coords}
        return xr.DataArray(values, coords, ("bound", *self.dims), name=self.quantity)

    @property
    @abstractmethod
    def draws(self) -> FloatArray:
        """Draws of the quantity, flattened: shape (S, n)."""

    @abstractmethod
    def win_probability(self) -> FloatArray:
        """Sigmoid of each difference of two values, shape (n, n)."""

    @abstractmethod
    def lower_log_odds(self, prob: float) -> FloatArray:
        """Lower end of the interval of each difference, shape (n, n).

        The upper end of (i, j) is minus the lower end of (j, i), for every method.
        """

    @abstractmethod
    def at(self, places: NDArray[np.intp]) -> "Evidence":
        """Keep some values of a quantity with one dimension, in the order of their places."""

    @abstractmethod
    def _bounds(self, prob: float) -> FloatArray:
        """Lower and upper ends, shape (2, n)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PosteriorEvidence(Evidence):
    """Draws of a posterior: the estimate is their median, intervals are equal-tailed.

    Attributes
    ----------
    sample : ndarray, shape (S, n)
        The draws, chain after chain.
    """

    sample: FloatArray

    @property
    def draws(self) -> FloatArray:
        """Draws of the quantity, flattened: shape (S, n)."""
        return self.sample

    def win_probability(self) -> FloatArray:
        """Posterior mean of the sigmoid of each difference, shape (n, n)."""
        won = np.full((self.estimate.size,) * 2, 0.5)
        for i, ahead in self._differences():
            won[i, i + 1 :] = expit(ahead).mean(1)
            won[i + 1 :, i] = 1 - won[i, i + 1 :]
        return won

    def lower_log_odds(self, prob: float) -> FloatArray:
        """Lower quantile of each difference, shape (n, n)."""
        tail = (1 - demand_level(prob)) / 2
        lower = np.zeros((self.estimate.size,) * 2)
        for i, ahead in self._differences():
            lower[i, i + 1 :], upper = np.quantile(ahead, [tail, 1 - tail], axis=1)
            lower[i + 1 :, i] = -upper
        return lower

    def at(self, places: NDArray[np.intp]) -> "PosteriorEvidence":
        """Keep some values of a quantity with one dimension, in the order of their places."""
        return replace(self, estimate=self.estimate[places], sample=self.sample[:, places])

    def _differences(self) -> Iterator[tuple[int, FloatArray]]:
        """Give each value but the last with its draws less those of all later values."""
        by_value = np.ascontiguousarray(self.sample.T)
        for i in range(len(by_value) - 1):
            yield i, by_value[i] - by_value[i + 1 :]

    def _bounds(self, prob: float) -> FloatArray:
        tail = (1 - prob) / 2
        bounds = np.quantile(self.sample, [tail, 1 - tail], axis=0)
        return np.where(np.ptp(self.sample, axis=0) > 0, bounds, np.nan)  # fixed, not estimated


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalEvidence(Evidence):
    """An estimate with its covariance: intervals are normal.

    Attributes
    ----------
    standard_error : ndarray, shape (n,)
        NaN where the likelihood says nothing.
    covariance : ndarray, shape (n, n)
        Of the flattened quantity.
    scale : Scale
        Where the interval is made; a preference between -1 and 1 has its interval on the log-odds.
    seed : int
        Same seed, same draws.
    """

    standard_error: FloatArray
    covariance: FloatArray
    scale: Scale = AS_IT_IS
    seed: int = 0

    @cached_property
    def draws(self) -> FloatArray:
        """Draws of the normal distribution with this mean and covariance: shape (S, n)."""
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
        noise = np.random.default_rng(self.seed).standard_normal((NORMAL_DRAWS, len(root)))
        return self.estimate.values.ravel() + noise @ root

    def win_probability(self) -> FloatArray:
        """Sigmoid of each difference of estimates, shape (n, n); OSCAR eq. (3)."""
        return expit(self._gap())

    def lower_log_odds(self, prob: float) -> FloatArray:
        """Lower end of the normal interval of each difference, shape (n, n); OSCAR eq. (10)."""
        variance = np.diag(self.covariance)
        of_gap = variance[:, None] + variance - self.covariance - self.covariance.T
        return self._gap() - normal_half_width(demand_level(prob)) * np.sqrt(np.maximum(of_gap, 0))

    def at(self, places: NDArray[np.intp]) -> "NormalEvidence":
        """Keep some values of a quantity with one dimension, in the order of their places."""
        return replace(
            self,
            estimate=self.estimate[places],
            standard_error=self.standard_error[places],
            covariance=self.covariance[np.ix_(places, places)],
        )

    def _gap(self) -> FloatArray:
        value = self.estimate.values.ravel()
        return value[:, None] - value

    def _bounds(self, prob: float) -> FloatArray:
        value = self.estimate.values.ravel()
        half = normal_half_width(prob) * self.standard_error * self.scale.slope(value)
        middle = self.scale.to_line(value)
        return self.scale.from_line(np.stack([middle - half, middle + half]))


def evidence(fit: "Fit | Orthogonal", quantity: str, seed: int = 0) -> Evidence:
    """Read off a fit what it says about one quantity.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance or Orthogonal
        A DataTree of draws gives posterior medians and equal-tailed intervals; a mode, a
        covariance, or either written as a DataTree, gives exact normal ones. A mode stands for its
        sandwich by prompt, or, where the data have a single prompt, for its model-based covariance.
        A one-step estimate gives normal ones, by row.
    quantity : str
        For example "score" or "position".
    seed : int
        Of the draws of a normal fit.

    Returns
    -------
    Evidence
        Estimate, intervals and draws.

    Raises
    ------
    UnknownFitError
        If `fit` is something else.
    UnknownQuantityError
        If the fit has no such quantity.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> found = evidence(fit, "score")
    >>> found.label, found.interval(0.95).dims
    ('sandwich by prompt', ('bound', 'item'))
    """
    from bayesjudge.anchor.orthogonal import Orthogonal

    if isinstance(fit, Orthogonal):
        return _one_step(fit, quantity, seed)
    fit = readable(fit)
    demand_quantity(fit, quantity)
    if not isinstance(fit, xr.DataTree):
        exact = as_covariance(fit)
        value, error = exact.mode.quantity(quantity), exact.standard_error(quantity)
        return _normal(fit, value, error, exact.of(quantity), seed)
    if is_normal(fit):
        value, error, matrix = (group(fit, name)[quantity] for name in EXACT)
        return _normal(fit, value, error, matrix, seed)
    return _posterior(fit, quantity)


def _normal(
    fit: "Fit", value: xr.DataArray, error: xr.DataArray, matrix: xr.DataArray, seed: int
) -> NormalEvidence:
    name = str(value.name)
    return NormalEvidence(
        quantity=name,
        label=method_label(fit),
        estimate=value,
        standard_error=error.values.ravel(),
        covariance=_square(matrix),
        scale=BOUNDED.get(name, AS_IT_IS),
        seed=seed,
    )


def _one_step(fit: "Orthogonal", quantity: str, seed: int) -> NormalEvidence:
    matrix = fit.covariance(quantity).sum("source").values
    return NormalEvidence(
        quantity=quantity,
        label=f"one step, {len(fit.folds)} folds",
        estimate=fit.quantity(quantity),
        standard_error=np.sqrt(np.diag(matrix)),
        covariance=matrix,
        seed=seed,
    )


def _posterior(tree: xr.DataTree, quantity: str) -> PosteriorEvidence:
    drawn = demand_posterior(tree)[quantity].transpose("chain", "draw", ...)
    estimate = drawn.median(("chain", "draw"))
    sample = drawn.values.reshape(-1, estimate.size)
    return PosteriorEvidence(
        quantity=quantity, label=method_label(tree), estimate=estimate, sample=sample
    )


def _square(matrix: xr.DataArray) -> NDArray[np.float64]:
    size = int(np.sqrt(matrix.size))
    return matrix.values.reshape(size, size)
