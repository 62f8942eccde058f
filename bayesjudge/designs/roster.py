"""Which items are historical and which are new: the frame of the new-item programs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import Array, BoolArray, FloatArray, IntArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.frames import Frame
from bayesjudge.designs.layouts import Layout
from bayesjudge.errors import NewItemError

FEWEST_HISTORICAL = 2
ORTHONORMAL = 1e-4  # how nearly a basis is; holds in float32 too


@dataclass(frozen=True, eq=False, repr=False)
class Roster(Frame):
    """Historical items, whose scores sum to zero, and new ones, whose scores are free.

    Attributes
    ----------
    basis : array, shape (n_items, n_historical - 1)
        Orthonormal columns that sum to zero over the historical items; zero at new ones.
    new : array, shape (n_items, n_new)
        One in each column, at a new item.
    """

    basis: Array
    new: Array

    def __repr__(self) -> str:
        n_items, n_new = np.shape(self.new)
        return f"Roster({n_new} of {n_items} items new)"

    @property
    def is_new(self) -> BoolArray:
        """Mark the new items, shape (n_items,)."""
        return np.asarray(self.new).sum(axis=1) > 0

    def demand_fit(self, layouts: tuple[Layout, ...]) -> None:
        """Raise unless the roster lays out the scores of the fit's items.

        A fit asks this of what a user gave; inside a program its arrays are tracers, which have no
        values to look at.
        """
        _demand_arrays(self, layouts[0].n_items)


ROSTER_ARRAYS = ("basis", "new")


def roster(*data: Comparisons | Design, new: Sequence[str]) -> Roster:
    """Return the roster of a fit: which of its items are new.

    Parameters
    ----------
    *data : Comparisons or Design
        The data sets of the fit, judges first.
    new : sequence of str
        Names of the new items.

    Returns
    -------
    Roster
        The frame of `bayesjudge.models.new_item`.

    Raises
    ------
    NewItemError
        If `new` is no list of items, is empty, or fewer than two historical items are left.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> bj.new_items.roster(judges, votes, new=["maple"]).basis.shape
    (8, 6)
    """
    items = designs(*data)[0].items
    return roster_of(np.isin(items, new_names(new, items)))


def new_names(new: object, items: Iterable[str]) -> tuple[str, ...]:
    """Check the names of items that a user calls new."""
    known = tuple(items)
    names = tuple(new) if isinstance(new, Iterable) and not isinstance(new, str | bytes) else (new,)
    wrong = [name for name in names if not isinstance(name, str) or name not in known]
    if isinstance(new, str) or wrong:
        raise NewItemError(f"new= is {new!r}; give a list of names out of {', '.join(known)}.")
    return names


def demand_roster(roster: object, n_items: int) -> Roster:
    """Check what a user gives as a roster."""
    roster = wanted(
        Roster,
        roster,
        NewItemError,
        "The roster is of type {type}; give what bj.new_items.roster(judges, humans, new=[...]) "
        "returned.",
    )
    _demand_arrays(roster, n_items)
    left_out = ~np.column_stack([roster.basis, roster.new]).any(axis=1)
    if left_out.any():
        raise NewItemError(
            f"The roster leaves {int(left_out.sum())} of {n_items} items out; make it with "
            "bj.new_items.roster(...) from the data of this fit."
        )
    return roster


def _demand_arrays(roster: Roster, n_items: int) -> None:
    if np.ndim(roster.new) == 2 and len(roster.new) != n_items:
        raise NewItemError(
            f"The roster is of {len(roster.new)} items and the fit of {n_items}; make it with "
            "bj.new_items.roster(...) from the data of this fit."
        )
    if not _lays_scores_out(roster, n_items):
        raise NewItemError(
            "The arrays of the roster do not lay the scores of old and new items out; make it with "
            "bj.new_items.roster(...) from the data of this fit."
        )


def _lays_scores_out(roster: Roster, n_items: int) -> bool:
    """Whether the arrays are a basis of the historical scores, and one column for each new item.

    Items that are neither may be left out: a cut posterior samples history so.
    """
    try:
        arrays = [np.asarray(array, dtype=np.float64) for array in (roster.basis, roster.new)]
    except (TypeError, ValueError):
        return False
    if any(array.ndim != 2 or len(array) != n_items for array in arrays):
        return False
    basis, new = arrays
    old, arrives = basis.any(axis=1), new.any(axis=1)
    one_each = np.isin(new, (0.0, 1.0)).all() and (new.sum(axis=0) == 1).all()
    apart = arrives.sum() == new.shape[1] and not (old & arrives).any()
    return bool(one_each and apart and _is_centred_basis(basis[old]))


def _is_centred_basis(basis: FloatArray) -> bool:
    """Whether columns are orthonormal and span all that sums to zero."""
    if basis.shape[1] != len(basis) - 1:
        return False
    columns = np.column_stack([basis, np.full(len(basis), 1 / np.sqrt(len(basis)))])
    return bool((np.abs(columns.T @ columns - np.eye(len(basis))) <= ORTHONORMAL).all())


def all_historical(n_items: int) -> Roster:
    """Return the roster of a history, in which no item is new."""
    return Roster(helmert_basis(n_items), np.zeros((n_items, 0)))


def default_roster(designs: tuple[Design, ...]) -> Roster:
    """Return the roster in which items without human votes are new."""
    voted = designs[1].data.items
    return roster_of(~np.isin(designs[0].items, voted))


def roster_of(is_new: BoolArray) -> Roster:
    """Return the roster for marked new items.

    Shapes: is_new (n_items,).
    """
    historical = np.flatnonzero(~is_new)
    if len(historical) < FEWEST_HISTORICAL or not is_new.any():
        raise NewItemError(
            f"There are {int(is_new.sum())} new and {len(historical)} historical items, and at "
            "least one and two are needed; items are new where people have not voted, or name "
            "them with bj.new_items.roster(judges, humans, new=[...])."
        )
    basis = np.zeros((len(is_new), len(historical) - 1))
    basis[historical] = helmert_basis(len(historical))
    return Roster(basis, np.eye(len(is_new))[:, is_new])


def row_sources(design: Design, is_new: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the independent sample that each row comes from.

    Shapes: is_new (n_items,) -> source (n_rows,), stratum (n_rows,).
    """
    marked = is_new[np.searchsorted(design.items, design.data.items)]
    arrives = marked[design.data.first] | marked[design.data.second]
    people = design.data.human.all()
    judge = np.zeros_like(design.data.judge) if people else design.data.judge
    n_judges = 1 if people else design.data.n_judges
    return np.where(arrives, n_judges, judge), np.where(arrives, n_judges + judge, judge)
