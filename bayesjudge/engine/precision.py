"""How our own numerics run: in float64, compiled quickly where used once, on one BLAS thread."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import jax

from bayesjudge.core.threads import one_blas_thread as one_blas_thread

P = ParamSpec("P")
T = TypeVar("T")


def in_float64[**P, T](function: Callable[P, T]) -> Callable[P, T]:
    """Run a function in JAX's float64 mode and leave the caller's mode as it was."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with jax.enable_x64(True):
            return function(*args, **kwargs)

    return run


def once[R](function: Callable[..., R]) -> Callable[..., R]:
    """Compile what a fit calls once or twice: a quick compilation is worth more than quick code."""
    return jax.jit(function, compiler_options={"xla_backend_optimization_level": 0})
