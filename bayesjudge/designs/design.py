"""From verdicts to the arrays of a program, with the way back from cell to row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.wording import counted
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
SMALL_GRID, SMALL_CELLS = 1024, 256  # cells that cost nothing; smaller data sets share their size


@dataclass(frozen=True, eq=False, repr=False)
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
    cell_of_row: IntArray
    weight: FloatArray

    def __repr__(self) -> str:
        layout = self.layout
        sizes = (counted(self.data.n_rows, "verdict"), counted(layout.n_judges, "judge"))
        terms = ", ".join(layout.terms) or "none"
        return f"Design({', '.join(sizes)}, {counted(layout.n_items, 'item')}; terms: {terms})"

    @property
    def outcome_of_row(self) -> IntArray:
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
    """Prepare verdicts for a program, with judge-specific terms.

    Every function that fits takes plain `Comparisons` too and then uses the defaults of this one.

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
        Power of the likelihood: below one, verdicts count less than their number; one is an
        ordinary fit.

    Returns
    -------
    Design
        Arrays, names and the cell of each row.

    Raises
    ------
    UnknownTermError, MissingCovariateError, MissingFamilyError, NotMappingError
        Where a term cannot be built, such as the family term of names without a known family.
    UnknownJudgeError, UnknownItemsError, NotComparisonsError
        Where the reference judge gave no verdict, or items or verdicts are not there.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.design(bj.example_panel(), terms=()).layout.counts.shape
    (5, 56, 3)
    """
    data = _comparisons(data)
    terms = demand_terms(terms)
    columns = term_columns(data, terms, families)
    names = tuple(items) if items is not None else data.items
    reference, site_label = _reference(data, reference_judge), _label(data, label)
    return laid_out(data, names, terms, columns, reference, site_label, demand_power(power))


def laid_out(
    data: Comparisons,
    items: tuple[str, ...],
    terms: tuple[str, ...],
    columns: FloatArray,
    reference: int,
    label: str,
    power: FloatArray,
) -> Design:
    """Count verdicts by judge, display order and the terms' columns (n_rows, n_terms)."""
    cells, cell_of_row = count_cells(_reindexed(data, items), columns)
    retained = retained_terms(cells.judge, cells.columns, data.n_judges)
    settings = {
        "n_items": len(items),
        "n_judges": data.n_judges,
        "reference": reference,
        "terms": terms,
        "retained": tuple(tuple(map(bool, column)) for column in retained.T),
        "label": label,
        "power": power,
    }
    if _fits_grid(cells, data.n_judges):
        layout, cell_on_grid = _grid(cells, settings)
        return Design(data, items, layout, cell_on_grid[cell_of_row], data.weight)
    return Design(data, items, _cells(cells, settings), cell_of_row, data.weight)


def designs(*data: Comparisons | Design) -> tuple[Design, ...]:
    """Return designs that share one list of items, with observed sites of different names.

    A single `Design` is used as it stands.
    """
    tables = [_comparisons(verdicts) for verdicts in data]
    if not tables:
        raise EmptyComparisonsError("No verdicts were given; pass what bj.read(...) returned.")
    if len(data) == 1 and isinstance(data[0], Design):
        return (data[0],)
    items = sorted({name for table in tables for name in table.items})
    shared: list[Design] = []
    for verdicts in data:
        shared.append(_shared(verdicts, items, {design.layout.label for design in shared}))
    if len({design.layout.label for design in shared}) < len(shared):
        raise UnknownOptionError(
            "Two data sets of one fit have the same label; build their designs with label= of "
            "their own."
        )
    return tuple(shared)


def _shared(verdicts: Comparisons | Design, items: list[str], taken: set[str]) -> Design:
    if isinstance(verdicts, Design):
        return _covering(verdicts, items)
    label = "human" if verdicts.human.all() else "judge"
    label = f"{label}_{len(taken)}" if label in taken else label
    return design(verdicts, items=items, label=label)


def _covering(design: Design, items: list[str]) -> Design:
    if list(design.items) != items:
        raise UnknownItemsError(
            f"A design covers {len(design.items)} items and the fit {len(items)}; build every "
            "design of the fit with the same items=, the sorted names of all items."
        )
    return design


def _comparisons(verdicts: Comparisons | Design) -> Comparisons:
    return demand_comparisons(verdicts.data if isinstance(verdicts, Design) else verdicts)


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


def demand_power(power: float) -> FloatArray:
    """Return the power of a likelihood as an array, shape ()."""
    if isinstance(power, bool) or not isinstance(power, Real) or not 0 < power < np.inf:
        raise InvalidWeightsError(
            f"power is {power!r}; give a finite number above zero, and 1 for an ordinary fit."
        )
    return np.asarray(float(power))


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
    size = n_judges * len(np.unique(np.column_stack([cells.first, cells.second]), axis=0))
    return constant and (size <= SMALL_GRID or len(cells.judge) >= GRID_FILL * size)


def _grid(cells: Cells, settings: dict) -> tuple[GridLayout, IntArray]:
    pairs, pair = np.unique(
        np.column_stack([cells.first, cells.second]), axis=0, return_inverse=True
    )
    width = _grid_width(len(pairs), settings["n_judges"], settings["n_items"])
    flat = cells.judge * width + pair
    counts = np.zeros((settings["n_judges"] * width, 3))
    counts[flat] = cells.counts
    contrast = pair_contrasts(pairs[:, 0], pairs[:, 1], settings["n_items"])
    grid = counts.reshape(-1, width, 3)
    return GridLayout(grid, _padded(contrast, width), grid.sum(axis=1), **settings), flat


def _cells(cells: Cells, settings: dict) -> CellLayout:
    by_judge = np.zeros((settings["n_judges"], 3))
    np.add.at(by_judge, cells.judge, cells.counts)
    size = shared_size(max(len(cells), SMALL_CELLS))
    names = ("counts", "judge", "first", "second", "columns")
    arrays: dict[str, Any] = {name: _padded(getattr(cells, name), size) for name in names}
    return CellLayout(**arrays, judge_counts=by_judge, **settings)


def _grid_width(n_pairs: int, n_judges: int, n_items: int) -> int:
    """Return room for displayed pairs: for all there are, as long as the grid stays small."""
    return shared_size(min(n_items * (n_items - 1), max(n_pairs, SMALL_GRID // n_judges)))


def shared_size(size: int) -> int:
    """Round a number of cells up, so that data of nearly one size share compiled code."""
    step = 1 << max(0, size.bit_length() - 4)
    return -(-size // step) * step


def _padded(array: NDArray[Any], size: int) -> NDArray[Any]:
    return np.concatenate([array, np.zeros((size - len(array), *array.shape[1:]), array.dtype)])
