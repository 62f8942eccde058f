"""Finding a mode: trust region with the exact Hessian, then Newton to the last digits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from bayesjudge.engine.precision import in_float64

GRADIENT_TOLERANCE = 1e-12  # where Newton may stop


NEWTON_STEPS = 12


ITERATIONS, FOLLOWED = 500, 100  # of the trust region from afar, and from a start that is close


CLOSE = 1e-9  # gradient at which Newton alone has arrived


START_SPREAD = 0.08  # OSCAR, Appendix B.3: zero, and a draw from N(0, 0.08^2)


Evaluate = Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64], NDArray[np.float64]]]


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

    phi: NDArray[np.float64]
    value: float
    gradient: NDArray[np.float64]
    hessian: NDArray[np.float64]

    @property
    def gradient_norm(self) -> float:
        """Largest absolute component of the gradient."""
        return float(np.abs(self.gradient).max(initial=0.0))

    def scaled(self, factor: float) -> "Optimum":
        """Give the same end of the function times a factor."""
        return Optimum(self.phi, factor * self.value, factor * self.gradient, factor * self.hessian)


def derivatives(compiled: Callable[..., tuple[Any, Any, Any]], data: tuple[Any, ...]) -> Evaluate:
    """Give a compiled function of a flat vector and data as NumPy numbers.

    Parameters
    ----------
    compiled : callable
        Such as ``program.compiled.loss``.
    data : tuple
        What the program reads.

    Returns
    -------
    callable
        Value, gradient and Hessian at a point, in float64.
    """

    @in_float64
    def evaluate(
        phi: NDArray[np.float64],
    ) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        value, gradient, hessian = compiled(phi, data)
        return float(value), np.asarray(gradient), np.asarray(hessian)

    return evaluate


def minimise(evaluate: Evaluate, starts: list[NDArray[np.float64]]) -> Optimum:
    """Minimise from several starts and keep the lowest end.

    Parameters
    ----------
    evaluate : callable
        Value, gradient and Hessian at a point.
    starts : list of ndarray, shape (size,)
        Where to start.

    Returns
    -------
    Optimum
        Not checked: the caller says what it demands.
    """
    return min((_from(evaluate, start) for start in starts), key=lambda end: end.value)


def follow(evaluate: Evaluate, start: NDArray[np.float64]) -> Optimum:
    """Minimise from a start that is close already: Newton's method, a trust region if it fails.

    Parameters
    ----------
    evaluate : callable
        Value, gradient and Hessian at a point.
    start : ndarray, shape (size,)
        A minimum of a similar function.

    Returns
    -------
    Optimum
        Not checked: the caller says what it demands.
    """
    end = _newton(_remember_last(evaluate), start)
    near = end.gradient_norm < CLOSE and _is_positive(end.hessian)
    return end if near else _from(evaluate, start, FOLLOWED)


def two_starts(size: int) -> list[NDArray[np.float64]]:
    """Give the paper's two starts: zero and a small random point, the same at every call.

    Parameters
    ----------
    size : int
        Length of the vector.

    Returns
    -------
    list of ndarray, shape (size,)
        Two points.
    """
    return [np.zeros(size), np.random.default_rng(0).normal(0.0, START_SPREAD, size)]


def _from(evaluate: Evaluate, start: NDArray[np.float64], iterations: int = ITERATIONS) -> Optimum:
    cached = _remember_last(evaluate)
    options = {"gtol": 1e-8, "maxiter": iterations}
    end = minimize(  # type: ignore[call-overload]  # the stubs know no cached callables
        lambda phi: cached(phi)[0],
        start,
        jac=lambda phi: cached(phi)[1],
        hess=lambda phi: cached(phi)[2],
        method="trust-exact",
        options=options,
    )
    return _newton(cached, end.x)


def _newton(evaluate: Evaluate, phi: NDArray[np.float64]) -> Optimum:
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


def _is_positive(hessian: NDArray[np.float64]) -> bool:
    try:
        np.linalg.cholesky(hessian)
    except np.linalg.LinAlgError:
        return False
    return True


def _remember_last(evaluate: Evaluate) -> Evaluate:
    """Evaluate a point once, though value, gradient and Hessian are asked for one by one."""
    last: dict[bytes, tuple[float, NDArray[np.float64], NDArray[np.float64]]] = {}

    def cached(phi: NDArray[np.float64]) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        key = phi.tobytes()
        if key not in last:
            last.clear()
            last[key] = evaluate(phi)
        return last[key]

    return cached
