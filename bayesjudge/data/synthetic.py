"""Synthetic panels and votes with known truth: the generator of OSCAR, Appendix G.1."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtr

from bayesjudge.core.arguments import demand_amount, demand_count
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.errors import SyntheticSettingError

ITEMS = ("alder", "birch", "cedar", "fir", "hazel", "larch", "maple", "rowan")
JUDGES = ("judge-1", "judge-2", "judge-3", "judge-4", "judge-5")
FAMILIES = 3  # items and judges belong to families by their index modulo three
TYPICAL_LENGTH = 400.0  # characters
LOG_LENGTH_UNIT = 0.6  # log length ratio of one unit of the length contrast
HUMAN_SLOPE = 1.2  # people tell the items apart a little better than the first judge
EXAMPLE_PROMPTS, EXAMPLE_SEED = 400, 2609
EXAMPLE_VOTES, EXAMPLE_VOTES_SEED = 300, 2610


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

    score: FloatArray
    sensitivity: FloatArray
    position: FloatArray
    length: FloatArray
    family: FloatArray


def panel_truth() -> PanelTruth:
    """Return the parameters that the synthetic panel is drawn from.

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
    """Return the family of every item and judge of the synthetic panel.

    Returns
    -------
    dict of str to str
        For the ``families=`` of `bayesjudge.design`.
    """
    names = (*enumerate(ITEMS), *enumerate(JUDGES))
    return {name: f"family-{index % FAMILIES + 1}" for index, name in names}


def synthetic_panel(
    prompts: int, *, seed: int, bias: float = 1.0, dependence: float = 0.6
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
    _demand_size("prompts", prompts, seed)
    if not np.isfinite(bias):
        raise SyntheticSettingError(f"bias is {bias!r}; give a finite multiplier, such as 1.")
    demand_amount(
        "dependence", dependence, "give a share from 0 to 1", SyntheticSettingError, most=1
    )
    rng = np.random.default_rng(seed)
    first, second = _verbose_first(*_random_pairs(prompts, rng), rng)
    length = (_verbosity()[first] - _verbosity()[second] + rng.normal(0, 0.8, prompts)) / 1.5
    probability = expit(_log_odds(first, second, length, bias))
    shared, own = rng.standard_normal((prompts, 1)), rng.standard_normal(probability.shape)
    noise = ndtr(np.sqrt(dependence) * shared + np.sqrt(1 - dependence) * own)
    source = f"synthetic panel (OSCAR G.1, seed {seed})"
    won = noise < probability
    return _table("prompt", first, second, length, won, judges=JUDGES, source=source)


def synthetic_votes(votes: int, *, seed: int) -> Comparisons:
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
    _demand_size("votes", votes, seed)
    rng = np.random.default_rng(seed)
    first, second = _random_pairs(votes, rng)
    score = HUMAN_SLOPE * panel_truth().score
    won = rng.random(votes) < expit(score[first] - score[second])
    no_length = np.full(votes, np.nan)
    source = f"synthetic votes (seed {seed})"
    return _table(
        "vote",
        first,
        second,
        no_length,
        won[:, None],
        judges=("people",),
        human=True,
        source=source,
    )


def example_panel() -> Comparisons:
    """Return the synthetic panel of the examples: 400 prompts, 2,000 verdicts, known truth.

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
    return synthetic_panel(EXAMPLE_PROMPTS, seed=EXAMPLE_SEED)


def example_votes() -> Comparisons:
    """Return the synthetic votes of the examples: 300 of them, on the items of `example_panel`.

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
    return synthetic_votes(EXAMPLE_VOTES, seed=EXAMPLE_VOTES_SEED)


def _demand_size(what: str, size: int, seed: int) -> None:
    demand_count(what, size, "give a whole number, 1 or more", SyntheticSettingError)
    demand_count("seed", seed, "give a whole number, 0 or more", SyntheticSettingError, least=0)


def _random_pairs(size: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    first = rng.integers(len(ITEMS), size=size)
    return first, (first + rng.integers(1, len(ITEMS), size=size)) % len(ITEMS)


def _verbose_first(
    first: IntArray, second: IntArray, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Exchange the slots in 70 % of the pairs that show the more verbose item second."""
    verbosity = _verbosity()
    swap = (verbosity[first] < verbosity[second]) & (rng.random(len(first)) < 0.7)
    return np.where(swap, second, first), np.where(swap, first, second)


def _verbosity() -> FloatArray:
    return np.tile([0.8, -0.8], len(ITEMS) // 2) + 0.25 * panel_truth().score


def _log_odds(first: IntArray, second: IntArray, length: FloatArray, bias: float) -> FloatArray:
    """Compute the log-odds of the first item by prompt and judge, shape (prompts, judges)."""
    truth, family = panel_truth(), np.arange(len(JUDGES)) % FAMILIES
    own_first = first[:, None] % FAMILIES == family
    own_second = second[:, None] % FAMILIES == family
    effects = truth.position + truth.length * length[:, None]
    effects = effects + truth.family * (own_first.astype(float) - own_second)
    gap = (truth.score[first] - truth.score[second])[:, None]
    return truth.sensitivity * gap + bias * effects


def _table(
    what: str,
    first: IntArray,
    second: IntArray,
    length: FloatArray,
    won: BoolArray,
    *,
    judges: tuple[str, ...],
    source: str,
    human: bool = False,
) -> Comparisons:
    """Build a table of one row for each prompt and judge.

    Shapes: first, second, length (n_prompts,), the length contrast; won (n_prompts, n_judges),
    whether the first item won.
    """
    n_prompts, n_judges = won.shape
    width = len(str(n_prompts))
    prompt = np.repeat(np.arange(n_prompts), n_judges)
    half = 0.5 * LOG_LENGTH_UNIT * length[prompt]
    return Comparisons(
        items=ITEMS,
        judges=judges,
        prompts=tuple(f"{what}-{i + 1:0{width}d}" for i in range(n_prompts)),
        first=first[prompt],
        second=second[prompt],
        verdict=np.where(won, FIRST, SECOND).ravel(),
        judge=np.tile(np.arange(n_judges), n_prompts),
        prompt=prompt,
        human=np.full(n_judges, human),
        order_known=np.ones(won.size, dtype=bool),
        weight=np.ones(won.size),
        repeat=np.ones(won.size, dtype=np.int64),
        source_row=np.arange(won.size),
        length_first=np.round(TYPICAL_LENGTH * np.exp(half)),
        length_second=np.round(TYPICAL_LENGTH * np.exp(-half)),
        source=source,
    )
