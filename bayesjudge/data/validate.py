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

_PER_ROW = (
    "first",
    "second",
    "verdict",
    "judge",
    "prompt",
    "order_known",
    "weight",
    "repeat",
    "source_row",
)


def validate_comparisons(data: Mapping[str, Any]) -> None:
    """Refuse a table whose arrays do not fit together.

    Parameters
    ----------
    data : mapping
        Fields of the table by name, before its arrays are frozen.

    Raises
    ------
    EmptyComparisonsError, InvalidComparisonsError, InvalidWeightError, SelfComparisonError
        Each says which array is wrong and in which row.
    """
    n_rows = len(data["first"])
    if n_rows == 0:
        raise EmptyComparisonsError(
            "No comparison is left; keep at least one row with two different items and a verdict."
        )
    _check_shapes(data, n_rows)
    _check_names(data)
    _check_indices("first", data["first"], len(data["items"]))
    _check_indices("second", data["second"], len(data["items"]))
    _check_indices("verdict", data["verdict"], 3)
    _check_indices("judge", data["judge"], len(data["judges"]))
    _check_indices("prompt", data["prompt"], len(data["prompts"]))
    _check_different_items(data)
    _check_weights(data)


def _check_shapes(data: Mapping[str, Any], n_rows: int) -> None:
    columns = {name: data[name] for name in _PER_ROW} | dict(data["covariates"])
    for name in ("length_first", "length_second", "outcome_detail"):
        if data[name] is not None:
            columns[name] = data[name]
    for name, column in columns.items():
        if np.shape(column) != (n_rows,):
            raise InvalidComparisonsError(
                f"`{name}` has shape {np.shape(column)}, but there are {n_rows} rows; "
                "give one value a row."
            )
    if np.shape(data["human"]) != (len(data["judges"]),):
        raise InvalidComparisonsError(
            f"`human` has shape {np.shape(data['human'])}, but there are {len(data['judges'])} judges; "
            "give one value a judge."
        )


def _check_names(data: Mapping[str, Any]) -> None:
    for field in ("items", "judges", "prompts"):
        names = data[field]
        if any(left >= right for left, right in pairwise(names)):
            raise InvalidComparisonsError(
                f"`{field}` must be sorted and without repetition; sort the names and renumber."
            )


def _check_indices(name: str, index: IntArray, size: int) -> None:
    index = np.asarray(index)
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
            f"Row {row} compares {data['items'][data['first'][row]]!r} with itself; leave such rows out."
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
