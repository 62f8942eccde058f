import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.errors import UnknownFitError, UnknownQuantityError


def test_one_row_a_fit_and_item(panel_mode, panel_posterior):
    table = bj.compare_intervals(posterior=panel_posterior, sandwich=panel_mode)
    assert list(table.columns) == [
        "method", "kind", "item", "estimate", "lower", "upper", "width", "verdicts"
    ]  # fmt: skip
    assert table["method"].unique().tolist() == ["posterior", "sandwich"]
    assert table["kind"].unique().tolist() == ["NUTS", "sandwich by prompt"]
    assert len(table) == 2 * 8
    assert table["verdicts"].sum() == 2 * 2 * 2000
    np.testing.assert_allclose(table["width"], table["upper"] - table["lower"])


def test_quantities_of_judges(panel_mode):
    table = bj.compare_intervals("position", prob=0.5, fit=panel_mode)
    assert table["judge"].tolist() == [f"judge-{i}" for i in range(1, 6)]
    assert "50 % intervals" in table.legend()


def test_every_dimension_has_a_column(panel):
    table = bj.compare_intervals("judge_score", fit=bj.mode(bj.models.order_effect, panel))
    assert list(table.columns[:4]) == ["method", "kind", "judge", "item"]
    assert len(table) == 5 * 8


def test_same_numbers_as_the_rank_table(panel_posterior):
    compared = bj.compare_intervals(fit=panel_posterior).set_index("item")
    ranked = bj.rank_table(panel_posterior).set_index("item").loc[compared.index]
    np.testing.assert_array_equal(compared[["lower", "upper"]], ranked[["lower", "upper"]])


def test_errors(panel_mode, two_items):
    with pytest.raises(UnknownFitError, match="no fit to compare"):
        bj.compare_intervals("score")
    with pytest.raises(UnknownQuantityError, match="'position'; it has score"):
        bj.compare_intervals("position", a=panel_mode, b=two_items)
