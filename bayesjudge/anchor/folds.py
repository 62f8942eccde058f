"""Balanced folds, and sums of scores and information by fold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import counted_rows
from bayesjudge.designs.layouts import observed_site
from bayesjudge.designs.roster import Roster, row_sources
from bayesjudge.engine.precision import in_float64
from bayesjudge.engine.program import Data, Program
from bayesjudge.errors import InvalidFoldsError


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


@dataclass(frozen=True, eq=False)
class FoldSums:
    """One fold: where the others put the parameters, and what its own verdicts say there.

    Attributes
    ----------
    phi : ndarray, shape (size,)
        Estimate from the other folds.
    information : ndarray, shape (n_designs, size, size)
        Expected information of the other folds at `phi`, scaled to the full sample, by data set.
    score : ndarray, shape (n_designs, size)
        Summed scores of the fold's own verdicts.
    meat : ndarray, shape (n_designs, size, size)
        Summed products of those scores.
    """

    phi: FloatArray
    information: FloatArray
    score: FloatArray
    meat: FloatArray


@dataclass(frozen=True, eq=False)
class Split:
    """How the verdicts of one data set are divided for one fold.

    Attributes
    ----------
    training : ndarray, shape (n_cells, 3)
        Counts of the other folds, as they are.
    scaled : ndarray, shape (n_cells,)
        Verdicts of the other folds, times each sample's size over its size there.
    own : ndarray, shape (n_cells, 3)
        Counts of the fold.
    """

    training: FloatArray
    scaled: FloatArray
    own: FloatArray


def splits(of: Design, source: IntArray, fold: IntArray, n_folds: int) -> list[Split]:
    """Divide the verdicts of a data set, once for each fold.

    Parameters
    ----------
    of : Design
        The data set.
    source, fold : ndarray of int, shape (n_rows,)
        Sample and fold of each row.
    n_folds : int
        Number of folds; with one, it is trained on and corrected by the same verdicts.

    Returns
    -------
    list of Split
        One a fold.

    Notes
    -----
    Information of the other folds stands for that of the full sample. Without the factor n_q /
    n_q(-k) the correction and its standard error are too large by F / (F - 1).
    """
    if n_folds == 1:
        return whole_split((of,))
    everything = counted_rows(of)
    source_of_cell = np.zeros(len(everything), dtype=np.intp)
    source_of_cell[of.cell_of_row] = source
    found = []
    for number in range(n_folds):
        own = counted_rows(of, fold == number)
        training = everything - own
        factor = _by_source(everything, source_of_cell) / _by_source(training, source_of_cell)
        found.append(Split(training, training.sum(axis=1) * factor, own))
    return found


def whole_split(designs: tuple[Design, ...]) -> list[Split]:
    """Train on, and correct by, all verdicts.

    Parameters
    ----------
    designs : tuple of Design
        The data sets.

    Returns
    -------
    list of Split
        One a data set.
    """
    counts = [counted_rows(each) for each in designs]
    return [Split(each, each.sum(axis=1), each) for each in counts]


@in_float64
def fold_sums(
    target: Program, designs: tuple[Design, ...], layouts: Data, phi: FloatArray, parts: list[Split]
) -> FoldSums:
    """Sum a fold's scores at the other folds' estimate, and the others' information.

    Parameters
    ----------
    target : Program
        The program.
    designs : tuple of Design
        The verdicts.
    layouts : tuple
        What the program reads.
    phi : ndarray, shape (size,)
        The other folds' estimate.
    parts : list of Split
        One a data set.

    Returns
    -------
    FoldSums
        By data set, in their order.
    """
    scores = target.compiled.outcome_scores(phi, layouts)
    probs = target.compiled.outcome_probs(phi, layouts)
    sums = []
    for each, part in zip(designs, parts, strict=True):
        site = observed_site(each.layout)
        flat = np.asarray(scores[site]).reshape(-1, len(phi))
        expected = (np.asarray(probs[site]).reshape(-1, 3) * part.scaled[:, None]).ravel()
        counts = part.own.ravel()
        sums.append((_products(flat, expected), counts @ flat, _products(flat, counts)))
    information, score, meat = (np.stack(each) for each in zip(*sums, strict=True))
    return FoldSums(np.asarray(phi), information, score, meat)


def _by_source(counts: FloatArray, source: IntArray) -> FloatArray:
    """Verdicts of each cell's sample."""
    return np.maximum(np.bincount(source, counts.sum(axis=1)), np.finfo(float).tiny)[source]


def _products(flat: FloatArray, weight: FloatArray) -> FloatArray:
    used = weight != 0
    kept = flat[used]
    return (kept.T * weight[used]) @ kept
