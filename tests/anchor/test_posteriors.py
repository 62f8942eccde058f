"""The joint and the cut posterior, against each other, the maximum and a posterior by hand."""

from dataclasses import replace

import numpy as np
import pytest
from anchor_draw import drawn

import bayesjudge as bj
from bayesjudge.anchor.cut_posterior import ScoreDensity
from bayesjudge.designs.roster import roster_of
from bayesjudge.errors import NewItemError

ROSTER = roster_of(np.arange(6) == 5)


@pytest.fixture(scope="module")
def sample():
    return drawn(8, votes=800, verdicts=2000, arrivals=300)


@pytest.fixture(scope="module")
def joint(sample):
    return bj.nuts(bj.models.new_item_pooled, *sample.designs, ROSTER, seed=1, progress=False)


@pytest.fixture(scope="module")
def cut(sample):
    return bj.new_items.cut_posterior(*sample.designs, ROSTER, seed=1, progress=False)


def draws(tree, item="item-5"):
    return tree.posterior["human_score"].sel(item=item).values.ravel()


def test_joint_posterior_agrees_with_the_maximum(sample, joint):
    """Priors are weak beside 3,000 verdicts: within a third of a standard error."""
    table = bj.new_items.placement(
        bj.mode(bj.models.new_item, *sample.designs, ROSTER, prior=False)
    ).scores()
    row = table.set_index("item").loc["item-5"]
    assert abs(draws(joint).mean() - row["human_score"]) < row["standard_error"] / 3
    assert draws(joint).std() == pytest.approx(row["standard_error"], rel=0.15)


def test_cut_posterior_agrees_with_the_joint_where_the_model_holds(joint, cut):
    assert abs(draws(cut).mean() - draws(joint).mean()) < draws(joint).std() / 2
    assert draws(cut).std() == pytest.approx(draws(joint).std(), rel=0.2)


def test_arrivals_do_not_move_the_history_of_the_cut_posterior(sample, cut):
    """The history is sampled from the same numbers, whatever the judges say of the new item."""
    new = (sample.judges.first == 5) | (sample.judges.second == 5)
    praised = np.where(sample.judges.first == 5, 0, 2)
    verdict = np.where(new & (np.arange(len(new)) % 2 == 0), praised, sample.judges.verdict)
    turned = replace(sample, judges=replace(sample.judges, verdict=verdict))
    other = bj.new_items.cut_posterior(*turned.designs, ROSTER, seed=1, progress=False)
    for item in sample.judges.items[:5]:
        assert np.array_equal(draws(other, item), draws(cut, item))
    assert abs(draws(other).mean() - draws(cut).mean()) > draws(cut).std()


def test_reports_read_a_cut_posterior(cut, tmp_path):
    table = bj.rank_table(cut)
    assert set(table["item"]) == {f"item-{i}" for i in range(6)}
    bj.save(cut, tmp_path / "cut.nc")
    assert bj.rank_table(bj.load(tmp_path / "cut.nc")).equals(table)


def test_conditional_draws_follow_the_exact_density():
    """Quantiles of a posterior computed on a fine grid by hand."""
    slope, known = np.array([[1.5, 0.7]]), np.array([[0.3, -0.4]])
    wins, total, spread = np.array([3.0, 0.0]), np.array([4.0, 2.0]), np.array([1.2])
    t = np.linspace(-8, 8, 200_001)
    log_odds = t[:, None] * slope + known
    density = np.exp(
        log_odds @ wins - np.logaddexp(0, log_odds) @ total - t**2 / (2 * spread[0] ** 2)
    )
    share = np.cumsum(density) / density.sum()
    conditional = ScoreDensity(slope, known, wins, total, spread)
    for level in (0.01, 0.2, 0.5, 0.9, 0.999):
        found = conditional.quantile(np.array([level]))[0]
        assert found == pytest.approx(np.interp(level, share, t), abs=2e-4)


def test_new_items_that_were_compared_are_sampled_jointly():
    sample = drawn(4, n_new=2)
    first = np.where(sample.judges.first == 6, 5, sample.judges.first)
    second = np.where(np.arange(len(first)) == 0, 6, sample.judges.second)
    first[0] = 5
    mixed = replace(sample, judges=replace(sample.judges, first=first, second=second))
    with pytest.raises(NewItemError, match="compared with each other"):
        bj.new_items.cut_posterior(*mixed.designs, roster_of(np.arange(7) >= 5), seed=1)
