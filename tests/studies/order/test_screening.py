"""Screens by sensitivity under two models."""

import pandas as pd
import pytest

from bayesjudge import errors
from bayesjudge.studies.order.screening import Screening, screening

KAPPA = pd.DataFrame(
    {"J": [0.1, 0.2, 0.9, 0.5], "J+P": [0.8, 0.2, 0.9, 0.5]}, index=["a", "b", "c", "d"]
)
VERDICTS = pd.Series([4, 3, 2, 1], index=KAPPA.index)


@pytest.fixture
def hand():
    return Screening(KAPPA, 2, VERDICTS)


def test_hand_case(hand):
    assert hand.shared == {"b"}
    assert hand.rescued == {"a"}
    assert hand.added == {"d"}
    assert hand.ranks.loc["a"].tolist() == [4, 2]


def test_table_of_the_hand_case(hand):
    table = hand.table()
    assert table["judge"].tolist() == ["a", "b", "d", "c"]
    assert table["screen"].tolist() == ["J", "both", "J+P", ""]
    assert table["verdicts"].tolist() == [4, 3, 1, 2]
    assert "1 of the 2 least sensitive judges" in table.caption
    assert table.units["kappa J"] == "log-odds per standard deviation of scores"


def test_a_screening_shows_what_it_found(hand):
    caption = "Screens by J and J+P: 1 of the 2 least sensitive judges are shared"
    assert repr(hand) == f"Screening({caption})"
    assert f"{caption}." in hand._repr_html_()


def test_a_model_against_itself_changes_nothing(panel):
    found = screening(panel, {"J": (), "again": ()}, bottom=2)
    assert found.shared == found.left_out["J"]
    assert not found.rescued
    assert not found.added


def test_kappa_does_not_depend_on_the_reference_much(panel):
    one = screening(panel, bottom=2).kappa
    other = screening(panel, bottom=2, reference_judge="judge-3").kappa
    assert (one - other).abs().to_numpy().max() < 0.01  # the ridge alone


@pytest.mark.parametrize("bottom", [0, 5])
def test_impossible_screens_are_refused(panel, bottom):
    with pytest.raises(errors.UnknownOptionError, match="5 judges"):
        screening(panel, bottom=bottom)


def test_one_model_is_refused(panel):
    with pytest.raises(errors.UnknownOptionError, match="two to compare"):
        screening(panel, {"J": ()})


@pytest.mark.parametrize(
    ("name", "shared"), [("ultrafeedback", 2), ("mtbench", 1), ("chatbot_arena", 3)]
)
def test_judges_shared_by_the_screens_of_the_paper(real_data, name, shared):
    data = real_data(name)
    reference = next(judge for judge in data.judges if "Qwen3-235B" in judge)
    assert len(screening(data, reference_judge=reference).shared) == shared


def test_mixtral_is_rescued_on_ultrafeedback(real_data):
    found = screening(real_data("ultrafeedback"))
    assert found.rescued == {"mistralai/Mixtral-8x7B-Instruct-v0.1"}
    assert found.ranks.loc[list(found.rescued)].to_numpy().tolist() == [[19, 15]]
