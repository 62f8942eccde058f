"""Sums of scores and information, fold by fold: all that a cross-fitted step needs of the data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.arrays import FloatArray
from bayesjudge.data.design import Design
from bayesjudge.data.flat_cells import counted_rows
from bayesjudge.data.layouts import observed_site
from bayesjudge.inference.precision import in_float64
from bayesjudge.inference.program import Data, Program

IntArray = NDArray[np.intp]


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
