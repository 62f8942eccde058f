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
    """A number that a replication failed to give.

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
    """The numbers of one replication.

    Attributes
    ----------
    setting : mapping
        Its setting.
    replication : int
        Its number, from 0.
    rows : tuple of mapping
        ``estimator``, ``metric`` and ``value``, which is finite.
    failures : tuple of Failure
        What failed.
    """

    setting: Setting
    replication: int
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]


def replication_seed(seed: int, setting: Setting, replication: int) -> int:
    """Return the seed of one replication, which depends on nothing but these three."""
    digest = hashlib.sha256(setting_key(setting).encode()).digest()
    key = [*np.frombuffer(digest[:16], "<u4").tolist(), replication]
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0] >> 1)


def replicate(study: Study, setting: Setting, replication: int, seed: int) -> Replication:
    """Run one replication; errors of the study's functions become failures."""
    failures: list[Failure] = []
    try:
        drawn = study.draw(setting, replication_seed(seed, setting, replication))
        estimates = _estimates(study, drawn, failures)
        measured = list(study.metrics(drawn, estimates)) if estimates else []
    except Exception as error:  # whatever it is, it is counted and shown
        failures.append(Failure("", "", _message(error)))
        measured = []
    rows = _checked(measured, study)
    failures += [_not_finite(row) for row in rows if not math.isfinite(row["value"])]
    finite = tuple(row for row in rows if math.isfinite(row["value"]))
    return Replication(setting, replication, finite, tuple(failures))


def _estimates(study: Study, drawn: object, failures: list[Failure]) -> dict[str, Any]:
    estimates = {}
    for name, estimator in study.estimators.items():
        try:
            estimates[name] = estimator(drawn)
        except Exception as error:
            failures.append(Failure(name, "", _message(error)))
    return estimates


def _message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _not_finite(row: Row) -> Failure:
    message = f"The metric is {row['value']}; a metric must be a finite number."
    return Failure(row["estimator"], row["metric"], message)


def _checked(measured: list[Any], study: Study) -> list[dict[str, Any]]:
    """Check the rows of the metrics and return them with plain Python numbers."""
    rows = [_row(row, study) for row in measured]
    if len({(row["estimator"], row["metric"]) for row in rows}) < len(rows):
        raise InvalidStudyError(
            f"The metrics of {study.name!r} gave one metric of one estimator twice; give each a "
            "name of its own."
        )
    return rows


def _row(row: object, study: Study) -> dict[str, Any]:
    if not isinstance(row, Mapping) or set(row) != {"estimator", "metric", "value"}:
        raise InvalidStudyError(
            f"The metrics of {study.name!r} gave {row!r}; return mappings of estimator, metric and "
            "value."
        )
    value = _number(row["value"])
    if value is None or not is_named(row, study):
        raise InvalidStudyError(
            f"The metrics of {study.name!r} gave {row!r}; name one of the study's estimators and a "
            "metric by text, and give a number."
        )
    return dict(row) | {"value": value}


def _number(value: object) -> float | None:
    """Return a plain number; None for text, even where Python would read it as a number."""
    if isinstance(value, str | bytes):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None


def is_named(row: Row, study: Study) -> bool:
    """Whether a row names one of a study's estimators, and a metric."""
    estimator, metric = row["estimator"], row["metric"]
    if not isinstance(estimator, str) or not isinstance(metric, str) or not metric:
        return False
    return estimator in study.estimators
