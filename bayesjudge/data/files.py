"""File formats: CSV, TSV, JSON, JSON lines and Parquet."""

from collections.abc import Callable
from pathlib import Path

import narwhals as nw
import pandas as pd

from bayesjudge.data.json_files import open_json, open_json_lines
from bayesjudge.data.parsing import parsing
from bayesjudge.data.separated import open_csv, open_tsv
from bayesjudge.data.sources import Table, plain_frame
from bayesjudge.errors import UnreadableFileError


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
        If the file is not there, is empty, has another ending, is not UTF-8, or does not hold what
        its ending promises.
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
    with parsing(path):
        return opener(path)


def _open_parquet(path: Path) -> Table:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    def fetch(wanted: list[str]) -> pd.DataFrame:
        with parsing(path):
            return plain_frame(nw.from_native(pq.read_table(path, columns=wanted)))

    return Table(tuple(pq.read_schema(path).names), fetch, path.name)


_OPENERS: dict[str, Callable[[Path], Table]] = {
    "csv": open_csv,
    "tsv": open_tsv,
    "json": open_json,
    "jsonl": open_json_lines,
    "ndjson": open_json_lines,
    "parquet": _open_parquet,
}
