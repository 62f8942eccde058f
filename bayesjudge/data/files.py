"""File formats: CSV, TSV, JSON, JSON lines and Parquet."""

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import narwhals as nw
import pandas as pd
from pyarrow.lib import ArrowException  # type: ignore[import-untyped]

from bayesjudge.data.sources import (
    Table,
    columns_table,
    plain_frame,
    records_table,
    refuse_repeated,
)
from bayesjudge.errors import BayesjudgeError, UnreadableFileError


def open_file(path: Path) -> Table:
    """Open a file of verdicts by its ending.

    Parameters
    ----------
    path : pathlib.Path
        ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.ndjson`` (each also with ``.gz``) or
        ``.parquet``.

    Returns
    -------
    Table
        The opened table. Text files are read as text, so that an item called "NA" keeps its
        name; only an empty field counts as missing.

    Raises
    ------
    UnreadableFileError
        If the file is not there, is empty, has another ending, or does not hold what its ending
        promises.
    """
    if not path.is_file():
        raise UnreadableFileError(f"There is no file {str(path)!r}; check the path.")
    endings = path.name.casefold().removesuffix(".gz").rsplit(".", 1)
    opener = _OPENERS.get(endings[-1]) if len(endings) == 2 else None
    if opener is None:
        raise UnreadableFileError(
            f"The ending of {path.name!r} is not known; give a file ending in "
            f"{', '.join('.' + ending for ending in _OPENERS)} (text formats also with .gz)."
        )
    with _parsing(path):
        return opener(path)


@contextmanager
def _parsing(path: Path) -> Iterator[None]:
    """Turn whatever a parser says into one sentence about the file."""
    try:
        yield
    except BayesjudgeError:
        raise
    except (ValueError, OSError, EOFError, KeyError, ArrowException, zlib.error) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnreadableFileError(
            f"{path.name!r} does not hold what its ending promises ({reason.rstrip('.')}); "
            "check that the file is complete and rightly named."
        ) from error


def _open_separated(path: Path, separator: str) -> Table:
    names = _header(path, separator)
    refuse_repeated(names)

    def fetch(wanted: list[str]) -> pd.DataFrame:
        with _parsing(path):
            return _read_separated(path, separator, wanted)

    return Table(names, fetch, path.name)


def _header(path: Path, separator: str) -> tuple[str, ...]:
    opener = gzip.open if path.name.casefold().endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
        header = next(csv.reader(lines, delimiter=separator), None)
    if not header:
        raise UnreadableFileError(f"{path.name!r} is empty; give a file with a line of names.")
    return tuple(header)


def _read_separated(path: Path, separator: str, wanted: list[str]) -> pd.DataFrame:
    """Read columns as text; Arrow refuses rows with more or fewer fields than names."""
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow import csv as arrow_csv

    table = arrow_csv.read_csv(
        path,
        parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=wanted,
            column_types=dict.fromkeys(wanted, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
        ),
    )
    return table.to_pandas()


def _open_csv(path: Path) -> Table:
    return _open_separated(path, ",")


def _open_tsv(path: Path) -> Table:
    return _open_separated(path, "\t")


def _open_json(path: Path) -> Table:
    content = json.loads(_text(path))
    if isinstance(content, list):
        return records_table(content, path.name)
    if isinstance(content, dict):
        return columns_table({name: _json_column(x) for name, x in content.items()}, path.name)
    raise UnreadableFileError(
        f"{path.name!r} holds neither a list of rows nor a dict of columns; rewrite it as one."
    )


def _json_column(values: Any) -> Any:  # noqa: ANN401
    """Take the values out of the ``{"0": ..., "1": ...}`` that pandas writes by default."""
    return list(values.values()) if isinstance(values, dict) else values


def _open_json_lines(path: Path) -> Table:
    lines = [line for line in _text(path).splitlines() if line.strip()]
    if not lines:
        raise UnreadableFileError(f"{path.name!r} is empty; give a file with one row a line.")
    return records_table([json.loads(line) for line in lines], path.name)


def _text(path: Path) -> str:
    content = path.read_bytes()
    if path.name.casefold().endswith(".gz"):
        content = gzip.decompress(content)
    return content.decode("utf-8-sig")


def _open_parquet(path: Path) -> Table:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    def fetch(wanted: list[str]) -> pd.DataFrame:
        with _parsing(path):
            return plain_frame(nw.from_native(pq.read_table(path, columns=wanted)))

    return Table(tuple(pq.read_schema(path).names), fetch, path.name)


_OPENERS: dict[str, Callable[[Path], Table]] = {
    "csv": _open_csv,
    "tsv": _open_tsv,
    "json": _open_json,
    "jsonl": _open_json_lines,
    "ndjson": _open_json_lines,
    "parquet": _open_parquet,
}
