"""Names that are whole numbers meet, however they are written; others that look equal are named."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.data.odd_names import alike_names

CASES = Path(__file__).parent / "cases"


def table(prompts, **more):
    n = len(prompts)
    rows = {"left": ["x", "y"] * n, "right": ["y", "x"] * n, "winner": ["left"] * 2 * n}
    return {name: values[:n] for name, values in rows.items()} | {"question_id": prompts, **more}


def test_decimals_of_one_file_meet_the_whole_numbers_of_another():
    judges = bj.read(CASES / "06_float_ids_judges.csv")
    votes = bj.read(CASES / "06_int_ids_votes.csv", kind="human")
    assert set(votes.prompts) <= set(judges.prompts)
    assert any("named without them ('0' for '0.0')" in note for note in judges.notes)
    (cells,) = bj.diagnose(judges, votes).on("shared cells")
    assert cells.details["cells"]["06_int_ids_votes.csv"] == [17, 17]
    assert (
        bj.read([CASES / "06_float_ids_judges.csv", CASES / "06_int_ids_votes.csv"]).n_prompts == 30
    )


@pytest.mark.parametrize("what", ["question_id", "judge"])
@pytest.mark.parametrize(
    "written", [["7.0", "12.0"], ["7", "12.00"], ["7.", "12"], [7.0, 12.0], [7, 12], [-7.0, "12.0"]]
)
def test_prompts_and_judges_are_named_by_whole_numbers(what, written):
    data = bj.read(table(["p", "q"], **{what: written}))
    names = data.prompts if what == "question_id" else data.judges
    assert names == (("-7", "12") if written[0] == -7 else ("12", "7"))
    changed = any(isinstance(one, str) and "." in one for one in written)
    assert any("named without them" in note for note in data.notes) == changed


def test_items_of_a_column_with_gaps_meet_those_of_one_without(tmp_path):
    frame = pd.DataFrame({"left": [1, 2, 3], "right": [2, 3, np.nan], "winner": "left"})
    frame.to_csv(tmp_path / "t.csv", index=False)  # the second column is written 2.0, 3.0
    with pytest.raises(errors.MissingItemError, match="line 4"):
        bj.read(tmp_path / "t.csv")
    frame.iloc[:2].to_csv(tmp_path / "t.csv", index=False)
    assert bj.read(tmp_path / "t.csv").items == ("1", "2", "3")


@pytest.mark.parametrize("winner", [["1", "2"], ["1.0", "2.0"], [1.0, 2.0]])
def test_winners_are_found_by_number(winner):
    frame = {"left": ["1.0", "1.0"], "right": ["2.0", "2.0"], "winner": winner}
    assert bj.read(frame, verdicts="winner").verdict.tolist() == [0, 2]


def test_versions_keep_their_decimals():
    data = bj.read({"left": ["3.5", "4.0"], "right": ["4.0", "4.1"], "winner": ["left", "tie"]})
    assert data.items == ("3.5", "4.0", "4.1")
    assert bj.read(data.to_frame()).items == data.items


@pytest.mark.parametrize("other", ["81.0", "081", "0081.00"])
def test_numbers_that_are_kept_apart_are_named(other):
    within = bj.read(table(["81", other, "a name"]))
    assert within.n_prompts == 3
    assert any(repr(other) in note and "look alike" in note for note in within.notes)
    one, two = bj.read(table([other, "a name"])), bj.read(table(["81", "82"]))
    assert bj.diagnose(one).on("names")[0].level == "fine"
    found = bj.diagnose(one, two).on("names")[-1]
    assert found.level == "warning"
    assert sorted(found.details["prompts"][0]) == sorted(["81", other])


def test_other_numbers_are_not_alike():
    assert alike_names(["4.1", "4.10", "1e2", "100", "0.5", ".5", "10", "1", "-1", "x0", "x"]) == ()
    assert alike_names(["0", "00", "0.0", "-5", "-05"]) == (("-05", "-5"), ("0", "0.0", "00"))


def test_large_numbers_keep_every_digit():
    large = "123456789012345678901"
    assert bj.read(table([f"{large}.0", "7"])).prompts == (large, "7")
