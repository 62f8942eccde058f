"""Rows that were left out in reading, counted."""

from collections.abc import Iterable
from dataclasses import dataclass


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


def rows_by_reason(dropped: Iterable[Dropped]) -> dict[str, int]:
    """Add up the rows left out for each reason.

    Parameters
    ----------
    dropped : iterable of Dropped
        What was left out.

    Returns
    -------
    dict of str to int
        Reasons in the order of their first mention.

    Examples
    --------
    >>> rows_by_reason([Dropped("no verdict", "j", "a", "b", 3)])
    {'no verdict': 3}
    """
    totals: dict[str, int] = {}
    for one in dropped:
        totals[one.reason] = totals.get(one.reason, 0) + one.rows
    return totals
