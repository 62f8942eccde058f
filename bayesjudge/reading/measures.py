"""Lengths, weights, repetitions and further covariates of the rows that are kept."""

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.wording import chosen_form, counted
from bayesjudge.data.places import Places
from bayesjudge.errors import InvalidCovariateError, InvalidWeightError
from bayesjudge.reading.cell_values import complete_column, number_column
from bayesjudge.reading.options import ReadOptions
from bayesjudge.reading.plan import COVARIATE, LENGTHS, Plan

MANY, LARGE = 30, 10.0  # distinct weights, and their median, that are seldom numbers of verdicts


def with_lengths(rows: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """Read the two lengths, where there are any, as numbers with gaps."""
    places = plan.places(rows)
    lengths = {}
    for role in (role for role in LENGTHS if role in rows):
        column = plan.roles[role]
        lengths[role] = number_column(rows[role], column, places)
        _refuse(lengths[role] < 0, f"Column {column!r} is negative", places, "correct the lengths")
    return rows.assign(**lengths)


def measured_rows(
    rows: pd.DataFrame, plan: Plan, options: ReadOptions
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read weights, repetitions and covariates."""
    places = plan.places(rows)
    repeat, repeat_notes = _repeats(rows, plan, places)
    covariates = {
        COVARIATE + name: complete_column(rows[COVARIATE + name], name, places)
        for name in plan.covariates
    }
    turn, turn_notes = _turns(rows, plan, places)
    measured = rows.assign(weight=_weights(rows, plan, places), repeat=repeat, **covariates, **turn)
    weight_notes = _weight_notes(measured, plan, options.columns.get("weight") is not None)
    return measured, (*weight_notes, *repeat_notes, *turn_notes, *_length_notes(rows, plan))


def _weights(rows: pd.DataFrame, plan: Plan, places: Places) -> FloatArray:
    if "weight" not in rows:
        return np.ones(len(rows))
    weights = number_column(rows["weight"], plan.roles.get("weight", "weight"), places)
    wrong = ~(weights > 0)
    if wrong.any():
        raise InvalidWeightError(
            f"A weight is missing, zero or negative in {places.listing(wrong)}; weights say "
            "how many verdicts a row stands for, so take out rows that stand for none."
        )
    return weights


def _weight_notes(rows: pd.DataFrame, plan: Plan, chosen: bool) -> tuple[str, ...]:
    """Tell the range of weights, and question those that no user chose and that seem to be none."""
    weight = rows["weight"].to_numpy()
    if "weight" not in plan.roles or (weight == 1).all():
        return ()
    column = plan.roles["weight"]
    low, high = (f"{bound:,g}" for bound in (weight.min(), weight.max()))
    extent = f"are all {low}" if low == high else f"range from {low} to {high}"
    told = (
        f"Column {column!r} is read as weights, which {extent}: {counted(len(rows), 'row')} "
        f"{chosen_form(len(rows), 'counts', 'count')} as {weight.sum():,g} verdicts."
    )
    if chosen or not _doubtful_weights(rows, "prompt" in plan.roles):
        return (told,)
    doubt = (
        "These weights are large and differ from row to row, as lengths and running numbers do; "
        f"unless {column!r} counts the verdicts that a row stands for, intervals will be far too "
        "narrow, and the table is to be read without it: columns={'weight': None}."
    )
    return (told, doubt)


def _doubtful_weights(rows: pd.DataFrame, prompts_stated: bool) -> bool:
    """Whether weights are large and diverse where rows are no totals over prompts."""
    distinct = rows["weight"].nunique()
    totals = ["judge", "item_first", "item_second", "code"]
    if not prompts_stated and not rows.duplicated(totals).any():
        return False
    return bool(distinct >= min(MANY, max(3, len(rows) / 2)) and rows["weight"].median() >= LARGE)


def _repeats(rows: pd.DataFrame, plan: Plan, places: Places) -> tuple[IntArray, tuple[str, ...]]:
    if "repeat" not in rows:
        return np.ones(len(rows), dtype=np.int64), ()
    repeat = complete_column(rows["repeat"], plan.roles["repeat"], places)
    wrong = (repeat < 0) | (repeat != np.round(repeat))
    advice = "number them 1, 2, 3, or read without them: columns={'repeat': None}"
    _refuse(wrong, "A repetition is not a whole number from 0 or 1", places, advice)
    if (repeat == 0).any():
        return repeat.astype(np.int64) + 1, ("Repetitions are counted from 1, not from 0.",)
    return repeat.astype(np.int64), ()


def _turns(
    rows: pd.DataFrame, plan: Plan, places: Places
) -> tuple[dict[str, FloatArray], tuple[str, ...]]:
    if "turn" not in rows or "turn" in plan.covariates:
        return {}, ()
    name = plan.roles["turn"]
    note = f"Column {name!r} is kept as a covariate; all turns of a prompt belong to one prompt."
    return {COVARIATE + "turn": complete_column(rows["turn"], name, places)}, (note,)


def _length_notes(rows: pd.DataFrame, plan: Plan) -> tuple[str, ...]:
    if "length_first" not in rows:
        return ()
    notes = []
    gaps = rows[list(LENGTHS)].isna().any(axis=1).to_numpy()
    if gaps.any():
        listed = plan.places(rows).listing(gaps)
        notes.append(f"Lengths are missing in {listed} and were kept as missing.")
    if plan.length_unit:
        notes.append(f"Lengths are counted in {plan.length_unit}.")
    return tuple(notes)


def _refuse(wrong: BoolArray, what: str, places: Places, advice: str) -> None:
    if wrong.any():
        raise InvalidCovariateError(f"{what} in {places.listing(wrong)}; {advice}.")
