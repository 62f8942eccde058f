"""Panels of DIAL's simulations: settings, truth, verdicts and votes (DIAL F.1)."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expit

from bayesjudge.core.arguments import (
    demand_amount,
    demand_count,
    demand_numbers,
    demand_seed,
    wanted,
)
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.designs.design import Design, design
from bayesjudge.designs.variants import reweighted
from bayesjudge.errors import BayesjudgeError, MismatchedRowsError, RankError, SyntheticSettingError
from bayesjudge.studies.runner.metrics import expected_vote_loss

LARGEST_COUNT = 10**15  # verdicts or judges; larger numbers could not be counted exactly
CANONICAL_FIRST = 0.75  # probability that the item of smaller number is shown first
LEAST = {"n_items": 2, "n_judges": 1, "verdicts": 1, "votes": 1}
SPREADS = ("overdispersion", "misalignment", "position_spread")
LARGEST_SPREAD = 1e6  # log-odds


@dataclass(frozen=True)
class DialSettings:
    """Sizes of a panel, and its departures from the model.

    Attributes
    ----------
    n_items, n_judges, rank : int
        N, K and r.
    verdicts, votes : int
        n_l and n_h.
    overdispersion : float
        Standard deviation of a judge's preference on a pair that scores do not explain, log-odds.
    misalignment : float
        Standard deviation of the human score's coordinates on the judges' disagreement.
    position_spread : float
        Standard deviation of position effects over the pairs of a judge, log-odds.

    Raises
    ------
    SyntheticSettingError
        If a number is out of its range: at least two items, a judge, a verdict and a vote, and no
        negative standard deviation.
    RankError
        If the panel does not allow the rank.
    """

    n_items: int = 10
    n_judges: int = 4
    rank: int = 1
    verdicts: int = 20_000
    votes: int = 800
    overdispersion: float = 0.0
    misalignment: float = 0.0
    position_spread: float = 0.0

    def __post_init__(self) -> None:
        error = SyntheticSettingError
        for name, least in LEAST.items():
            demand_whole(name, getattr(self, name), error, least=least)
        demand_rank_of(self.rank, self.n_judges, self.n_items)
        advice = f"give a standard deviation from 0 to {LARGEST_SPREAD:g} log-odds"
        for name in SPREADS:
            demand_amount(name, getattr(self, name), advice, error, most=LARGEST_SPREAD)


def demand_whole(name: str, value: int, error: type[BayesjudgeError], *, least: int) -> None:
    """Check a number of verdicts, votes, items or judges."""
    advice = f"give a whole number of {least} or more"
    demand_count(name, value, advice, error, least=least, most=LARGEST_COUNT)


def demand_rank_of(rank: int, n_judges: int, n_items: int) -> None:
    """Check the rank of disagreement in a panel that is yet to be drawn."""
    highest = max(0, min(n_judges - 1, n_items - 2))
    allowed = f"a whole number from 0 to {highest}" if highest else "rank=0"
    advice = f"with {counted(n_judges, 'judge')} and {counted(n_items, 'item')} give {allowed}"
    if isinstance(rank, bool):
        raise RankError(f"rank is {rank!r}; {advice}.")
    demand_count("rank", rank, advice, RankError, least=0, most=highest)


@dataclass(frozen=True, eq=False, repr=False)
class DialTruth:
    """True scores and position effects of a panel.

    Attributes
    ----------
    judge_score : ndarray, shape (n_judges, n_items)
        S, log-odds.
    position : ndarray, shape (n_judges,)
        b, log-odds.
    human_score : ndarray, shape (n_items,)
        s_h, log-odds.
    """

    judge_score: FloatArray
    position: FloatArray
    human_score: FloatArray

    def excess_risk(self, score: FloatArray) -> float:
        """Return the expected loss of a vote on a random pair, less that of the true score.

        Parameters
        ----------
        score : ndarray, shape (n_items,)
            An estimate of the human score.

        Returns
        -------
        float
            Nats a vote; DIAL's R_h(s) - R_h(s_h) over uniform pairs.

        Raises
        ------
        MismatchedRowsError
            If there is not one score an item.
        UnknownOptionError
            If something is text.
        """
        score = demand_numbers("score", score)
        if score.shape != self.human_score.shape:
            raise MismatchedRowsError(
                f"score has shape {score.shape}; give one score for each of the "
                f"{len(self.human_score)} items."
            )
        i, j = np.triu_indices(len(score), k=1)
        true = self.human_score[i] - self.human_score[j]
        loss = expected_vote_loss(score[i] - score[j], expit(true))
        return float(np.mean(loss - expected_vote_loss(true, expit(true))))

    def __repr__(self) -> str:
        return "DialTruth({} judges, {} items)".format(*self.judge_score.shape)


@dataclass(frozen=True, eq=False, repr=False)
class DialPanel:
    """A drawn panel.

    Attributes
    ----------
    judges, humans : Design
        Verdicts and votes; all panels of one size have the same cells, so that fits share compiled
        code.
    truth : DialTruth
        The scores and effects that they were drawn from.
    """

    judges: Design
    humans: Design
    truth: DialTruth

    def __repr__(self) -> str:
        verdicts, votes = (data.weight.sum() for data in (self.judges, self.humans))
        n_judges, n_items = self.truth.judge_score.shape
        return (
            f"DialPanel({n_items} items, {verdicts:,.0f} verdicts of {n_judges} judges, "
            f"{votes:,.0f} votes)"
        )


def dial_panel(settings: DialSettings, *, seed: int) -> DialPanel:
    """Draw a truth, the judges' verdicts and the human votes.

    Parameters
    ----------
    settings : DialSettings
        Sizes and departures from the model.
    seed : int
        Same seed, same panel; each seed draws a truth of its own.

    Returns
    -------
    DialPanel
        As in DIAL F.1.

    Raises
    ------
    SyntheticSettingError
        If the settings are not `DialSettings`.
    SamplerSettingError
        If the seed is not a whole number.

    Examples
    --------
    >>> panel = dial_panel(DialSettings(verdicts=400, votes=100), seed=1)
    >>> panel.judges.weight.sum(), panel.humans.weight.sum()
    (np.float64(400.0), np.float64(100.0))
    """
    settings = wanted(
        DialSettings,
        settings,
        SyntheticSettingError,
        "The settings are of type {type}; give DialSettings(votes=100), and any other values that "
        "differ from the defaults.",
    )
    rng = np.random.default_rng(demand_seed(seed))
    truth = dial_truth(settings, rng)
    judges, humans = _templates(settings.n_items, settings.n_judges)
    verdicts = _draw_verdicts(settings, truth, rng)
    votes = _draw_votes(settings, truth, rng)
    return DialPanel(reweighted(judges, verdicts), reweighted(humans, votes), truth)


def dial_truth(settings: DialSettings, rng: np.random.Generator) -> DialTruth:
    """Draw scores, position effects and the human score."""
    n, k, r = settings.n_items, settings.n_judges, settings.rank
    frame = np.linalg.qr(_centred(rng.standard_normal((n, r + 1))))[0] * np.sqrt(n)
    consensus, directions = frame[:, 0], frame[:, 1:]
    loading = 1 + 0.3 * rng.standard_normal(k)
    loading *= k / loading.sum()
    factor = _centred(rng.standard_normal((k, r)))
    position = rng.uniform(0.3, 1.2, k) * np.where(rng.random(k) < 0.8, 1.0, -1.0)
    position[0] = 0.05
    human = consensus + directions @ (settings.misalignment * rng.standard_normal(r))
    return DialTruth(np.outer(loading, consensus) + factor @ directions.T, position, human)


def _draw_verdicts(
    settings: DialSettings, truth: DialTruth, rng: np.random.Generator
) -> FloatArray:
    """Draw counts by judge, pair, order (canonical first, second) and verdict, flattened."""
    i, j = np.triu_indices(settings.n_items, k=1)
    gap = truth.judge_score[:, i] - truth.judge_score[:, j]
    gap = gap + settings.overdispersion * rng.standard_normal(gap.shape)
    spread = settings.position_spread * rng.standard_normal(gap.shape)
    order = truth.position[:, None] + spread - spread.mean(axis=1, keepdims=True)
    share = np.array([CANONICAL_FIRST, 1 - CANONICAL_FIRST]) / gap.size
    total = rng.multinomial(settings.verdicts, np.tile(share, gap.size)).reshape(*gap.shape, 2)
    return _wins_and_losses(total, np.stack([gap + order, order - gap], axis=-1), rng)


def _draw_votes(settings: DialSettings, truth: DialTruth, rng: np.random.Generator) -> FloatArray:
    i, j = np.triu_indices(settings.n_items, k=1)
    total = rng.multinomial(settings.votes, np.full(len(i), 1 / len(i)))
    return _wins_and_losses(total, truth.human_score[i] - truth.human_score[j], rng)


def _wins_and_losses(total: IntArray, log_odds: FloatArray, rng: np.random.Generator) -> FloatArray:
    won = rng.binomial(total, expit(log_odds))
    return np.stack([won, total - won], axis=-1).ravel().astype(float)


@lru_cache(maxsize=8)
def _templates(n_items: int, n_judges: int) -> tuple[Design, Design]:
    """Return designs with one row for every judge, pair, order and verdict."""
    i, j = np.triu_indices(n_items, k=1)
    shown_first = np.tile(np.column_stack([i, j]).ravel(), n_judges)
    shown_second = np.tile(np.column_stack([j, i]).ravel(), n_judges)
    judge = np.repeat(np.arange(n_judges), 2 * len(i))
    names = tuple(f"judge-{k + 1:02d}" for k in range(n_judges))
    verdicts = _rows(n_items, names, judge, shown_first, shown_second, human=False)
    votes = _rows(n_items, ("people",), np.zeros(len(i), dtype=int), i, j, human=True)
    return design(verdicts), design(votes)


def _rows(
    n_items: int,
    judges: tuple[str, ...],
    judge: IntArray,
    first: IntArray,
    second: IntArray,
    *,
    human: bool,
) -> Comparisons:
    size = 2 * len(first)
    return Comparisons(
        items=tuple(f"item-{k + 1:02d}" for k in range(n_items)),
        judges=judges,
        prompts=tuple(f"cell-{k + 1:06d}" for k in range(size)),
        first=np.repeat(first, 2),
        second=np.repeat(second, 2),
        verdict=np.tile([FIRST, SECOND], len(first)),
        judge=np.repeat(judge, 2),
        prompt=np.arange(size),
        human=np.full(len(judges), human),
        order_known=np.ones(size, dtype=bool),
        weight=np.ones(size),
        repeat=np.ones(size, dtype=np.int64),
        source_row=np.arange(size),
        source="synthetic panel (DIAL F.1)",
    )


def _centred(columns: FloatArray) -> FloatArray:
    return columns - columns.mean(axis=0)
