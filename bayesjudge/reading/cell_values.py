"""Single values of a table: identifiers as text, numbers, truth values; what is refused."""

import re
import reprlib
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.wording import row_listing
from bayesjudge.errors import (
    InvalidCovariateError,
    MissingCovariateError,
    MixedIdentifierError,
    NestedValueError,
    UnwritableNameError,
)


def refuse_nested(frame: pd.DataFrame, column_names: Mapping[str, str]) -> None:
    """Raise where a cell holds a list or a dict; only a judge may be a list, of plain names."""
    for role in [str(role) for role in frame if frame[role].dtype == object]:
        is_judge = role == "judge"
        wrong = frame[role].map(_is_nested_judge if is_judge else _is_nested).to_numpy(dtype=bool)
        if wrong.any():
            value = frame[role].iloc[int(np.argmax(wrong))]
            plain = "one name, or a flat list of names," if is_judge else "plain text or a number"
            raise NestedValueError(
                f"Column {column_names.get(role, role)!r} holds a {type(value).__name__} "
                f"({reprlib.repr(value)} the first) in "
                f"{row_listing(wrong, frame['source_row'].to_numpy())}; write {plain} in each cell."
            )


_LISTS = (list, tuple, np.ndarray)


def _is_nested(value: object) -> bool:
    return isinstance(value, (*_LISTS, dict, set, frozenset))


def _is_nested_judge(value: object) -> bool:
    return any(map(_is_nested, value)) if isinstance(value, _LISTS) else _is_nested(value)


# Control characters (tab and line feed among them), line and paragraph separators, and half
# surrogates, which UTF-8 cannot write.
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_AROUND = 30  # characters of a long name that a message shows before the character


def refuse_unwritable(names: pd.Series, source_row: np.ndarray, what: str) -> None:
    """Raise where a name holds control characters, which files and terminals cannot hold."""
    odd = next((name for name in pd.unique(names.dropna()) if _UNWRITABLE.search(name)), None)
    if odd is None:
        return
    rows = np.unique(source_row[(names == odd).to_numpy()])
    raise UnwritableNameError(
        f"The {what} {_excerpt(odd)} holds a control character, a tab or a line break in "
        f"{row_listing(np.ones(len(rows)), rows)}; take it out of the name, because files and "
        "terminals cannot hold it."
    )


def _excerpt(name: str) -> str:
    """Write a name with escapes, a long one only around the character."""
    place = re.search(_UNWRITABLE, name)
    start = max(0, place.start() - _AROUND) if place else 0
    part = name[start : start + 2 * _AROUND]
    before, after = ("..." if cut else "" for cut in (start, start + len(part) < len(name)))
    return f"{before}{part!r}{after}"


def text_names(values: pd.Series, what: str) -> pd.Series:
    """Convert identifiers of any type to text, never merging two of them."""
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
    is_list = list_cells(values)
    joined = values[is_list].map(lambda parts: "/".join(identifier_text(part) for part in parts))
    return values.where(~is_list, joined) if is_list.any() else values


def list_cells(values: pd.Series) -> BoolArray:
    """Return which cells hold a list, shape (n_rows,)."""
    if values.dtype != object:
        return np.zeros(len(values), dtype=bool)
    return values.map(lambda value: isinstance(value, _LISTS)).to_numpy(dtype=bool)


_TRUTH = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}


def number_column(values: pd.Series, name: str, rows: np.ndarray | None = None) -> FloatArray:
    """Read a column of finite numbers, NaN where missing; errors tell the `rows` of the source."""
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    unread = np.isnan(numbers) & values.notna().to_numpy()
    if unread.any():
        unread &= (values.astype(str).str.strip().str.casefold() != "nan").to_numpy()
    wrong = unread | np.isinf(numbers)
    if wrong.any():
        example = values.iloc[int(np.argmax(wrong))]
        raise InvalidCovariateError(
            f"Column {name!r} holds {example!r}, which is not a finite number, in "
            f"{row_listing(wrong, rows)}; correct it or leave the column out."
        )
    return numbers


def complete_column(values: pd.Series, name: str, rows: np.ndarray) -> FloatArray:
    """Read a column of numbers in which none may be missing."""
    numbers = number_column(values, name, rows)
    missing = np.isnan(numbers)
    if missing.any():
        raise MissingCovariateError(
            f"Column {name!r} is missing in {row_listing(missing, rows)}; fill it in, or leave "
            "those rows out."
        )
    return numbers


def truth_column(values: pd.Series, name: str) -> BoolArray:
    """Read a column of true and false, also written as text or as 1 and 0."""
    truth = recode_words(values, _TRUTH)
    wrong = pd.isna(truth)
    if wrong.any():
        raise InvalidCovariateError(
            f"Column {name!r} must say true or false, which it does not in {row_listing(wrong)}; "
            "correct it or leave the column out."
        )
    return truth.astype(bool)


def recode_words(values: pd.Series, words: Mapping[str, object]) -> np.ndarray:
    """Replace words, trimmed and casefolded, by what they stand for; None where not known."""
    codes, unique = pd.factorize(values)
    meanings = [words.get(str(value).strip().casefold()) for value in unique]
    return np.array([*meanings, None], dtype=object)[codes]
