"""A history that is fitted once, and places one new item after another without a new fit."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesjudge.anchor.folds import row_folds
from bayesjudge.anchor.history_file import NAMES, read_history, write_history
from bayesjudge.anchor.orthogonal import stepped_folds
from bayesjudge.anchor.placement import VotedPairs, voted_pairs
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.roster import all_historical
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.prepare import demand_kinds, prepared_data, refuse_powers
from bayesjudge.engine.program import program
from bayesjudge.errors import FeatureError, UnreadableFileError
from bayesjudge.models.new_item import new_item

UNFIT_TERM = "length"  # measured in standard deviations of a data set, which arrivals do not share


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """What votes and judges' verdicts on historical items say, fold by fold.

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
        The same.
    effects : ndarray, shape (n_folds, n_judges, n_terms)
        The same.
    information, meat : ndarray, shape (n_folds, 2, size, size)
        Of judges and of votes, as in `FoldSums`.
    gradient : ndarray, shape (n_folds, 2, size)
        Summed scores of each fold's verdicts.
    pair_contrast : ndarray, shape (n_pairs, n_items)
        Pairs that people voted on.
    pair_votes : ndarray, shape (n_pairs,)
        How many.
    """

    items: tuple[str, ...]
    judges: tuple[str, ...]
    terms: tuple[Any, ...]  # Term, or a feature of the user's
    retained: NDArray[np.bool_]
    score: FloatArray
    sensitivity: FloatArray
    effects: FloatArray
    information: FloatArray
    meat: FloatArray
    gradient: FloatArray
    pair_contrast: FloatArray
    pair_votes: FloatArray

    def __repr__(self) -> str:
        sizes = f"{len(self.items)} items, {len(self.judges)} judges, {len(self.score)} folds"
        return f"History({sizes}, {self.pair_votes.sum():,.0f} votes)"

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
        """Give the pairs that people voted on, with room for new items."""
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
        values = {each.name: getattr(self, each.name) for each in fields(self)}
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
    >>> history = bj.fit_history(bj.example_panel(), bj.example_votes(), folds=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     history.save(f"{folder}/history.npz")
    ...     bj.load_history(f"{folder}/history.npz").items == history.items
    True
    """
    found = History(**read_history(path, [each.name for each in fields(History)]))
    _demand_arrays(found, path)
    return found


def _demand_arrays(history: History, path: object) -> None:
    """Raise unless the arrays have the sizes that the names ask for, and hold finite numbers."""
    for name, shape in _shapes(history).items():
        array, kind = getattr(history, name), "b" if name == "retained" else "f"
        if array.shape != shape or array.dtype.kind != kind or not np.isfinite(array).all():
            raise UnreadableFileError(
                f"{name} in {str(path)!r} does not hold finite numbers in the shape {shape} that "
                "the history's other parts ask for; fit the history again and save it."
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
        Verdicts on historical items, with features as terms (`bayesjudge.features`).
    humans : Comparisons or Design
        Votes on the same items.
    folds : int or sequence of array
        Folds for cross-fitting; one for none; or the fold of each row, one array a data set.
    seed : int
        Same seed, same folds.

    Returns
    -------
    History
        What `bayesjudge.place` reads; it can be saved.

    Raises
    ------
    FeatureError
        For the length term of `bayesjudge.design`, whose unit differs between data sets.
    WeightError
        If a design has a power.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> history = bj.fit_history(bj.example_panel(), bj.example_votes(), folds=2)
    >>> history.score.shape
    (2, 8)
    """
    made = designs(judges, humans)
    demand_kinds(new_item, made)
    roster = all_historical(len(made[0].items))
    made, frames = prepared_data(new_item, *made, roster)
    refuse_powers(made, "A history")
    layout = made[0].layout
    if UNFIT_TERM in layout.terms:
        raise FeatureError(
            "The length term is measured in standard deviations of one data set and cannot be "
            "carried to arrivals; give the log length ratio by bj.features(judges, {...})."
        )
    target = program(new_item, *(each.layout for each in made), *frames)
    of_rows = row_folds(made, roster, folds, demand_seed(seed))
    starts, sums = stepped_folds(target, made, frames, roster, of_rows)
    pairs = voted_pairs(made[1])
    return History(
        items=made[0].items,
        judges=made[0].data.judges,
        terms=layout.terms,
        retained=np.array(layout.retained, dtype=bool).reshape(-1, layout.n_judges),
        score=np.stack([each.score for each in starts]),
        sensitivity=np.stack([each.sensitivity for each in starts]),
        effects=np.stack([each.effects for each in starts]),
        information=np.stack([each.information for each in sums]),
        meat=np.stack([each.meat for each in sums]),
        gradient=np.stack([each.score for each in sums]),
        pair_contrast=pairs.contrast,
        pair_votes=pairs.votes,
    )
