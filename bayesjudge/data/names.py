"""Names of items, judges and prompts: as text, in lists, and when they look alike."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from bayesjudge.errors import MixedIdentifierError


def listing(names: Iterable[object], shown: int = 8) -> str:
    """Write names as a list that stays short.

    Parameters
    ----------
    names : iterable
        The names.
    shown : int
        How many to write out where there are more.

    Returns
    -------
    str
        For example ``"a, b and 12 more"``.

    Examples
    --------
    >>> listing(["a", "b", "c"])
    'a, b and c'
    >>> listing(["a", "b", "c", "d"], shown=2)
    'a, b and 2 more'
    """
    texts = [str(name) for name in names]
    if len(texts) > shown + 1:  # "and 1 more" is longer than most names
        texts = [*texts[:shown], f"{len(texts) - shown:,} more"]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural where there is not just one.

    Examples
    --------
    >>> counted(1, "judge"), counted(2000, "row")
    ('1 judge', '2,000 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def chosen_form(number: int, one: str, many: str) -> str:
    """Choose a word by number, so that it agrees with its subject.

    Examples
    --------
    >>> chosen_form(1, "is", "are"), chosen_form(2, "is", "are")
    ('is', 'are')
    """
    return one if number == 1 else many


def row_listing(mask: Sequence[bool] | np.ndarray, source_row: np.ndarray | None = None) -> str:
    """Write which rows a mask marks: how many, and the first three.

    Parameters
    ----------
    mask : array of bool, shape (n_rows,)
        The rows meant.
    source_row : ndarray of int, shape (n_rows,), optional
        Their number in what was read; default 0, 1, 2, ...

    Returns
    -------
    str
        For example ``"4 rows (0, 3, 7 and 2 more, counting from 0)"``.
    """
    marked = np.flatnonzero(np.asarray(mask))
    numbers = marked if source_row is None else np.asarray(source_row)[marked]
    if len(numbers) == 1:
        return f"1 row (row {numbers[0]}, counting from 0)"
    return f"{len(numbers):,} rows ({listing(numbers, 3)}, counting from 0)"


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


def alike_names(names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Find names that differ only in outer spaces, letter case or Unicode composition.

    Parameters
    ----------
    names : iterable of str
        Different names.

    Returns
    -------
    tuple of tuple of str
        Groups of names that look alike, each with two names or more.

    Examples
    --------
    >>> alike_names(["gpt-4", "GPT-4 ", "claude"])
    (('GPT-4 ', 'gpt-4'),)
    """
    groups = defaultdict(list)
    for name in names:
        groups[unicodedata.normalize("NFC", name.strip().casefold())].append(name)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1))


def alike_sentences(names: Iterable[str], what: str) -> tuple[str, ...]:
    """Say which names look alike and were kept apart.

    Parameters
    ----------
    names : iterable of str
        Different names.
    what : str
        What they name, in the plural.

    Returns
    -------
    tuple of str
        One sentence a group.
    """
    return tuple(
        f"The {what} {listing([repr(name) for name in group])} look alike and are kept apart; "
        "rename them before reading if they are the same."
        for group in alike_names(names)
    )
