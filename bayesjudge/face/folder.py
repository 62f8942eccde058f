"""The folder of results: it holds the files of one run, and nobody else's are touched."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from bayesjudge.errors import UnwritableFolderError

REPORT = "report.json"
NAMES = (  # of all files that one ranking may have
    "rankings.csv",
    "judges.csv",
    "win_probability.csv",
    "fit.nc",
    "sandwich.nc",
    "humans.nc",
    "ranking.png",
    "win_probability.png",
    "position.png",
    "humans_ranking.png",
    REPORT,
)


def open_folder(path: Path, inner: Iterable[str] = ()) -> Path:
    """Create a folder, or clear the files of an earlier run out of it, before any long work.

    Raises where it cannot be written to, or where a file of another origin has the name of one that
    may be written, in it or in one of its inner folders.
    """
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            earlier = _earlier_files(path)
        names = {*NAMES, *(f"{folder}/{name}" for folder in inner for name in NAMES)}
        _refuse_foreign(path, names - set(earlier))
        _remove(path, earlier)
    return path


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Raise a failure to write as one sentence about the folder."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnwritableFolderError(
            f"Nothing can be written to {str(folder)!r} ({reason.casefold()}); choose another "
            "folder with --out."
        ) from error


def _earlier_files(folder: Path) -> list[str]:
    """Return the files that the report of an earlier run lists, if there is one."""
    try:
        document = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    if not isinstance(document, dict) or "bayesjudge" not in document:
        return []
    files = document.get("files")
    return [name for name in files if _is_inside(name)] if isinstance(files, dict) else []


def _is_inside(name: str) -> bool:
    """Whether a name is that of a ranking's file, in the folder or in a folder in it."""
    path = PurePosixPath(name)
    return path.name in NAMES and len(path.parts) <= 2 and path.parts[0] not in ("..", "/")


def _refuse_foreign(folder: Path, names: set[str]) -> None:
    taken = sorted(name for name in names if (folder / name).exists())
    if taken:
        raise UnwritableFolderError(
            f"{str(folder)!r} already holds {taken[0]!r}, which no report.json there lists as a "
            "file of an earlier run; move it, or choose another folder with --out."
        )


def _remove(folder: Path, names: list[str]) -> None:
    """Remove files, and the folders in the folder that are empty without them."""
    for name in names:
        (folder / name).unlink(missing_ok=True)
    for inner in {(folder / name).parent for name in names} - {folder}:
        if inner.is_dir() and not any(inner.iterdir()):
            inner.rmdir()
