import numpy as np
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays
from hypothesis.strategies import floats

from bayesjudge.report.ranking import best_probability, item_ranks, rank_bounds

# four draws of the scores of a, b, c; the ranks are (1, 2, 3), (1, 3, 2), (3, 2, 1), (1, 2, 3)
DRAWS = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])

scores = arrays(float, array_shapes(min_dims=2, max_dims=2), elements=floats(-3, 3, width=16))


def test_ranks_by_hand():
    assert item_ranks(DRAWS).tolist() == [[1, 2, 3], [1, 3, 2], [3, 2, 1], [1, 2, 3]]


def test_best_by_hand():
    assert best_probability(DRAWS).tolist() == [0.75, 0.0, 0.25]


def test_bounds_by_hand():
    ranks = np.repeat([[1.0], [2.0], [3.0]], [5, 85, 10], axis=0)
    assert rank_bounds(ranks, 0.95).ravel().tolist() == [1, 3]
    assert rank_bounds(ranks, 0.88).ravel().tolist() == [2, 3]
    assert rank_bounds(ranks, 0.78).ravel().tolist() == [2, 2]


def test_the_interval_has_at_least_its_level():
    ranks = item_ranks(np.random.default_rng(1).normal([1, 0.8, 0.5, 0], 1, (500, 4)))
    lower, upper = rank_bounds(ranks, 0.8)
    assert (((ranks >= lower) & (ranks <= upper)).mean(0) >= 0.8).all()


@given(scores)
def test_best_probabilities_sum_to_one(draws):
    np.testing.assert_allclose(best_probability(draws).sum(), 1.0)


@given(scores)
def test_ranks_sum_to_the_same_in_every_draw(draws):
    n = draws.shape[1]
    np.testing.assert_allclose(item_ranks(draws).sum(1), n * (n + 1) / 2)


@given(scores)
def test_turning_the_ranking_round_turns_the_interval_round(draws):
    n = draws.shape[1]
    lower, upper = rank_bounds(item_ranks(draws), 0.9)
    turned_lower, turned_upper = rank_bounds(item_ranks(-draws), 0.9)
    np.testing.assert_array_equal(turned_lower, n + 1 - upper)
    np.testing.assert_array_equal(turned_upper, n + 1 - lower)
