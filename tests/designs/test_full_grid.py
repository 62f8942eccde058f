"""The full grid holds the same verdicts and gives the same fits."""

import pytest
from numpy.testing import assert_allclose

import bayesjudge as bj
from bayesjudge.designs.variants import on_full_grid


@pytest.mark.parametrize("judges", [5, 1])
def test_fits_and_covariances_do_not_change(judges):
    panel = bj.example_panel()
    plain = bj.design(panel.select(panel.judge < judges))
    fits = [bj.mode(bj.models.sensitivity, each) for each in (plain, on_full_grid(plain))]
    one, other = (fit.quantity("score").values for fit in fits)
    assert_allclose(one, other, atol=1e-9)
    one, other = (fit.covariance("sandwich", "prompt").of("score").values for fit in fits)
    assert_allclose(one, other, rtol=1e-7, atol=1e-12)


def test_terms_that_vary_are_refused():
    with pytest.raises(bj.errors.UnknownTermError, match="Only position"):
        on_full_grid(bj.design(bj.example_panel(), terms=("length",)))
