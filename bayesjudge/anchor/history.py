"""A history that is fitted once, and places one new item after another without a new fit."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesjudge.anchor.folds import row_folds, stepped_folds
from bayesjudge.anchor.history_file import NAMES, read_history, write_history
from bayesjudge.anchor.voted_pairs import VotedPairs, voted_pairs
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.layouts import retained_mask
from bayesjudge.designs.roster import all_historical
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.prepare import prepared_data, program_data, refuse_powers
from bayesjudge.engine.program import program
from bayesjudge.errors import FeatureError, UnreadableFileError
from bayesjudge.fits.tree import verdict_counts
from bayesjudge.models.new_item import new_item

UNFIT_TERM = "length"  # measured in standard deviations of a data set, which arrivals do not share


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """Estimates and sums of scores from verdicts and votes on historical items, fold by fold.

    Coordinates are those of the historical scores, then log sensitivities, then the free effects,
    term by term.

    Attributes
    ----------
    items, judges, terms : tuple of str
        Names.
    retained : ndarray of bool, shape (n_terms, n_judges)
        Which effects are free.
    score : ndarray, shape (n_folds, n_items)
        Two-step estimates from the other folds, log-odds.
    sensitivity : ndarray, shape (n_folds, n_judges)
        The same, of sensitivities.
    effects : ndarray, shape (n_folds, n_judges, n_terms)
        The same, of judges' effects.
    information, meat : ndarray, shape (n_folds, 2, size, size)
        Of judges and of votes, as in `FoldSums`.
    gradient : ndarray, shape (n_folds, 2, size)
        Summed scores of each fold's verdicts.
    pair_contrast : ndarray, shape (n_pairs, n_items)
        Pairs that people voted on.
    pair_votes : ndarray, shape (n_pairs,)
        How many.
    verdicts : ndarray, shape (n_judges, n_items)
        Verdicts of each judge that an item takes part in.
    """

    items: tuple[str, ...]
    judges: tuple[str, ...]
    terms: tuple[Any, ...]  # Term, or a feature of the user's
    retained: BoolArray
    score: FloatArray
    sensitivity: FloatArray
    effects: FloatArray
    information: FloatArray
    meat: FloatArray
    gradient: FloatArray
    pair_contrast: FloatArray
    pair_votes: FloatArray
    verdicts: FloatArray

    def __repr__(self) -> str:
        sizes = ((self.items, "item"), (self.judges, "judge"), (self.score, "fold"))
        words = ", ".join(counted(len(held), noun) for held, noun in sizes)
        return f"History({words}, {self.pair_votes.sum():,.0f} votes)"

    @property
    def n_folds(self) -> int:
        """Number of folds; one is no cross-fitting."""
        return len(self.score)

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return self.gradient.shape[-1]

    @property
    def basis(self) -> FloatArray:
        """Orthonormal basis of the scores, shape (n_items, n_items - 1)."""
        return helmert_basis(len(self.items))

    def pairs(self, n_new: int) -> VotedPairs:
        """Return the pairs that people voted on, with room for new items.

        Parameters
        ----------
        n_new : int
            Number of new items, which come last.

        Returns
        -------
        VotedPairs
            Contrasts of all items, and numbers of votes.
        """
        none = np.zeros((len(self.pair_votes), n_new))
        return VotedPairs(np.hstack([self.pair_contrast, none]), self.pair_votes)

    def save(self, path: str | Path) -> None:
        """Write the history to a file, names and numbers but no verdicts.

        Parameters
        ----------
        path : str or Path
            Such as "history.npz". A history of that name is replaced; any other file is left.

        Raises
        ------
        UnwritableFolderError
            If nothing can be written there, or a file is there that is no history.
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        write_history(path, values, _is_history)


def _is_history(place: Path) -> bool:
    try:
        load_history(place)
    except UnreadableFileError:
        return False
    return True


def load_history(path: str | Path) -> History:
    """Read a history that was saved.

    Parameters
    ----------
    path : str or Path
        What `History.save` wrote.

    Returns
    -------
    History
        As it was.

    Raises
    ------
    UnreadableFileError
        If the file is missing, damaged, or holds no history.

    Examples
    --------
    >>> import tempfile
    >>> import bayesjudge as bj
    >>> history = bj.new_items.fit_history(bj.example_panel(), bj.example_votes(), folds=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     history.save(f"{folder}/history.npz")
    ...     bj.new_items.load_history(f"{folder}/history.npz").items == history.items
    True
    """
    history = History(**read_history(path, [field.name for field in fields(History)]))
    _demand_arrays(history, path)
    return history


def _demand_arrays(history: History, path: object) -> None:
    """Raise unless the arrays have the sizes that the names ask for, and hold finite numbers."""
    for name, shape in _shapes(history).items():
        array, kind = getattr(history, name), "b" if name == "retained" else "f"
        if array.shape != shape or array.dtype.kind != kind or not np.isfinite(array).all():
            raise UnreadableFileError(
                f"{name} in {str(path)!r} is not an array of finite numbers in the shape {shape} "
                "that the history's other parts require; fit the history again and save it."
            )
    if (history.pair_votes <= 0).any():
        raise UnreadableFileError(
            f"pair_votes in {str(path)!r} holds a pair without votes; fit the history again and "
            "save it."
        )


def _shapes(history: History) -> dict[str, tuple[int, ...]]:
    """Shapes of the arrays, by the names and the numbers of folds and pairs."""
    items, judges, terms = (len(getattr(history, name)) for name in NAMES)
    folds, pairs = max(np.size(history.score) // max(items, 1), 1), np.size(history.pair_votes)
    size = items - 1 + judges + int(np.count_nonzero(history.retained))
    return {
        "retained": (terms, judges),
        "score": (folds, items),
        "sensitivity": (folds, judges),
        "effects": (folds, judges, terms),
        "information": (folds, 2, size, size),
        "meat": (folds, 2, size, size),
        "gradient": (folds, 2, size),
        "pair_contrast": (pairs, items),
        "pair_votes": (pairs,),
        "verdicts": (judges, items),
    }


@one_blas_thread
def fit_history(
    judges: Comparisons | Design,
    humans: Comparisons | Design,
    *,
    folds: int | Sequence[ArrayLike] = 10,
    seed: int = 0,
) -> History:
    """Fit what is known before a new item comes.

    Parameters
    ----------
    judges : Comparisons or Design
        Verdicts on historical items, with features as terms (`bayesjudge.new_items.features`).
    humans : Comparisons or Design
        Votes on the same items.
    folds : int or sequence of array
        Folds for cross-fitting; one for none; or the fold of each row, one array a data set.
    seed : int
        Same seed, same folds.

    Returns
    -------
    History
        What `bayesjudge.new_items.place` reads; it can be saved.

    Raises
    ------
    FeatureError
        For the length term of `bayesjudge.design`, whose unit differs between data sets.
    WeightError
        If a design has a power.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> history = bj.new_items.fit_history(bj.example_panel(), bj.example_votes(), folds=2)
    >>> history.score.shape
    (2, 8)
    """
    laid_out = designs(judges, humans)
    roster = all_historical(len(laid_out[0].items))
    prepared, frames = prepared_data(new_item, *laid_out, roster)
    refuse_powers(prepared, "A history")
    layout = prepared[0].layout
    if UNFIT_TERM in layout.terms:
        raise FeatureError(
            "The length term is measured in standard deviations of one data set and cannot be "
            "carried to arrivals; give the log length ratio by bj.new_items.features(judges, "
            "{...})."
        )
    target = program(new_item, *program_data(prepared, frames))
    fold_of_row = row_folds(prepared, roster, folds, demand_seed(seed))
    starts, sums = stepped_folds(target, prepared, frames, roster, fold_of_row)
    pairs = voted_pairs(prepared[1])
    return History(
        items=prepared[0].items,
        judges=prepared[0].data.judges,
        terms=layout.terms,
        retained=retained_mask(layout),
        score=np.stack([start.score for start in starts]),
        sensitivity=np.stack([start.sensitivity for start in starts]),
        effects=np.stack([start.effects for start in starts]),
        information=np.stack([fold.information for fold in sums]),
        meat=np.stack([fold.meat for fold in sums]),
        gradient=np.stack([fold.score for fold in sums]),
        pair_contrast=pairs.contrast,
        pair_votes=pairs.votes,
        verdicts=verdict_counts(prepared[0]),
    )
