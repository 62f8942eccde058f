"""Real verdicts and votes: split by record, thinned, one-sided, and with added bad judges."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.arguments import demand_amount, demand_seed
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

FIRST_SLOT = 0.9  # how often an injected judge prefers the answer shown first


@dataclass(frozen=True, eq=False, repr=False)
class Split:
    """Verdicts and votes for fitting, and votes held out.

    Attributes
    ----------
    judges, humans, test : Comparisons
        Without ties. A record (prompt and pair) is on one side only.
    """

    judges: Comparisons
    humans: Comparisons
    test: Comparisons

    def __repr__(self) -> str:
        return (
            f"Split({self.judges.n_rows:,} verdicts and {self.humans.n_rows:,} votes; "
            f"{self.test.n_rows:,} votes held out)"
        )


def split_records(
    judges: Comparisons, humans: Comparisons, *, seed: int, test_share: float = 0.5
) -> Split:
    """Split records of judges and people at random.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts and votes whose prompts have the same names; ties are left out.
    seed : int
        Same seed, same split.
    test_share : float
        Share of the records with votes that is held out.

    Returns
    -------
    Split
        DIAL G.2: both orders of a record stay together.

    Raises
    ------
    UnmatchedPromptsError
        If no record has both verdicts and votes.
    InvalidFoldsError
        If the share is not a number between 0 and 1, or leaves one side without votes, or the
        judges without verdicts.
    NotComparisonsError, SamplerSettingError
        If the verdicts have not been read, or the seed is not a whole number.
    JudgeKindError
        If judges and people are exchanged.

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
    of_humans = _records(humans)
    records = np.unique(of_humans)
    order = np.random.default_rng(seed).permutation(records)
    held_out = order[: round(test_share * len(records))]
    train, test = ~np.isin(_records(judges), held_out), np.isin(of_humans, held_out)
    if not train.any():
        raise InvalidFoldsError(
            f"test_share is {test_share!r} and holds out all records that judges saw; give a "
            "smaller share, or more verdicts."
        )
    return Split(judges.select(train), humans.select(~test), humans.select(test))


def demand_records(judges: Comparisons, humans: Comparisons, test_share: float) -> None:
    """Check that records can be split, whatever the seed."""
    refuse_exchanged(demand_comparisons(judges), demand_comparisons(humans))
    advice = "give a share between 0 and 1, as any other leaves one side without votes"
    share = demand_amount("test_share", test_share, advice, InvalidFoldsError, most=1.0)
    records = np.unique(_records(decided(humans)))
    if not np.isin(records, _records(decided(judges))).any():
        raise UnmatchedPromptsError(
            "No prompt and pair has both verdicts of judges and votes of people; give tables whose "
            "prompts and items have the same names."
        )
    if not 0 < round(share * len(records)) < len(records):
        raise InvalidFoldsError(
            f"test_share is {test_share!r} and leaves one side without votes; give a share nearer "
            "to one half, or more votes."
        )


def _records(data: Comparisons) -> NDArray[np.str_]:
    """Name each row's prompt and pair, so that two tables can be matched: -> (n_rows,)."""
    items, prompts = np.array(data.items), np.array(data.prompts)
    name = prompts[data.prompt]
    for item in (np.minimum(data.first, data.second), np.maximum(data.first, data.second)):
        name = np.char.add(np.char.add(name, "\t"), items[item])
    return name


def decided(data: Comparisons) -> Comparisons:
    """Return the verdicts that are not ties."""
    return data.select(data.verdict != TIE)


def one_sided(judges: Comparisons, swapped: float, rng: np.random.Generator) -> Comparisons:
    """Return displays with the item of smaller index first, and a share of the swapped ones."""
    return judges.select((judges.first < judges.second) | (rng.random(judges.n_rows) < swapped))


def thinned(data: Comparisons, rows: int, rng: np.random.Generator) -> Comparisons:
    """Draw rows without replacement."""
    chosen = np.zeros(data.n_rows, dtype=bool)
    chosen[rng.permutation(data.n_rows)[:rows]] = True
    return data.select(chosen)


def with_position_judges(judges: Comparisons, number: int, rng: np.random.Generator) -> Comparisons:
    """Add judges who prefer the first slot nine times in ten, whatever is in it."""
    return _joined(judges, number, rng, "position", lambda one: rng.random(one.n_rows) < FIRST_SLOT)


def with_opposed_judges(judges: Comparisons, number: int, rng: np.random.Generator) -> Comparisons:
    """Add judges who always disagree with a random judge of the panel."""
    return _joined(judges, number, rng, "opposed", lambda one: one.verdict != FIRST)


def _joined(
    judges: Comparisons,
    number: int,
    rng: np.random.Generator,
    name: str,
    prefers_first: Callable[[Comparisons], BoolArray],
) -> Comparisons:
    """Add judges who see the displays of random judges of the panel, with other verdicts."""
    added = []
    for i, judge in enumerate(rng.integers(judges.n_judges, size=number)):
        shown = judges.select(judges.judge == judge)
        verdict = np.where(prefers_first(shown), FIRST, SECOND)
        added.append(replace(shown, verdict=verdict, judges=(f"{name}-{i + 1}",)))
    return pool_comparisons(judges, *added)
