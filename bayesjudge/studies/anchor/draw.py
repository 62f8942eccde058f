"""Verdicts drawn as in the simulations of the ANCHOR paper: one new item among ten.

The paper does not specify the networks of the features; here each item has one of its own,
``V tanh(W p + b)`` with normal weights. Sample sizes are fixed rather than binomial.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.special import expit

from bayesjudge.anchor.two_step import TwoStep
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.designs.design import Design, design
from bayesjudge.designs.features import features
from bayesjudge.designs.flat_cells import FlatCells
from bayesjudge.designs.roster import roster_of
from bayesjudge.studies.anchor.methods import Arrival

HISTORICAL, JUDGES, FEATURES, PROMPT, HIDDEN = 10, 3, 3, 2, 5
NOISE, EXTRA_VOTES = 0.3, 150
SENSITIVITY = (0.5, 2.0)  # uniform between
NAMES = tuple(f"item-{k:02d}" for k in range(HISTORICAL + 1))
RATERS = tuple(f"judge-{m}" for m in range(JUDGES))


@dataclass(frozen=True, eq=False)
class DrawnArrival(Arrival):
    """A simulated data set whose last item is new.

    Attributes
    ----------
    designs, roster, seed
        As in `Arrival`.
    truth : TwoStep
        True scores, sensitivities and effects.
    votes : FlatCells
        Votes on the new item, which only HumanOnly reads.
    """

    truth: TwoStep
    votes: FlatCells

    @property
    def score(self) -> FloatArray:
        """True human scores, shape (11,)."""
        return self.truth.score


@dataclass(frozen=True, eq=False)
class World:
    """The parameters of a simulation: scores, judges and the features of answers.

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
        Added to the new item's features.
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
        """Draw judges and networks; see `with_bias` for the size of effects."""
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
        """The true parameters in the form of an estimate."""
        return TwoStep(self.score, self.slope, self.effects, 0.0, True, np.zeros(JUDGES, bool))

    def contrasts(self, rng: np.random.Generator, pairs: IntArray) -> FloatArray:
        """Draw prompts; return features of the first answer less the second's: (n, 2) -> (n, 3)."""
        prompts = rng.normal(size=(len(pairs), PROMPT))
        first, second = (self._answers(rng, item, prompts) for item in pairs.T)
        return first - second

    def won(
        self, rng: np.random.Generator, pairs: IntArray, judge: IntArray, contrast: FloatArray
    ) -> BoolArray:
        """Draw whether judges prefer the first item, (n,)."""
        log_odds = self.slope[judge] * self.gap(pairs) + (self.effects[judge] * contrast).sum(1)
        return rng.random(len(pairs)) < expit(log_odds)

    def gap(self, pairs: IntArray) -> FloatArray:
        """Return the human score of the first item less that of the second, (n,)."""
        return self.score[pairs[:, 0]] - self.score[pairs[:, 1]]

    def _answers(self, rng: np.random.Generator, item: IntArray, prompts: FloatArray) -> FloatArray:
        hidden = np.einsum("nhp,np->nh", self.inner[item], prompts) + self.offset[item]
        clean = np.einsum("nfh,nh->nf", self.outer[item], np.tanh(hidden))
        noise = NOISE * rng.normal(size=clean.shape)
        return clean + noise + (item == HISTORICAL)[:, None] * self.shift

    def with_bias(self, rng: np.random.Generator, spread: FloatArray) -> Self:
        """Scale each judge's effects to a standard deviation of its bias on historical pairs."""
        sample = self.contrasts(rng, historical_pairs(rng, 4000))
        size = np.std(sample @ self.effects.T, axis=0)
        return replace(self, effects=self.effects * (spread / size)[:, None])


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Judges' verdicts with their feature contrasts: pairs (n, 2), contrast (n, 3), others (n,)."""

    pairs: IntArray
    judge: IntArray
    contrast: FloatArray
    won: BoolArray

    def joined(self, other: "Verdicts") -> "Verdicts":
        """Return both samples as one."""
        mine, theirs = vars(self), vars(other)
        return Verdicts(*(np.concatenate([mine[name], theirs[name]]) for name in mine))

    def design(self, items: tuple[str, ...]) -> Design:
        """Return the design with the features as terms."""
        data = _table(self.pairs, self.judge, self.won, items, human=False)
        contrasts = {f"x{k}": column for k, column in enumerate(self.contrast.T)}
        return features(data, contrasts, items=items)


def historical_pairs(rng: np.random.Generator, size: int) -> IntArray:
    """Draw ordered pairs of different historical items uniformly, (size, 2)."""
    first = rng.integers(HISTORICAL, size=size)
    second = (first + rng.integers(1, HISTORICAL, size=size)) % HISTORICAL
    return np.column_stack([first, second])


def new_pairs(rng: np.random.Generator, size: int) -> IntArray:
    """Draw opponents of the new item uniformly, (size, 2)."""
    return np.column_stack([np.full(size, HISTORICAL), rng.integers(HISTORICAL, size=size)])


def judged(rng: np.random.Generator, world: World, pairs: IntArray) -> Verdicts:
    """Draw verdicts on pairs by judges drawn uniformly."""
    judge, contrast = rng.integers(JUDGES, size=len(pairs)), world.contrasts(rng, pairs)
    return Verdicts(pairs, judge, contrast, world.won(rng, pairs, judge, contrast))


def voted(rng: np.random.Generator, world: World, size: int) -> Design:
    """Draw votes on historical pairs."""
    pairs = historical_pairs(rng, size)
    won = rng.random(size) < expit(world.gap(pairs))
    people = np.zeros(size, dtype=np.int64)
    return design(_table(pairs, people, won, NAMES, human=True), (), items=NAMES)


def drawn_arrival(
    rng: np.random.Generator,
    world: World,
    history: Verdicts,
    arrivals: Verdicts,
    humans: Design,
    seed: int,
) -> DrawnArrival:
    """Join history and arrivals, and draw the votes on the new item that only HumanOnly reads."""
    designs = (history.joined(arrivals).design(NAMES), humans)
    roster = roster_of(np.arange(HISTORICAL + 1) == HISTORICAL)
    votes = _votes_on_new(rng, world)
    return DrawnArrival(designs, roster, seed % 2**31, world.truth, votes)


def _votes_on_new(rng: np.random.Generator, world: World) -> FlatCells:
    """Draw votes on the new item in the form of ``FlatCells.seen_from``."""
    pairs = new_pairs(rng, EXTRA_VOTES)
    won = (rng.random(EXTRA_VOTES) < expit(world.gap(pairs))).astype(float)
    opponents = -np.eye(HISTORICAL + 1)[pairs[:, 1]]
    none = np.zeros((EXTRA_VOTES, 0))
    counts = np.column_stack([won, np.zeros_like(won), 1 - won])
    return FlatCells(np.zeros(EXTRA_VOTES, int), opponents, none, counts)


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
        verdict=np.where(won, FIRST, SECOND),
        judge=judge,
        prompt=np.arange(size),
        human=np.full(len(raters), human),
        order_known=np.zeros(size, dtype=bool),
        weight=np.ones(size),
        repeat=np.ones(size, dtype=np.int64),
        source_row=np.arange(size),
        prompts_stated=False,
    )
