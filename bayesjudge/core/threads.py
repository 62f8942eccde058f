"""Linear algebra of small matrices on one thread."""

from collections.abc import Callable
from functools import cache, wraps

from threadpoolctl import ThreadpoolController


def one_blas_thread[**P, T](function: Callable[P, T]) -> Callable[P, T]:
    """Run a function with NumPy's and SciPy's linear algebra on one thread.

    A fit alternates between small matrices in NumPy and verdicts in XLA. After each product
    OpenBLAS's second thread keeps its core busy, waiting for more, just when XLA needs it: on few
    cores that doubles the time of a fit, and saves nothing.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with _linear_algebra().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return run


@cache
def _linear_algebra() -> ThreadpoolController:
    return ThreadpoolController()
