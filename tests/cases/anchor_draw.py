"""Verdicts drawn from ANCHOR's model, for tests that need a truth."""

from dataclasses import dataclass

import numpy as np

import bayesjudge as bj


@dataclass(frozen=True)
class Drawn:
    """Judges' verdicts with contrasts of two features, votes, and the truth."""

    judges: bj.Comparisons
    contrasts: dict
    votes: bj.Comparisons
    score: np.ndarray
    slope: np.ndarray
    effect: np.ndarray

    @property
    def designs(self):
        items = names(len(self.score))
        return (
            bj.new_items.features(self.judges, self.contrasts, items=items),
            bj.design(self.votes, items=items),
        )


def names(size):
    """Names that sort as they are numbered."""
    width = len(str(size - 1))
    return tuple(f"item-{i:0{width}d}" for i in range(size))


def table(items, judges, rows, human):
    first, second, judge, won = rows
    size = len(first)
    return bj.Comparisons(
        items=items,
        judges=judges,
        prompts=tuple(f"{'v' if human else 'p'}-{i:05d}" for i in range(size)),
        first=first,
        second=second,
        verdict=np.where(won, 0, 2),
        judge=judge,
        prompt=np.arange(size),
        human=np.full(len(judges), human),
        order_known=np.zeros(size, dtype=bool),
        weight=np.ones(size),
        repeat=np.ones(size, dtype=int),
        source_row=np.arange(size),
    )


def pairs(rng, n_items, size):
    first = rng.integers(n_items, size=size)
    return first, (first + rng.integers(1, n_items, size=size)) % n_items


def drawn(seed, n_old=5, n_new=1, n_judges=2, votes=400, verdicts=900, arrivals=300, pair=None):
    """Draw historical items 0.., then new ones; `pair` are the only items that people see."""
    rng = np.random.default_rng(seed)
    old = rng.normal(size=n_old)
    score = np.concatenate([old - old.mean(), rng.normal(size=n_new)])
    slope, effect = rng.uniform(0.7, 1.8, n_judges), rng.normal(0, 0.5, (n_judges, 2))
    items = names(n_old + n_new)
    a, b = pairs(rng, n_old, votes)
    if pair is not None:
        a, b = (np.full(votes, each) for each in pair)
    won = rng.random(votes) < 1 / (1 + np.exp(score[b] - score[a]))
    people = table(items, ("person",), (a, b, np.zeros(votes, int), won), human=True)
    first, second = pairs(rng, n_old, verdicts)
    opponent, number = rng.integers(n_old, size=arrivals), rng.integers(n_new, size=arrivals)
    first, second = np.append(first, n_old + number), np.append(second, opponent)
    swap = rng.random(len(first)) < 0.5
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    judge = rng.integers(n_judges, size=len(first))
    shift = 0.5 * (first >= n_old) - 0.5 * (second >= n_old)
    z = rng.normal(size=(len(first), 2)) + shift[:, None]
    log_odds = slope[judge] * (score[first] - score[second]) + (effect[judge] * z).sum(1)
    won = rng.random(len(first)) < 1 / (1 + np.exp(-log_odds))
    raters = tuple(f"judge-{k}" for k in range(n_judges))
    llm = table(items, raters, (first, second, judge, won), human=False)
    return Drawn(llm, {"x": z[:, 0], "w": z[:, 1]}, people, score, slope, effect)
