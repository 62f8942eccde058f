"""Rows without a verdict on two items: refused, or left out on request and counted."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import FIRST, SECOND
from bayesjudge.data.dropped import Dropped, rows_by_reason
from bayesjudge.errors import (
    AmbiguousVerdictError,
    BayesjudgeError,
    EmptyComparisonsError,
    InvalidVerdictError,
    MissingCovariateError,
    MissingVerdictError,
    SelfComparisonError,
)
from bayesjudge.reading.options import ReadOptions
from bayesjudge.reading.plan import ITEMS, Plan
from bayesjudge.reading.verdicts import FAILED_VERDICT, MISSING, SPECIAL_TIE, UNDECIDED


class _Check(NamedTuple):
    """Rows that are left out or refused for one reason."""

    rows: BoolArray
    reason: str
    may_drop: bool
    refusal: Callable[[pd.DataFrame, Plan], BayesjudgeError]
    by_label: bool = False  # whether the reason names the label


def leave_out(
    rows: pd.DataFrame, options: ReadOptions, plan: Plan
) -> tuple[pd.DataFrame, tuple[Dropped, ...]]:
    """Refuse or leave out self comparisons, missing and failed verdicts, missing lengths."""
    reasons = np.full(len(rows), None, dtype=object)
    for check in _checks(rows, options, plan):
        new = check.rows & pd.isna(reasons)
        if new.any() and not check.may_drop:
            raise check.refusal(rows[new], plan)
        labels = [f" {label!r}" for label in rows["label"][new]] if check.by_label else [""]
        reasons[new] = [check.reason + label for label in labels]
    left_out = ~pd.isna(reasons)
    if not left_out.any():
        return rows, ()
    dropped = _count_dropped(rows[left_out], reasons[left_out])
    if left_out.all():
        totals = rows_by_reason(dropped)
        parts = [f"{number:,} left out ({reason})" for reason, number in totals.items()]
        raise EmptyComparisonsError(
            f"No comparison is left of {len(rows):,} rows: {listing(parts)}; check the verdict "
            "column and the options that leave rows out."
        )
    return rows[~left_out].reset_index(drop=True), dropped


def _checks(rows: pd.DataFrame, options: ReadOptions, plan: Plan) -> list[_Check]:
    code = rows["code"].to_numpy()
    same = (rows["item_first"] == rows["item_second"]).to_numpy()
    drop_failed = options.on_invalid == "drop"
    against = plan.agreed & (code == _LOSER_WON.get(plan.winner, UNDECIDED))
    checks = [
        _Check(against, "verdict for the loser", False, _loser_won),
        _Check(same, "self comparison", options.on_self == "drop", _self_comparison),
        _Check(code == MISSING, "no verdict", options.on_missing == "drop", _missing_verdict),
        _Check(code == FAILED_VERDICT, "failed verdict", drop_failed, _failed_verdict, True),
        _Check(code == SPECIAL_TIE, "left-out tie", True, _failed_verdict, True),
    ]
    if "length_first" in rows and options.missing_length != "keep":
        gaps = rows[["length_first", "length_second"]].isna().any(axis=1).to_numpy()
        drop_gaps = options.missing_length == "drop"
        checks.append(_Check(gaps, "no length", drop_gaps, _missing_length))
    return checks


_LOSER_WON = {"item_first": SECOND, "item_second": FIRST}  # by the role of the winners' column


def _loser_won(wrong: pd.DataFrame, plan: Plan) -> AmbiguousVerdictError:
    loser = next(plan.roles[role] for role in ITEMS if role != plan.winner)
    verdict, won = plan.roles["verdict"], plan.roles[plan.winner]
    return AmbiguousVerdictError(
        f"Column {loser!r} is named for the losers, and column {verdict!r} says that they won in "
        f"{_rows(wrong, plan)}; read every row as a win of {won!r} with "
        f"columns={{'verdict': None}}, or follow the verdicts with "
        f"columns={{'verdict': {verdict!r}}}."
    )


def _count_dropped(rows: pd.DataFrame, reasons: np.ndarray) -> tuple[Dropped, ...]:
    keys = ["reason", "judge", "item_first", "item_second"]
    counts = rows.assign(reason=reasons).groupby(keys, sort=True).size()
    table = counts.reset_index(name="rows")
    return tuple(Dropped(*row) for row in table.itertuples(index=False))


def _rows(wrong: pd.DataFrame, plan: Plan) -> str:
    return plan.places(wrong).listing()


def _self_comparison(wrong: pd.DataFrame, plan: Plan) -> SelfComparisonError:
    return SelfComparisonError(
        f"An item ({wrong['item_first'].iloc[0]!r} the first) is compared with itself in "
        f"{_rows(wrong, plan)}; correct them, or leave them out with on_self='drop'."
    )


def _missing_verdict(wrong: pd.DataFrame, plan: Plan) -> MissingVerdictError:
    return MissingVerdictError(
        f"There is no verdict in {_rows(wrong, plan)}; find out why, or leave them out with "
        "on_missing='drop', which counts them."
    )


def _failed_verdict(wrong: pd.DataFrame, plan: Plan) -> InvalidVerdictError:
    labels = sorted({str(label) for label in wrong["label"]})
    return InvalidVerdictError(
        f"The verdict {listing([repr(label) for label in labels])} marks a failed judgment in "
        f"{_rows(wrong, plan)}; leave them out with on_invalid='drop', which counts them by judge "
        "and order."
    )


def _missing_length(wrong: pd.DataFrame, plan: Plan) -> MissingCovariateError:
    both = " and ".join(
        f"column {plan.roles[name]!r} {int(wrong[name].isna().sum()):,} times"
        for name in ("length_first", "length_second")
        if wrong[name].isna().any()
    )
    return MissingCovariateError(
        f"A length is missing ({both}) in {_rows(wrong, plan)}; leave them out with "
        "missing_length='drop', keep them with missing_length='keep', or read without lengths: "
        "columns={'length_first': None, 'length_second': None}."
    )
