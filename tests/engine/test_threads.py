"""The limit on linear algebra's threads is the fit's own, and is lifted whatever happens."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from threadpoolctl import ThreadpoolController

from bayesjudge.engine.precision import one_blas_thread


def blas_threads():
    return [each["num_threads"] for each in ThreadpoolController().select(user_api="blas").info()]


def test_one_thread_inside_and_as_many_as_before_outside():
    before = blas_threads()
    assert set(one_blas_thread(blas_threads)()) == {1}
    assert set(one_blas_thread(one_blas_thread(blas_threads))()) == {1}
    assert blas_threads() == before


def test_an_error_lifts_the_limit():
    before = blas_threads()
    with pytest.raises(ZeroDivisionError):
        one_blas_thread(lambda: 1 / 0)()
    assert blas_threads() == before


def test_overlapping_threads_do_not_keep_each_others_limit():
    before, both = blas_threads(), Barrier(2)
    meet = one_blas_thread(lambda _: both.wait(timeout=10))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(meet, range(2)))
    assert blas_threads() == before
