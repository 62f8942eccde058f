"""Rows that are no verdict on two items: refused, or left out on request and counted."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray
from bayesjudge.core.wording import listing, row_listing
from bayesjudge.data.comparisons import Dropped, rows_by_reason
from bayesjudge.errors import (
    BayesjudgeError,
    EmptyComparisonsError,
    InvalidVerdictError,
    MissingCovariateError,
    MissingVerdictError,
    SelfComparisonError,
)
from bayesjudge.reading.options import ReadOptions
from bayesjudge.reading.verdicts import FAILED_VERDICT, MISSING, SPECIAL_TIE


def leave_out(
    rows: pd.DataFrame, options: ReadOptions, column_names: Mapping[str, str]
) -> tuple[pd.DataFrame, tuple[Dropped, ...]]:
    """Refuse or leave out self comparisons, missing and failed verdicts, missing lengths.

    Parameters
    ----------
    rows : pandas.DataFrame
        Named rows with ``code`` and ``label`` of the verdict.
    options : ReadOptions
        What to do with which rows.
    column_names : mapping of str to str
        Role to column, for messages.

    Returns
    -------
    rows : pandas.DataFrame
        What is left.
    dropped : tuple of Dropped
        What was left out, by reason, judge and display order.

    Raises
    ------
    SelfComparisonError, MissingVerdictError, InvalidVerdictError, MissingCovariateError
        If there are such rows and they may not be left out.
    EmptyComparisonsError
        If nothing is left.
    """
    reasons = np.full(len(rows), None, dtype=object)
    for mask, reason, may_drop, refusal in _checks(rows, options, column_names):
        new = mask & pd.isna(reasons)
        if new.any() and not may_drop:
            raise refusal(rows[new])
        reasons[new] = reason[new] if isinstance(reason, np.ndarray) else reason
    left_out = ~pd.isna(reasons)
    if not left_out.any():
        return rows, ()
    dropped = _count_dropped(rows[left_out], reasons[left_out])
    if left_out.all():
        raise EmptyComparisonsError(
            f"No comparison is left of {len(rows):,} rows: {_waterfall(dropped)}; check the "
            "verdict column and what was asked to be left out."
        )
    return rows[~left_out].reset_index(drop=True), dropped


type _Check = tuple[BoolArray, str | np.ndarray, bool, Callable[[pd.DataFrame], BayesjudgeError]]


def _checks(
    rows: pd.DataFrame, options: ReadOptions, column_names: Mapping[str, str]
) -> list[_Check]:
    code = rows["code"].to_numpy()
    same = (rows["item_first"] == rows["item_second"]).to_numpy()
    failed = code == FAILED_VERDICT
    failed_reason = _labelled("failed verdict", rows, failed)
    special_reason = _labelled("left-out tie", rows, code == SPECIAL_TIE)
    checks: list[_Check] = [
        (same, "self comparison", options.on_self == "drop", _self_comparison),
        (code == MISSING, "no verdict", options.on_missing == "drop", _missing_verdict),
        (failed, failed_reason, options.on_invalid == "drop", _failed_verdict),
        (code == SPECIAL_TIE, special_reason, True, _failed_verdict),
    ]
    if "length_first" in rows and options.missing_length != "keep":
        drop = options.missing_length == "drop"
        checks.append((_no_length(rows), "no length", drop, partial(_missing_length, column_names)))
    return checks


def _no_length(rows: pd.DataFrame) -> BoolArray:
    return rows[["length_first", "length_second"]].isna().any(axis=1).to_numpy()


def _labelled(what: str, rows: pd.DataFrame, mask: BoolArray) -> np.ndarray:
    reasons = np.full(len(rows), None, dtype=object)
    reasons[mask] = [f"{what} {label!r}" for label in rows["label"].to_numpy()[mask]]
    return reasons


def _count_dropped(rows: pd.DataFrame, reasons: np.ndarray) -> tuple[Dropped, ...]:
    keys = ["judge", "item_first", "item_second"]
    counts = rows.assign(reason=reasons).groupby(["reason", *keys], sort=True).size()
    table = counts.reset_index(name="rows").to_dict("records")
    return tuple(
        Dropped(row["reason"], row["judge"], row["item_first"], row["item_second"], row["rows"])
        for row in table
    )


def _waterfall(dropped: tuple[Dropped, ...]) -> str:
    parts = [f"{rows:,} left out ({reason})" for reason, rows in rows_by_reason(dropped).items()]
    return listing(parts)


def _rows(wrong: pd.DataFrame) -> str:
    return row_listing(np.ones(len(wrong), dtype=bool), wrong["source_row"].to_numpy())


def _self_comparison(wrong: pd.DataFrame) -> SelfComparisonError:
    return SelfComparisonError(
        f"An item ({wrong['item_first'].iloc[0]!r} the first) is compared with itself in "
        f"{_rows(wrong)}; correct them, or leave them out with on_self='drop'."
    )


def _missing_verdict(wrong: pd.DataFrame) -> MissingVerdictError:
    return MissingVerdictError(
        f"There is no verdict in {_rows(wrong)}; find out why, or leave them out with "
        "on_missing='drop', which counts them."
    )


def _failed_verdict(wrong: pd.DataFrame) -> InvalidVerdictError:
    labels = sorted({str(label) for label in wrong["label"]})
    return InvalidVerdictError(
        f"The verdict {listing([repr(label) for label in labels])} marks a failed judgment in "
        f"{_rows(wrong)}; leave them out with on_invalid='drop', which counts them by judge and "
        "order."
    )


def _missing_length(column_names: Mapping[str, str], wrong: pd.DataFrame) -> MissingCovariateError:
    both = " and ".join(
        f"column {column_names[name]!r} {int(wrong[name].isna().sum()):,} times"
        for name in ("length_first", "length_second")
        if wrong[name].isna().any()
    )
    return MissingCovariateError(
        f"A length is missing ({both}) in {_rows(wrong)}; leave them out with "
        "missing_length='drop', keep them with missing_length='keep', or read without lengths: "
        "columns={'length_first': None, 'length_second': None}."
    )
