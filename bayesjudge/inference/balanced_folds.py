"""Folds of single verdicts, balanced within every sample they come from."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesjudge.data.arrivals import Roster, row_sources
from bayesjudge.data.design import Design
from bayesjudge.errors import InvalidFoldsError

IntArray = NDArray[np.intp]


def balanced_folds(stratum: IntArray, folds: int, rng: np.random.Generator) -> IntArray:
    """Deal the rows of each stratum out to folds at random.

    Parameters
    ----------
    stratum : ndarray of int, shape (n_rows,)
        The sample of each row.
    folds : int
        Number of folds.
    rng : numpy.random.Generator
        Source of chance.

    Returns
    -------
    ndarray of int, shape (n_rows,)
        The fold of each row; within a stratum folds differ by at most one row.

    Examples
    --------
    >>> found = balanced_folds(np.repeat([0, 1], 10), 5, np.random.default_rng(1))
    >>> np.bincount(found[:10]).tolist()
    [2, 2, 2, 2, 2]
    """
    fold = np.empty(len(stratum), dtype=np.intp)
    dealt = 0
    for each in np.unique(stratum):
        rows = rng.permutation(np.flatnonzero(stratum == each))
        # Dealing goes on where the last stratum stopped, so that folds are of one size overall.
        fold[rows] = (dealt + np.arange(len(rows))) % folds
        dealt += len(rows)
    return fold


def demand_training_rows(
    source: IntArray, fold: IntArray, weight: NDArray[np.float64], n_folds: int
) -> None:
    """Raise unless every sample keeps rows when any one fold is left out.

    Parameters
    ----------
    source, fold : ndarray of int, shape (n_rows,)
        Sample and fold of each row.
    weight : ndarray, shape (n_rows,)
        How often each row counts.
    n_folds : int
        Number of folds, of all data sets.

    Raises
    ------
    InvalidFoldsError
        If leaving out a fold leaves a sample empty.
    """
    table = np.zeros((source.max() + 1, n_folds))
    np.add.at(table, (source, fold), weight)
    total = table.sum(axis=1, keepdims=True)
    if table.shape[1] > 1 and ((table == total) & (total > 0)).any():
        raise InvalidFoldsError(
            "Leaving out one fold leaves some judge, the new items or the votes without rows; use "
            "folds=1 (no cross-fitting), or collect at least two verdicts of every kind."
        )


def row_folds(
    designs: tuple[Design, ...], roster: Roster, folds: int | Sequence[ArrayLike], seed: int
) -> tuple[IntArray, ...]:
    """Give the fold of each row: balanced within every sample, or as given.

    Parameters
    ----------
    designs : tuple of Design
        The data sets.
    roster : Roster
        Which items are new.
    folds, seed
        As for `orthogonal`.

    Returns
    -------
    tuple of ndarray of int, shape (n_rows,)
        By data set.
    """
    if isinstance(folds, Integral) or not isinstance(folds, Iterable):
        if isinstance(folds, bool) or not isinstance(folds, Integral) or folds < 1:
            raise InvalidFoldsError(
                f"folds is {folds!r}; give a whole number, one for no cross-fitting, or the fold "
                "of each row."
            )
        rng = np.random.default_rng(seed)
        strata = [row_sources(each, roster.is_new)[1] for each in designs]
        return tuple(balanced_folds(each, int(folds), rng) for each in strata)
    return _given_folds(designs, [np.asarray(each) for each in folds])


def _given_folds(designs: tuple[Design, ...], given: list[NDArray[Any]]) -> tuple[IntArray, ...]:
    sizes = [each.data.n_rows for each in designs]
    fits = [each.shape for each in given] == [(size,) for size in sizes]
    if not fits or any(each.dtype.kind not in "iu" or each.min() < 0 for each in given):
        raise InvalidFoldsError(
            f"folds must be one array of whole numbers from 0 for each data set, of {sizes} rows; "
            "give those, or a number of folds."
        )
    # Numbers are names: what matters is who shares one.
    codes = np.unique(np.concatenate(given), return_inverse=True)[1].astype(np.intp)
    return tuple(np.split(codes, np.cumsum(sizes)[:-1]))
