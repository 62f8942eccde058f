"""Counts of verdicts by judge and display order: sufficient statistics of most programs."""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.data.comparisons import Comparisons


@dataclass(frozen=True, eq=False)
class Cells:
    """One row for every distinct judge, display order and value of the columns.

    Attributes
    ----------
    judge, first, second : ndarray of int, shape (n_cells,)
        Index of the judge, of the item shown first and of the item shown second. Cells are
        sorted by this key, then by the columns.
    columns : ndarray of float, shape (n_cells, n_columns)
        Values of the covariates that were asked for.
    counts : ndarray of float, shape (n_cells, 3)
        Weighted wins of the first item, ties, and wins of the second item.
    """

    judge: IntArray
    first: IntArray
    second: IntArray
    columns: FloatArray
    counts: FloatArray

    def __len__(self) -> int:
        return len(self.judge)


def count_cells(data: Comparisons, columns: FloatArray | None = None) -> tuple[Cells, IntArray]:
    """Count verdicts by judge, display order and, on request, covariates.

    A program without continuous covariates needs only these counts, so that 300,000 verdicts become
    a few hundred rows.

    Shapes: columns (n_rows, n_columns) -> cell_of_row (n_rows,).
    """
    if columns is None:
        columns = np.zeros((data.n_rows, 0))
    columns = np.asarray(columns, dtype=np.float64).reshape(data.n_rows, -1)
    order, cell_of_sorted = _sorted_groups(_pair_key(data), columns)
    cell_of_row = np.empty(data.n_rows, dtype=np.int64)
    cell_of_row[order] = cell_of_sorted
    head = order[np.flatnonzero(np.diff(cell_of_sorted, prepend=-1))]
    counts = np.bincount(
        3 * cell_of_row + data.verdict, weights=data.weight, minlength=3 * len(head)
    ).reshape(-1, 3)
    cells = Cells(data.judge[head], data.first[head], data.second[head], columns[head], counts)
    return cells, cell_of_row


def _pair_key(data: Comparisons) -> IntArray:
    return (data.judge * data.n_items + data.first) * data.n_items + data.second


def _sorted_groups(key: IntArray, columns: FloatArray) -> tuple[IntArray, IntArray]:
    """Sort rows by key and columns; number the groups of equal rows in that order."""
    columns = columns + 0.0  # -0.0 and 0.0 are one value
    order = np.lexsort((*columns.T[::-1], key))
    changed = np.diff(key[order]) != 0
    changed |= (np.diff(columns[order], axis=0) != 0).any(axis=1)
    return order, np.concatenate([[0], np.cumsum(changed)])
