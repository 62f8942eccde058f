"""Single values of a table: identifiers as text, numbers, truth values; what is refused."""

import re
import reprlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.data.odd_names import whole_number
from bayesjudge.data.places import Places
from bayesjudge.errors import (
    InvalidCovariateError,
    MissingCovariateError,
    MixedIdentifierError,
    NestedValueError,
    UnwritableNameError,
)


def refuse_nested(frame: pd.DataFrame, column_names: Mapping[str, str], places: Places) -> None:
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
                f"{places.listing(wrong)}; write {plain} in each cell."
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


def refuse_unwritable(names: pd.Series, places: Places, what: str) -> None:
    """Raise where a name holds control characters, which files and terminals cannot hold."""
    odd = next((name for name in pd.unique(names.dropna()) if _UNWRITABLE.search(name)), None)
    if odd is None:
        return
    marked = Places(places.sources, np.unique(places.rows[(names == odd).to_numpy()]))
    raise UnwritableNameError(
        f"The {what} {_excerpt(odd)} holds a control character, a tab or a line break in "
        f"{marked.listing()}; take it out of the name, because files and "
        "terminals cannot hold it."
    )


def _excerpt(name: str) -> str:
    """Write a name with escapes, a long one only around the character."""
    place = re.search(_UNWRITABLE, name)
    start = max(0, place.start() - _AROUND) if place else 0
    part = name[start : start + 2 * _AROUND]
    before, after = ("..." if cut else "" for cut in (start, start + len(part) < len(name)))
    return f"{before}{part!r}{after}"


def text_names(values: pd.Series, what: str) -> tuple[pd.Series, tuple[str, ...]]:
    """Convert identifiers of any type to text, never merging two of different types."""
    values = _join_lists(values)
    codes, unique = pd.factorize(values)
    texts = [identifier_text(value) for value in unique]
    if len(set(texts)) < len(texts):
        clash = min(text for text, count in Counter(texts).items() if count > 1)
        raise MixedIdentifierError(
            f"The {what} {clash!r} occurs both as text and as a number; "
            "write it in one type, because only you can know whether the two are the same."
        )
    names = whole_names(texts)
    lookup = np.array([*names, None], dtype=object)
    column = pd.Series(lookup[codes], index=values.index, dtype=object)
    return column, _whole_notes(texts, names, what)


def whole_names(texts: Sequence[str]) -> list[str]:
    """Return names without decimal zeros where every name is a whole number, else as they are."""
    numbers = list(takewhile(bool, map(whole_number, texts)))
    return [str(number) for number in numbers] if len(numbers) == len(texts) else list(texts)


def _whole_notes(texts: Sequence[str], names: Sequence[str], what: str) -> tuple[str, ...]:
    changed = next((pair for pair in zip(texts, names, strict=True) if pair[0] != pair[1]), None)
    if changed is None:
        return ()
    return (
        f"The {what}s are whole numbers, some of them written with decimals, and are named without "
        f"them ({changed[1]!r} for {changed[0]!r}).",
    )


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


_TRUTH = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}


def number_column(values: pd.Series, name: str, places: Places) -> FloatArray:
    """Read a column of finite numbers, NaN where missing."""
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    unread = np.isnan(numbers) & values.notna().to_numpy()
    if unread.any():
        unread &= (values.astype(str).str.strip().str.casefold() != "nan").to_numpy()
    wrong = unread | np.isinf(numbers)
    if wrong.any():
        example = values.iloc[int(np.argmax(wrong))]
        raise InvalidCovariateError(
            f"Column {name!r} holds {example!r}, which is not a finite number, in "
            f"{places.listing(wrong)}; correct it or leave the column out."
        )
    return numbers


def complete_column(values: pd.Series, name: str, places: Places) -> FloatArray:
    """Read a column of numbers in which none may be missing."""
    numbers = number_column(values, name, places)
    missing = np.isnan(numbers)
    if missing.any():
        raise MissingCovariateError(
            f"Column {name!r} is missing in {places.listing(missing)}; fill it in, or leave "
            "those rows out."
        )
    return numbers


def truth_column(values: pd.Series, name: str, places: Places) -> BoolArray:
    """Read a column of true and false, also written as text or as 1 and 0."""
    truth = recode_words(values, _TRUTH)
    wrong = pd.isna(truth)
    if wrong.any():
        raise InvalidCovariateError(
            f"Column {name!r} must say true or false, which it does not in "
            f"{places.listing(wrong)}; correct it or leave the column out."
        )
    return truth.astype(bool)


def tells_truth(values: pd.Series) -> bool:
    """Whether a column says true or false wherever it says anything."""
    return not pd.isna(recode_words(values.dropna(), _TRUTH)).any()


def denied(values: pd.Series) -> BoolArray:
    """Return where a column says false: -> (n_rows,)."""
    return recode_words(values, _TRUTH) == False  # noqa: E712 - None is not false


def recode_words(values: pd.Series, words: Mapping[str, object]) -> np.ndarray:
    """Replace words, trimmed and casefolded, by what they stand for; None where not known."""
    codes, unique = pd.factorize(values)
    meanings = [words.get(str(value).strip().casefold()) for value in unique]
    return np.array([*meanings, None], dtype=object)[codes]
