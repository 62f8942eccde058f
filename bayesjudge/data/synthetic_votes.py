"""Synthetic votes of people on the items of the synthetic panel, with known truth."""

import numpy as np
from scipy.special import expit

from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.data.synthetic import ITEMS, demand_whole_number, panel_truth

HUMAN_SLOPE = 1.2  # people tell the items apart a little better than the first judge
EXAMPLE_VOTES, EXAMPLE_VOTES_SEED = 300, 2610


def synthetic_votes(votes: int, seed: int) -> Comparisons:
    """Draw votes of people on random pairs of the synthetic panel's items.

    Parameters
    ----------
    votes : int
        Number of votes, each on a prompt of its own and without ties.
    seed : int
        Same seed, same votes.

    Returns
    -------
    Comparisons
        Human scores are 1.2 times ``panel_truth().score``; people have no position effect.

    Raises
    ------
    SyntheticSettingError
        If a setting is out of its range.

    Examples
    --------
    >>> synthetic_votes(votes=10, seed=1).n_rows
    10
    """
    demand_whole_number("votes", votes, least=1)
    demand_whole_number("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    first = rng.integers(len(ITEMS), size=votes)
    second = (first + rng.integers(1, len(ITEMS), size=votes)) % len(ITEMS)
    score = HUMAN_SLOPE * panel_truth().score
    wins = rng.random(votes) < expit(score[first] - score[second])
    width = len(str(votes))
    return Comparisons(
        items=ITEMS,
        judges=("people",),
        prompts=tuple(f"vote-{i + 1:0{width}d}" for i in range(votes)),
        first=first,
        second=second,
        verdict=np.where(wins, FIRST, SECOND),
        judge=np.zeros(votes, dtype=np.intp),
        prompt=np.arange(votes),
        human=np.ones(1, dtype=bool),
        order_known=np.ones(votes, dtype=bool),
        weight=np.ones(votes),
        repeat=np.ones(votes, dtype=np.int64),
        source_row=np.arange(votes),
        length_first=np.full(votes, np.nan),
        length_second=np.full(votes, np.nan),
        source=f"synthetic votes (seed {seed})",
    )


def example_votes() -> Comparisons:
    """Give the synthetic votes of the examples: 300 of them, on the items of `example_panel`.

    Returns
    -------
    Comparisons
        Always the same.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.example_votes()
    Comparisons(300 rows, 8 items, 1 judge, 300 prompts, source='synthetic votes (seed 2610)')
    """
    return synthetic_votes(EXAMPLE_VOTES, EXAMPLE_VOTES_SEED)
