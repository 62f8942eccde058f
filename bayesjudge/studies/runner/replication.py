"""One replication of a study: draw, fit, measure; what fails is kept with its message."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesjudge.errors import InvalidStudyError
from bayesjudge.studies.runner.study import Row, Setting, Study, setting_key


@dataclass(frozen=True)
class Failure:
    """Something that a replication did not give.

    Attributes
    ----------
    estimator : str
        Whose estimate failed; empty if the draw or the metrics did, and so the whole replication.
    metric : str
        The metric that was not finite; empty if the estimate itself failed.
    message : str
        The error, with its class.
    """

    estimator: str
    metric: str
    message: str


@dataclass(frozen=True)
class Replication:
    """What one replication gave.

    Attributes
    ----------
    setting : mapping
        Its setting.
    replication : int
        Its number, from 0.
    rows : tuple of mapping
        ``estimator``, ``metric`` and ``value``, which is finite.
    failures : tuple of Failure
        What it did not give.
    """

    setting: Setting
    replication: int
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]


def replication_seed(seed: int, setting: Setting, replication: int) -> int:
    """Give the seed of one replication.

    Parameters
    ----------
    seed : int
        Seed of the run.
    setting : mapping
        The setting; its values count, not its place among the settings.
    replication : int
        Number of the replication.

    Returns
    -------
    int
        Below 2**63; depends on nothing but the arguments.

    Examples
    --------
    >>> replication_seed(1, {"size": 10}, 0) == replication_seed(1, {"size": 10}, 1)
    False
    """
    digest = hashlib.sha256(setting_key(setting).encode()).digest()
    key = [*np.frombuffer(digest[:16], "<u4").tolist(), replication]
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0] >> 1)


def replicate(study: Study, setting: Setting, replication: int, seed: int) -> Replication:
    """Run one replication; errors become failures.

    Parameters
    ----------
    study : Study
        The study.
    setting : mapping
        One of its settings.
    replication : int
        Number of the replication.
    seed : int
        Seed of the run.

    Returns
    -------
    Replication
        Rows and failures.

    Raises
    ------
    InvalidStudyError
        If the metrics give rows that are not of the form `Study` asks for.
    """
    failures: list[Failure] = []
    try:
        drawn = study.draw(setting, replication_seed(seed, setting, replication))
        estimates = _estimates(study, drawn, failures)
        given = list(study.metrics(drawn, estimates)) if estimates else []
    except Exception as error:  # whatever it is, it is counted and shown
        failures.append(Failure("", "", _message(error)))
        given = []
    rows = _checked(given, study)
    failures += [_not_finite(row) for row in rows if not math.isfinite(row["value"])]
    finite = tuple(row for row in rows if math.isfinite(row["value"]))
    return Replication(setting, replication, finite, tuple(failures))


def _estimates(study: Study, drawn: object, failures: list[Failure]) -> dict[str, Any]:
    found = {}
    for name, estimator in study.estimators.items():
        try:
            found[name] = estimator(drawn)
        except Exception as error:
            failures.append(Failure(name, "", _message(error)))
    return found


def _message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _not_finite(row: Row) -> Failure:
    message = f"The metric is {row['value']}; a metric must be a finite number."
    return Failure(row["estimator"], row["metric"], message)


def _checked(given: list[Any], study: Study) -> list[dict[str, Any]]:
    """Check the rows of the metrics, and give their numbers as plain Python ones."""
    rows = [_row(each, study) for each in given]
    if len({(row["estimator"], row["metric"]) for row in rows}) < len(rows):
        raise InvalidStudyError(
            f"The metrics of {study.name!r} gave one metric of one estimator twice; give each a "
            "name of its own."
        )
    return rows


def _row(given: object, study: Study) -> dict[str, Any]:
    if not isinstance(given, Mapping) or set(given) != {"estimator", "metric", "value"}:
        raise InvalidStudyError(
            f"The metrics of {study.name!r} gave {given!r}; give mappings of estimator, metric and "
            "value."
        )
    value = _number(given["value"])
    if value is None or not is_named(given, study):
        raise InvalidStudyError(
            f"The metrics of {study.name!r} gave {given!r}; name one of the study's estimators, a "
            "metric by a word, and give a number."
        )
    return dict(given) | {"value": value}


def _number(given: object) -> float | None:
    """Give a plain number; text is none, even where Python would read it as one."""
    if isinstance(given, str | bytes):
        return None
    try:
        return float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None


def is_named(row: Row, study: Study) -> bool:
    """Tell whether a row is of one of a study's estimators and of a metric with a name.

    Parameters
    ----------
    row : mapping
        With ``estimator`` and ``metric``.
    study : Study
        The study.

    Returns
    -------
    bool
        False too where they are no text.
    """
    estimator, metric = row["estimator"], row["metric"]
    if not isinstance(estimator, str) or not isinstance(metric, str) or not metric:
        return False
    return estimator in study.estimators
