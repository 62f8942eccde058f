"""Folds of single verdicts, balanced within every sample they come from."""

import numpy as np
from numpy.typing import NDArray

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


def demand_training_rows(source: IntArray, fold: IntArray, weight: NDArray[np.float64]) -> None:
    """Raise unless every sample keeps rows when any one fold is left out.

    Parameters
    ----------
    source, fold : ndarray of int, shape (n_rows,)
        Sample and fold of each row.
    weight : ndarray, shape (n_rows,)
        How often each row counts.

    Raises
    ------
    InvalidFoldsError
        If leaving out a fold leaves a sample empty.
    """
    table = np.zeros((source.max() + 1, fold.max() + 1))
    np.add.at(table, (source, fold), weight)
    total = table.sum(axis=1, keepdims=True)
    if table.shape[1] > 1 and ((table == total) & (total > 0)).any():
        raise InvalidFoldsError(
            "Leaving out one fold leaves some judge, or the new items, without any verdict; use "
            "folds=1 (no cross-fitting), or collect at least two verdicts of every kind."
        )
