from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit

from bayesjudge.errors import FractionalCountError
from bayesjudge.studies.order.conditional_position import (
    SwapCounts,
    conditional_cumulants,
    conditional_log_likelihood,
    conditional_position,
    jeffreys_position,
    swap_counts,
)
from bayesjudge.studies.order.swaps import swap_groups


def counts(*groups):
    """Groups as (n+, n-, chosen of n+, chosen of n-)."""
    return SwapCounts(*np.array(groups, dtype=np.int64).T)


MIXED = counts((1, 1, 1, 0), (2, 3, 1, 2), (4, 1, 3, 0), (3, 3, 0, 2), (2, 2, 2, 2), (3, 0, 1, 0))


def enumerated_log_likelihood(position, n_first, n_second, j, i):
    """Eq. (D2) by listing every configuration with the same number of choices."""
    order = np.array([1] * n_first + [-1] * n_second)
    chosen = [z for z in product((0, 1), repeat=len(order)) if sum(z) == j + i]
    sums = np.array([position * order @ np.array(z) for z in chosen])
    return position * (j - i) - np.log(np.exp(sums).sum())


@pytest.mark.parametrize("position", [-1.7, 0.0, 0.4, 3.0])
def test_likelihood_is_that_of_all_configurations(position):
    columns = (MIXED.shown_first, MIXED.shown_second, MIXED.chosen_first, MIXED.chosen_second)
    listed = sum(
        enumerated_log_likelihood(position, *map(int, group))
        for group in zip(*columns, strict=True)
    )
    assert conditional_log_likelihood(position, MIXED) == pytest.approx(listed, rel=1e-12)


@pytest.mark.parametrize("position", [-2.0, 0.3, 1.5])
def test_cumulants_are_derivatives(position):
    def log_denominator(beta):
        return beta * MIXED.statistic.sum() - conditional_log_likelihood(beta, MIXED)

    h = 1e-3
    ends = [log_denominator(position + step * h) for step in (-2, -1, 0, 1, 2)]
    mean, variance, third = (each.sum() for each in conditional_cumulants(position, MIXED))
    assert mean == pytest.approx((ends[3] - ends[1]) / (2 * h), abs=1e-4)
    assert variance == pytest.approx((ends[3] - 2 * ends[2] + ends[1]) / h**2, abs=1e-4)
    numeric = (ends[4] - 2 * ends[3] + 2 * ends[1] - ends[0]) / (2 * h**3)
    assert third == pytest.approx(numeric, abs=1e-3)


@pytest.mark.parametrize(("k", "n"), [(0, 5), (2, 5), (5, 5), (30, 40)])
def test_two_verdicts_a_group_are_a_coin_with_log_odds_twice_beta(k, n):
    groups = counts(*[(1, 1, 1, 0)] * k, *[(1, 1, 0, 1)] * (n - k))
    found = jeffreys_position(groups)
    assert found.position == pytest.approx(0.5 * np.log((k + 0.5) / (n - k + 0.5)), abs=1e-10)
    p = expit(2 * found.position)
    assert found.standard_error == pytest.approx(1 / np.sqrt(4 * n * p * (1 - p)))
    assert found.separated == (k in (0, n))


def test_estimate_maximises_the_corrected_likelihood():
    informative = MIXED.select(MIXED.informative)

    def loss(beta):
        information = conditional_cumulants(beta, informative)[1].sum()
        return -conditional_log_likelihood(beta, informative) - 0.5 * np.log(information)

    grid = np.linspace(-8, 8, 321)
    start = grid[np.argmin([loss(beta) for beta in grid])]
    best = minimize_scalar(loss, bracket=(start - 0.1, start, start + 0.1), tol=1e-12).x
    assert jeffreys_position(MIXED).position == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_separation_has_a_finite_estimate(sign):
    always = {1: (2, 2, 2, 0), -1: (2, 2, 0, 2)}[sign]
    found = jeffreys_position(counts(*[always] * 200))
    assert found.separated
    assert np.isfinite([found.position, found.standard_error]).all()
    assert sign * found.position > 2


def test_groups_without_information_change_nothing():
    with_more = counts((1, 1, 1, 0), (1, 1, 1, 1), (1, 1, 0, 0), (5, 0, 2, 0))
    found, alone = jeffreys_position(with_more), jeffreys_position(counts((1, 1, 1, 0)))
    assert (found.position, found.groups) == (alone.position, 1)
    assert np.isnan(jeffreys_position(counts((1, 1, 1, 1))).position)


def test_naming_the_other_item_changes_nothing():
    """The item that is counted is a convention: the other has the complement in both orders."""
    other = SwapCounts(
        MIXED.shown_second,
        MIXED.shown_first,
        MIXED.shown_second - MIXED.chosen_second,
        MIXED.shown_first - MIXED.chosen_first,
    )
    assert jeffreys_position(other).position == pytest.approx(jeffreys_position(MIXED).position)


def test_ties_are_dropped_and_weights_count(read_rows):
    rows = (
        ("a", "b", "first", "p"),
        ("b", "a", "first", "p"),
        ("b", "a", "tie", "p"),
        ("a", "b", "tie", "q"),
        ("b", "a", "first", "q"),
    )
    data = read_rows(*rows, weight=[2, 1, 1, 1, 1])
    found = swap_counts(swap_groups(data))
    by_group = np.array(
        [found.shown_first, found.shown_second, found.chosen_first, found.chosen_second]
    ).T
    assert by_group.tolist() == [[2, 1, 2, 0], [0, 1, 0, 0]]
    assert conditional_position(data)["groups"].tolist() == [1]


def test_parts_of_verdicts_are_refused(read_rows):
    data = read_rows(("a", "b", "first", "p"), ("b", "a", "first", "p"))
    with pytest.raises(FractionalCountError, match="whole"):
        conditional_position(replace(data, weight=np.array([0.5, 1.0])))


def test_truth_is_within_the_intervals(balanced_panel):
    found = conditional_position(balanced_panel, prob=0.999)
    truth = [1.2, -0.5, 0.0]
    assert (found["position_lower"] < truth).all()
    assert (found["position_upper"] > truth).all()
    preference = np.tanh(found["position"] / 2)
    np.testing.assert_allclose(found["net_first_preference"], preference)
