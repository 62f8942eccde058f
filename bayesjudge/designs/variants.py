"""The same verdicts, weighted or laid out differently."""

from dataclasses import replace

import numpy as np

from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design, demand_power, laid_out, shared_size
from bayesjudge.designs.layouts import SETTINGS, GridLayout, Layout, pair_contrasts
from bayesjudge.designs.terms import retained_terms
from bayesjudge.errors import InvalidWeightsError, NotDesignError, UnknownTermError


def on_full_grid(design: Design) -> Design:
    """Return a design on the grid of all judges and all ordered pairs, seen or not.

    Random subsets of a data set have other pairs each time, and a program is compiled for each
    number of pairs. On the full grid all subsets have one shape.
    """
    layout = design.layout
    if not set(layout.terms) <= {"position"}:
        raise UnknownTermError(
            "Only position is the same for all verdicts on a pair; leave other terms out of "
            "bj.design(..., terms=...)."
        )
    n_items, data = layout.n_items, design.data
    shown, other = np.nonzero(~np.eye(n_items, dtype=bool))
    width = shared_size(len(shown))
    place = np.array([design.items.index(name) for name in data.items])
    first, second = place[data.first], place[data.second]
    cell = data.judge * width + first * (n_items - 1) + second - (second > first)
    contrast = np.zeros((width, n_items))
    contrast[: len(shown)] = pair_contrasts(shown, other, n_items)
    settings = {name: getattr(layout, name) for name in (*SETTINGS, "power")}
    empty = np.zeros((layout.n_judges, width, 3))
    grid = GridLayout(empty, contrast, empty.sum(axis=1), **settings)
    return reweighted(replace(design, layout=grid, cell_of_row=cell), design.weight)


def without_judges(design: Design) -> Design:
    """Return a design counted by display order alone, for a program that reads no judges.

    Subsets of votes have other voters each time, and a program is compiled for each number of them.
    """
    layout, data = design.layout, design.data
    if not layout.terms and layout.n_judges == 1:
        return design
    everybody = replace(
        data, judges=("everybody",), judge=np.zeros_like(data.judge), human=data.human[:1]
    )
    none = np.empty((data.n_rows, 0))
    counted = laid_out(everybody, design.items, (), none, 0, layout.label, layout.power)
    return reweighted(replace(counted, data=data), design.weight)


def reweighted(design: Design, weight: FloatArray) -> Design:
    """Count each row of a design as often as asked, without changing the shape of its arrays.

    A fold is a weight of zero and one, a bootstrap sample a weight of how often a row was drawn;
    fits of either reuse the program that the full data compiled. Columns of terms are kept as they
    are (their scale is the full data's); which coefficients are free is decided anew.

    Parameters
    ----------
    design : Design
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
    design = wanted(
        Design,
        design,
        NotDesignError,
        "reweighted reads a design and this is of type {type}; give bj.design(verdicts).",
    )
    weight = _row_weights(np.asarray(weight, dtype=np.float64), len(design.cell_of_row))
    shape = np.shape(design.layout.counts)
    counts = np.bincount(design.outcome_of_row, weight, int(np.prod(shape))).reshape(shape)
    return replace(design, layout=_recounted(design.layout, counts), weight=weight)


def _row_weights(weight: FloatArray, n_rows: int) -> FloatArray:
    if weight.shape != (n_rows,):
        raise InvalidWeightsError(
            f"The weights have shape {weight.shape} and there are {n_rows} rows; give one a row."
        )
    if not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise InvalidWeightsError(
            "Weights must be finite, not negative, and not all zero; see to the rows' weights."
        )
    return weight


def _recounted(layout: Layout, counts: FloatArray) -> Layout:
    if isinstance(layout, GridLayout):
        by_judge = counts.sum(axis=1)
        free = tuple(map(bool, by_judge.sum(axis=1) > 0))
        retained = tuple(free for _ in layout.terms)
    else:
        by_judge = np.zeros((layout.n_judges, 3))
        np.add.at(by_judge, layout.judge, counts)
        seen = counts.sum(axis=1) > 0
        kept = retained_terms(layout.judge[seen], layout.columns[seen], layout.n_judges)
        retained = tuple(tuple(map(bool, column)) for column in kept.T)
    return replace(layout, counts=counts, judge_counts=by_judge, retained=retained)


def tempered(design: Design, power: float) -> Design:
    """Return a design whose verdicts count to a power of their likelihood."""
    return replace(design, layout=replace(design.layout, power=demand_power(power)))
