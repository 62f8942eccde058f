"""Rankings by the values of a column."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import bayesjudge as bj
from bayesjudge.core.arrays import BoolArray
from bayesjudge.core.wording import counted, listing
from bayesjudge.errors import EmptyComparisonsError, MissingColumnError
from bayesjudge.face.inputs import Inputs, raters
from bayesjudge.reading.cell_values import refuse_nested, refuse_unwritable, text_names
from bayesjudge.reading.sources import open_tables

LONGEST_FOLDER = 30  # characters of a column's name, and of a value, in the name of a folder


@dataclass(frozen=True, eq=False)
class Categories:
    """Verdicts by the values of a column.

    Attributes
    ----------
    column : str
        The column.
    inputs : dict of str to Inputs
        The verdicts of each value that has enough of them, in the order of the values.
    left_out : dict of str to str
        Why other values have no ranking.
    without_value : int
        Verdicts whose row has no value.
    """

    column: str
    inputs: dict[str, Inputs]
    left_out: dict[str, str]
    without_value: int

    @property
    def folders(self) -> dict[str, str]:
        """Names of the folders of the values: no two alike, also where case does not count."""
        names: dict[str, str] = {}
        taken: set[str] = set()
        for value in self.inputs:
            name = _folder(self.column, value, taken)
            names[value] = name
            taken.add(name.casefold())
        return names


def split(inputs: Inputs, column: str, file: Path, humans: Path | None) -> Categories:
    """Divide verdicts by a column of the files that they were read from."""
    judges = _values(inputs.judges, column, file)
    votes = None if inputs.humans is None else _values(inputs.humans, column, humans or file)
    values = sorted({*judges.dropna(), *(() if votes is None else votes.dropna())})
    left_out = {value: reason for value in values if (reason := _too_few(inputs, judges == value))}
    if len(left_out) == len(values):
        raise _no_category(column, inputs, left_out)
    parts = {
        value: _part(inputs, judges == value, None if votes is None else votes == value)
        for value in values
        if value not in left_out
    }
    without_value = sum(int(x.isna().sum()) for x in (judges, votes) if x is not None)
    return Categories(column, parts, left_out, without_value)


def _values(table: "bj.Comparisons", column: str, file: Path) -> pd.Series:
    """Return the column's values as text, by the rows of a table that was read from the file."""
    (source,) = open_tables(file)
    if column not in source.names:
        raise _no_column(column, table.source, source.names)
    frame = source.fetch([column]).iloc[table.source_row].reset_index(drop=True)
    refuse_nested(frame, {}, table.places)
    what = f"value of column {column!r}"
    empty = frame[column].map(lambda value: isinstance(value, str) and not value.strip())
    names, _ = text_names(frame[column].mask(empty.astype(bool)), what)
    refuse_unwritable(names, table.places, what)
    return names


def _no_column(column: str, source: str, names: Iterable[str]) -> MissingColumnError:
    known = {name.casefold(): name for name in names}
    near = [known[name] for name in difflib.get_close_matches(column.casefold(), known)]
    hint = f" (near: {listing(near)})" if near else ""
    return MissingColumnError(
        f"There is no column {column!r} to rank by in {source}{hint}; its columns are "
        f"{listing(known.values(), 20)}."
    )


def _part(inputs: Inputs, judges: BoolArray, votes: BoolArray | None) -> Inputs:
    """Keep the verdicts of one value, and its votes where it has any."""
    humans = inputs.humans
    kept = None if humans is None or votes is None or not votes.any() else humans.select(votes)
    return Inputs(inputs.judges.select(judges), kept)


def _too_few(inputs: Inputs, rows: BoolArray) -> str:
    """Say why the verdicts in some rows are too few for a ranking; nothing where they are not."""
    table, n_rows = inputs.judges, int(rows.sum())
    items = np.union1d(table.first[rows], table.second[rows])
    if n_rows and n_rows >= len(items):
        return ""
    on = f" on {counted(len(items), 'item')}" if n_rows else ""
    return (
        f"{counted(n_rows, 'verdict')} of {raters(table)}{on}, and a ranking needs at least as "
        "many verdicts as items"
    )


def _no_category(column: str, inputs: Inputs, left_out: dict[str, str]) -> EmptyComparisonsError:
    if not left_out:
        return EmptyComparisonsError(
            f"Column {column!r} of {inputs.judges.source} has no value in any row that was read; "
            "choose another with --by."
        )
    value, reason = next(iter(left_out.items()))
    return EmptyComparisonsError(
        f"No value of column {column!r} has enough verdicts for a ranking ({value!r}: "
        f"{reason}); leave --by out."
    )


def _folder(column: str, value: str, taken: set[str]) -> str:
    """Return a name of letters, digits and a few signs, numbered where it is taken."""
    name = "=".join(re.sub(r"[^\w.+-]", "_", text)[:LONGEST_FOLDER] for text in (column, value))
    number = 1
    unique = name
    while unique.casefold() in taken:
        number += 1
        unique = f"{name}-{number}"
    return unique
