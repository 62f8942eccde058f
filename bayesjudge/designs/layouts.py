"""The arrays that a program reads: verdict counts by cell, and how parameters reach a cell.

Both layouts answer the same four questions (`contrast`, `judge_contrast`, `by_judge`, `bias`) with
arrays that broadcast against ``counts[..., 0]``, so that a program is written once, as its formula.
The methods work on NumPy and JAX arrays alike.
"""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import Array, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class GridLayout:
    """Counts on the full grid of judges by displayed pairs: no gather, no scatter.

    Attributes
    ----------
    counts : array, shape (n_judges, n_pairs, 3)
        Weighted wins, ties and losses of the item shown first.
    pair_contrast : array, shape (n_pairs, n_items)
        Plus one at the item shown first, minus one at the other.
    judge_counts : array, shape (n_judges, 3)
        Weighted wins, ties and losses of the item shown first, by judge.
    power : array, shape ()
        How much each verdict's log-likelihood counts (a power likelihood); one is usual.
    n_items, n_judges : int
        Sizes.
    reference : int
        The judge whose sensitivity is one in the log-sensitivity form.
    terms : tuple of str
        Judge-specific terms: none, or the position of the display.
    retained : tuple of tuple of bool
        By term, the judges whose coefficient is free.
    label : str
        Prefix of the observed site.
    """

    counts: Array
    pair_contrast: Array
    judge_counts: Array
    power: Array
    n_items: int
    n_judges: int
    reference: int
    terms: tuple[str, ...]
    retained: tuple[tuple[bool, ...], ...]
    label: str

    def contrast(self, score: Array) -> Array:
        """Score gap, first minus second: (n_items,) to (1, n_pairs)."""
        return (self.pair_contrast @ score)[None, :]

    def judge_contrast(self, judge_score: Array) -> Array:
        """Score gap in each judge's own scores: (n_judges, n_items) to (n_judges, n_pairs)."""
        return judge_score @ self.pair_contrast.T

    def by_judge(self, value: Array) -> Array:
        """Value of each cell's judge: (n_judges,) to (n_judges, 1)."""
        return value[:, None]

    def bias(self, effects: Array) -> Array:
        """Sum of the judge's terms: (n_judges, n_terms) to (n_judges, 1)."""
        return effects.sum(axis=1, keepdims=True)  # the only column of a grid is constant


@dataclass(frozen=True, eq=False)
class CellLayout:
    """Counts on the cells that occur, each with its own values of the terms' columns.

    Attributes
    ----------
    counts : array, shape (n_cells, 3)
        Weighted wins, ties and losses of the item shown first.
    judge, first, second : int array, shape (n_cells,)
        The judge, the item shown first and the item shown second.
    columns : array, shape (n_cells, n_terms)
        Values of the judge-specific terms.
    judge_counts, power, n_items, n_judges, reference, terms, retained, label
        As in `GridLayout`.
    """

    counts: Array
    judge: Array
    first: Array
    second: Array
    columns: Array
    judge_counts: Array
    power: Array
    n_items: int
    n_judges: int
    reference: int
    terms: tuple[str, ...]
    retained: tuple[tuple[bool, ...], ...]
    label: str

    def contrast(self, score: Array) -> Array:
        """Score gap, first minus second: (n_items,) to (n_cells,)."""
        return score[self.first] - score[self.second]

    def judge_contrast(self, judge_score: Array) -> Array:
        """Score gap in each judge's own scores: (n_judges, n_items) to (n_cells,)."""
        return judge_score[self.judge, self.first] - judge_score[self.judge, self.second]

    def by_judge(self, value: Array) -> Array:
        """Value of each cell's judge: (n_judges,) to (n_cells,)."""
        return value[self.judge]

    def bias(self, effects: Array) -> Array:
        """Sum over terms of effect times column: (n_judges, n_terms) to (n_cells,)."""
        return (effects[self.judge] * self.columns).sum(axis=1)


Layout = GridLayout | CellLayout


def retained_mask(layout: Layout) -> BoolArray:
    """Return which judges' effect of each term is free, shape (n_terms, n_judges)."""
    return np.array(layout.retained, dtype=bool).reshape(-1, layout.n_judges)


def observed_site(layout: Layout) -> str:
    """Return the name of the site at which a program observes these verdicts."""
    return f"{layout.label}_verdicts"


GRID_ARRAYS = ("counts", "pair_contrast", "judge_counts", "power")
CELL_ARRAYS = ("counts", "judge", "first", "second", "columns", "judge_counts", "power")
SETTINGS = ("n_items", "n_judges", "reference", "terms", "retained", "label")


def pair_contrasts(first: IntArray, second: IntArray, n_items: int) -> FloatArray:
    """Return the contrast matrix of displayed pairs.

    Shapes: first, second (n_pairs,) -> (n_pairs, n_items).
    """
    identity = np.eye(n_items)
    return identity[first] - identity[second]
