import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge.errors import UnknownOptionError, UnknownQuantityError
from bayesjudge.fits.estimate import meta

DRAWS = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
COLUMNS = ["item", "score", "lower", "upper", "rank", "rank_lower", "rank_upper", "p_best"]


def test_hand_made_draws(drawn):
    table = bj.rank_table(drawn(DRAWS - DRAWS.mean(), "abc"), prob=0.5)
    assert table["item"].tolist() == ["a", "b", "c"]
    assert table["score"].tolist() == [1.0, 0.0, -0.5]  # medians
    assert table["lower"].tolist() == [0.5, -0.25, -1.0]
    assert table["upper"].tolist() == [1.0, 0.0, 0.25]
    assert table["rank"].tolist() == [1.0, 2.0, 2.5]
    assert table["p_best"].tolist() == [0.75, 0.0, 0.25]


@pytest.mark.parametrize("fit", ["panel_mode", "panel_posterior"])
def test_every_fit_has_the_same_columns(fit, request):
    table = bj.rank_table(request.getfixturevalue(fit))
    assert list(table.columns) == [*COLUMNS, "verdicts"]
    assert table["score"].is_monotonic_decreasing
    assert table["p_best"].sum() == pytest.approx(1.0)
    assert table["verdicts"].sum() == 2 * 2000
    assert (table["lower"] < table["score"]).all()
    assert (table["rank_lower"] <= table["rank"]).all()


def test_posterior_and_sandwich_agree(panel_mode, panel_posterior):
    tables = [bj.rank_table(fit).set_index("item") for fit in (panel_mode, panel_posterior)]
    apart = (tables[0]["score"] - tables[1]["score"]).abs()
    assert (apart < 0.5 * (tables[0]["upper"] - tables[0]["score"])).all()


def test_scores_and_intervals_are_those_of_the_covariance(panel_mode):
    table = bj.rank_table(panel_mode, prob=0.9).set_index("item")
    interval = panel_mode.covariance("sandwich", "prompt").interval("score", 0.9)
    expected = interval.sel(item=table.index.values).values
    np.testing.assert_allclose(table[["lower", "upper"]].to_numpy().T, expected)


def test_a_caption_states_method_level_and_unit(panel_mode):
    text = bj.rank_table(panel_mode, prob=0.9).legend()
    assert "sandwich by prompt" in text
    assert "90 % intervals" in text
    assert "score, lower, upper: log-odds of an average judge" in text


def test_new_names_only_rename_the_draws(drawn):
    old, new = ["a", "b", "c"], ["z", "m", "k"]
    before = bj.rank_table(drawn(DRAWS, old)).assign(
        item=lambda t: t["item"].map(dict(zip(old, new, strict=True)))
    )
    columns = ["item", "score", "lower", "upper", "rank", "p_best"]
    pd.testing.assert_frame_equal(
        before.sort_values("item")[columns].reset_index(drop=True),
        bj.rank_table(drawn(DRAWS, new)).sort_values("item")[columns].reset_index(drop=True),
    )


def test_new_names_only_permute_a_mode(panel):
    turned = {name: name[::-1] for name in panel.items}
    frame = panel.to_frame()
    renamed = frame.assign(
        item_first=frame["item_first"].map(turned), item_second=frame["item_second"].map(turned)
    )
    both = [
        bj.rank_table(bj.mode(bj.models.bradley_terry, data))
        for data in (panel, bj.read(renamed, kind="llm"))
    ]
    assert both[1]["item"].tolist() == [turned[name] for name in both[0]["item"]]
    columns = ["score", "lower", "upper", "verdicts"]
    np.testing.assert_allclose(both[1][columns], both[0][columns], atol=1e-9)


def test_identical_items_have_identical_marginals(verdicts):
    each = [("a", "c", 20, 10), ("b", "c", 20, 10), ("a", "b", 10, 10)]
    table = bj.rank_table(bj.mode(bj.models.bradley_terry, verdicts(*each))).set_index("item")
    numbers = ["score", "lower", "upper"]
    np.testing.assert_allclose(table.loc["a", numbers].astype(float), table.loc["b", numbers])
    error = 4 * np.sqrt(0.25 / 4000)  # four Monte Carlo errors of a share of 4,000 draws
    assert table.loc["a", "p_best"] == pytest.approx(table.loc["b", "p_best"], abs=2 * error)


def test_two_items(two_items):
    table = bj.rank_table(two_items)
    assert table["item"].tolist() == ["yes", "no"]
    assert table["score"].tolist() == pytest.approx([np.log(3) / 2, -np.log(3) / 2])
    assert table["rank"].tolist() == [1, 2]
    assert table["p_best"].sum() == pytest.approx(1)


def test_a_mode_says_nothing_across_groups(two_groups_mode):
    table = bj.rank_table(two_groups_mode)
    silent = ["lower", "upper", "rank", "rank_lower", "rank_upper", "p_best"]
    assert table[silent].isna().all(axis=None)
    assert table["rests_on_prior"].all()
    assert table.groupby("component")["item"].agg(set).tolist() == [{"a", "b", "c"}, {"d", "e"}]
    assert "rest on the prior" in table.caption


def test_a_posterior_across_groups_is_marked(two_groups_draws):
    table = bj.rank_table(two_groups_draws)
    assert table[COLUMNS].notna().all(axis=None)
    assert table["rests_on_prior"].all()
    assert "rest on the prior" in table.caption


def test_the_program_says_what_items_are_ranked_by(drawn):
    tree = drawn(DRAWS, "abc")
    posterior = tree["posterior"].to_dataset()
    tree["posterior"] = posterior.assign(human_score=-posterior["score"])
    assert bj.rank_table(tree)["item"].tolist()[-1] == "c"
    tree.attrs = meta({"score": "human_score"})
    assert bj.rank_table(tree)["item"].tolist()[-1] == "a"
    assert bj.rank_table(tree, quantity="score")["item"].tolist()[0] == "a"


def test_errors_say_what_there_is(panel_mode):
    with pytest.raises(UnknownQuantityError, match="reference_score, score"):
        bj.rank_table(panel_mode, quantity="ability")
    with pytest.raises(UnknownQuantityError, match="choose one of reference_score, score"):
        bj.rank_table(panel_mode, quantity="position")
    with pytest.raises(UnknownOptionError, match=r"such as 0\.95"):
        bj.rank_table(panel_mode, prob=95)
