"""Curvature formed by judge equals differentiating the log-likelihood cell by cell."""

import jax
import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.dial.blocks import read_blocks
from bayesjudge.engine.precision import in_float64, once


@pytest.fixture(scope="module")
def panel():
    return read_blocks(bj.models.calibrated_full, bj.example_panel(), bj.example_votes())


def by_cell(program):
    """The same log-likelihood, by cells, which knows no curvature of its own."""
    return lambda phi, data: -sum(each.sum() for each in program.log_likelihood(phi, data).values())


@in_float64
def derivatives_both_ways(panel, phi):
    program, data = panel.program, panel.data(0.7, 1.3)
    summed = by_cell(program)
    slow = [once(f)(phi, data) for f in (summed, jax.grad(summed), jax.hessian(summed))]
    return program.compiled.loss(phi, data), slow


def test_value_gradient_and_hessian_agree_with_cells(panel):
    phi = np.random.default_rng(4).normal(0.3, 0.5, panel.program.sites.size)
    for fast, slow in zip(*derivatives_both_ways(panel, phi), strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-11, atol=1e-9)


def test_log_odds_of_hundreds_leave_everything_finite(panel):
    phi = np.random.default_rng(5).normal(0.3, 300.0, panel.program.sites.size)
    fast, slow = derivatives_both_ways(panel, phi)
    assert all(np.isfinite(each).all() for each in fast)
    np.testing.assert_allclose(fast[1], slow[1], rtol=1e-9, atol=1e-9)
