"""Verdicts drawn as in the simulations of the ANCHOR paper: one new item among ten.

The paper leaves the networks that make features open; here they are ``V tanh(W p + b)`` with
normal weights, a network of each item's own. Sample sizes are fixed rather than binomial.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import expit

from bayesjudge.anchor.two_step import TwoStep
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, design
from bayesjudge.designs.features import features
from bayesjudge.designs.flat_cells import ArrivalRows
from bayesjudge.designs.roster import Roster, roster_of

HISTORICAL, JUDGES, FEATURES, PROMPT, HIDDEN = 10, 3, 3, 2, 5


NOISE, EXTRA_VOTES = 0.3, 150


SENSITIVITY = (0.5, 2.0)  # uniform between


NAMES = tuple(f"item-{k:02d}" for k in range(HISTORICAL + 1))


RATERS = tuple(f"judge-{m}" for m in range(JUDGES))


@dataclass(frozen=True, eq=False)
class DrawnArrival:
    """One data set, with what it was drawn from.

    Attributes
    ----------
    designs : tuple of Design
        Judges and humans; the last item is new and has no votes.
    roster : Roster
        Which item is new.
    truth : TwoStep
        True scores, sensitivities and effects.
    votes : ArrivalRows
        Votes on the new item that only HumanOnly sees.
    seed : int
        For folds.
    """

    designs: tuple[Design, ...]
    roster: Roster
    truth: TwoStep
    votes: ArrivalRows
    seed: int

    @property
    def score(self) -> FloatArray:
        """True human scores, shape (11,)."""
        return self.truth.score


@dataclass(frozen=True, eq=False)
class World:
    """What verdicts are drawn from: scores, judges and how answers look.

    Attributes
    ----------
    score : ndarray, shape (11,)
        Human scores, the new item's last.
    slope : ndarray, shape (3,)
        Sensitivities.
    effects : ndarray, shape (3, 3)
        Bias of each judge by feature.
    inner, offset, outer : ndarray
        The items' networks.
    shift : ndarray, shape (3,)
        What is added to the new item's features.
    """

    score: FloatArray
    slope: FloatArray
    effects: FloatArray
    inner: FloatArray
    offset: FloatArray
    outer: FloatArray
    shift: FloatArray

    @classmethod
    def draw(cls, rng: np.random.Generator, score: FloatArray, shift: float) -> Self:
        """Draw judges and networks; effects are of no particular size yet."""
        direction = rng.normal(size=FEATURES)
        size = HISTORICAL + 1
        return cls(
            score,
            rng.uniform(*SENSITIVITY, JUDGES),
            rng.normal(size=(JUDGES, FEATURES)),
            rng.normal(size=(size, HIDDEN, PROMPT)),
            rng.normal(size=(size, HIDDEN)),
            rng.normal(size=(size, FEATURES, HIDDEN)) / np.sqrt(HIDDEN),
            shift * np.sqrt(5) * direction / np.linalg.norm(direction),
        )

    @property
    def truth(self) -> TwoStep:
        """The parameters, as an estimate would hold them."""
        return TwoStep(self.score, self.slope, self.effects, 0.0, True, np.zeros(JUDGES, bool))

    def contrasts(self, rng: np.random.Generator, pairs: IntArray) -> FloatArray:
        """Draw prompts, and features of the first answer less those of the second."""
        prompts = rng.normal(size=(len(pairs), PROMPT))
        first, second = (self._answers(rng, item, prompts) for item in pairs.T)
        return first - second

    def won(
        self, rng: np.random.Generator, pairs: IntArray, judge: IntArray, contrast: FloatArray
    ) -> BoolArray:
        """Draw whether judges prefer the first."""
        log_odds = self.slope[judge] * self.gap(pairs) + (self.effects[judge] * contrast).sum(1)
        return rng.random(len(pairs)) < expit(log_odds)

    def gap(self, pairs: IntArray) -> FloatArray:
        """Human score of the first less that of the second."""
        return self.score[pairs[:, 0]] - self.score[pairs[:, 1]]

    def _answers(self, rng: np.random.Generator, item: IntArray, prompts: FloatArray) -> FloatArray:
        hidden = np.einsum("nhp,np->nh", self.inner[item], prompts) + self.offset[item]
        clean = np.einsum("nfh,nh->nf", self.outer[item], np.tanh(hidden))
        noise = NOISE * rng.normal(size=clean.shape)
        return clean + noise + (item == HISTORICAL)[:, None] * self.shift


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Judges' verdicts with their feature contrasts."""

    pairs: IntArray
    judge: IntArray
    contrast: FloatArray
    won: BoolArray

    def joined(self, other: "Verdicts") -> "Verdicts":
        """Both together."""
        mine, theirs = vars(self), vars(other)
        return Verdicts(*(np.concatenate([mine[name], theirs[name]]) for name in mine))

    def design(self, items: tuple[str, ...]) -> Design:
        """Lay them out with the features as terms."""
        data = _table(self.pairs, self.judge, self.won, items, human=False)
        contrasts = {f"x{k}": column for k, column in enumerate(self.contrast.T)}
        return features(data, contrasts, items=items)


def historical_pairs(rng: np.random.Generator, size: int) -> IntArray:
    """Draw uniform ordered pairs of different historical items, shape (size, 2).

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    size : int
        How many.

    Returns
    -------
    ndarray of int, shape (size, 2)
        First and second.
    """
    first = rng.integers(HISTORICAL, size=size)
    second = (first + rng.integers(1, HISTORICAL, size=size)) % HISTORICAL
    return np.column_stack([first, second])


def new_pairs(rng: np.random.Generator, size: int) -> IntArray:
    """Pair the new item with uniform opponents.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    size : int
        How many.

    Returns
    -------
    ndarray of int, shape (size, 2)
        The new item first.
    """
    return np.column_stack([np.full(size, HISTORICAL), rng.integers(HISTORICAL, size=size)])


def judged(rng: np.random.Generator, world: World, pairs: IntArray) -> Verdicts:
    """Have uniformly drawn judges compare pairs.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    world : World
        Scores, judges, answers.
    pairs : ndarray of int, shape (n, 2)
        What is compared.

    Returns
    -------
    Verdicts
        With feature contrasts.
    """
    judge, contrast = rng.integers(JUDGES, size=len(pairs)), world.contrasts(rng, pairs)
    return Verdicts(pairs, judge, contrast, world.won(rng, pairs, judge, contrast))


def voted(rng: np.random.Generator, world: World, size: int) -> Design:
    """Have people vote on historical pairs.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    world : World
        Scores.
    size : int
        Number of votes.

    Returns
    -------
    Design
        Votes, indexed by all items.
    """
    pairs = historical_pairs(rng, size)
    won = rng.random(size) < expit(world.gap(pairs))
    people = np.zeros(size, dtype=np.int64)
    return design(_table(pairs, people, won, NAMES, human=True), (), items=NAMES)


def extra_votes(rng: np.random.Generator, world: World) -> ArrivalRows:
    """Have people vote on the new item, for the baseline that sees such votes.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    world : World
        Scores.

    Returns
    -------
    ArrivalRows
        150 votes.
    """
    pairs = new_pairs(rng, EXTRA_VOTES)
    won = (rng.random(EXTRA_VOTES) < expit(world.gap(pairs))).astype(float)
    rest = -np.eye(HISTORICAL + 1)[pairs[:, 1]]
    none = np.zeros((EXTRA_VOTES, 0))
    return ArrivalRows(np.zeros(EXTRA_VOTES, int), rest, none, won, np.ones(EXTRA_VOTES))


def last_is_new() -> Roster:
    """Give the roster in which the last of eleven items is new.

    Returns
    -------
    Roster
        Frame of `bayesjudge.models.new_item`.
    """
    return roster_of(np.arange(HISTORICAL + 1) == HISTORICAL)


def _table(
    pairs: IntArray, judge: IntArray, won: BoolArray, items: tuple[str, ...], *, human: bool
) -> Comparisons:
    size, raters = len(pairs), ("people",) if human else RATERS
    return Comparisons(
        items=items,
        judges=raters,
        prompts=tuple(f"row-{row:06d}" for row in range(size)),
        first=pairs[:, 0],
        second=pairs[:, 1],
        verdict=np.where(won, 0, 2),
        judge=judge,
        prompt=np.arange(size),
        human=np.full(len(raters), human),
        order_known=np.zeros(size, dtype=bool),
        weight=np.ones(size),
        repeat=np.ones(size, dtype=np.int64),
        source_row=np.arange(size),
    )
