import copy
import pickle

import pandas as pd
import pytest

from bayesjudge.report.table import Table

UNITS = {"a": "log-odds", "a_lower": "log-odds", "b": "probability"}


@pytest.fixture
def table():
    frame = {"name": ["x", "y"], "a": [1.23456, 2.0], "a_lower": [1.0, 1.5], "b": [0.0, 1 / 3]}
    return Table(frame, caption="Things <1>.", units=UNITS)


def test_it_is_a_data_frame_with_unrounded_values(table):
    assert isinstance(table, pd.DataFrame)
    assert table.loc[0, "a"] == 1.23456


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.head(1),
        lambda t: t[["name", "a"]],
        lambda t: t.sort_values("a"),
        lambda t: t[t["a"] > 0],
        lambda t: t.assign(c=1),
        copy.deepcopy,
        lambda t: pickle.loads(pickle.dumps(t)),
    ],
)
def test_caption_and_units_stay_with_what_is_made_of_it(table, change):
    changed = change(table)
    assert isinstance(changed, Table)
    assert changed.caption == table.caption
    assert changed.units == table.units


def test_the_legend_explains_the_columns_that_are_there(table):
    assert table.legend() == "Things <1>. a: log-odds; b: probability."
    assert table[["name", "b"]].legend() == "Things <1>. b: probability."


def test_what_is_shown_is_rounded_and_whole_numbers_are_whole(table):
    shown = repr(table)
    assert shown.startswith("Things <1>.")
    assert "1.235" in shown
    assert "0.333" in shown
    assert " 2 " in shown


def test_a_possible_event_never_reads_as_impossible():
    table = Table({"p": [0.0, 1e-5, 0.25, 1 - 1e-5, 1.0]}, units={"p": "probability of rain"})
    shown = [line.split()[-1] for line in repr(table).splitlines()[-5:]]
    assert shown == ["0", "<0.001", "0.250", ">0.999", "1"]
    assert table["p"][1] == 1e-5


@pytest.mark.parametrize("columns", ["100", "120"])
def test_rows_stay_on_one_line(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    names = [
        f"an-organisation/a-system-{i}-whose-name-goes-on-and-on-and-on-for-ever" for i in "ab"
    ]
    numbers = {f"number_{i}": [1.25, 2.5] for i in range(5)}
    shown = repr(Table({"item": names} | numbers, caption="Things."))
    assert len(shown.splitlines()) == 4
    assert max(map(len, shown.splitlines())) <= int(columns)


def test_control_characters_do_not_reach_the_terminal():
    table = Table({"item": ["\x1b[31mred"]}, caption="\x1b[31m.")
    assert "\x1b" not in repr(table) + table._repr_html_()


def test_html_escapes_the_legend(table):
    assert table._repr_html_().startswith("<p>Things &lt;1&gt;. a: log-odds")


def test_a_table_without_words_is_a_plain_frame():
    assert repr(Table({"a": [1]})) == repr(pd.DataFrame({"a": [1]}))


def test_showing_changes_no_setting(table):
    before = pd.get_option("display.float_format"), pd.get_option("display.max_columns")
    repr(table)
    assert before == (pd.get_option("display.float_format"), pd.get_option("display.max_columns"))
