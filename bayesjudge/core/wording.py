"""Lists and numbers in words."""

from collections.abc import Iterable, Sequence

import numpy as np


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
