from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t as student

import bayesjudge as bj
from bayesjudge.errors import NoSwapsError, UnknownOptionError
from bayesjudge.studies.order.swaps import clustered_mean, swap_average, swap_groups, swap_table


@pytest.fixture(scope="module")
def three_groups(read_rows):
    """Prompt p: always the first slot; prompt q: item a once, and a tie; prompt r: one order."""
    return read_rows(
        ("a", "b", "first", "p"),
        ("b", "a", "first", "p"),
        ("a", "b", "first", "q"),
        ("b", "a", "tie", "q"),
        ("c", "b", "first", "q"),
        ("b", "c", "second", "q"),
        ("a", "b", "first", "r"),
    )


def test_groups_by_hand(three_groups):
    groups = swap_groups(three_groups)
    assert len(groups) == 3
    assert sorted(groups.row.tolist()) == [0, 1, 2, 3, 4, 5]
    assert [three_groups.prompts[i] for i in groups.prompt] == ["p", "q", "q"]
    np.testing.assert_allclose(groups.first_preference, [1, 0.5, 0])
    np.testing.assert_allclose(groups.item_score, [0.5, 0.75, 0])


def test_table_by_hand(three_groups):
    row = swap_table(three_groups, 0.9).iloc[0]
    sums = np.array([0.5, 0.5 - 0.5 - 0.5])  # deviations from the mean 1/2 by prompt
    error = np.sqrt(2 / 1 * (sums**2).sum()) / 3
    half = student.ppf(0.95, 1) * error
    assert row["swap_preference"] == pytest.approx(0.5)
    assert row["swap_preference_upper"] == pytest.approx(0.5 + half)
    assert row["all_preference"] == pytest.approx((5 - 1) / 7)
    assert (row["groups"], row["verdicts"]) == (3, 7)


def test_orders_count_equally_whatever_their_numbers(read_rows):
    data = read_rows(
        ("a", "b", "first", "p"),
        ("a", "b", "second", "p"),
        ("a", "b", "second", "p"),
        ("b", "a", "first", "p"),
    )
    groups = swap_groups(data)
    assert groups.first_preference == pytest.approx([1 / 3])
    assert groups.item_score == pytest.approx([1 / 6])


def test_turns_are_kept_apart(read_rows):
    rows = (("a", "b", "first", "p"), ("b", "a", "first", "p"))
    assert len(swap_groups(read_rows(*rows, turn=[1, 1]))) == 1
    with pytest.raises(NoSwapsError):
        swap_groups(read_rows(*rows, turn=[1, 2]))


def test_unknown_order_belongs_to_no_group(three_groups):
    unknown = replace(three_groups, order_known=np.zeros(7, dtype=bool))
    with pytest.raises(NoSwapsError, match="both orders"):
        swap_groups(unknown)


def test_level_is_checked(three_groups):
    with pytest.raises(UnknownOptionError):
        swap_table(three_groups, 95)


def test_single_prompt_has_no_interval(three_groups):
    row = swap_table(three_groups.select(three_groups.prompt == 0)).iloc[0]
    assert row["swap_preference"] == 1
    assert np.isnan(row["swap_preference_lower"])


def test_clusters_of_one_give_the_usual_standard_error():
    value = np.random.default_rng(1).normal(size=30)
    found = clustered_mean(value, np.ones(30), np.arange(30))
    assert found.standard_error == pytest.approx(value.std(ddof=1) / np.sqrt(30))


def test_exchanging_the_slots_negates_the_preference(balanced_panel):
    swapped = replace(
        balanced_panel,
        first=balanced_panel.second,
        second=balanced_panel.first,
        verdict=2 - balanced_panel.verdict,
    )
    there, back = swap_table(balanced_panel), swap_table(swapped)
    np.testing.assert_allclose(there["swap_preference"], -back["swap_preference"], atol=1e-15)
    np.testing.assert_allclose(
        there["swap_preference_lower"], -back["swap_preference_upper"], atol=1e-15
    )


def test_average_has_weight_one_a_group(balanced_panel):
    averaged = swap_average(balanced_panel)
    assert averaged.weight.sum() == pytest.approx(len(swap_groups(balanced_panel)))
    assert not averaged.order_known.any()
    assert averaged.prompts == balanced_panel.prompts


def test_average_is_the_fractional_quasi_likelihood(balanced_panel):
    """J's objective on averaged records is that of the fractions themselves, written out."""
    groups = swap_groups(balanced_panel)
    fit = bj.mode(bj.models.sensitivity, bj.design(swap_average(balanced_panel), terms=()))
    score = fit.quantity("reference_score").values
    slope = fit.quantity("sensitivity").values
    eta = slope[groups.judge] * (score[groups.item] - score[groups.other])
    loss = np.sum(np.logaddexp(0, eta) - groups.item_score * eta)
    ridge = 0.05 / 2 * fit.phi @ fit.phi
    constant = len(fit.phi) / 2 * np.log(2 * np.pi / 0.05)
    assert fit.objective == pytest.approx(loss + ridge + constant, rel=1e-12)


def test_average_of_equal_orders_is_j_on_all_rows(balanced_panel):
    """With each pair once in either order, J sees the same sums: half of every count."""
    averaged = bj.design(swap_average(balanced_panel), terms=())
    halved = replace(balanced_panel, weight=balanced_panel.weight / 2)
    fits = [bj.mode(bj.models.sensitivity, each) for each in (averaged, bj.design(halved, ()))]
    for name in ("score", "scaled_sensitivity"):
        np.testing.assert_allclose(*(fit.quantity(name).values for fit in fits), atol=1e-9)


def test_prompts_are_the_clusters_of_averages(balanced_panel):
    averaged = bj.mode(bj.models.sensitivity, bj.design(swap_average(balanced_panel), terms=()))
    assert averaged.covariance("sandwich", cluster="prompt").n_clusters == 60
