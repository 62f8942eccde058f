"""Columns of numbers and of true / false, read strictly."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.wording import row_listing
from bayesjudge.errors import InvalidCovariateError, MissingCovariateError

_TRUTH: dict[str, bool] = {
    "true": True,
    "1": True,
    "1.0": True,
    "false": False,
    "0": False,
    "0.0": False,
}


def number_column(values: pd.Series, name: str, rows: np.ndarray | None = None) -> FloatArray:
    """Read a column of numbers.

    Parameters
    ----------
    values : pandas.Series, shape (n_rows,)
        Numbers, or text that spells them.
    name : str
        The column's name, for messages.
    rows : ndarray of int, shape (n_rows,), optional
        Numbers of the rows in the source.

    Returns
    -------
    ndarray of float, shape (n_rows,)
        NaN where a value is missing.

    Raises
    ------
    InvalidCovariateError
        If a value is there but is not a finite number.
    """
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
    """Read a column of numbers in which none may be missing.

    Parameters
    ----------
    values : pandas.Series, shape (n_rows,)
        Numbers, or text that spells them.
    name : str
        The column's name.
    rows : ndarray of int, shape (n_rows,)
        Numbers of the rows in the source.

    Returns
    -------
    ndarray of float, shape (n_rows,)
        Finite numbers.

    Raises
    ------
    MissingCovariateError
        If a number is missing; it says how many and where.
    """
    numbers = number_column(values, name, rows)
    refuse_missing(np.isnan(numbers), name, rows, "fill it in, or leave those rows out")
    return numbers


def refuse_missing(missing: BoolArray, name: str, rows: np.ndarray, advice: str) -> None:
    """Raise if anything is missing, naming the column, the count and the first rows.

    Parameters
    ----------
    missing : ndarray of bool, shape (n_rows,)
        Where the column is missing.
    name : str
        The column's name.
    rows : ndarray of int, shape (n_rows,)
        Numbers of the rows in the source.
    advice : str
        What to do next.

    Raises
    ------
    MissingCovariateError
        If anything is missing.
    """
    if missing.any():
        raise MissingCovariateError(
            f"Column {name!r} is missing in {row_listing(missing, rows)}; {advice}."
        )


def truth_column(values: pd.Series, name: str) -> BoolArray:
    """Read a column of true and false, also written as text or as 1 and 0.

    Parameters
    ----------
    values : pandas.Series, shape (n_rows,)
        Truth values.
    name : str
        The column's name, for messages.

    Returns
    -------
    ndarray of bool, shape (n_rows,)
        The truth values.

    Raises
    ------
    InvalidCovariateError
        If a value is missing or is neither.
    """
    truth = recode_words(values, _TRUTH)
    wrong = pd.isna(truth)
    if wrong.any():
        raise InvalidCovariateError(
            f"Column {name!r} must say true or false, which it does not in {row_listing(wrong)}; "
            "correct it or leave the column out."
        )
    return truth.astype(bool)


def recode_words(values: pd.Series, words: Mapping[str, object]) -> np.ndarray:
    """Replace words, trimmed and casefolded, by what they stand for.

    Parameters
    ----------
    values : pandas.Series, shape (n_rows,)
        Words, or anything that can be written as text.
    words : mapping of str to object
        The known words.

    Returns
    -------
    ndarray of object, shape (n_rows,)
        None where the value is missing or not known.
    """
    codes, unique = pd.factorize(values)
    meanings = [words.get(str(value).strip().casefold()) for value in unique]
    return np.array([*meanings, None], dtype=object)[codes]
