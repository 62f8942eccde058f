"""Single values of a table: identifiers as text; nested and unwritable values refused."""

import re
import reprlib
from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from bayesjudge.core.wording import row_listing
from bayesjudge.errors import MixedIdentifierError, NestedValueError, UnwritableNameError

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


# Control characters (tab and line feed among them), line and paragraph separators, and half
# surrogates, which UTF-8 cannot write.
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


_AROUND = 30  # characters of a long name that a message shows before the character


def refuse_unwritable(names: pd.Series, source_row: np.ndarray, what: str) -> None:
    """Refuse names with control characters: files, figures and terminals cannot hold them.

    Parameters
    ----------
    names : pandas.Series of str or None, shape (n_rows,)
        One name a row.
    source_row : ndarray of int, shape (n_rows,)
        Numbers of the rows in the source.
    what : str
        What they name, for the message.

    Raises
    ------
    UnwritableNameError
        If there is such a name; it is written with escapes, and its rows are given.
    """
    found = next((name for name in pd.unique(names.dropna()) if _UNWRITABLE.search(name)), None)
    if found is None:
        return
    rows = np.unique(source_row[(names == found).to_numpy()])
    raise UnwritableNameError(
        f"The {what} {_excerpt(found)} holds a control character, a tab or a line break in "
        f"{row_listing(np.ones(len(rows)), rows)}; take it out of the name, because files and "
        "terminals cannot hold it."
    )


def _excerpt(name: str) -> str:
    """Write a name with escapes; of a long one, what stands around the character."""
    place = re.search(_UNWRITABLE, name)
    start = max(0, place.start() - _AROUND) if place else 0
    part = name[start : start + 2 * _AROUND]
    before, after = ("..." if cut else "" for cut in (start, start + len(part) < len(name)))
    return f"{before}{part!r}{after}"


def text_names(values: pd.Series, what: str) -> pd.Series:
    """Turn identifiers of any type into text, never merging two of them.

    Parameters
    ----------
    values : pandas.Series
        Identifiers: text, whole numbers, or lists of these (joined with "/").
    what : str
        What they name, for messages.

    Returns
    -------
    pandas.Series of object
        Text, with None where the identifier is missing.

    Raises
    ------
    MixedIdentifierError
        If two different identifiers, such as ``1`` and ``"1"``, become the same text.
    """
    values = _join_lists(values)
    codes, unique = pd.factorize(values)
    texts = [identifier_text(value) for value in unique]
    if len(set(texts)) < len(texts):
        clash = min(text for text, count in Counter(texts).items() if count > 1)
        raise MixedIdentifierError(
            f"The {what} {clash!r} occurs both as text and as a number; "
            "write it in one type, because only you can know whether the two are the same."
        )
    lookup = np.array([*texts, None], dtype=object)
    return pd.Series(lookup[codes], index=values.index, dtype=object)


def identifier_text(value: object) -> str:
    """Write one identifier as text: whole numbers without a decimal point, text unchanged."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _join_lists(values: pd.Series) -> pd.Series:
    if values.dtype != object:
        return values
    is_list = values.map(lambda value: isinstance(value, list | tuple | np.ndarray))
    if not is_list.any():
        return values
    joined = values[is_list].map(lambda parts: "/".join(identifier_text(part) for part in parts))
    return values.where(~is_list, joined)
