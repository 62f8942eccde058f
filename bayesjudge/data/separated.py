"""Tables of text with a separator: CSV and TSV."""

import csv
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from pyarrow.lib import ArrowInvalid  # type: ignore[import-untyped]

from bayesjudge.data.parsing import is_compressed, not_utf8, parsing
from bayesjudge.data.sources import Table, refuse_repeated
from bayesjudge.errors import UnreadableFileError

# Bytes that Arrow reads at once; a row must fit in. Larger ones are tried where a row does not.
_BLOCKS = (1 << 20, 1 << 23, 1 << 26, 1 << 29, (1 << 31) - 1)

_SEPARATORS = {",": "commas", "\t": "tabs", ";": "';'", "|": "'|'"}
_ENDINGS = {",": ".csv", "\t": ".tsv"}


def open_csv(path: Path) -> Table:
    """Open a file separated by commas."""
    return _open_separated(path, ",")


def open_tsv(path: Path) -> Table:
    """Open a file separated by tabs."""
    return _open_separated(path, "\t")


def _open_separated(path: Path, separator: str) -> Table:
    names = _header(path, separator)
    _refuse_other_separator(names, path, separator)
    refuse_repeated(names)

    def fetch(wanted: list[str]) -> pd.DataFrame:
        with parsing(path):
            return _read_separated(path, separator, wanted)

    return Table(names, fetch, path.name)


def _header(path: Path, separator: str) -> tuple[str, ...]:
    opener = gzip.open if is_compressed(path) else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
        header = next(csv.reader(lines, delimiter=separator), None)
    if not header:
        raise UnreadableFileError(f"{path.name!r} is empty; give a file with a line of names.")
    if any("\0" in name for name in header):  # UTF-16 without its mark decodes to letters and NUL
        raise not_utf8(path)
    return tuple(header)


def _refuse_other_separator(names: Sequence[str], path: Path, separator: str) -> None:
    """Refuse a single name: a table of verdicts has three columns at least."""
    found = [other for other in _SEPARATORS if other != separator and other in names[0]]
    if len(names) > 1 or not found:
        return
    other = max(found, key=names[0].count)
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
                raise not_utf8(path) from error
            if "straddling" not in str(error):
                raise
    raise UnreadableFileError(
        f"{path.name!r} holds a row of more than 2 gigabytes; check that every quotation mark is "
        "closed."
    )


def _read_blocks(path: Path, separator: str, wanted: list[str], block: int) -> Any:  # noqa: ANN401
    """Read columns as text; Arrow refuses rows with more or fewer fields than names."""
    import pyarrow as pa  # type: ignore[import-untyped]
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
