"""Histories in files."""

import json
import zlib
from collections.abc import Callable, Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from struct import error as StructError
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from bayesjudge.errors import UnreadableFileError, UnwritableFolderError

NAMES = ("items", "judges", "terms")

DAMAGED = (  # what reading a file that is no archive, or a damaged one, may raise
    BadZipFile,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    OSError,
    RuntimeError,
    StructError,
    ValueError,
    zlib.error,
)


def write_history(path: object, values: dict[str, Any], is_history: Callable[[Path], bool]) -> None:
    """Write arrays and lists of names, to a new file or in place of a history."""
    place = _place_to_write(path, is_history)
    content = BytesIO()  # first in memory, so that no half of a file is left
    names = {name: np.array(json.dumps(values[name])) for name in NAMES}
    np.savez_compressed(content, **values | names)
    try:
        place.write_bytes(content.getvalue())
    except (OSError, ValueError) as error:
        raise _unwritable(place, error) from None


def read_history(path: object, fields: Sequence[str]) -> dict[str, Any]:
    """Read the arrays and lists of names that `write_history` wrote."""
    values = _stored(_content(path), path, fields)
    return values | {name: _names_in(values[name], path) for name in NAMES}


def _place_to_write(path: object, is_history: Callable[[Path], bool]) -> Path:
    if not isinstance(path, str | PathLike) or not str(path):
        raise UnwritableFolderError(
            f"path is {path!r}; give the name of the file to write, such as 'history.npz'."
        )
    place = Path(path)
    if place.is_dir():
        raise UnwritableFolderError(
            f"{str(path)!r} is a folder; give the name of a file in it, such as "
            f"{str(place / 'history.npz')!r}."
        )
    if place.exists() and not is_history(place):
        raise UnwritableFolderError(
            f"The file {str(path)!r} is not a history and was not overwritten; choose another "
            "name, or remove that file first."
        )
    return place


def _unwritable(place: Path, error: Exception) -> UnwritableFolderError:
    return UnwritableFolderError(
        f"The history cannot be written to {str(place)!r} ({_reason(error)}); choose a folder that "
        "exists and is writable."
    )


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).casefold()


def _content(path: object) -> bytes:
    """Return the bytes of a file."""
    if not isinstance(path, str | PathLike) or not str(path):
        raise UnreadableFileError(
            f"path is {path!r}; give the name of a file that "
            "bj.new_items.fit_history(...).save(path) wrote."
        )
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableFileError(
            f"The file {str(path)!r} cannot be read ({_reason(error)}); give one that "
            "bj.new_items.fit_history(...).save(path) wrote."
        ) from None


def _stored(content: bytes, path: object, fields: Sequence[str]) -> dict[str, Any]:
    """Return arrays by name."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            whole = archive.testzip() is None
        with np.load(BytesIO(content), allow_pickle=False) as file:
            values = {name: file[name] for name in fields} if whole else {}
    except DAMAGED:
        values = {}
    if not values:
        raise UnreadableFileError(
            f"The file {str(path)!r} holds no history, or is damaged; give one that "
            "bj.new_items.fit_history(...).save(path) wrote, or write it again."
        )
    return values


def _names_in(value: NDArray[np.str_], path: object) -> tuple[str, ...]:
    """Return the names of one kind."""
    try:
        names = json.loads(str(value))
    except ValueError:
        names = None
    texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not texts or len(set(names)) < len(names):
        raise UnreadableFileError(
            f"The names in {str(path)!r} are not lists of different names; give a file that "
            "bj.new_items.fit_history(...).save(path) wrote."
        )
    return tuple(names)
