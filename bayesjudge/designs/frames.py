"""What a program reads besides verdicts: fixed arrays that a method needs."""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import Array, FloatArray
from bayesjudge.designs.layouts import Layout
from bayesjudge.errors import RankError

CENTRED = 1e-6  # sum of a column over items, relative to its largest entry; holds in float32 too


@dataclass(frozen=True, eq=False)
class Frame:
    """Base class of a program's data that are not verdicts.

    A frame follows the verdicts in a program's arguments. A program that can make a frame of its
    own from the verdicts says so (`bayesjudge.models.about`), and users need not give it.
    """

    def starts(self) -> dict[str, FloatArray]:
        """Where to start looking for a mode: values by free site, none for zeros."""
        return {}

    def demand_fit(self, layouts: tuple[Layout, ...]) -> None:
        """Raise unless the frame belongs to these verdicts."""


@dataclass(frozen=True, eq=False, repr=False)
class Structure(Frame):
    """A base point of the scores' low-rank structure, about which a chart is laid.

    All arrays are in the orthonormal (Helmert) coordinates of scores and judges that sum to zero.

    Attributes
    ----------
    direction : array, shape (n_items - 1,)
        Unit vector: the consensus of the base point.
    disagreement : array, shape (n_items - 1, rank)
        Orthonormal directions of disagreement of the base point, orthogonal to the consensus.
    rest : array, shape (n_items - 1, n_items - 2 - rank)
        The remaining orthonormal directions.
    size : array, shape ()
        Length of the average judge's score at the base point, in log-odds.
    loading : array, shape (n_judges - 1,)
        Relative loadings less one.
    factor : array, shape (n_judges - 1, rank)
        Loadings of the judges on the directions of disagreement, log-odds.
    position : array, shape (n_judges,)
        Position effects, log-odds.
    """

    direction: Array
    disagreement: Array
    rest: Array
    size: Array
    loading: Array
    factor: Array
    position: Array

    def __repr__(self) -> str:
        items, judges = len(self.direction) + 1, len(self.loading) + 1
        return f"Structure(rank {self.rank}, {items} items, {judges} judges)"

    @property
    def rank(self) -> int:
        """Number of directions of disagreement."""
        return self.disagreement.shape[1]

    def starts(self) -> dict[str, FloatArray]:
        """Return the base point in the chart's own coordinates.

        Returns
        -------
        dict of str to ndarray
            By free site of the consensus programs.
        """
        return {
            "score_coordinates": self.size * self.direction,
            "loading_coordinates": self.loading,
            "factor_coordinates": self.factor,
            "position_coordinates": self.position,
        }

    def demand_fit(self, layouts: tuple[Layout, ...]) -> None:
        """Raise unless the structure has the sizes of the judges' verdicts."""
        judges = layouts[0]
        sizes = len(self.direction) + 1, len(self.loading) + 1
        if sizes != (judges.n_items, judges.n_judges):
            raise RankError(
                f"The structure is of {sizes[0]} items and {sizes[1]} judges, and the fit of "
                f"{judges.n_items} and {judges.n_judges}; make it with "
                "bj.calibration.structure(judges, ..., "
                "rank=...) from the data of this fit."
            )


STRUCTURE_ARRAYS = (
    "direction",
    "disagreement",
    "rest",
    "size",
    "loading",
    "factor",
    "position",
)


@dataclass(frozen=True, eq=False, repr=False)
class Space(Frame):
    """A fixed linear space in which human scores are sought.

    Attributes
    ----------
    basis : array, shape (n_items, dimension)
        Independent columns that sum to zero; rows are the fit's items in sorted order. A fit
        raises `RankError` for anything else.
    """

    basis: Array

    def __repr__(self) -> str:
        return f"Space(basis of shape {np.shape(self.basis)})"

    def demand_fit(self, layouts: tuple[Layout, ...]) -> None:
        """Raise unless the columns are independent scores of the fit's items, each summing to zero.

        A fit asks this of what a user gave; inside a program the basis is a tracer, which has no
        values to look at.
        """
        _demand_numbers(self.basis)
        basis, n_items = np.asarray(self.basis, dtype=np.float64), layouts[0].n_items
        _demand_shape(basis, n_items)
        size = np.abs(basis).max(axis=0)
        if (np.abs(basis.sum(axis=0)) > CENTRED * n_items * size).any():
            raise RankError(
                "A column of the space's basis does not sum to zero, as scores do; give "
                "basis - basis.mean(axis=0)."
            )
        if np.linalg.matrix_rank(basis) < basis.shape[1]:
            raise RankError(
                f"The {basis.shape[1]} columns of the space's basis are not independent; leave out "
                "those that the others span."
            )


def _demand_numbers(basis: object) -> None:
    from jax import Array as JaxArray

    if not isinstance(basis, np.ndarray | JaxArray):
        raise RankError(
            f"The space's basis is of type {type(basis).__name__}; give a NumPy array with one row "
            "an item (numpy.array(...), or to_numpy() of a table)."
        )
    if basis.dtype.kind not in "iuf":
        raise RankError(
            f"The space's basis holds values of type {basis.dtype}; give an array of real numbers."
        )


def _demand_shape(basis: FloatArray, n_items: int) -> None:
    if basis.ndim != 2 or len(basis) != n_items or not basis.shape[1]:
        raise RankError(
            f"The space's basis has shape {basis.shape}; give one row for each of the {n_items} "
            "items, and one column or more."
        )
    if not np.isfinite(basis).all():
        raise RankError("The space's basis holds NaN or infinity; give finite numbers.")


SPACE_ARRAYS = ("basis",)
