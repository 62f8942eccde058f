"""Columns of numbers on the screen, in as many grids as its width needs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from bayesjudge.core.wording import listing
from bayesjudge.face.screen.text import INDENT, NARROWEST, NameCell
from bayesjudge.report.shown_names import shortened

ABSENT = "-"
STAR = "*"
NO_INTERVAL = "no interval"
EXACT_ZERO = "exactly 0"
NARROW = 1e-6  # width of an interval that is none
WIDEST_NAME = 24  # characters of a name that are given room before grids are stacked


@dataclass(frozen=True)
class Value:
    """An estimate with its interval, and the mark that a table gives it."""

    estimate: float
    lower: float
    upper: float
    mark: str = ""

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval that is more than a point."""
        return self.upper - self.lower > NARROW

    @property
    def text(self) -> str:
        """The estimate with its interval, or a word in place of both."""
        if self.has_interval:
            return f"{self.estimate:z.2f} [{self.lower:z.2f}, {self.upper:z.2f}]"
        exact = abs(self.estimate) < NARROW and not np.isnan(self.lower)
        return self.mark or (EXACT_ZERO if exact else NO_INTERVAL)

    @property
    def starred(self) -> bool:
        """Whether a footnote has to spell the mark."""
        return bool(self.mark) and self.has_interval


@dataclass(frozen=True)
class Column:
    """The lines of a head, and one text a row."""

    head: str
    cells: tuple[str, ...]

    @property
    def width(self) -> int:
        """Characters that the column needs."""
        return max(map(cell_len, (*self.head.split("\n"), *self.cells)))


type Block = tuple[Column, ...]  # columns that stay together


def value_of(row: Any, quantity: str, ends: tuple[str, str]) -> Value:  # noqa: ANN401
    """Return a quantity of a table's row, with the row's mark."""
    return Value(row[quantity], row[ends[0]], row[ends[1]], mark_of(row))


def mark_of(row: Any) -> str:  # noqa: ANN401
    """Return the mark of a table's row."""
    if isinstance(mark := row.get("mark"), str):
        return mark
    return "rests on the prior" if row.get("rests_on_prior", False) else ""


def value_column(head: str, values: Sequence[Value | None]) -> Column:
    """Write values one below the other, with a star behind those that a footnote marks."""
    starred = any(value and value.starred for value in values)
    ends = [STAR if value and value.starred else " " * starred for value in values]
    texts = [value.text if value else ABSENT for value in values]
    return Column(head, tuple(map("".join, zip(texts, ends, strict=True))))


def count_column(table: pd.DataFrame, rows: Sequence[Any]) -> Column:
    """Write the numbers of verdicts of some rows of a table."""
    if "verdicts" not in table:
        return Column("n", (ABSENT,) * len(rows))
    return Column("n", tuple(f"{count:,.10g}" for count in table.loc[list(rows), "verdicts"]))


def footnotes(marked: Iterable[tuple[str, str, Value | None]]) -> list[str]:
    """Spell the marks of starred values, given as (method, name, value)."""
    names: dict[tuple[str, str], list[str]] = {}
    for method, name, value in marked:
        if value and value.starred:
            names.setdefault((value.mark, method), []).append(name)
    methods: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (mark, method), listed in names.items():
        methods.setdefault((mark, tuple(listed)), []).append(method)
    return [
        f"{STAR} {mark} ({listing(by)}): {listing(short_names(listed).values())}."
        for (mark, listed), by in methods.items()
    ]


def short_names(names: Iterable[object]) -> dict[str, str]:
    """Return names as they are shown, by the names themselves."""
    whole = [str(name) for name in names]
    return dict(zip(whole, shortened(whole), strict=True))


def show_grid(
    console: Console,
    head: str,
    names: Sequence[str],
    first: Block,
    groups: Sequence[Sequence[Block]],
) -> None:
    """Show columns beside names: all in one grid, or the groups below each other."""
    short = short_names(names)
    cells = [NameCell(short[name]) for name in names]
    longest = max(cell_len(name) for name in (head, *short.values()))
    taken = max(NARROWEST, min(longest, WIDEST_NAME)) + 2 * INDENT + _width(first)
    for columns in _packed(groups, console.width - taken):
        grid = _grid(head, cells, (*first, *columns))
        console.print(Padding(grid, (1, 0, 1, INDENT), expand=False))


def _packed(groups: Sequence[Sequence[Block]], room: int) -> Iterator[list[Column]]:
    """Yield the columns of each grid: one for all, or else one or more for each group."""
    every = [column for blocks in groups for block in blocks for column in block]
    if _width(every) <= room:
        yield every
        return
    for blocks in groups:
        columns: list[Column] = []
        for block in blocks:
            if columns and _width([*columns, *block]) > room:
                yield columns
                columns = []
            columns = [*columns, *block]
        yield columns


def _width(columns: Iterable[Column]) -> int:
    return sum(column.width + 1 for column in columns)


def _grid(head: str, names: Sequence[NameCell], columns: Sequence[Column]) -> Grid:
    grid = Grid(
        box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style=""
    )
    grid.add_column(head, min_width=NARROWEST, vertical="top")
    for column in columns:
        grid.add_column(Text(column.head, justify="right"), no_wrap=True)
    for i, name in enumerate(names):
        grid.add_row(name, *(_right(column, i) for column in columns))
    return grid


def _right(column: Column, row: int) -> Text:
    """Move a cell to the right itself: Rich would strip the blank that stands for a star."""
    cell = column.cells[row]
    return Text(" " * (column.width - cell_len(cell)) + cell)
