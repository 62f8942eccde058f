"""Lengths, weights, repetitions and further covariates of the rows that are kept."""

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.wording import row_listing
from bayesjudge.errors import InvalidCovariateError, InvalidWeightError
from bayesjudge.reading.cell_values import complete_column, number_column
from bayesjudge.reading.plan import COVARIATE, LENGTHS, Plan


def with_lengths(rows: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """Read the two lengths, where there are any, as numbers with gaps."""
    numbers = rows["source_row"].to_numpy()
    lengths = {}
    for role in (role for role in LENGTHS if role in rows):
        column = plan.roles[role]
        lengths[role] = number_column(rows[role], column, numbers)
        _refuse(lengths[role] < 0, f"Column {column!r} is negative", numbers, "correct the lengths")
    return rows.assign(**lengths)


def measured_rows(rows: pd.DataFrame, plan: Plan) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read weights, repetitions and covariates."""
    numbers = rows["source_row"].to_numpy()
    repeat, repeat_notes = _repeats(rows, numbers)
    covariates = {
        COVARIATE + name: complete_column(rows[COVARIATE + name], name, numbers)
        for name in plan.covariates
    }
    turn, turn_notes = _turns(rows, plan, numbers)
    measured = rows.assign(weight=_weights(rows, numbers), repeat=repeat, **covariates, **turn)
    return measured, (*repeat_notes, *turn_notes, *_length_notes(rows, plan))


def _weights(rows: pd.DataFrame, numbers: IntArray) -> FloatArray:
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


def _repeats(rows: pd.DataFrame, numbers: IntArray) -> tuple[IntArray, tuple[str, ...]]:
    if "repeat" not in rows:
        return np.ones(len(rows), dtype=np.int64), ()
    repeat = complete_column(rows["repeat"], "repeat", numbers)
    wrong = (repeat < 0) | (repeat != np.round(repeat))
    _refuse(wrong, "A repetition is not a whole number from 0 or 1", numbers, "number them 1, 2, 3")
    if (repeat == 0).any():
        return repeat.astype(np.int64) + 1, ("Repetitions are counted from 1, not from 0.",)
    return repeat.astype(np.int64), ()


def _turns(
    rows: pd.DataFrame, plan: Plan, numbers: IntArray
) -> tuple[dict[str, FloatArray], tuple[str, ...]]:
    if "turn" not in rows or "turn" in plan.covariates:
        return {}, ()
    note = "Column 'turn' is kept as a covariate; all turns of a prompt belong to one prompt."
    return {COVARIATE + "turn": complete_column(rows["turn"], "turn", numbers)}, (note,)


def _length_notes(rows: pd.DataFrame, plan: Plan) -> tuple[str, ...]:
    if "length_first" not in rows:
        return ()
    notes = []
    gaps = rows[list(LENGTHS)].isna().any(axis=1).to_numpy()
    if gaps.any():
        listed = row_listing(gaps, rows["source_row"].to_numpy())
        notes.append(f"Lengths are missing in {listed} and were kept as missing.")
    if plan.length_unit:
        notes.append(f"Lengths are counted in {plan.length_unit}.")
    return tuple(notes)


def _refuse(wrong: BoolArray, what: str, numbers: IntArray, advice: str) -> None:
    if wrong.any():
        raise InvalidCovariateError(f"{what} in {row_listing(wrong, numbers)}; {advice}.")
