"""Finished replications on disk, so that an interrupted study goes on where it stopped.

A folder holds ``study.json`` (what decides the numbers, and with which versions they were made) and
``replications.jsonl`` (one line a finished replication, appended as it arrives).
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bayesjudge.errors import DamagedRecordError, ForeignFolderError
from bayesjudge.studies.replication import Failure, Replication
from bayesjudge.studies.study import Study, definition

DEFINITION, LINES = "study.json", "replications.jsonl"
PACKAGES = ("bayesjudge", "jax", "joblib", "numpy", "numpyro", "pandas", "scipy")


def open_folder(folder: Path, study: Study, seed: int) -> list[Replication]:
    """Claim a folder for a study and give the replications that it already holds.

    Parameters
    ----------
    folder : Path
        Made if it does not exist.
    study : Study
        The study.
    seed : int
        Seed of the run.

    Returns
    -------
    list of Replication
        Those finished before. A last line that an interruption cut short is removed, and its
        replication run again.

    Raises
    ------
    ForeignFolderError
        If the folder belongs to another study, seed or version of its functions.
    DamagedRecordError
        If a line cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    described = definition(study, seed)
    if not (folder / DEFINITION).exists():
        _demand_no_records(folder)
        content = {"definition": described, "versions": {name: version(name) for name in PACKAGES}}
        (folder / DEFINITION).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    _demand_own(folder, described)
    _remove_torn_line(folder / LINES)
    return list(_read(folder / LINES))


def append(folder: Path, finished: list[Replication]) -> None:
    """Append finished replications to a folder that `open_folder` gave.

    Parameters
    ----------
    folder : Path
        The folder.
    finished : list of Replication
        What is new.
    """
    with (folder / LINES).open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(asdict(each))}\n" for each in finished)


def _demand_own(folder: Path, described: dict[str, Any]) -> None:
    try:
        found = json.loads((folder / DEFINITION).read_text(encoding="utf-8"))["definition"]
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedRecordError(
            f"{folder / DEFINITION} is not what a study writes; choose another folder."
        ) from error
    differing = [name for name in described if found.get(name) != described[name]]
    if differing:
        raise ForeignFolderError(
            f"{folder} holds replications of {found.get('study')!r} with another "
            f"{', '.join(differing)}; choose another folder, or delete this one to start anew."
        )


def _demand_no_records(folder: Path) -> None:
    if (folder / LINES).exists():
        raise ForeignFolderError(
            f"{folder} holds replications and no {DEFINITION} that says of which study; choose "
            "another folder."
        )


def _remove_torn_line(path: Path) -> None:
    content = path.read_bytes() if path.exists() else b""
    if content and not content.endswith(b"\n"):
        path.write_bytes(content[: content.rfind(b"\n") + 1])


def _read(path: Path) -> Iterator[Replication]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, start=1):
        try:
            found = json.loads(line)
            failures = tuple(Failure(**each) for each in found["failures"])
            rows = tuple(found["rows"])
            yield Replication(found["setting"], found["replication"], rows, failures)
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedRecordError(
                f"Line {number} of {path} is not a replication; delete that line, and it is run "
                "again."
            ) from error
