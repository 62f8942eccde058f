"""Synthetic panels and votes with known truth: the generator of OSCAR, Appendix G.1."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.errors import SyntheticSettingError

ITEMS = ("alder", "birch", "cedar", "fir", "hazel", "larch", "maple", "rowan")


JUDGES = ("judge-1", "judge-2", "judge-3", "judge-4", "judge-5")


FAMILIES = 3  # items and judges belong to families by their index modulo three


TYPICAL_LENGTH = 400.0  # characters


LOG_LENGTH_UNIT = 0.6  # log length ratio of one unit of the length contrast


EXAMPLE_PROMPTS, EXAMPLE_SEED = 400, 2609


@dataclass(frozen=True)
class PanelTruth:
    """Generating parameters of OSCAR, Table G1, in log-odds.

    Attributes
    ----------
    score : ndarray, shape (8,)
        Item scores on the scale of the first judge.
    sensitivity, position, length, family : ndarray, shape (5,)
        Slope and biases of each judge.
    """

    score: NDArray[np.float64]
    sensitivity: NDArray[np.float64]
    position: NDArray[np.float64]
    length: NDArray[np.float64]
    family: NDArray[np.float64]


def panel_truth() -> PanelTruth:
    """Give the parameters that the synthetic panel is drawn from.

    Returns
    -------
    PanelTruth
        OSCAR, Table G1.

    Examples
    --------
    >>> panel_truth().position.tolist()
    [0.9, -0.7, 0.5, 1.0, -0.4]
    """
    return PanelTruth(
        score=np.linspace(-0.85, 0.85, len(ITEMS)),
        sensitivity=np.exp([0.0, 0.2, -0.3, 0.35, -0.15]),
        position=np.array([0.90, -0.70, 0.50, 1.00, -0.40]),
        length=np.array([0.30, 0.50, 0.40, 0.35, 0.55]),
        family=np.array([0.18, -0.12, 0.22, 0.10, -0.15]),
    )


def panel_families() -> dict[str, str]:
    """Give the family of every item and judge of the synthetic panel.

    Returns
    -------
    dict of str to str
        For the ``families=`` of `bayesjudge.design`.
    """
    names = (*enumerate(ITEMS), *enumerate(JUDGES))
    return {name: f"family-{index % FAMILIES + 1}" for index, name in names}


def synthetic_panel(
    prompts: int, seed: int, *, bias: float = 1.0, dependence: float = 0.6
) -> Comparisons:
    """Draw a panel of eight items and five judges who all see each prompt's pair once.

    Parameters
    ----------
    prompts : int
        Number of prompts; five verdicts each.
    seed : int
        Same seed, same panel.
    bias : float
        Multiplier c of position, length and family effects.
    dependence : float
        Share rho of the noise that judges of a prompt have in common, from 0 to 1.

    Returns
    -------
    Comparisons
        Synthetic verdicts without ties. The more verbose answer is shown first in 85 % of prompts.

    Raises
    ------
    SyntheticSettingError
        If a setting is out of its range.

    Notes
    -----
    OSCAR, Appendix G.1. Lengths in characters are chosen so that their log ratio is proportional to
    the paper's length contrast.

    Examples
    --------
    >>> synthetic_panel(prompts=10, seed=1).n_rows
    50
    """
    _demand_settings(prompts, seed, bias, dependence)
    rng = np.random.default_rng(seed)
    first, second = _displayed_pairs(prompts, rng)
    length = (_verbosity()[first] - _verbosity()[second] + rng.normal(0, 0.8, prompts)) / 1.5
    probability = expit(_log_odds(first, second, length, bias))
    shared, own = rng.standard_normal((prompts, 1)), rng.standard_normal(probability.shape)
    noise = ndtr(np.sqrt(dependence) * shared + np.sqrt(1 - dependence) * own)
    verdict = np.where(noise < probability, FIRST, SECOND)
    return _table(first, second, length, verdict, f"synthetic panel (OSCAR G.1, seed {seed})")


def demand_whole_number(name: str, value: int, least: int) -> None:
    """Raise unless a setting is a whole number that is large enough.

    Parameters
    ----------
    name : str
        Name of the setting.
    value : int
        What the user gave.
    least : int
        Smallest value allowed.

    Raises
    ------
    SyntheticSettingError
        Naming the setting.
    """
    if not isinstance(value, int | np.integer) or value < least:
        raise SyntheticSettingError(f"{name} is {value!r}; give a whole number, {least} or more.")


def _demand_settings(prompts: int, seed: int, bias: float, dependence: float) -> None:
    demand_whole_number("prompts", prompts, least=1)
    demand_whole_number("seed", seed, least=0)
    if not np.isfinite(bias):
        raise SyntheticSettingError(f"bias is {bias!r}; give a finite multiplier, such as 1.")
    if not 0 <= dependence <= 1:
        raise SyntheticSettingError(f"dependence is {dependence!r}; give a share from 0 to 1.")


def example_panel() -> Comparisons:
    """Give the synthetic panel of the examples: 400 prompts, 2,000 verdicts, known truth.

    Returns
    -------
    Comparisons
        Always the same.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.example_panel()
    Comparisons(2,000 rows, 8 items, 5 judges, 400 prompts, \
source='synthetic panel (OSCAR G.1, seed 2609)')
    """
    return synthetic_panel(EXAMPLE_PROMPTS, EXAMPLE_SEED)


def _verbosity() -> NDArray[np.float64]:
    return np.tile([0.8, -0.8], len(ITEMS) // 2) + 0.25 * panel_truth().score


def _displayed_pairs(
    prompts: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first = rng.integers(len(ITEMS), size=prompts)
    second = (first + rng.integers(1, len(ITEMS), size=prompts)) % len(ITEMS)
    verbosity = _verbosity()
    swap = (verbosity[first] < verbosity[second]) & (rng.random(prompts) < 0.7)
    return np.where(swap, second, first), np.where(swap, first, second)


def _log_odds(
    first: NDArray[np.intp], second: NDArray[np.intp], length: NDArray[np.float64], bias: float
) -> NDArray[np.float64]:
    """Log-odds of the first item by prompt and judge, shape (prompts, judges)."""
    truth, family = panel_truth(), np.arange(len(JUDGES)) % FAMILIES
    own_first = first[:, None] % FAMILIES == family
    own_second = second[:, None] % FAMILIES == family
    effects = truth.position + truth.length * length[:, None]
    effects = effects + truth.family * (own_first.astype(float) - own_second)
    gap = (truth.score[first] - truth.score[second])[:, None]
    return truth.sensitivity * gap + bias * effects


def _table(
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    length: NDArray[np.float64],
    verdict: NDArray[np.intp],
    source: str,
) -> Comparisons:
    prompts, judges = verdict.shape
    n_rows, each = verdict.size, np.repeat
    half = 0.5 * LOG_LENGTH_UNIT * each(length, judges)
    width = len(str(prompts))
    return Comparisons(
        items=ITEMS,
        judges=JUDGES,
        prompts=tuple(f"prompt-{i + 1:0{width}d}" for i in range(prompts)),
        first=each(first, judges),
        second=each(second, judges),
        verdict=verdict.ravel(),
        judge=np.tile(np.arange(judges), prompts),
        prompt=each(np.arange(prompts), judges),
        human=np.zeros(judges, dtype=bool),
        order_known=np.ones(n_rows, dtype=bool),
        weight=np.ones(n_rows),
        repeat=np.ones(n_rows, dtype=np.int64),
        source_row=np.arange(n_rows),
        length_first=np.round(TYPICAL_LENGTH * np.exp(half)),
        length_second=np.round(TYPICAL_LENGTH * np.exp(-half)),
        source=source,
    )


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
