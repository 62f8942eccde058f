"""How our own numerics run: in float64, compiled quickly where used once, on one BLAS thread."""

from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

import jax

from bayesjudge.core.threads import one_blas_thread as one_blas_thread
from bayesjudge.errors import MissingDeviceError

P = ParamSpec("P")
T = TypeVar("T")


def in_float64[**P, T](function: Callable[P, T]) -> Callable[P, T]:
    """Run a function in JAX's float64 mode and leave the caller's mode as it was."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        _demand_device()
        with jax.enable_x64(True):
            return function(*args, **kwargs)

    return run


@cache
def _demand_device() -> None:
    """Raise where JAX is asked for a platform that this machine does not have."""
    try:
        jax.devices()
    except (RuntimeError, AssertionError) as error:  # an assertion without words for CUDA
        raise MissingDeviceError(
            f"JAX has no device of the platform {jax.config.jax_platforms!r} that was asked for "
            "(environment variable JAX_PLATFORMS); set JAX_PLATFORMS=cpu before Python starts, or "
            "install JAX for that device."
        ) from error


def once[R](function: Callable[..., R]) -> Callable[..., R]:
    """Compile what a fit calls once or twice: a quick compilation is worth more than quick code."""
    return jax.jit(function, compiler_options={"xla_backend_optimization_level": 0})
