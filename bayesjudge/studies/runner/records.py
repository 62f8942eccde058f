"""Finished replications on disk, so that an interrupted study goes on where it stopped.

A folder holds ``study.json`` (what decides the numbers, and the package versions) and
``replications.jsonl`` (one line for each finished replication, appended as it arrives).
"""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bayesjudge.errors import (
    DamagedRecordError,
    ForeignFolderError,
    UnknownOptionError,
    UnwritableFolderError,
)
from bayesjudge.studies.runner.replication import Failure, Replication, is_named
from bayesjudge.studies.runner.study import Scalar, Study, definition

DEFINITION, LINES = "study.json", "replications.jsonl"
PACKAGES = ("bayesjudge", "jax", "joblib", "numpy", "numpyro", "pandas", "scipy")


def folder_path(folder: str | Path) -> Path:
    """Return the path of a folder."""
    try:
        return Path(folder)
    except TypeError:
        raise UnknownOptionError(
            f"folder is {folder!r}; give a path, or None to keep results in memory only."
        ) from None


def open_folder(folder: Path, study: Study, seed: int) -> list[Replication]:
    """Claim a folder for a study and return the replications that it already holds."""
    described = definition(study, seed)
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / DEFINITION).exists():
            _demand_no_records(folder)
            _write_definition(folder, described)
        _demand_own(folder, described)
        _remove_torn_line(folder / LINES)
        return list(_read(folder / LINES, study))


def append(folder: Path, finished: list[Replication]) -> None:
    """Append finished replications to a folder that `open_folder` has claimed."""
    with _writing(folder), (folder / LINES).open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(asdict(replication))}\n" for replication in finished)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnwritableFolderError(
            f"{error.filename or folder} cannot be read or written to ({reason}); choose another "
            "folder, or delete what stands in the way."
        ) from error


def _write_definition(folder: Path, described: dict[str, Any]) -> None:
    content = {"definition": described, "versions": {name: version(name) for name in PACKAGES}}
    (folder / DEFINITION).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _definition_of(folder: Path) -> Mapping[str, Any]:
    try:
        stored = json.loads((folder / DEFINITION).read_text(encoding="utf-8"))["definition"]
    except (ValueError, KeyError, TypeError):
        stored = None
    if not isinstance(stored, Mapping):
        raise DamagedRecordError(
            f"{folder / DEFINITION} is not what a study writes; choose another folder."
        )
    return stored


def _demand_own(folder: Path, described: dict[str, Any]) -> None:
    stored = _definition_of(folder)
    differing = [name for name in described if stored.get(name) != described[name]]
    if differing:
        raise ForeignFolderError(
            f"{folder} holds replications of {stored.get('study')!r} with another "
            f"{', '.join(differing)}; choose another folder, or delete this one to start anew."
        )


def _demand_no_records(folder: Path) -> None:
    if (folder / LINES).exists():
        raise ForeignFolderError(
            f"{folder} holds replications and no {DEFINITION} that names their study; choose "
            "another folder."
        )


def _remove_torn_line(path: Path) -> None:
    content = path.read_bytes() if path.exists() else b""
    if content and not content.endswith(b"\n"):
        path.write_bytes(content[: content.rfind(b"\n") + 1])


def _read(path: Path, study: Study) -> Iterator[Replication]:
    # Lines are split as bytes: one that is no text is named by its number like any other.
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    for number, line in enumerate(lines, start=1):
        replication = _replication(line, study)
        if replication is None:
            raise DamagedRecordError(
                f"Line {number} of {path} is not a replication; delete that line to have it run "
                "again."
            )
        yield replication


def _replication(line: bytes, study: Study) -> Replication | None:
    """Read a line; return None if it is not exactly what `append` writes."""
    try:
        stored = json.loads(line.decode("utf-8"))
        failures = tuple(Failure(**failure) for failure in stored["failures"])
        rows = tuple(stored["rows"])
        replication = Replication(stored["setting"], stored["replication"], rows, failures)
        return replication if _is_whole(replication, study) else None
    except (ValueError, KeyError, TypeError):
        return None


def _is_whole(stored: Replication, study: Study) -> bool:
    setting = isinstance(stored.setting, Mapping) and all(
        isinstance(value, Scalar) for value in stored.setting.values()
    )
    number = type(stored.replication) is int and stored.replication >= 0
    rows = all(_is_row(row, study) for row in stored.rows)
    failures = all(_is_failure(failure, study) for failure in stored.failures)
    return setting and number and rows and failures


def _is_row(row: Any, study: Study) -> bool:  # noqa: ANN401
    whole = set(row) == {"estimator", "metric", "value"} and is_named(row, study)
    return whole and type(row["value"]) is float and math.isfinite(row["value"])


def _is_failure(failure: Failure, study: Study) -> bool:
    text = all(isinstance(part, str) for part in asdict(failure).values())
    return text and failure.estimator in ("", *study.estimators)
