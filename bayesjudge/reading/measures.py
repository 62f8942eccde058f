"""Lengths, weights, repetitions and further covariates of the rows that are kept."""

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.wording import row_listing
from bayesjudge.errors import InvalidCovariateError, InvalidWeightError
from bayesjudge.reading.numbers import complete_column, number_column
from bayesjudge.reading.plan import Plan

_LENGTHS = ("length_first", "length_second")


def with_lengths(rows: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """Read the two lengths, where there are any, as numbers with gaps.

    Parameters
    ----------
    rows : pandas.DataFrame
        Named rows.
    plan : Plan
        Which columns the lengths were read from.

    Returns
    -------
    pandas.DataFrame
        The rows with lengths as floats.

    Raises
    ------
    InvalidCovariateError
        If a length is not a number, or negative.
    """
    numbers = rows["source_row"].to_numpy()
    lengths = {}
    for role in (role for role in _LENGTHS if role in rows):
        column = plan.roles[role]
        lengths[role] = number_column(rows[role], column, numbers)
        _refuse(lengths[role] < 0, f"Column {column!r} is negative", numbers, "correct the lengths")
    return rows.assign(**lengths)


def measured_rows(rows: pd.DataFrame, plan: Plan) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read weights, repetitions and covariates.

    Parameters
    ----------
    rows : pandas.DataFrame
        The rows that are kept.
    plan : Plan
        Which covariates were asked for.

    Returns
    -------
    rows : pandas.DataFrame
        With ``weight``, ``repeat`` and ``covariate:name`` as numbers.
    notes : tuple of str
        What was decided.

    Raises
    ------
    InvalidWeightError, InvalidCovariateError, MissingCovariateError
        If a number is missing or not one that it may be.
    """
    numbers = rows["source_row"].to_numpy()
    repeat, repeat_notes = _repeats(rows, numbers)
    covariates = {
        f"covariate:{name}": complete_column(rows[f"covariate:{name}"], name, numbers)
        for name in plan.covariates
    }
    turn, turn_notes = _turns(rows, numbers) if "turn" not in plan.covariates else ({}, ())
    measured = rows.assign(weight=_weights(rows, numbers), repeat=repeat, **covariates, **turn)
    return measured, (*repeat_notes, *turn_notes, *_length_notes(rows, plan))


def _weights(rows: pd.DataFrame, numbers: np.ndarray) -> FloatArray:
    if "weight" not in rows:
        return np.ones(len(rows))
    weights = number_column(rows["weight"], "weight", numbers)
    wrong = ~(weights > 0)
    if wrong.any():
        raise InvalidWeightError(
            f"A weight is missing, zero or negative in {row_listing(wrong, numbers)}; weights say "
            "how many verdicts a row stands for, so take out rows that stand for none."
        )
    return weights


def _repeats(rows: pd.DataFrame, numbers: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    if "repeat" not in rows:
        return np.ones(len(rows), dtype=np.int64), ()
    repeat = complete_column(rows["repeat"], "repeat", numbers)
    wrong = (repeat < 0) | (repeat != np.round(repeat))
    _refuse(wrong, "A repetition is not a whole number from 0 or 1", numbers, "number them 1, 2, 3")
    if (repeat == 0).any():
        return repeat.astype(np.int64) + 1, ("Repetitions are counted from 1, not from 0.",)
    return repeat.astype(np.int64), ()


def _turns(
    rows: pd.DataFrame, numbers: np.ndarray
) -> tuple[dict[str, FloatArray], tuple[str, ...]]:
    if "turn" not in rows:
        return {}, ()
    note = "Column 'turn' is kept as a covariate; all turns of a prompt belong to one prompt."
    return {"covariate:turn": complete_column(rows["turn"], "turn", numbers)}, (note,)


def _length_notes(rows: pd.DataFrame, plan: Plan) -> tuple[str, ...]:
    if "length_first" not in rows:
        return ()
    notes = []
    gaps = rows[list(_LENGTHS)].isna().any(axis=1).to_numpy()
    if gaps.any():
        listed = row_listing(gaps, rows["source_row"].to_numpy())
        notes.append(f"Lengths are missing in {listed} and were kept as missing.")
    if "tokens" in plan.roles["length_first"].casefold():
        notes.append("Lengths are counted in tokens.")
    return tuple(notes)


def _refuse(wrong: BoolArray, what: str, numbers: np.ndarray, advice: str) -> None:
    if wrong.any():
        raise InvalidCovariateError(f"{what} in {row_listing(wrong, numbers)}; {advice}.")
