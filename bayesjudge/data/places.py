"""Where rows came from: files and frames, their columns, and how a sentence names a row."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.wording import listing, row_listing

ROLE_WORDS = {
    "item_first": "first item",
    "item_second": "second item",
    "judge_kind": "kind of judge",
    "length_first": "length of the first item",
    "length_second": "length of the second item",
    "repeat": "repetition",
    "order_known": "whether the order is known",
    "outcome_detail": "label as given",
    "consistent": "whether both orders agreed",
}
_MOST_NAMES = 100  # columns that a sentence names


@dataclass(frozen=True, eq=False)
class Source:
    """One file or frame that rows came from.

    Attributes
    ----------
    name : str
        File name, or ``"frame"``.
    columns : tuple of (str, str)
        Role and column, for every column that is used.
    unused : tuple of str
        Columns that are not used.
    lines : ndarray of int, shape (n_rows,), or None
        Line of the file at which each row starts, counting from 1; None where rows are not lines.
    start : int
        The `source_row` of its first row.
    """

    name: str = "frame"
    columns: tuple[tuple[str, str], ...] = ()
    unused: tuple[str, ...] = ()
    lines: IntArray | None = None
    start: int = 0

    def numbers(self, rows: IntArray) -> IntArray:
        """Return the lines, or the positions counting from 0, of rows: (n,) -> (n,)."""
        return rows - self.start if self.lines is None else self.lines[rows - self.start]

    @property
    def unit(self) -> str:
        """What its rows are called."""
        return "row" if self.lines is None else "line"

    @property
    def counting(self) -> str:
        """What must be said of how its rows are counted; lines are counted as everywhere."""
        return ", counting from 0" if self.lines is None else ""

    def described_columns(self) -> tuple[str, str]:
        """Write which columns are used, and as what, and which are not."""
        used = [f"{name!r} ({ROLE_WORDS.get(role, role)})" for role, name in self.columns]
        unused = listing(map(repr, self.unused), _MOST_NAMES) or "none"
        return f"used: {listing(used, _MOST_NAMES)}.", f"not used: {unused}."


@dataclass(frozen=True, eq=False)
class Places:
    """Where rows stand: in text files by their line from 1, elsewhere by their position from 0.

    Attributes
    ----------
    sources : tuple of Source
        In the order of their first rows.
    rows : ndarray of int, shape (n_rows,)
        The `source_row` of each row.
    """

    sources: tuple[Source, ...]
    rows: IntArray

    def of(self, row: int) -> str:
        """Name a row, for example ``"line 5"``, with its file where there are several."""
        (index,) = self._source_of(self.rows[[row]])
        source = self.sources[index]
        return f"{source.unit} {source.numbers(self.rows[[row]])[0]}{self._named(source)}"

    def counted(self, row: int) -> str:
        """Name a row, and say how it is counted."""
        (index,) = self._source_of(self.rows[[row]])
        return f"{self.of(row)}{self.sources[index].counting}"

    def listing(self, mask: Sequence[bool] | BoolArray | None = None) -> str:
        """Write which rows a mask marks, by default all: how many, and the first of each source."""
        mask = np.ones(len(self.rows), dtype=bool) if mask is None else np.asarray(mask)
        marked = np.flatnonzero(mask)
        if len(marked) == 1:
            return f"1 row ({self.counted(int(marked[0]))})"
        if len(self.sources) == 1 and self.sources[0].lines is None:
            return row_listing(mask, self.sources[0].numbers(self.rows))
        rows = self.rows[marked]
        source_of_row = self._source_of(rows)
        parts = [
            self._listed(self.sources[index], rows[source_of_row == index])
            for index in np.unique(source_of_row)
        ]
        return f"{len(marked):,} rows ({'; '.join(parts)})"

    def _listed(self, source: Source, rows: IntArray) -> str:
        unit = f"{source.unit}{'s' if len(rows) > 1 else ''}"
        numbers = listing(source.numbers(rows), 3)
        return f"{unit} {numbers}{self._named(source)}{source.counting}"

    def _named(self, source: Source) -> str:
        return f" of {source.name}" if len(self.sources) > 1 else ""

    def _source_of(self, rows: IntArray) -> IntArray:
        starts = [source.start for source in self.sources]
        return np.searchsorted(starts, rows, side="right") - 1


def columns_sentences(sources: Sequence[Source]) -> tuple[str, ...]:
    """Write the columns that are used and those that are not, alike sources together."""
    names: dict[tuple[str, str], list[str]] = {}
    for source in sources:
        if source.columns:
            names.setdefault(source.described_columns(), []).append(source.name)
    return tuple(
        f"Columns{f' of {listing(group)}' if len(sources) > 1 else ''} {sentence}"
        for sentences, group in names.items()
        for sentence in sentences
    )
