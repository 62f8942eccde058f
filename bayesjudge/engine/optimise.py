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


def minimise(evaluate: Evaluate, starts: list[FloatArray]) -> Optimum:
    """Minimise from several starts and keep the lowest end.

    Shapes: starts (size,).
    """
    return minima(evaluate, starts)[0]


def minima(evaluate: Evaluate, starts: list[FloatArray]) -> list[Optimum]:
    """Minimise from several starts; return the lowest end, then other minima that are as good.

    Shapes: starts (size,).
    """
    ends = [_from(evaluate, start) for start in starts]
    ends.sort(key=lambda end: np.nan_to_num(end.value, nan=np.inf))
    found = ends[:1]
    for end in ends[1:]:
        apart = all(np.abs(end.phi - one.phi).max(initial=0.0) > APART for one in found)
        if apart and end.value < ends[0].value + RIVALRY and _is_minimum(end):
            found.append(end)
    return found


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


def _is_minimum(end: Optimum) -> bool:
    return end.gradient_norm < CLOSE and _is_positive(end.hessian)


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
