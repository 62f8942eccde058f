"""The formula of the new-item program, as estimators read it, is the program's own."""

import jax
import numpy as np
from numpy.testing import assert_allclose

import bayesjudge as bj
from bayesjudge.designs.flat_cells import flat_cells
from bayesjudge.designs.layouts import observed_site, retained_mask
from bayesjudge.engine.precision import in_float64
from bayesjudge.models.new_item import judge_gradient, judge_log_odds
from bayesjudge.studies.anchor.simulation import DEFAULT, draw_arrival


def test_log_odds_and_derivatives_of_the_formula_are_the_programs():
    sample = draw_arrival(DEFAULT, 3)
    layouts = tuple(design.layout for design in sample.designs)
    program = bj.program(bj.models.new_item, *layouts, sample.roster)
    coordinates = sample.truth.coordinates(sample.designs[0], sample.roster)
    phi, data = program.sites.flat(coordinates), (*layouts, sample.roster)
    site = observed_site(layouts[0])
    log_odds = in_float64(lambda: program.logits(phi, data)[site])()
    jacobian = in_float64(lambda: jax.jacfwd(lambda x: program.logits(x, data)[site])(phi))()

    cells, truth = flat_cells(sample.designs[0]), sample.truth
    values = truth.score, truth.sensitivity, truth.effects
    assert_allclose(judge_log_odds(cells, *values), np.ravel(log_odds), rtol=1e-12, atol=1e-12)
    basis = np.column_stack([sample.roster.basis, sample.roster.new])
    gradient = judge_gradient(cells, basis, *values[:2], retained_mask(layouts[0]))
    expected = np.asarray(jacobian).reshape(len(cells), -1)
    assert_allclose(gradient, expected, rtol=1e-12, atol=1e-12)
