"""Real verdicts and votes split by record, thinned, shown one-sidedly or joined by bad judges."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.arrays import BoolArray
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.errors import InvalidFoldsError, UnmatchedPromptsError

FIRST_SLOT = 0.9  # how often an injected judge prefers the answer shown first


@dataclass(frozen=True, eq=False)
class Split:
    """Verdicts and votes to learn from, and votes kept back.

    Attributes
    ----------
    judges, humans, test : Comparisons
        Without ties. A record (prompt and pair) is on one side only.
    """

    judges: Comparisons
    humans: Comparisons
    test: Comparisons


def split_records(
    judges: Comparisons, humans: Comparisons, seed: int, test_share: float = 0.5
) -> Split:
    """Split records of judges and people at random.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts and votes whose prompts have the same names; ties are left out.
    seed : int
        Same seed, same split.
    test_share : float
        Share of the records with votes that is kept back.

    Returns
    -------
    Split
        DIAL G.2: both orders of a record stay together.

    Raises
    ------
    UnmatchedPromptsError
        If no record has both verdicts and votes.
    InvalidFoldsError
        If the share leaves one side without votes.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from dataclasses import replace
    >>> panel = bj.example_panel()
    >>> people = replace(panel, human=np.ones(panel.n_judges, dtype=bool))
    >>> split = split_records(panel, people, seed=1)
    >>> split.judges.n_rows + split.test.n_rows
    2000
    """
    judges, humans = decided(judges), decided(humans)
    of_judges, of_humans = _records(judges), _records(humans)
    shared = np.intersect1d(of_judges, of_humans)
    if not len(shared):
        raise UnmatchedPromptsError(
            "No prompt and pair has both verdicts of judges and votes of people; give tables whose "
            "prompts and items have the same names."
        )
    rng = np.random.default_rng(seed)
    kept = rng.permutation(np.unique(of_humans))[: round(test_share * len(np.unique(of_humans)))]
    held = np.isin(of_humans, kept)
    if held.all() or not held.any():
        raise InvalidFoldsError(
            f"test_share is {test_share!r} and leaves one side without votes; give a share between "
            "0 and 1."
        )
    train = ~np.isin(of_judges, kept)
    return Split(judges.select(train), humans.select(~held), humans.select(held))


def decided(data: Comparisons) -> Comparisons:
    """Leave ties out.

    Parameters
    ----------
    data : Comparisons
        Verdicts.

    Returns
    -------
    Comparisons
        Those with a winner.
    """
    return data.select(data.verdict != TIE)


def one_sided(judges: Comparisons, swapped: float, rng: np.random.Generator) -> Comparisons:
    """Keep the first-named item first, and a share of the swapped displays.

    Parameters
    ----------
    judges : Comparisons
        Verdicts in both orders.
    swapped : float
        Share of the swapped displays that is kept; one changes nothing.
    rng : numpy.random.Generator
        Where randomness comes from.

    Returns
    -------
    Comparisons
        DIAL G.2, display imbalance.
    """
    return judges.select((judges.first < judges.second) | (rng.random(judges.n_rows) < swapped))


def thinned(data: Comparisons, rows: int, rng: np.random.Generator) -> Comparisons:
    """Draw rows without replacement.

    Parameters
    ----------
    data : Comparisons
        Verdicts or votes.
    rows : int
        How many; all where there are fewer.
    rng : numpy.random.Generator
        Where randomness comes from.

    Returns
    -------
    Comparisons
        A random subset.
    """
    chosen = np.zeros(data.n_rows, dtype=bool)
    chosen[rng.permutation(data.n_rows)[:rows]] = True
    return data.select(chosen)


def with_position_judges(judges: Comparisons, number: int, rng: np.random.Generator) -> Comparisons:
    """Add judges who prefer the first slot nine times in ten, whatever is in it.

    Parameters
    ----------
    judges : Comparisons
        Verdicts.
    number : int
        How many to add; each sees what a random judge of the panel saw.
    rng : numpy.random.Generator
        Where randomness comes from.

    Returns
    -------
    Comparisons
        DIAL G.2, injected pure-position judges.
    """
    added = [
        _renamed(_replaced(one, rng.random(one.n_rows) < FIRST_SLOT), f"position-{i + 1}")
        for i, one in enumerate(_drawn(judges, number, rng))
    ]
    return pool_comparisons(judges, *added)


def with_opposed_judges(judges: Comparisons, number: int, rng: np.random.Generator) -> Comparisons:
    """Add judges who say the opposite of a random judge of the panel.

    Parameters
    ----------
    judges : Comparisons
        Verdicts.
    number : int
        How many to add.
    rng : numpy.random.Generator
        Where randomness comes from.

    Returns
    -------
    Comparisons
        DIAL G.2, injected anti-consensus judges.
    """
    added = [
        _renamed(_replaced(one, one.verdict != FIRST), f"opposed-{i + 1}")
        for i, one in enumerate(_drawn(judges, number, rng))
    ]
    return pool_comparisons(judges, *added)


def _drawn(judges: Comparisons, number: int, rng: np.random.Generator) -> list[Comparisons]:
    return [judges.select(judges.judge == k) for k in rng.integers(judges.n_judges, size=number)]


def _replaced(one: Comparisons, first: BoolArray) -> Comparisons:
    return replace(one, verdict=np.where(first, FIRST, SECOND))


def _renamed(one: Comparisons, name: str) -> Comparisons:
    return replace(one, judges=(name,))


def _records(data: Comparisons) -> NDArray[np.str_]:
    """Name each row's prompt and pair, so that two tables can be matched."""
    names = np.char.add(np.array(data.items)[np.minimum(data.first, data.second)], "\t")
    pair = np.char.add(names, np.array(data.items)[np.maximum(data.first, data.second)])
    return np.char.add(np.char.add(np.array(data.prompts)[data.prompt], "\t"), pair)
