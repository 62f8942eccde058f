"""Real verdicts and votes split by record, thinned, shown one-sidedly or joined by bad judges."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import BoolArray
from bayesjudge.data.comparisons import (
    FIRST,
    SECOND,
    TIE,
    Comparisons,
    demand_comparisons,
    refuse_exchanged,
)
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.errors import InvalidFoldsError, UnmatchedPromptsError
from bayesjudge.studies.dial.panel import demand_share

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
        If the share is no number between 0 and 1, or leaves one side without votes.
    NotComparisonsError, SamplerSettingError
        If the verdicts have not been read, or the seed is no whole number.
    JudgeKindError
        If people are given for judges, and judges for people.

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
    seed = demand_seed(seed)
    demand_records(judges, humans, test_share)
    judges, humans = decided(judges), decided(humans)
    kept = _kept_back(_records(humans), seed, test_share)
    train, held = ~np.isin(_records(judges), kept), np.isin(_records(humans), kept)
    if not train.any():
        raise InvalidFoldsError(
            f"test_share is {test_share!r} and keeps back all records that judges saw; give a "
            "smaller share, or more verdicts."
        )
    return Split(judges.select(train), humans.select(~held), humans.select(held))


def demand_records(judges: Comparisons, humans: Comparisons, test_share: float) -> None:
    """Check that records can be split, whatever the seed.

    Parameters
    ----------
    judges, humans, test_share
        As of `split_records`.

    Raises
    ------
    NotComparisonsError, JudgeKindError, UnmatchedPromptsError, InvalidFoldsError
        As of `split_records`.
    """
    refuse_exchanged(demand_comparisons(judges), demand_comparisons(humans))
    share, of_humans = demand_share(test_share), np.unique(_records(decided(humans)))
    if not np.isin(of_humans, _records(decided(judges))).any():
        raise UnmatchedPromptsError(
            "No prompt and pair has both verdicts of judges and votes of people; give tables whose "
            "prompts and items have the same names."
        )
    if not 0 < round(share * len(of_humans)) < len(of_humans):
        raise InvalidFoldsError(
            f"test_share is {test_share!r} and leaves one side without votes; give a share nearer "
            "to one half, or more votes."
        )


def _kept_back(of_humans: NDArray[np.str_], seed: int, test_share: float) -> NDArray[np.str_]:
    there = np.unique(of_humans)
    order = np.random.default_rng(seed).permutation(there)
    return order[: round(test_share * len(there))]


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
