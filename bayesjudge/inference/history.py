"""A history that is fitted once, and places one new item after another without a new fit."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.arrays import FloatArray
from bayesjudge.data.arrivals import all_historical
from bayesjudge.data.basis import helmert_basis
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import Design
from bayesjudge.errors import FeatureError, UnreadableFileError
from bayesjudge.inference.orthogonal import row_folds, stepped_folds
from bayesjudge.inference.placement import VotedPairs, voted_pairs
from bayesjudge.inference.prepare import prepared_data
from bayesjudge.inference.program import program
from bayesjudge.inference.settings import demand_seed
from bayesjudge.inference.threads import one_blas_thread
from bayesjudge.models.new_item import new_item

UNFIT_TERM = "length"  # measured in standard deviations of a data set, which arrivals do not share
NAMES = ("items", "judges", "terms")


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
            Such as "history.npz".
        """
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        values |= {name: np.array(json.dumps(values[name])) for name in NAMES}
        with Path(path).open("wb") as file:
            np.savez_compressed(file, **values)


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
        If the file is missing or is none.

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
    try:
        with np.load(path, allow_pickle=False) as file:
            values = {each.name: file[each.name] for each in fields(History)}
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableFileError(
            f"{path} holds no history ({error}); give a file that bj.fit_history(...).save(path) "
            "wrote."
        ) from None
    names = {name: tuple(json.loads(str(values[name]))) for name in NAMES}
    return History(**{**values, **names})


@one_blas_thread
def fit_history(
    judges: Comparisons | Design, humans: Comparisons | Design, *, folds: int = 10, seed: int = 0
) -> History:
    """Fit what is known before a new item comes.

    Parameters
    ----------
    judges : Comparisons or Design
        Verdicts on historical items, with features as terms (`bayesjudge.features`).
    humans : Comparisons or Design
        Votes on the same items.
    folds : int
        Folds for cross-fitting; one for none.
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

    Examples
    --------
    >>> import bayesjudge as bj
    >>> history = bj.fit_history(bj.example_panel(), bj.example_votes(), folds=2)
    >>> history.score.shape
    (2, 8)
    """
    count = len({*_names(judges), *_names(humans)})
    roster = all_historical(count)
    made, frames = prepared_data(new_item, judges, humans, roster)
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


def _names(of: Comparisons | Design) -> tuple[str, ...]:
    return of.items
