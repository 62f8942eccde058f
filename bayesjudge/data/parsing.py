"""What a parser complains of, turned into one sentence about the file."""

import csv
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyarrow.lib import ArrowException  # type: ignore[import-untyped]

from bayesjudge.errors import BayesjudgeError, UnreadableFileError

_GZIP_MARK = b"\x1f\x8b"


@contextmanager
def parsing(path: Path) -> Iterator[None]:
    """Turn whatever a parser says into one sentence about the file.

    Parameters
    ----------
    path : pathlib.Path
        The file that is parsed.

    Raises
    ------
    UnreadableFileError
        Where a parser gives up.
    """
    try:
        yield
    except BayesjudgeError:
        raise
    except UnicodeDecodeError as error:
        raise not_utf8(path) from error
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


def not_utf8(path: Path) -> UnreadableFileError:
    """Say that a file is not text in UTF-8, and what to do.

    Parameters
    ----------
    path : pathlib.Path
        The file.

    Returns
    -------
    UnreadableFileError
        To be raised by the caller.
    """
    with path.open("rb") as file:
        compressed = file.read(2) == _GZIP_MARK
    if compressed and not is_compressed(path):
        return UnreadableFileError(
            f"{path.name!r} is compressed by gzip; give it the ending {path.suffix + '.gz'!r}."
        )
    return UnreadableFileError(
        f"{path.name!r} is not text in UTF-8; save it as UTF-8, and check that it is rightly named."
    )


def is_compressed(path: Path) -> bool:
    """Whether the file's ending says that it is compressed."""
    return path.name.casefold().endswith(".gz")


def file_text(path: Path) -> str:
    """Read a whole text file, compressed or not, without a byte order mark."""
    content = path.read_bytes()
    return (gzip.decompress(content) if is_compressed(path) else content).decode("utf-8-sig")
