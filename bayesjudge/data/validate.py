"""Checks that the arrays of a table of comparisons fit together."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from bayesjudge.core.arrays import IntArray
from bayesjudge.errors import (
    EmptyComparisonsError,
    InvalidComparisonsError,
    InvalidWeightError,
    SelfComparisonError,
)

ROW_TYPES = {
    "first": np.int64,
    "second": np.int64,
    "verdict": np.int64,
    "judge": np.int64,
    "prompt": np.int64,
    "order_known": np.bool_,
    "weight": np.float64,
    "repeat": np.int64,
    "source_row": np.int64,
}


def validate_comparisons(data: Mapping[str, Any]) -> None:
    """Raise unless the arrays of a table fit together; `data` maps its fields to their values."""
    n_rows = len(data["first"])
    if n_rows == 0:
        raise EmptyComparisonsError(
            "No comparison is left; keep at least one row with two different items and a verdict."
        )
    _check_shapes(data, n_rows)
    _check_names(data)
    for name, size in (
        ("first", len(data["items"])),
        ("second", len(data["items"])),
        ("verdict", 3),
        ("judge", len(data["judges"])),
        ("prompt", len(data["prompts"])),
    ):
        _check_indices(name, np.asarray(data[name]), size)
    _check_different_items(data)
    _check_weights(data)


def _check_shapes(data: Mapping[str, Any], n_rows: int) -> None:
    columns = {name: data[name] for name in ROW_TYPES} | dict(data["covariates"])
    optional = {name: data[name] for name in ("length_first", "length_second", "outcome_detail")}
    columns |= {name: column for name, column in optional.items() if column is not None}
    for name, column in columns.items():
        _check_shape(name, column, n_rows, "row")
    _check_shape("human", data["human"], len(data["judges"]), "judge")


def _check_shape(name: str, values: Any, size: int, what: str) -> None:  # noqa: ANN401
    if np.shape(values) != (size,):
        raise InvalidComparisonsError(
            f"`{name}` has shape {np.shape(values)}, but there are {size} {what}s; give one value "
            f"a {what}."
        )


def _check_names(data: Mapping[str, Any]) -> None:
    for field in ("items", "judges", "prompts"):
        if any(left >= right for left, right in pairwise(data[field])):
            raise InvalidComparisonsError(
                f"`{field}` must be sorted and without repetition; sort the names and renumber."
            )


def _check_indices(name: str, index: IntArray, size: int) -> None:
    if index.dtype.kind not in "iu":
        raise InvalidComparisonsError(f"`{name}` holds {index.dtype} values; give integer indices.")
    wrong = (index < 0) | (index >= size)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidComparisonsError(
            f"`{name}` is {index[row]} in row {row}, but must lie between 0 and {size - 1}; "
            "check the numbering."
        )


def _check_different_items(data: Mapping[str, Any]) -> None:
    same = np.asarray(data["first"]) == np.asarray(data["second"])
    if same.any():
        row = int(np.argmax(same))
        raise SelfComparisonError(
            f"Row {row} compares {data['items'][data['first'][row]]!r} with itself; leave such "
            "rows out."
        )


def _check_weights(data: Mapping[str, Any]) -> None:
    weight = np.asarray(data["weight"], dtype=float)
    wrong = ~(np.isfinite(weight) & (weight > 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidWeightError(
            f"The weight in row {row} is {weight[row]}; weights must be positive and finite, "
            "so leave out rows that should not count."
        )
