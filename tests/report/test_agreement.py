import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

import bayesjudge as bj
from bayesjudge.errors import TooFewSharedItemsError
from bayesjudge.report.agreement import kendall_tau_b, spearman_rho


@pytest.mark.parametrize("tied", [False, True])
def test_measures_are_scipys(tied):
    first, second = np.random.default_rng(1).normal(size=(2, 20, 7))
    if tied:
        first, second = first.round(), second.round()
    taus = [kendalltau(a, b).statistic for a, b in zip(first, second, strict=True)]
    rhos = [spearmanr(a, b).statistic for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(kendall_tau_b(first, second), taus)
    np.testing.assert_allclose(spearman_rho(first, second), rhos)


def test_sure_rankings_agree_by_hand(drawn):
    first = drawn(np.tile([1.0, 2.0, 3.0], (50, 1)), "abc")
    second = drawn(np.tile([1.0, 3.0, 2.0, 9.0], (80, 1)), "abcd")
    table = bj.agreement(first, second).set_index("measure")
    for column in ("estimate", "lower", "upper"):
        assert table.loc["Kendall's tau-b", column] == pytest.approx(1 / 3)
        assert table.loc["Spearman's rho", column] == pytest.approx(1 / 2)
    assert (table["items"] == 3).all()


def test_order_of_the_fits_does_not_matter_for_estimates(panel_mode, panel_posterior):
    there = bj.agreement(panel_mode, panel_posterior)
    back = bj.agreement(panel_posterior, panel_mode)
    np.testing.assert_allclose(there["estimate"], back["estimate"])
    assert ((there["lower"] >= -1) & (there["upper"] <= 1)).all()
    assert (there["lower"] < there["estimate"]).all()


def test_equal_seeds_do_not_make_draws_agree(drawn):
    noise = np.random.default_rng(0).normal(size=(2000, 6))
    table = bj.agreement(drawn(noise, "abcdef"), drawn(noise, "abcdef"))
    assert (table["lower"] < -0.3).all()


def test_order_that_rests_on_the_prior_has_no_interval(two_groups_mode):
    table = bj.agreement(two_groups_mode, two_groups_mode)
    assert table[["lower", "upper"]].isna().all(axis=None)
    assert "rests on the prior" in table.caption


def test_the_caption_says_whose_rankings_they_are(panel_mode, panel):
    people = bj.read(panel.to_frame().drop(columns="judge_kind"), kind="human")
    fit = bj.mode(bj.models.bradley_terry, people)
    caption = bj.agreement(panel_mode, fit).caption
    names = "judges (score, sandwich by prompt) and humans (score, sandwich by prompt)"
    assert names in caption
    assert bj.rank_table(fit).units["score"] == "log-odds of an average person"
    assert "an average person" in bj.plot_ranking(fit).axes[0].get_xlabel()
    assert "an average person" in bj.plot_win_probability(fit).texts[0].get_text()


def test_too_few_shared_items(drawn):
    with pytest.raises(TooFewSharedItemsError, match="share 1 of 2 and 2 items"):
        bj.agreement(drawn([[1.0, 2.0]], "ab"), drawn([[1.0, 2.0]], "bc"))
