"""Finding a mode: trust region with the exact Hessian, then Newton to the last digits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from bayesjudge.core.arrays import FloatArray
from bayesjudge.engine.precision import in_float64

GRADIENT_TOLERANCE = 1e-12  # where Newton may stop
NEWTON_STEPS = 12
ITERATIONS, FOLLOWED = 500, 100  # of the trust region from afar, and from a start that is close
CLOSE = 1e-9  # gradient at which Newton alone has arrived
START_SPREADS = (0.0, 0.08, 0.5, 1.5)  # the first two are OSCAR's, Appendix B.3
RIVALRY = 2.0  # log units below the highest maximum, within which another one is a rival
APART = 1e-4  # distance of the flat vectors of two different maxima
Evaluate = Callable[[FloatArray], tuple[float, FloatArray, FloatArray]]


@dataclass(frozen=True)
class Optimum:
    """Where an optimisation ended.

    Attributes
    ----------
    phi : ndarray, shape (size,)
        The point.
    value : float
        Objective there.
    gradient : ndarray, shape (size,)
        Its gradient.
    hessian : ndarray, shape (size, size)
        Its Hessian.
    """

    phi: FloatArray
    value: float
    gradient: FloatArray
    hessian: FloatArray

    @property
    def gradient_norm(self) -> float:
        """Largest absolute component of the gradient."""
        return float(np.abs(self.gradient).max(initial=0.0))

    def scaled(self, factor: float) -> "Optimum":
        """Return the same end of the function times a factor."""
        return Optimum(self.phi, factor * self.value, factor * self.gradient, factor * self.hessian)


def derivatives(compiled: Callable[..., tuple[Any, Any, Any]], data: tuple[Any, ...]) -> Evaluate:
    """Return a compiled function of a flat vector and data as NumPy numbers."""

    @in_float64
    def evaluate(
        phi: FloatArray,
    ) -> tuple[float, FloatArray, FloatArray]:
        value, gradient, hessian = compiled(phi, data)
        return float(value), np.asarray(gradient), np.asarray(hessian)

    return evaluate


@dataclass(frozen=True)
class Products:
    """A function without its Hessian, for many parameters.

    Attributes
    ----------
    slope : callable
        Value and gradient at a point (size,).
    product : callable
        Hessian at a point times a direction, both (size,).
    """

    slope: Callable[[FloatArray], tuple[float, FloatArray]]
    product: Callable[[FloatArray, FloatArray], FloatArray]


def products(
    slope: Callable[..., tuple[Any, Any]], product: Callable[..., Any], data: tuple[Any, ...]
) -> Products:
    """Return compiled functions of a flat vector and data as NumPy numbers."""

    @in_float64
    def slope_at(phi: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = slope(phi, data)
        return float(value), np.asarray(gradient)

    @in_float64
    def product_at(phi: FloatArray, direction: FloatArray) -> FloatArray:
        return np.asarray(product(phi, direction, data))

    return Products(slope_at, product_at)


def minimise(evaluate: Evaluate, starts: list[FloatArray]) -> Optimum:
    """Minimise from several starts and keep the lowest end.

    Shapes: starts (size,).
    """
    return minima(evaluate, starts)[0]


def minima(
    evaluate: Evaluate, starts: list[FloatArray], by_products: Products | None = None
) -> list[Optimum]:
    """Minimise from several starts; return the lowest end, then other minima that are as good.

    Shapes: starts (size,).
    """
    approached = [_approach(evaluate, start, by_products) for start in starts]
    approached.sort(key=lambda end: end[0])
    ends: list[Optimum] = []
    for value, phi in approached:
        apart = all(np.abs(phi - end.phi).max(initial=0.0) > APART for end in ends)
        if not ends or (apart and value < approached[0][0] + RIVALRY):
            ends.append(_newton(_remember_last(evaluate), phi))
    ends.sort(key=lambda end: np.nan_to_num(end.value, nan=np.inf))
    return [ends[0], *(end for end in ends[1:] if _is_rival(end, ends[0]))]


def _is_rival(end: Optimum, lowest: Optimum) -> bool:
    apart = np.abs(end.phi - lowest.phi).max(initial=0.0) > APART
    return bool(apart and end.value < lowest.value + RIVALRY and _is_minimum(end))


def follow(evaluate: Evaluate, start: FloatArray) -> Optimum:
    """Minimise from a start that is close already: Newton's method, a trust region if it fails.

    Shapes: start (size,).
    """
    end = _newton(_remember_last(evaluate), start)
    return end if _is_minimum(end) else _from(evaluate, start, FOLLOWED)


def spread_starts(centre: FloatArray) -> list[FloatArray]:
    """Return starts at and about a centre (size,), nearer and farther, the same at every call."""
    rng = np.random.default_rng(0)
    return [centre + rng.normal(0.0, spread, len(centre)) for spread in START_SPREADS]


def _from(evaluate: Evaluate, start: FloatArray, iterations: int = ITERATIONS) -> Optimum:
    return _newton(_remember_last(evaluate), _approach(evaluate, start, None, iterations)[1])


def _approach(
    evaluate: Evaluate,
    start: FloatArray,
    by_products: Products | None,
    iterations: int = ITERATIONS,
) -> tuple[float, FloatArray]:
    """Return a value and a point near a minimum, by a trust region."""
    cached = _remember_last(evaluate)
    options = {"gtol": 1e-8, "maxiter": iterations}
    if by_products is not None:
        end = minimize(  # type: ignore[call-overload]  # as below
            by_products.slope,
            start,
            jac=True,
            hessp=by_products.product,
            method="trust-ncg",
            options=options,
        )
    else:
        # A step to where a chart has no coordinates is refused, as infinitely high.
        end = minimize(  # type: ignore[call-overload]  # the stubs know no cached callables
            lambda phi: np.nan_to_num(cached(phi)[0], nan=np.inf),
            start,
            jac=lambda phi: np.nan_to_num(cached(phi)[1]),
            hess=lambda phi: np.nan_to_num(cached(phi)[2]),
            method="trust-exact",
            options=options,
        )
    return float(np.nan_to_num(end.fun, nan=np.inf)), end.x


def _newton(evaluate: Evaluate, phi: FloatArray) -> Optimum:
    best = Optimum(phi, *evaluate(phi))
    for _ in range(NEWTON_STEPS):
        factor = _factor(best.hessian)
        if best.gradient_norm < GRADIENT_TOLERANCE or factor is None:
            break
        phi = best.phi - cho_solve(factor, best.gradient)
        trial = Optimum(phi, *evaluate(phi))
        if not trial.gradient_norm < best.gradient_norm:
            break
        best = trial
    return best


def _is_minimum(end: Optimum) -> bool:
    return end.gradient_norm < CLOSE and _is_positive(end.hessian)


def _is_positive(hessian: FloatArray) -> bool:
    return _factor(hessian) is not None


def _factor(hessian: FloatArray) -> tuple[Any, Any] | None:
    """Return the Cholesky factor of a Hessian, or None where it is not positive."""
    try:
        return cho_factor(hessian, lower=True, check_finite=True)
    except (np.linalg.LinAlgError, ValueError):  # the latter where it is not finite
        return None


def _remember_last(evaluate: Evaluate) -> Evaluate:
    """Evaluate a point once, though value, gradient and Hessian are asked for one by one."""
    last: dict[bytes, tuple[float, FloatArray, FloatArray]] = {}

    def cached(phi: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        key = phi.tobytes()
        if key not in last:
            last.clear()
            last[key] = evaluate(phi)
        return last[key]

    return cached
