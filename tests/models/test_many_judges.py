"""Programs of hundreds of judges: the same law without the matrix of the basis."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.engine.precision import in_float64
from bayesjudge.models.judges import MANY_JUDGES, from_helmert


@pytest.mark.parametrize("size", [2, MANY_JUDGES, MANY_JUDGES + 1, 1500])
def test_coordinates_give_the_vector_that_the_basis_gives(size):
    coordinates = np.random.default_rng(size).normal(size=size - 1)

    @in_float64
    def values_and_slopes():
        slopes = jax.grad(lambda x: (from_helmert(x) * jnp.arange(size)).sum())
        return np.asarray(from_helmert(jnp.asarray(coordinates))), slopes(jnp.asarray(coordinates))

    values, slopes = values_and_slopes()
    basis = helmert_basis(size)
    assert_allclose(values, basis @ coordinates, atol=1e-11)
    assert_allclose(slopes, basis.T @ np.arange(size), atol=1e-8)
    assert abs(values.sum()) < 1e-9
