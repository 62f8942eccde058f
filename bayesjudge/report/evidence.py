"""What a fit says about one quantity: estimate, interval and draws, whatever the method."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import xarray as xr
from scipy.special import expit

from bayesjudge.core.algebra import contrast_variance
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.intervals import (
    AS_IT_IS,
    BOUNDED,
    Scale,
    demand_level,
    equal_tailed,
    normal_half_width,
)
from bayesjudge.fits.estimate import DRAWS, EXACT_ERROR, MARKED, UNSTATED, normal_sample
from bayesjudge.report.fits import (
    Fit,
    demand_posterior,
    demand_quantity,
    exact,
    few_verdicts,
    is_normal,
    method_label,
    readable,
)
from bayesjudge.report.psense import flat_draws, is_scalable, prior_marked, prior_shifts

CENTRED = 1e-6  # mean of values, below which they sum to zero
CANCELLED = 1e-7  # error of a difference over those of its values that is rounding


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence(ABC):
    """What a fit says about one quantity of n values.

    Attributes
    ----------
    quantity : str
        Its name.
    label : str
        The method: "NUTS", "Laplace", "sandwich by prompt", "model-based".
    estimate : xarray.DataArray
        The quantity, with its dimensions and names.
    shift : ndarray, shape (n, n)
        What the values (on the diagonal) and the differences of items owe to the prior: standard
        errors per doubling of its strength, infinite where the likelihood bounds nothing.
    rests_on_prior : ndarray of bool, shape (n, n)
        Which of them are marked for it.
    few : ndarray of bool, shape (n,)
        Values of judges with too few verdicts for an estimate of their own.
    """

    quantity: str
    label: str
    estimate: xr.DataArray
    shift: FloatArray
    rests_on_prior: BoolArray
    few: BoolArray

    @property
    def dims(self) -> tuple[str, ...]:
        """Dimensions of the quantity."""
        return tuple(str(dim) for dim in self.estimate.dims)

    def names(self, dim: str) -> list[str]:
        """Return the names along a dimension."""
        return [str(name) for name in self.estimate[dim].values]

    def interval(self, prob: float = 0.95) -> xr.DataArray:
        """Return the interval of the quantity."""
        values = self._bounds(demand_level(prob)).reshape(2, *self.estimate.shape)
        coords = {"bound": ["lower", "upper"], **self.estimate.coords}
        return xr.DataArray(values, coords, ("bound", *self.dims), name=self.quantity)

    @property
    def centred(self) -> bool:
        """Whether the values sum to zero in every draw, so that zero is their average."""
        return bool(np.abs(self.draws.mean(axis=1)).max() < CENTRED)

    @property
    @abstractmethod
    def draws(self) -> FloatArray:
        """Draws of the quantity, flattened, shape (n_draws, n)."""

    @property
    def exact(self) -> BoolArray:
        """Values and differences without sampling error: their verdicts cancel exactly, (n, n)."""
        return np.zeros_like(self.rests_on_prior)

    @property
    @abstractmethod
    def missing(self) -> BoolArray:
        """Values and differences that have neither interval nor order, shape (n, n)."""

    @abstractmethod
    def win_probability(self) -> FloatArray:
        """Return the sigmoid of each difference of two values, shape (n, n)."""

    @abstractmethod
    def lower_log_odds(self, prob: float) -> FloatArray:
        """Return the lower end of the interval of each difference, shape (n, n).

        The upper end of (i, j) is minus the lower end of (j, i), for every method.
        """

    @abstractmethod
    def at(self, places: IntArray) -> "Evidence":
        """Keep some values of a quantity with one dimension, in the order of their places."""

    @abstractmethod
    def _bounds(self, prob: float) -> FloatArray:
        """Return lower and upper ends, shape (2, n)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PosteriorEvidence(Evidence):
    """Draws of a posterior: the estimate is their median, intervals are equal-tailed.

    Attributes
    ----------
    sample : ndarray, shape (n_draws, n)
        The draws, chain after chain.
    """

    sample: FloatArray

    @property
    def draws(self) -> FloatArray:
        """Draws of the quantity, flattened, shape (n_draws, n)."""
        return self.sample

    @property
    def missing(self) -> BoolArray:
        """None: a posterior has the prior's interval where verdicts say nothing."""
        return np.zeros_like(self.rests_on_prior)

    def win_probability(self) -> FloatArray:
        """Return the posterior mean of the sigmoid of each difference, shape (n, n)."""
        won = np.full((self.estimate.size,) * 2, 0.5)
        for i, ahead in self._differences():
            won[i, i + 1 :] = expit(ahead).mean(axis=1)
            won[i + 1 :, i] = 1 - won[i, i + 1 :]
        return won

    def lower_log_odds(self, prob: float) -> FloatArray:
        """Return the lower quantile of each difference, shape (n, n)."""
        lower = np.zeros((self.estimate.size,) * 2)
        for i, ahead in self._differences():
            lower[i, i + 1 :], upper = equal_tailed(ahead, demand_level(prob), axis=1)
            lower[i + 1 :, i] = -upper
        return lower

    def at(self, places: IntArray) -> "PosteriorEvidence":
        """Keep some values of a quantity with one dimension, in the order of their places."""
        return replace(
            self,
            estimate=self.estimate[places],
            shift=self.shift[np.ix_(places, places)],
            rests_on_prior=self.rests_on_prior[np.ix_(places, places)],
            few=self.few[places],
            sample=self.sample[:, places],
        )

    def _differences(self) -> Iterator[tuple[int, FloatArray]]:
        """Yield each value's place with its draws less those of all later values."""
        by_value = np.ascontiguousarray(self.sample.T)
        for i in range(len(by_value) - 1):
            yield i, by_value[i] - by_value[i + 1 :]

    def _bounds(self, prob: float) -> FloatArray:
        bounds = equal_tailed(self.sample, prob)
        return np.where(np.ptp(self.sample, axis=0) > 0, bounds, np.nan)  # fixed, not estimated


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalEvidence(Evidence):
    """An estimate with its covariance: intervals are normal.

    Attributes
    ----------
    standard_error : ndarray, shape (n,)
        NaN where the prior alone decides.
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
        """Draws of the normal distribution with this mean and covariance, shape (n_draws, n)."""
        return normal_sample(self._values, self.covariance, self.seed, DRAWS)

    @property
    def exact(self) -> BoolArray:
        """Values and differences without sampling error: their verdicts cancel exactly, (n, n)."""
        spread = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        least = np.maximum(EXACT_ERROR, CANCELLED * np.maximum.outer(spread, spread))
        exact = np.sqrt(contrast_variance(self.covariance)) < least
        np.fill_diagonal(exact, self.standard_error < EXACT_ERROR)
        return exact

    @property
    def missing(self) -> BoolArray:
        """What the prior, or too few verdicts, set more than the data do, shape (n, n)."""
        return ~(self.shift < UNSTATED) | np.diag(self.few)

    def win_probability(self) -> FloatArray:
        """Return the sigmoid of each difference of estimates, shape (n, n); OSCAR eq. (3)."""
        return expit(self._differences)

    def lower_log_odds(self, prob: float) -> FloatArray:
        """Return the lower normal bound of each difference, shape (n, n); OSCAR eq. (10)."""
        error = np.sqrt(contrast_variance(self.covariance))
        return self._differences - normal_half_width(demand_level(prob)) * error

    def at(self, places: IntArray) -> "NormalEvidence":
        """Keep some values of a quantity with one dimension, in the order of their places."""
        return replace(
            self,
            estimate=self.estimate[places],
            shift=self.shift[np.ix_(places, places)],
            rests_on_prior=self.rests_on_prior[np.ix_(places, places)],
            few=self.few[places],
            standard_error=self.standard_error[places],
            covariance=self.covariance[np.ix_(places, places)],
        )

    @property
    def _values(self) -> FloatArray:
        return self.estimate.values.ravel()

    @property
    def _differences(self) -> FloatArray:
        return self._values[:, None] - self._values

    def _bounds(self, prob: float) -> FloatArray:
        error = np.where(np.diag(self.missing), np.nan, self.standard_error)
        half = normal_half_width(prob) * error * self.scale.slope(self._values)
        middle = self.scale.to_line(self._values)
        return self.scale.from_line(np.stack([middle - half, middle + half]))


def evidence(fit: Fit, quantity: str, seed: int = 0) -> Evidence:
    """Read off a fit what it says about one quantity."""
    fit = readable(fit)
    demand_quantity(fit, quantity)
    if isinstance(fit, xr.DataTree) and not is_normal(fit):
        return _posterior(fit, quantity)
    value, error, covariance = exact(fit, quantity)
    shift = prior_shifts(fit, quantity)
    return NormalEvidence(
        quantity=quantity,
        label=method_label(fit),
        estimate=value,
        shift=shift,
        rests_on_prior=shift >= MARKED,
        few=few_verdicts(fit, quantity),
        standard_error=error.values.ravel(),
        covariance=covariance.values.reshape(value.size, value.size),
        scale=BOUNDED.get(quantity, AS_IT_IS),
        seed=seed,
    )


def _posterior(tree: xr.DataTree, quantity: str) -> PosteriorEvidence:
    draws = demand_posterior(tree)[quantity].transpose("chain", "draw", ...)
    shift = prior_shifts(tree, quantity)
    marked = shift >= MARKED
    if is_scalable(tree):
        np.fill_diagonal(marked, np.isinf(np.diag(shift)) | prior_marked(tree, quantity))
    return PosteriorEvidence(
        quantity=quantity,
        label=method_label(tree),
        estimate=draws.median(("chain", "draw")),
        shift=shift,
        rests_on_prior=marked,
        few=few_verdicts(tree, quantity),
        sample=flat_draws(tree, quantity),
    )
