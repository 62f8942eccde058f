"""Verdicts on one new item, turned round so that it stands first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.arrays import FloatArray
from bayesjudge.data.design import Design
from bayesjudge.data.flat_cells import counted_rows, flat_cells


@dataclass(frozen=True, eq=False)
class ArrivalRows:
    """One row for every cell in which the new item takes part.

    Attributes
    ----------
    judge : ndarray of int, shape (n,)
        Index of the judge.
    rest : ndarray, shape (n, n_items)
        Minus one at the opponent.
    columns : ndarray, shape (n, n_terms)
        Terms, the new item's answer first.
    wins, total : ndarray, shape (n,)
        The new item's wins (a tie is half a win) and all verdicts.
    """

    judge: NDArray[np.intp]
    rest: FloatArray
    columns: FloatArray
    wins: FloatArray
    total: FloatArray

    def __len__(self) -> int:
        return len(self.judge)


def arrival_rows(of: Design, place: int) -> ArrivalRows:
    """Give the verdicts on one item.

    Parameters
    ----------
    of : Design
        Judges' verdicts or votes.
    place : int
        Index of the item.

    Returns
    -------
    ArrivalRows
        In the order of the cells.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> found = arrival_rows(bj.design(bj.example_panel()), 3)
    >>> len(found), float(found.total.sum())
    (65, 525.0)
    """
    cells, counts = flat_cells(of), counted_rows(of)
    used = (cells.contrast[:, place] != 0) & (counts.sum(axis=1) > 0)
    sign = cells.contrast[used, place]
    rest = sign[:, None] * cells.contrast[used]
    rest[:, place] = 0.0
    won = counts[used, 0] + counts[used, 1] / 2
    total = counts[used].sum(axis=1)
    wins = np.where(sign > 0, won, total - won)
    return ArrivalRows(cells.judge[used], rest, sign[:, None] * cells.columns[used], wins, total)
