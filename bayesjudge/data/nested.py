"""Cells that hold a list or a dict where a single value belongs."""

import reprlib
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from bayesjudge.data.names import row_listing
from bayesjudge.errors import NestedValueError

_GAMES = "games"  # the one column of a table's form that holds lists
_COVARIATE = "covariate:"


def refuse_nested(frame: pd.DataFrame, column_names: Mapping[str, str]) -> pd.DataFrame:
    """Refuse lists and dicts in cells; only a judge may be a list, of plain names.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns by role, and ``source_row``.
    column_names : mapping of str to str
        Role to column, for messages.

    Returns
    -------
    pandas.DataFrame
        The frame, unchanged.

    Raises
    ------
    NestedValueError
        If a cell holds a list or a dict.
    """
    for role in frame.columns:
        if role == _GAMES or frame[role].dtype != object:
            continue
        wrong = frame[role].map(_is_wrong(role)).to_numpy(dtype=bool)
        if wrong.any():
            name = column_names.get(role, role.removeprefix(_COVARIATE))
            raise _nested_value(role, name, frame[role].iloc[int(np.argmax(wrong))], frame, wrong)
    return frame


def _is_wrong(role: str) -> Callable[[object], bool]:
    return _is_nested_judge if role == "judge" else _is_nested


def _is_nested(value: object) -> bool:
    return isinstance(value, list | dict | tuple | set | frozenset | np.ndarray)


def _is_nested_judge(value: object) -> bool:
    if isinstance(value, list | tuple | np.ndarray):
        return any(_is_nested(part) for part in value)
    return _is_nested(value)


def _nested_value(
    role: str, name: str, value: object, frame: pd.DataFrame, wrong: np.ndarray
) -> NestedValueError:
    plain = "one name, or a flat list of names," if role == "judge" else "plain text or a number"
    return NestedValueError(
        f"Column {name!r} holds a {type(value).__name__} ({reprlib.repr(value)} the first) in "
        f"{row_listing(wrong, frame['source_row'].to_numpy())}; write {plain} in each cell."
    )
