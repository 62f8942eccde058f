"""Finding a mode: trust region with the exact Hessian, then Newton to the last digits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from bayesjudge.core.arrays import FloatArray
from bayesjudge.engine.precision import in_float64

GRADIENT_TOLERANCE = 1e-12  # where Newton may stop
NEWTON_STEPS = 12
ITERATIONS, FOLLOWED = 500, 100  # of the trust region from afar, and from a start that is close
CLOSE = 1e-9  # gradient at which Newton alone has arrived
START_SPREAD = 0.08  # OSCAR, Appendix B.3: zero, and a draw from N(0, 0.08^2)
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


def minimise(evaluate: Evaluate, starts: list[FloatArray]) -> Optimum:
    """Minimise from several starts and keep the lowest end.

    Shapes: starts (size,).
    """
    return min((_from(evaluate, start) for start in starts), key=lambda end: end.value)


def follow(evaluate: Evaluate, start: FloatArray) -> Optimum:
    """Minimise from a start that is close already: Newton's method, a trust region if it fails.

    Shapes: start (size,).
    """
    end = _newton(_remember_last(evaluate), start)
    near = end.gradient_norm < CLOSE and _is_positive(end.hessian)
    return end if near else _from(evaluate, start, FOLLOWED)


def two_starts(size: int) -> list[FloatArray]:
    """Return the paper's two starts: zero and a small random point, the same at every call.

    Shapes: -> (size,).
    """
    return [np.zeros(size), np.random.default_rng(0).normal(0.0, START_SPREAD, size)]


def _from(evaluate: Evaluate, start: FloatArray, iterations: int = ITERATIONS) -> Optimum:
    cached = _remember_last(evaluate)
    options = {"gtol": 1e-8, "maxiter": iterations}
    # A step to where a chart has no coordinates is refused, as infinitely high.
    end = minimize(  # type: ignore[call-overload]  # the stubs know no cached callables
        lambda phi: np.nan_to_num(cached(phi)[0], nan=np.inf),
        start,
        jac=lambda phi: np.nan_to_num(cached(phi)[1]),
        hess=lambda phi: np.nan_to_num(cached(phi)[2]),
        method="trust-exact",
        options=options,
    )
    return _newton(cached, end.x)


def _newton(evaluate: Evaluate, phi: FloatArray) -> Optimum:
    best = Optimum(phi, *evaluate(phi))
    for _ in range(NEWTON_STEPS):
        if best.gradient_norm < GRADIENT_TOLERANCE or not _is_positive(best.hessian):
            break
        phi = best.phi - np.linalg.solve(best.hessian, best.gradient)
        trial = Optimum(phi, *evaluate(phi))
        if not trial.gradient_norm < best.gradient_norm:
            break
        best = trial
    return best


def _is_positive(hessian: FloatArray) -> bool:
    try:
        np.linalg.cholesky(hessian)
    except np.linalg.LinAlgError:
        return False
    return True


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
