"""Balanced folds, and sums of scores and information by fold."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from bayesjudge.anchor.two_step import TwoStep, two_step
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import counted_rows, flat_cells
from bayesjudge.designs.frames import Frame
from bayesjudge.designs.roster import Roster, row_sources
from bayesjudge.engine.point import Point
from bayesjudge.engine.program import Program
from bayesjudge.errors import InvalidFoldsError

Start = Callable[[tuple[Design, ...], Roster, tuple[FloatArray, ...]], TwoStep]


def balanced_folds(stratum: IntArray, folds: int, rng: np.random.Generator) -> IntArray:
    """Return folds at random, of nearly one size within each stratum: (n_rows,) -> (n_rows,)."""
    fold = np.empty(len(stratum), dtype=np.intp)
    n_dealt = 0
    for value in np.unique(stratum):
        rows = rng.permutation(np.flatnonzero(stratum == value))
        # Dealing goes on where the last stratum stopped, so that folds are of one size overall.
        fold[rows] = (n_dealt + np.arange(len(rows))) % folds
        n_dealt += len(rows)
    return fold


def demand_training_rows(
    source: IntArray, fold: IntArray, weight: FloatArray, n_folds: int
) -> None:
    """Raise unless every sample keeps rows when any fold is left out: arrays (n_rows,)."""
    verdicts = np.zeros((source.max() + 1, n_folds))
    np.add.at(verdicts, (source, fold), weight)
    total = verdicts.sum(axis=1, keepdims=True)
    if n_folds > 1 and ((verdicts == total) & (total > 0)).any():
        raise InvalidFoldsError(
            "Leaving out one fold leaves some judge, the new items or the votes without rows; use "
            "folds=1 (no cross-fitting), or collect at least two verdicts of every kind."
        )


def row_folds(
    designs: tuple[Design, ...], roster: Roster, folds: int | Sequence[ArrayLike], seed: int
) -> tuple[IntArray, ...]:
    """Return the fold of each row (n_rows,): balanced within every sample, or as given."""
    if isinstance(folds, Iterable):
        return _given_folds(designs, folds)
    if isinstance(folds, bool) or not isinstance(folds, Integral) or folds < 1:
        raise InvalidFoldsError(
            f"folds is {folds!r}; give a whole number, one for no cross-fitting, or the fold "
            "of each row."
        )
    rng = np.random.default_rng(seed)
    strata = [row_sources(design, roster.is_new)[1] for design in designs]
    return tuple(balanced_folds(stratum, int(folds), rng) for stratum in strata)


def _given_folds(designs: tuple[Design, ...], folds: Iterable[ArrayLike]) -> tuple[IntArray, ...]:
    arrays = [np.asarray(fold) for fold in folds]
    sizes = [design.data.n_rows for design in designs]
    fits = [array.shape for array in arrays] == [(size,) for size in sizes]
    if not fits or any(array.dtype.kind not in "iu" or array.min() < 0 for array in arrays):
        raise InvalidFoldsError(
            f"folds must be one array of whole numbers from 0 for each data set, of {sizes} rows; "
            "give those, or a number of folds."
        )
    # Numbers are names: what matters is who shares one.
    codes = np.unique(np.concatenate(arrays), return_inverse=True)[1].astype(np.intp)
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


def splits(design: Design, source: IntArray, fold: IntArray, n_folds: int) -> list[Split]:
    """Divide the verdicts of a data set, once for each fold: source, fold (n_rows,).

    Information of the other folds stands for that of the full sample. Without the factor n_q /
    n_q(-k) the correction and its standard error are too large by F / (F - 1).
    """
    if n_folds == 1:
        return whole_split((design,))
    counts = flat_cells(design).counts
    source_of_cell = np.zeros(len(counts), dtype=np.intp)
    source_of_cell[design.cell_of_row] = source
    divided = []
    for number in range(n_folds):
        own = counted_rows(design, fold == number)
        training = counts - own
        factor = _source_size(counts, source_of_cell) / _source_size(training, source_of_cell)
        divided.append(Split(training, training.sum(axis=1) * factor, own))
    return divided


def whole_split(designs: tuple[Design, ...]) -> list[Split]:
    """Train on, and correct by, all verdicts of each data set."""
    everything = [flat_cells(design).counts for design in designs]
    return [Split(counts, counts.sum(axis=1), counts) for counts in everything]


def fold_sums(point: Point, parts: Sequence[Split]) -> FoldSums:
    """Sum a fold's scores at the other folds' estimate, and the others' information."""
    sums = []
    for design, part in zip(point.designs, parts, strict=True):
        scores = point.scores(design)
        expected = point.outcome_probs(design) * part.scaled[:, None]
        sums.append((scores.products(expected), scores.total(part.own), scores.products(part.own)))
    information, score, meat = (np.stack(column) for column in zip(*sums, strict=True))
    return FoldSums(np.asarray(point.phi), information, score, meat)


def _source_size(counts: FloatArray, source: IntArray) -> FloatArray:
    """Return the verdicts of each cell's sample: (n_cells, 3), (n_cells,) -> (n_cells,)."""
    return np.maximum(np.bincount(source, counts.sum(axis=1)), np.finfo(float).tiny)[source]


def stepped_folds(
    target: Program,
    designs: tuple[Design, ...],
    frames: tuple[Frame, ...],
    roster: Roster,
    fold_of_row: tuple[IntArray, ...],
    start: Start = two_step,
) -> tuple[tuple[TwoStep, ...], tuple[FoldSums, ...]]:
    """Estimate from all folds but one and sum what the one says there, for each in turn."""
    n_folds = 1 + max(int(fold.max()) for fold in fold_of_row)
    parts = []
    for design, fold in zip(designs, fold_of_row, strict=True):
        source, _ = row_sources(design, roster.is_new)
        demand_training_rows(source, fold, design.weight, n_folds)
        parts.append(splits(design, source, fold, n_folds))
    starts, sums = [], []
    for split in zip(*parts, strict=True):
        first = start(designs, roster, tuple(part.training for part in split))
        phi = target.sites.flat(first.coordinates(designs[0], roster))
        starts.append(first)
        sums.append(fold_sums(Point(target, designs, frames, phi), split))
    return tuple(starts), tuple(sums)
