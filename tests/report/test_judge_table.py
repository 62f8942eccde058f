import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.errors import UnknownQuantityError

KNOWN = ["scaled_sensitivity", "position", "net_first_preference"]


@pytest.mark.parametrize("fit", ["panel_mode", "panel_posterior"])
def test_every_fit_has_the_same_columns(fit, request):
    table = bj.judge_table(request.getfixturevalue(fit))
    ends = ("", "_lower", "_upper")
    assert list(table.columns) == ["judge", *(f"{n}{e}" for n in KNOWN for e in ends), "verdicts"]
    assert table["judge"].tolist() == [f"judge-{i}" for i in range(1, 6)]
    assert (table["verdicts"] == 400).all()


def test_net_preference_is_position_on_another_scale(panel_mode):
    table = bj.judge_table(panel_mode)
    for end in ("", "_lower", "_upper"):
        preference, position = table[f"net_first_preference{end}"], table[f"position{end}"]
        np.testing.assert_allclose(preference, np.tanh(position / 2))


def test_only_what_the_fit_has(two_items, panel):
    assert list(bj.judge_table(two_items).columns) == ["judge", "verdicts"]
    fit = bj.mode(bj.models.order_effect_davidson, panel)
    assert "tie_lower" in bj.judge_table(fit)
    assert "scaled_sensitivity" not in bj.judge_table(fit)


def test_nothing_about_judges_is_an_error(drawn):
    with pytest.raises(UnknownQuantityError, match="says nothing about judges"):
        bj.judge_table(drawn([[1.0, 2.0]], "ab"))
