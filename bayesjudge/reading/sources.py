"""Files and tables of every supported format, opened as one kind of table."""

import csv
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from pyarrow.lib import ArrowException, ArrowInvalid  # type: ignore[import-untyped]

from bayesjudge.errors import BayesjudgeError, EmptyComparisonsError, UnreadableFileError
from bayesjudge.reading.row_lines import row_lines
from bayesjudge.reading.tables import (
    Table,
    mapping_table,
    narwhals_table,
    pandas_table,
    plain_frame,
    records_table,
)


def open_tables(source: Any) -> list[Table]:  # noqa: ANN401 - any dataframe is welcome
    """Open a file, dataframe, list of records or dict of columns, or each of several."""
    if not isinstance(source, list | tuple) or (source and not any(map(_is_table, source))):
        return [_open_table(source)]
    if not source:
        raise EmptyComparisonsError("The list is empty; give at least one file, table or row.")
    wrong = [one for one in source if not _is_table(one)]
    if wrong:
        raise UnreadableFileError(
            f"The list holds paths or tables, and also a {type(wrong[0]).__name__}; give a list of "
            "paths and tables, or a list of rows as dicts."
        )
    _refuse_repeated_files(source)
    return _named_apart([_open_table(one) for one in source], source)


def _is_table(one: object) -> bool:
    """Whether one of a list is a file or a table, not a row."""
    known = nw.dependencies
    return (
        isinstance(one, str | Path) or known.is_into_dataframe(one) or known.is_into_lazyframe(one)
    )


def _refuse_repeated_files(source: Sequence[Any]) -> None:
    files = [str(Path(one).resolve()) for one in source if isinstance(one, str | Path)]
    repeated = [one for one, count in Counter(files).items() if count > 1]
    if repeated:
        raise UnreadableFileError(
            f"The file {repeated[0]!r} is given {files.count(repeated[0])} times, and its verdicts "
            "would count as often; give each file once."
        )


def _named_apart(tables: Sequence[Table], source: Sequence[Any]) -> list[Table]:
    """Return tables whose names differ: frames are numbered, files of one name get their path."""
    count = Counter(table.source for table in tables)
    names = [
        table.source
        if count[table.source] == 1
        else str(one)
        if isinstance(one, str | Path)
        else f"{table.source} {number}"
        for number, (table, one) in enumerate(zip(tables, source, strict=True), 1)
    ]
    return [replace(table, source=name) for table, name in zip(tables, names, strict=True)]


def _open_table(source: Any) -> Table:  # noqa: ANN401
    if isinstance(source, str | Path):
        _refuse_address(str(source))
        return _open_file(Path(source))
    if isinstance(source, Mapping):
        return mapping_table(source, "frame")
    if isinstance(source, Sequence):
        return records_table(source, "frame")
    if isinstance(source, pd.DataFrame):
        return pandas_table(source, "frame")
    return narwhals_table(source)


def _refuse_address(path: str) -> None:
    """Raise where a path is an address; a path may have lost one of its slashes."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", path):
        raise UnreadableFileError(
            f"{path!r} is an address, and only files of this computer are opened; download the "
            "file first, or give bj.read the table that pandas.read_csv or another library makes "
            "of it."
        )


def _open_file(path: Path) -> Table:
    """Open a file of verdicts by its ending."""
    if path.is_dir():
        raise UnreadableFileError(
            f"{str(path)!r} is a folder; give one file in it, or a list of files, for example "
            f"bj.read(sorted(pathlib.Path({str(path)!r}).glob('*.csv')))."
        )
    if not path.is_file():
        pattern = ", and give files that match a pattern as a list" if "*" in str(path) else ""
        raise UnreadableFileError(f"There is no file {str(path)!r}; check the path{pattern}.")
    endings = path.name.casefold().removesuffix(".gz").rsplit(".", 1)
    opener = _OPENERS.get(endings[-1]) if len(endings) == 2 else None
    if opener is None:
        raise UnreadableFileError(
            f"The ending of {path.name!r} is not known; give a file ending in "
            f"{', '.join('.' + ending for ending in _OPENERS)} (text formats also with .gz)."
        )
    with _parsing(path):
        return opener(path)


def _open_parquet(path: Path) -> Table:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    def fetch(wanted: list[str]) -> pd.DataFrame:
        with _parsing(path):
            return plain_frame(nw.from_native(pq.read_table(path, columns=wanted)))

    return Table(tuple(pq.read_schema(path).names), fetch, path.name)


def _open_json(path: Path) -> Table:
    """Open a list of rows, or a dict of columns."""
    content = json.loads(_file_text(path))
    if isinstance(content, list):
        return records_table(content, path.name)
    if isinstance(content, dict):
        _refuse_wrapped_rows(content, path)
        return mapping_table(content, path.name)
    raise UnreadableFileError(
        f"{path.name!r} holds neither a list of rows nor a dict of columns; rewrite it as one."
    )


def _refuse_wrapped_rows(content: Mapping[str, Any], path: Path) -> None:
    place = _rows_place(content)
    if place:
        keys = "".join(f"[{key!r}]" for key in place)
        raise UnreadableFileError(
            f"{path.name!r} is one object, in which the rows seem to be under "
            f"{', '.join(map(repr, place))}; save that list by itself, or read it with "
            f"bayesjudge.read(json.load(file){keys})."
        )


def _rows_place(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys that lead to the list of rows that an object wraps."""
    lists = [key for key, value in content.items() if isinstance(value, list)]
    inner = [key for key, value in content.items() if isinstance(value, dict)]
    if len(lists) == 1:
        rows = content[lists[0]]
        return (lists[0],) if rows and all(isinstance(row, dict) for row in rows) else ()
    if lists or len(inner) != 1:
        return ()
    rest = _rows_place(content[inner[0]])
    return (inner[0], *rest) if rest else ()


def _open_json_lines(path: Path) -> Table:
    """Open a file of JSON objects, one row a line."""
    # Only a line feed ends a line: JSON text may hold the other characters that end lines.
    lines = enumerate(_file_text(path).split("\n"), start=1)
    records = {number: _record(line, number, path) for number, line in lines if line.strip()}
    if not records:
        raise UnreadableFileError(f"{path.name!r} is empty; give a file with one row a line.")
    table = records_table(list(records.values()), path.name)
    return replace(table, lines=lambda _: np.array(list(records)))


def _record(line: str, number: int, path: Path) -> Any:  # noqa: ANN401
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise UnreadableFileError(
            f"Line {number} of {path.name!r}, counting from 1, is not JSON "
            f"({error.msg.removesuffix(' at')} at character {error.colno}); "
            "correct that line, or take it out."
        ) from error


_GZIP_MARK = b"\x1f\x8b"


@contextmanager
def _parsing(path: Path) -> Iterator[None]:
    """Raise whatever a parser raises as one sentence about the file."""
    try:
        yield
    except BayesjudgeError:
        raise
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except RecursionError as error:
        raise UnreadableFileError(
            f"{path.name!r} nests values too deeply to be a table; write one flat row a verdict."
        ) from error
    except (
        ValueError,
        OSError,
        EOFError,
        KeyError,
        ArrowException,
        zlib.error,
        csv.Error,
    ) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnreadableFileError(
            f"{path.name!r} does not hold what its ending promises ({reason.rstrip('.')}); "
            "check that the file is complete and rightly named."
        ) from error


def _not_utf8(path: Path) -> UnreadableFileError:
    with path.open("rb") as file:
        compressed = file.read(2) == _GZIP_MARK
    if compressed and not _ends_in_gz(path):
        return UnreadableFileError(
            f"{path.name!r} is compressed by gzip; give it the ending {path.suffix + '.gz'!r}."
        )
    return UnreadableFileError(
        f"{path.name!r} is not text in UTF-8; save it as UTF-8, and check that it is rightly named."
    )


def _ends_in_gz(path: Path) -> bool:
    return path.name.casefold().endswith(".gz")


def _file_text(path: Path) -> str:
    """Read a text file, compressed or not, without its byte order mark."""
    content = path.read_bytes()
    return (gzip.decompress(content) if _ends_in_gz(path) else content).decode("utf-8-sig")


# Bytes that Arrow reads at once; a row must fit in. Larger ones are tried where a row does not.
_BLOCKS = (1 << 20, 1 << 23, 1 << 26, 1 << 29, (1 << 31) - 1)
_SEPARATORS = {",": "commas", "\t": "tabs", ";": "';'", "|": "'|'"}
_ENDINGS = {",": ".csv", "\t": ".tsv"}


def _open_separated(path: Path, separator: str) -> Table:
    names = _header(path, separator)
    _refuse_other_separator(names, path, separator)

    def fetch(wanted: list[str]) -> pd.DataFrame:
        with _parsing(path):
            return _read_separated(path, separator, wanted)

    return Table(names, fetch, path.name, partial(row_lines, path))


def _header(path: Path, separator: str) -> tuple[str, ...]:
    opener = gzip.open if _ends_in_gz(path) else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
        header = next(csv.reader(lines, delimiter=separator), None)
    if not header:
        raise UnreadableFileError(f"{path.name!r} is empty; give a file with a line of names.")
    if any("\0" in name for name in header):  # UTF-16 without its mark decodes to letters and NUL
        raise _not_utf8(path)
    return tuple(header)


def _refuse_other_separator(names: Sequence[str], path: Path, separator: str) -> None:
    """Raise where a line holds a single name: a table of verdicts has at least three columns."""
    others = [other for other in _SEPARATORS if other != separator and other in names[0]]
    if len(names) > 1 or not others:
        return
    other = max(others, key=names[0].count)
    rename = f", or name it {_ENDINGS[other]}" if other in _ENDINGS else ""
    raise UnreadableFileError(
        f"{path.name!r} looks separated by {_SEPARATORS[other]}; save it with "
        f"{_SEPARATORS[separator]}{rename}."
    )


def _read_separated(path: Path, separator: str, wanted: list[str]) -> pd.DataFrame:
    """Read columns as text, in blocks as large as the largest row needs."""
    for block in _BLOCKS:
        try:
            return _read_blocks(path, separator, wanted, block).to_pandas()
        except ArrowInvalid as error:
            if "invalid UTF8" in str(error):
                raise _not_utf8(path) from error
            if "straddling" not in str(error):
                raise
    raise UnreadableFileError(
        f"{path.name!r} holds a row of more than 2 gigabytes; check that every quotation mark is "
        "closed."
    )


def _read_blocks(path: Path, separator: str, wanted: list[str], block: int) -> Any:  # noqa: ANN401
    """Read columns as text; Arrow refuses rows with more or fewer fields than names."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    return arrow_csv.read_csv(
        path,
        read_options=arrow_csv.ReadOptions(block_size=block),
        parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=wanted,
            column_types=dict.fromkeys(wanted, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


_OPENERS: dict[str, Callable[[Path], Table]] = {
    "csv": partial(_open_separated, separator=","),
    "tsv": partial(_open_separated, separator="\t"),
    "json": _open_json,
    "jsonl": _open_json_lines,
    "ndjson": _open_json_lines,
    "parquet": _open_parquet,
}
