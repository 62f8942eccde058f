"""From verdicts to the arrays of a program, with the way back from cell to row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.cells import Cells, count_cells
from bayesjudge.designs.layouts import CellLayout, GridLayout, Layout, pair_contrasts
from bayesjudge.designs.terms import Term, demand_terms, retained_terms, term_columns
from bayesjudge.errors import (
    EmptyComparisonsError,
    InvalidWeightsError,
    UnknownItemsError,
    UnknownJudgeError,
    UnknownOptionError,
)

GRID_FILL = 0.25  # a grid is used where at least this share of it is observed


@dataclass(frozen=True, eq=False)
class Design:
    """Verdicts together with the arrays that a program reads.

    Attributes
    ----------
    data : Comparisons
        The verdicts.
    items : tuple of str
        Names behind the layout's item index (all data sets of a fit share them).
    layout : GridLayout or CellLayout
        The arrays.
    cell_of_row : ndarray, shape (n_rows,)
        The flat cell of each row of `data`.
    weight : ndarray, shape (n_rows,)
        How often each row is counted: the rows' own weights, unless `reweighted`.
    """

    data: Comparisons
    items: tuple[str, ...]
    layout: Layout
    cell_of_row: NDArray[np.intp]
    weight: NDArray[np.float64]

    @property
    def outcome_of_row(self) -> NDArray[np.intp]:
        """Place of each row's cell and verdict in the flattened counts, shape (n_rows,)."""
        return 3 * self.cell_of_row + self.data.verdict


def design(
    data: Comparisons,
    terms: Sequence[Term] = ("position",),
    *,
    reference_judge: str | None = None,
    families: Mapping[str, str] | None = None,
    items: Sequence[str] | None = None,
    label: str | None = None,
    power: float = 1.0,
) -> Design:
    """Lay verdicts out for a program, with the judge-specific terms that it shall hold.

    Every verb takes plain `Comparisons` too and then uses the defaults of this function.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    terms : sequence of {"position", "length", "family"}
        Judge-specific terms, OSCAR eq. (2). ``()`` gives the paper's J, ``("position",)`` its J+P.
    reference_judge : str, optional
        The judge whose sensitivity is one where a program fixes one; by default the judge with
        the most verdicts (the first by name among equals).
    families : mapping of str to str, optional
        The family of every item and judge, for the family term; by default the organisation that
        the name speaks of (`bayesjudge.organisation_families`).
    items : sequence of str, optional
        Item names to index by, where several data sets share a fit; by default those of `data`.
    label : str, optional
        Prefix of the observed site; by default "human" or "judge".
    power : float
        How much the log-likelihood of each verdict counts: below one for verdicts that shall say
        less than their number (a power likelihood), one for an ordinary fit.

    Returns
    -------
    Design
        Arrays, names and the cell of each row.

    Raises
    ------
    UnknownTermError, MissingCovariateError, MissingFamilyError, NotMappingError
        Where a term cannot be built, such as the family term of names that speak of no family.
    UnknownJudgeError, UnknownItemsError, NotComparisonsError
        Where the reference judge gave no verdict, or items or verdicts are not there.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.design(bj.example_panel(), terms=()).layout.counts.shape
    (5, 52, 3)
    """
    data = _comparisons(data)
    terms = demand_terms(terms)
    names = tuple(items) if items is not None else data.items
    columns = term_columns(data, terms, families)
    cells, cell_of_row = count_cells(_reindexed(data, names), columns)
    kept = retained_terms(cells.judge, cells.columns, data.n_judges)
    settings = {
        "n_items": len(names),
        "n_judges": data.n_judges,
        "reference": _reference(data, reference_judge),
        "terms": terms,
        "retained": tuple(tuple(map(bool, column)) for column in kept.T),
        "label": _label(data, label),
        "power": _power(power),
    }
    if _fits_grid(cells, data.n_judges):
        layout, flat = _grid(cells, settings)
        return Design(data, names, layout, flat[cell_of_row], data.weight)
    return Design(data, names, _cells(cells, settings), cell_of_row, data.weight)


def designs(*data: Comparisons | Design) -> tuple[Design, ...]:
    """Give designs that share one list of items, with observed sites of different names.

    Parameters
    ----------
    *data : Comparisons or Design
        The data sets of one fit, in the program's order. A single `Design` is used as it stands.

    Returns
    -------
    tuple of Design
        One a data set.
    """
    found = [_comparisons(each) for each in data]
    if not found:
        raise EmptyComparisonsError("No verdicts were given; pass what bj.read(...) returned.")
    if len(data) == 1 and isinstance(data[0], Design):
        return (data[0],)
    items = sorted({name for each in found for name in each.items})
    shared: list[Design] = []
    for each in data:
        shared.append(_shared(each, items, {made.layout.label for made in shared}))
    if len({made.layout.label for made in shared}) < len(shared):
        raise UnknownOptionError(
            "Two data sets of one fit have the same label; build their designs with label= of "
            "their own."
        )
    return tuple(shared)


def _shared(each: Comparisons | Design, items: list[str], taken: set[str]) -> Design:
    if isinstance(each, Design):
        return _checked(each, items)
    label = "human" if each.human.all() else "judge"
    return design(each, items=items, label=f"{label}_{len(taken)}" if label in taken else label)


def _checked(each: Design, items: list[str]) -> Design:
    if list(each.items) != items:
        raise UnknownItemsError(
            f"A design covers {len(each.items)} items and the fit {len(items)}; build every "
            "design of the fit with the same items=, the sorted names of all items."
        )
    return each


def _comparisons(each: Comparisons | Design) -> Comparisons:
    return demand_comparisons(each.data if isinstance(each, Design) else each)


def _reindexed(data: Comparisons, names: tuple[str, ...]) -> Comparisons:
    if names == data.items:
        return data
    position = {name: i for i, name in enumerate(names)}
    absent = [name for name in data.items if name not in position]
    if absent:
        raise UnknownItemsError(
            f"The verdicts are about {absent[0]!r}, which items= leaves out; name every item."
        )
    index = np.array([position[name] for name in data.items])
    return replace(data, items=names, first=index[data.first], second=index[data.second])


def _label(data: Comparisons, label: str | None) -> str:
    if label is None:
        return "human" if data.human.all() else "judge"
    if not label.isidentifier():
        raise UnknownOptionError(
            f"label is {label!r}; give a word of letters, digits and underscores, such as 'judge'."
        )
    return label


def _power(power: float) -> NDArray[np.float64]:
    if isinstance(power, bool) or not isinstance(power, Real) or not 0 < power < np.inf:
        raise InvalidWeightsError(
            f"power is {power!r}; give a finite number above zero, and 1 for an ordinary fit."
        )
    return np.asarray(float(power))


def tempered(of: Design, power: float) -> Design:
    """Give a design whose verdicts count by a power of their likelihood.

    Parameters
    ----------
    of : Design
        A design.
    power : float
        The new power; above zero.

    Returns
    -------
    Design
        Same verdicts, same cells.

    Raises
    ------
    InvalidWeightsError
        For a power that is not a finite number above zero.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> float(tempered(bj.design(bj.example_panel()), 0.1).layout.power)
    0.1
    """
    return replace(of, layout=replace(of.layout, power=_power(power)))


def _reference(data: Comparisons, name: str | None) -> int:
    if name is None:
        weight = np.bincount(data.judge, weights=data.weight, minlength=data.n_judges)
        return int(np.argmax(weight))
    if name not in data.judges:
        raise UnknownJudgeError(
            f"The reference judge {name!r} gave no verdict; choose one of {', '.join(data.judges)}."
        )
    return data.judges.index(name)


def _fits_grid(cells: Cells, n_judges: int) -> bool:
    constant = cells.columns.shape[1] <= 1 and bool((cells.columns == 1).all())
    n_pairs = len(np.unique(np.column_stack([cells.first, cells.second]), axis=0))
    return constant and len(cells.judge) >= GRID_FILL * n_judges * n_pairs


def _grid(cells: Cells, settings: dict) -> tuple[GridLayout, NDArray[np.intp]]:
    pairs, pair = np.unique(
        np.column_stack([cells.first, cells.second]), axis=0, return_inverse=True
    )
    width = shared_size(len(pairs))
    flat = cells.judge * width + pair
    counts = np.zeros((settings["n_judges"] * width, 3))
    counts[flat] = cells.counts
    contrast = pair_contrasts(pairs[:, 0], pairs[:, 1], settings["n_items"])
    grid = counts.reshape(-1, width, 3)
    return GridLayout(grid, _padded(contrast, width), grid.sum(axis=1), **settings), flat


def _cells(cells: Cells, settings: dict) -> CellLayout:
    by_judge = np.zeros((settings["n_judges"], 3))
    np.add.at(by_judge, cells.judge, cells.counts)
    size = shared_size(len(cells))
    names = ("counts", "judge", "first", "second", "columns")
    arrays: dict[str, Any] = {name: _padded(getattr(cells, name), size) for name in names}
    return CellLayout(**arrays, judge_counts=by_judge, **settings)


def shared_size(size: int) -> int:
    """Round a number of cells up, so that data of nearly one size share compiled code.

    Parameters
    ----------
    size : int
        Cells that occur.

    Returns
    -------
    int
        At most an eighth more; the cells added hold no verdicts.

    Examples
    --------
    >>> shared_size(15), shared_size(9245)
    (15, 10240)
    """
    step = 1 << max(0, size.bit_length() - 4)
    return -(-size // step) * step


def _padded(array: NDArray[Any], size: int) -> NDArray[Any]:
    return np.concatenate([array, np.zeros((size - len(array), *array.shape[1:]), array.dtype)])
