"""Rows that were left out on request."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bayesjudge.core.wording import counted, listing


@dataclass(frozen=True)
class Dropped:
    """Rows left out on request, all for one reason and with one judge and display order.

    Attributes
    ----------
    reason : str
        Why the rows were left out, for example ``"no verdict"``.
    judge, first, second : str
        Names as read; an empty string where the row did not say.
    rows : int
        Number of rows.
    """

    reason: str
    judge: str
    first: str
    second: str
    rows: int


def rows_by_reason(dropped: Sequence[Dropped]) -> dict[str, int]:
    """Count the rows left out for each reason."""
    totals: Counter[str] = Counter()
    for part in dropped:
        totals[part.reason] += part.rows
    return totals


def left_out_sentence(dropped: Sequence[Dropped], n_kept: int) -> str:
    """Write how many rows were left out, and why."""
    if not dropped:
        return "Left out: nothing."
    totals = rows_by_reason(dropped)
    parts = [f"{counted(rows, 'row')} ({reason})" for reason, rows in totals.items()]
    return f"Left out: {listing(parts)} of {n_kept + sum(totals.values()):,} rows."
