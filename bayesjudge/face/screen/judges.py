"""The judges as a table on the screen, by every method."""

from collections.abc import Mapping, Sequence

import pandas as pd
from rich.console import Console

from bayesjudge.core.intervals import level_words
from bayesjudge.face.fits import leading_method
from bayesjudge.face.report import LEVEL, JudgesReport
from bayesjudge.face.screen.grid import (
    Block,
    Column,
    Value,
    count_column,
    footnotes,
    show_grid,
    value_column,
    value_of,
)
from bayesjudge.face.screen.text import heading, paragraph
from bayesjudge.report.fits import rater

MOST_JUDGES = 20  # on the screen
TITLES = {"judge": "Judges", "person": "People"}  # by who gave the verdicts

HEADS = {  # of the quantities that are shown, in their order
    "scaled_sensitivity": "sensitivity,\nlog-odds per\nSD of scores",
    "loading": "loading,\nlog-odds per\nSD of consensus",
    "net_first_preference": "preference for\nthe first slot,\nfrom -1 to 1",
    "length": "length effect,\nlog-odds per SD\nof log ratio",
    "family": "preference for\nthe own family,\nlog-odds",
}


def show_judges(
    console: Console,
    report: JudgesReport,
    truth: Mapping[str, Sequence[float]] | None = None,
) -> None:
    """Show the judges by every method, the most sensitive first; of many those heard most."""
    fits, leading = report.fits, report.judges[leading_method(report.fits)]
    quantities = [name for name in HEADS if name in leading.columns]
    if not quantities:
        return
    rows = _rows(leading, quantities[0])
    names = list(leading.loc[rows, "judge"])
    who = rater(fits.leading)
    heading(console, f"{TITLES[who]}, with {level_words(LEVEL)}")
    values = {
        (method, quantity): _values(table, quantity, names)
        for method, table in report.judges.items()
        for quantity in quantities
    }
    groups = [
        [_block(method, one, values[method, one], rows, truth) for one in quantities]
        for method in report.judges
    ]
    show_grid(console, who, names, (count_column(leading, rows),), groups)
    marked = [
        (method, name, value)
        for (method, _), column in values.items()
        for name, value in zip(names, column, strict=True)
    ]
    for sentence in (*footnotes(dict.fromkeys(marked)), *_rest(leading, rows)):
        paragraph(console, sentence)


def _rows(table: pd.DataFrame, quantity: str) -> list[int]:
    """Return the rows that are shown: those of the judges with the most verdicts, sorted."""
    shown = table
    if len(table) > MOST_JUDGES and "verdicts" in table:
        shown = table.sort_values("verdicts", ascending=False, kind="stable")[:MOST_JUDGES]
    return list(shown[quantity].sort_values(ascending=False, kind="stable").index)


def _values(table: pd.DataFrame, quantity: str, names: Sequence[str]) -> list[Value | None]:
    by_name = table.set_index("judge")
    ends = (f"{quantity}_lower", f"{quantity}_upper")
    return [value_of(by_name.loc[name], quantity, ends) for name in names]


def _block(
    method: str,
    quantity: str,
    values: list[Value | None],
    rows: Sequence[int],
    truth: Mapping[str, Sequence[float]] | None,
) -> Block:
    column = value_column(f"{method},\n{HEADS[quantity]}", values)
    if truth is None or quantity not in truth:
        return (column,)
    return column, Column("true", tuple(f"{truth[quantity][row]:.2f}" for row in rows))


def _rest(table: pd.DataFrame, rows: Sequence[int]) -> list[str]:
    if len(rows) == len(table):
        return []
    return [f"The {len(rows)} with the most verdicts of {len(table):,}; judges.csv holds all."]
