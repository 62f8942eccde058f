"""The same verdicts, weighted or laid out differently."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayesjudge.designs.design import Design, shared_size
from bayesjudge.designs.layouts import CellLayout, GridLayout, Layout, pair_contrasts
from bayesjudge.designs.terms import retained_terms
from bayesjudge.errors import InvalidWeightsError, NotDesignError, UnknownTermError


def on_full_grid(of: Design) -> Design:
    """Lay a design out on every judge and every ordered pair, seen or not.

    Random subsets of a data set have other pairs each time, and a program is compiled for each
    number of pairs. On the full grid all subsets have one shape.

    Parameters
    ----------
    of : Design
        With no terms but position.

    Returns
    -------
    Design
        Same verdicts; pairs that do not occur hold none.

    Raises
    ------
    UnknownTermError
        For a design with terms that vary over verdicts.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> on_full_grid(bj.design(bj.example_panel())).layout.counts.shape
    (5, 56, 3)
    """
    if not set(of.layout.terms) <= {"position"}:
        raise UnknownTermError(
            "Only position is the same for all verdicts on a pair; leave other terms out of "
            "bj.design(..., terms=...)."
        )
    layout, names = of.layout, np.array([of.items.index(name) for name in of.data.items])
    n_items, n_judges = len(of.items), layout.n_judges
    first, second = np.nonzero(~np.eye(n_items, dtype=bool))
    width = shared_size(len(first))
    a, b = names[of.data.first], names[of.data.second]
    cell = of.data.judge * width + a * (n_items - 1) + b - (b > a)
    counts = np.bincount(3 * cell + of.data.verdict, of.weight, 3 * n_judges * width)
    grid = counts.reshape(n_judges, width, 3)
    contrast = np.zeros((width, n_items))
    contrast[: len(first)] = pair_contrasts(first, second, n_items)
    made = GridLayout(
        counts=grid,
        pair_contrast=contrast,
        judge_counts=grid.sum(axis=1),
        power=layout.power,
        n_items=n_items,
        n_judges=n_judges,
        reference=layout.reference,
        terms=layout.terms,
        retained=layout.retained,
        label=layout.label,
    )
    return replace(of, layout=made, cell_of_row=cell)


def reweighted(of: Design, weight: NDArray[np.float64]) -> Design:
    """Count each row of a design as often as asked, without changing the shape of its arrays.

    A fold is a weight of zero and one, a bootstrap sample a weight of how often a row was drawn;
    fits of either reuse the program that the full data compiled. Columns of terms are kept as they
    are (their scale is the full data's); which coefficients are free is decided anew.

    Parameters
    ----------
    of : Design
        The verdicts as laid out.
    weight : ndarray, shape (n_rows,)
        How often each row is counted; zero leaves it out.

    Returns
    -------
    Design
        Same cells, other counts.

    Raises
    ------
    InvalidWeightsError
        If weights do not fit the rows, are negative, or leave nothing.
    NotDesignError
        If something else than a design is given.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> full = bj.design(bj.example_panel())
    >>> half = reweighted(full, np.arange(2000) < 1000)
    >>> half.layout.counts.sum(), half.layout.counts.shape == full.layout.counts.shape
    (np.float64(1000.0), True)
    """
    if not isinstance(of, Design):
        raise NotDesignError(
            f"reweighted reads a design and this is of type {type(of).__name__}; give "
            "bj.design(verdicts)."
        )
    weight = _checked(np.asarray(weight, dtype=np.float64), len(of.cell_of_row))
    shape = np.shape(of.layout.counts)
    counts = np.bincount(of.outcome_of_row, weight, int(np.prod(shape))).reshape(shape)
    return replace(of, layout=_recounted(of.layout, counts), weight=weight)


def _checked(weight: NDArray[np.float64], n_rows: int) -> NDArray[np.float64]:
    if weight.shape != (n_rows,):
        raise InvalidWeightsError(
            f"The weights have shape {weight.shape} and there are {n_rows} rows; give one a row."
        )
    if not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise InvalidWeightsError(
            "Weights must be finite, not negative, and not all zero; see to the rows' weights."
        )
    return weight


def _recounted(layout: Layout, counts: NDArray[np.float64]) -> Layout:
    if isinstance(layout, GridLayout):
        by_judge = counts.sum(axis=1)
        free = tuple(by_judge.sum(axis=1) > 0)
        kept = tuple(tuple(map(bool, free)) for _ in layout.terms)
        return replace(layout, counts=counts, judge_counts=by_judge, retained=kept)
    by_judge = np.zeros((layout.n_judges, 3))
    np.add.at(by_judge, layout.judge, counts)
    kept = _kept(layout, counts.sum(axis=1) > 0)
    return replace(layout, counts=counts, judge_counts=by_judge, retained=kept)


def _kept(layout: CellLayout, occupied: NDArray[np.bool_]) -> tuple[tuple[bool, ...], ...]:
    judge, columns = layout.judge[occupied], layout.columns[occupied]
    free = retained_terms(judge, columns, layout.n_judges)
    return tuple(tuple(map(bool, column)) for column in free.T)
