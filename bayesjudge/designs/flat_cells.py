"""The cells of a design as plain rows, whichever layout holds them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import GridLayout, Layout, pair_contrasts


@dataclass(frozen=True, eq=False)
class FlatCells:
    """One row a cell, in the order of the layout's counts.

    Attributes
    ----------
    judge : ndarray of int, shape (n_cells,)
        Index of the judge.
    contrast : ndarray, shape (n_cells, n_items)
        Plus one at the item shown first, minus one at the other.
    columns : ndarray, shape (n_cells, n_terms)
        Values of the judge-specific terms.
    """

    judge: NDArray[np.intp]
    contrast: FloatArray
    columns: FloatArray

    def __len__(self) -> int:
        return len(self.judge)

    def touches(self, items: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mark the cells in which one of some items takes part."""
        return (self.contrast[:, items] != 0).any(axis=1)


def flat_cells(of: Design) -> FlatCells:
    """Give the cells of a design as rows.

    Parameters
    ----------
    of : Design
        Any design.

    Returns
    -------
    FlatCells
        In the order of ``layout.counts.reshape(-1, 3)``.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> flat_cells(bj.design(bj.example_panel())).contrast.shape
    (260, 8)
    """
    return layout_cells(of.layout)


def layout_cells(layout: Layout) -> FlatCells:
    """Give the cells of a layout as rows.

    Parameters
    ----------
    layout : GridLayout or CellLayout
        Any layout.

    Returns
    -------
    FlatCells
        In the order of ``layout.counts.reshape(-1, 3)``.
    """
    if isinstance(layout, GridLayout):
        n_pairs = len(layout.pair_contrast)
        size = layout.n_judges * n_pairs
        return FlatCells(
            np.repeat(np.arange(layout.n_judges), n_pairs),
            np.tile(layout.pair_contrast, (layout.n_judges, 1)),
            np.ones((size, len(layout.terms))),
        )
    contrast = pair_contrasts(layout.first, layout.second, layout.n_items)
    return FlatCells(layout.judge, contrast, layout.columns)


def counted_rows(of: Design, rows: NDArray[np.bool_] | None = None) -> FloatArray:
    """Count the verdicts of some rows in a design's cells.

    Parameters
    ----------
    of : Design
        A design.
    rows : ndarray of bool, shape (n_rows,), optional
        Which rows; all by default.

    Returns
    -------
    ndarray, shape (n_cells, 3)
        Weighted wins, ties and losses of the item shown first.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> float(counted_rows(bj.design(bj.example_panel())).sum())
    2000.0
    """
    n_cells = np.asarray(of.layout.counts).size // 3
    weight = of.weight if rows is None else of.weight * rows
    return np.bincount(of.outcome_of_row, weight, 3 * n_cells).reshape(-1, 3)


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
