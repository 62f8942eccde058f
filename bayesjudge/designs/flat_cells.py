"""The cells of a design as plain rows, whichever layout holds them."""

from dataclasses import dataclass, replace

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.logistic import half_wins
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import GridLayout, Layout, pair_contrasts


@dataclass(frozen=True, eq=False)
class FlatCells:
    """One row a cell, in the order of the layout's counts.

    Answers the same questions as a layout; scores, sensitivities and effects may have leading
    dimensions, such as draws.

    Attributes
    ----------
    judge : ndarray of int, shape (n_cells,)
        Index of the judge.
    pair_contrast : ndarray, shape (n_cells, n_items)
        Plus one at the item shown first, minus one at the other.
    columns : ndarray, shape (n_cells, n_terms)
        Values of the judge-specific terms.
    counts : ndarray, shape (n_cells, 3)
        Weighted wins, ties and losses of the item shown first.
    """

    judge: IntArray
    pair_contrast: FloatArray
    columns: FloatArray
    counts: FloatArray

    def __len__(self) -> int:
        return len(self.judge)

    @property
    def wins(self) -> FloatArray:
        """Wins of the item shown first, a tie as half a win, shape (n_cells,)."""
        return half_wins(self.counts)

    @property
    def total(self) -> FloatArray:
        """Number of verdicts, shape (n_cells,)."""
        return self.counts.sum(axis=1)

    def contrast(self, score: FloatArray) -> FloatArray:
        """Score gap, first minus second: (..., n_items) -> (..., n_cells)."""
        return score @ self.pair_contrast.T

    def by_judge(self, value: FloatArray) -> FloatArray:
        """Value of each cell's judge: (..., n_judges) -> (..., n_cells)."""
        return value[..., self.judge]

    def bias(self, effects: FloatArray) -> FloatArray:
        """Sum over terms of effect times column: (..., n_judges, n_terms) -> (..., n_cells)."""
        return (effects[..., self.judge, :] * self.columns).sum(axis=-1)

    def counting(self, counts: FloatArray) -> "FlatCells":
        """Return the same cells with other counts."""
        return replace(self, counts=counts)

    def at(self, keep: BoolArray) -> "FlatCells":
        """Return the cells that are kept and hold verdicts."""
        kept = keep & (self.total > 0)
        return FlatCells(
            self.judge[kept], self.pair_contrast[kept], self.columns[kept], self.counts[kept]
        )

    def of_judge(self, judge: int) -> "FlatCells":
        """Return one judge's cells that hold verdicts."""
        return self.at(self.judge == judge)

    def touches(self, items: BoolArray) -> BoolArray:
        """Mark the cells in which one of some items takes part, shape (n_cells,)."""
        return (self.pair_contrast[:, items] != 0).any(axis=1)

    def seen_from(self, place: int) -> "FlatCells":
        """Return the verdicts on one item as if shown first, with minus one at each opponent."""
        own = self.at(self.pair_contrast[:, place] != 0)
        sign = own.pair_contrast[:, [place]]
        opponents = sign * own.pair_contrast
        opponents[:, place] = 0.0
        turned = np.where(sign > 0, own.counts, own.counts[:, ::-1])
        return FlatCells(own.judge, opponents, sign * own.columns, turned)


def flat_cells(design: Design) -> FlatCells:
    """Return the cells of a design as rows, in the order of ``layout.counts.reshape(-1, 3)``."""
    return layout_cells(design.layout)


def layout_cells(layout: Layout) -> FlatCells:
    """Return the cells of a layout as rows, in the order of ``layout.counts.reshape(-1, 3)``."""
    counts = np.asarray(layout.counts).reshape(-1, 3)
    if not isinstance(layout, GridLayout):
        contrast = pair_contrasts(layout.first, layout.second, layout.n_items)
        return FlatCells(layout.judge, contrast, layout.columns, counts)
    n_pairs = len(layout.pair_contrast)
    return FlatCells(
        np.repeat(np.arange(layout.n_judges), n_pairs),
        np.tile(layout.pair_contrast, (layout.n_judges, 1)),
        np.ones((layout.n_judges * n_pairs, len(layout.terms))),
        counts,
    )


def counted_rows(design: Design, rows: BoolArray) -> FloatArray:
    """Count the verdicts of some rows in a design's cells: rows (n_rows,) -> (n_cells, 3)."""
    n_outcomes = np.asarray(design.layout.counts).size
    return np.bincount(design.outcome_of_row, design.weight * rows, n_outcomes).reshape(-1, 3)
