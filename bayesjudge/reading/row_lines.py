"""The line of a text file at which each row starts, where rows may span lines or lines be blank."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bayesjudge.core.arrays import IntArray

_BLOCK = 1 << 24  # bytes looked at together
_LINE_FEED, _QUOTE, _RETURN = b'\n"\r'


def row_lines(path: Path, n_rows: int) -> IntArray | None:
    """Return the line at which each row starts, counting from 1: -> (n_rows,).

    None where the file has another number of rows by this count, as with single quotation marks.
    """
    starts = [part for part in _row_starts(path) if part.size]
    lines = np.concatenate(starts)[1:] if starts else np.empty(0, dtype=np.int64)  # but for names
    return lines if len(lines) == n_rows else None


def _row_starts(path: Path) -> Iterator[IntArray]:
    """Yield the lines, block by block, at which rows start that are not blank."""
    place = line = quotes = 0  # bytes, line feeds and quotation marks before the block
    row_place, row_line = 0, 1  # where the next row starts
    for block in _blocks(path):
        feeds = np.flatnonzero(block == _LINE_FEED)
        open_quotes = quotes + np.searchsorted(np.flatnonzero(block == _QUOTE), feeds)
        ends = np.flatnonzero(open_quotes % 2 == 0)  # of the line feeds, those that end a row
        end_places = place + feeds[ends]
        row_places = np.append(row_place, end_places + 1)
        row_lines = np.append(row_line, line + ends + 2)
        size = end_places - row_places[:-1]
        yield row_lines[:-1][size > _returns(block, feeds[ends])]
        row_place, row_line = row_places[-1], row_lines[-1]
        place, line, quotes = (
            place + len(block),
            line + len(feeds),
            quotes + int((block == _QUOTE).sum()),
        )
    yield np.array([row_line] if place > row_place else [], dtype=np.int64)


def _returns(block: IntArray, feeds: IntArray) -> IntArray:
    """Return how many of the characters that end a row come before its line feed, 0 or 1."""
    return ((feeds > 0) & (block[feeds - 1] == _RETURN)).astype(np.int64)


def _blocks(path: Path) -> Iterator[np.ndarray]:
    opener = gzip.open if path.name.casefold().endswith(".gz") else open
    with opener(path, "rb") as file:
        while content := file.read(_BLOCK):
            yield np.frombuffer(content, dtype=np.uint8)
