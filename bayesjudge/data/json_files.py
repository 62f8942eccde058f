"""Tables in JSON and in JSON lines."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bayesjudge.data.parsing import file_text
from bayesjudge.data.sources import Table, columns_table, records_table
from bayesjudge.errors import UnreadableFileError


def open_json(path: Path) -> Table:
    """Open a list of rows, or a dict of columns."""
    content = json.loads(file_text(path))
    if isinstance(content, list):
        return records_table(content, path.name)
    if isinstance(content, dict):
        _refuse_wrapped_rows(content, path)
        return columns_table({name: _column(x) for name, x in content.items()}, path.name)
    raise UnreadableFileError(
        f"{path.name!r} holds neither a list of rows nor a dict of columns; rewrite it as one."
    )


def _column(values: Any) -> Any:  # noqa: ANN401
    """Take the values out of the ``{"0": ..., "1": ...}`` that pandas writes by default."""
    return list(values.values()) if isinstance(values, dict) else values


def _refuse_wrapped_rows(content: Mapping[str, Any], path: Path) -> None:
    place = rows_place(content)
    if place:
        keys = "".join(f"[{key!r}]" for key in place)
        raise UnreadableFileError(
            f"{path.name!r} is one object, in which the rows seem to be under "
            f"{', '.join(map(repr, place))}; save that list by itself, or read it with "
            f"bayesjudge.read(json.load(file){keys})."
        )


def rows_place(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Find the list of rows that an object wraps.

    Parameters
    ----------
    content : mapping
        An object read from JSON.

    Returns
    -------
    tuple of str
        The keys that lead to the only list in it, if that is a list of objects; else empty.

    Examples
    --------
    >>> rows_place({"version": 1, "data": {"rows": [{"left": "a"}]}})
    ('data', 'rows')
    >>> rows_place({"left": ["a"], "right": ["b"]})
    ()
    """
    lists = [key for key, value in content.items() if isinstance(value, list)]
    inner = [key for key, value in content.items() if isinstance(value, dict)]
    if len(lists) == 1:
        rows = content[lists[0]]
        return (lists[0],) if rows and all(isinstance(row, dict) for row in rows) else ()
    if lists or len(inner) != 1:
        return ()
    rest = rows_place(content[inner[0]])
    return (inner[0], *rest) if rest else ()


def open_json_lines(path: Path) -> Table:
    """Open a file with one row, a JSON object, a line."""
    # Only a line feed ends a line: JSON text may hold the other characters that end lines.
    lines = enumerate(file_text(path).split("\n"), start=1)
    records = [_record(line, number, path) for number, line in lines if line.strip()]
    if not records:
        raise UnreadableFileError(f"{path.name!r} is empty; give a file with one row a line.")
    return records_table(records, path.name)


def _record(line: str, number: int, path: Path) -> Any:  # noqa: ANN401
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise UnreadableFileError(
            f"Line {number} of {path.name!r}, counting from 1, is not JSON "
            f"({error.msg.removesuffix(' at')} at character {error.colno}); "
            "correct that line, or take it out."
        ) from error
