"""Lists and numbers in words."""

from collections.abc import Iterable, Sequence

import numpy as np


def listing(names: Iterable[object], shown: int = 8) -> str:
    """Write names as a list that stays short."""
    texts = [str(name) for name in names]
    if len(texts) > shown + 1:  # "and 1 more" is longer than most names
        texts = [*texts[:shown], f"{len(texts) - shown:,} more"]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural where there is not just one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def chosen_form(number: int, one: str, many: str) -> str:
    """Choose a word by number, so that it agrees with its subject."""
    return one if number == 1 else many


def row_listing(mask: Sequence[bool] | np.ndarray, source_row: np.ndarray | None = None) -> str:
    """Write which rows a mask marks: how many, and the first three.

    Shapes: mask (n_rows,); source_row (n_rows,).
    """
    marked = np.flatnonzero(np.asarray(mask))
    numbers = marked if source_row is None else np.asarray(source_row)[marked]
    if len(numbers) == 1:
        return f"1 row (row {numbers[0]}, counting from 0)"
    return f"{len(numbers):,} rows ({listing(numbers, 3)}, counting from 0)"
