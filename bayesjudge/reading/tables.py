"""One kind of table from pandas, Polars, Arrow, DuckDB, records or columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import pandas as pd

from bayesjudge.core.arrays import IntArray
from bayesjudge.errors import UnreadableFileError


@dataclass(frozen=True)
class Table:
    """Column names, and a way to fetch some of the columns.

    Attributes
    ----------
    names : tuple of str
        Column names as written, repeated ones too.
    fetch : callable
        From a list of column names to a pandas frame with a plain row index.
    source : str
        File name, or ``"frame"``.
    lines : callable
        From the number of rows to the line of the file at which each starts, counting from 1, or
        to None where rows are not lines.
    """

    names: tuple[str, ...]
    fetch: Callable[[list[str]], pd.DataFrame]
    source: str
    lines: Callable[[int], IntArray | None] = lambda _: None


def pandas_table(frame: pd.DataFrame, source: str) -> Table:
    """Open a pandas frame, whatever its index."""
    names = tuple(str(name) for name in frame.columns)
    plain = frame.set_axis(list(names), axis=1).reset_index(drop=True)
    return Table(names, lambda wanted: plain[wanted].copy(), source)


def mapping_table(content: Mapping[Any, Any], source: str) -> Table:
    """Open a dict of columns, or what pandas writes with ``orient="split"`` or ``"index"``."""
    if {"columns", "data"} <= set(content) and isinstance(content["columns"], list | tuple):
        return _split_table(content, source)
    if _is_by_index(content):
        return records_table(list(content.values()), source)
    return columns_table({name: _plain_list(values) for name, values in content.items()}, source)


def _split_table(content: Mapping[Any, Any], source: str) -> Table:
    names, rows = list(content["columns"]), content["data"]
    if not isinstance(rows, list | tuple) or any(
        not isinstance(row, list | tuple) or len(row) != len(names) for row in rows
    ):
        raise _unreadable(
            source,
            "The table has the layout of pandas' orient='split', but 'data' is not a list of rows "
            f"with a value for each of its {len(names)} 'columns'; write it again, or with "
            "orient='records'.",
        )
    return pandas_table(pd.DataFrame(list(rows), columns=names, dtype=object), source)


def _is_by_index(content: Mapping[Any, Any]) -> bool:
    """Whether a dict holds a row under each number, as opposed to numbered values by column."""
    rows = content.values()
    if not content or not all(isinstance(row, Mapping) and row for row in rows):
        return False
    numbered = all(str(key).isdecimal() for key in content)
    return numbered and not all(str(key).isdecimal() for row in rows for key in row)


def _plain_list(values: Any) -> Any:  # noqa: ANN401
    """Return the values of the ``{"0": ..., "1": ...}`` that pandas writes by default."""
    return list(values.values()) if isinstance(values, Mapping) else values


def records_table(records: Sequence[Any], source: str) -> Table:
    """Open a list of dicts, one a row."""
    if not all(isinstance(record, Mapping) for record in records):
        raise _unreadable(
            source, "A list of rows must hold one dict for each row, with the column names as keys."
        )
    return pandas_table(pd.DataFrame(list(records), dtype=object), source)


def columns_table(columns: Mapping[str, Any], source: str) -> Table:
    """Open a dict of equally long columns."""
    series = {str(name): _column(values, source) for name, values in columns.items()}
    sizes = {name: len(values) for name, values in series.items()}
    if len(set(sizes.values())) > 1:
        raise _unreadable(
            source,
            f"The columns have different lengths ({sizes}); give each as many values as rows.",
        )
    return pandas_table(pd.DataFrame(series), source)


def _unreadable(source: str, sentence: str) -> UnreadableFileError:
    return UnreadableFileError(sentence if source == "frame" else f"{source}: {sentence}")


def _column(values: Any, source: str) -> pd.Series:  # noqa: ANN401
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise _unreadable(
            source, f"A column is given as the single value {values!r}; give a dict of lists."
        )
    if isinstance(values, list | tuple):
        return pd.Series(list(values), dtype=object)
    return pd.Series(values).reset_index(drop=True)


def narwhals_table(source: Any) -> Table:  # noqa: ANN401
    """Open any data frame that narwhals knows; lazy ones are collected when columns are fetched."""
    try:
        frame = nw.from_native(source)
    except TypeError as error:
        raise UnreadableFileError(
            f"A source of type {type(source).__name__} cannot be read; give a path, a pandas, "
            "Polars, PyArrow or DuckDB table, a list of dicts, a dict of columns, or a list of "
            "paths or tables."
        ) from error
    names = tuple(frame.collect_schema().names())

    def fetch(wanted: list[str]) -> pd.DataFrame:
        chosen = frame.select(wanted)
        return plain_frame(chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen)

    return Table(names, fetch, "frame")


def plain_frame(frame: nw.DataFrame[Any]) -> pd.DataFrame:
    """Copy any eager frame to pandas, column by column."""
    return pd.DataFrame({name: _plain_series(frame[name]) for name in frame.columns})


def _plain_series(column: nw.Series[Any]) -> pd.Series:
    """Copy a column without turning whole numbers with gaps into floats."""
    if column.dtype.is_numeric() and column.null_count() == 0:
        return pd.Series(column.to_numpy())
    return pd.Series(column.to_list(), dtype=object)
