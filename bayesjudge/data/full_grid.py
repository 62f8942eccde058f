"""Designs laid out on all pairs, so that subsets of one data set share compiled code."""

from dataclasses import replace

import numpy as np

from bayesjudge.data.design import Design, shared_size
from bayesjudge.data.layouts import GridLayout, pair_contrasts
from bayesjudge.errors import UnknownTermError


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
