"""Data sets on which verdicts do not settle what is asked of them, with the true scores.

Ten kinds of trouble ("corners"), each drawn with equal shapes, so that nothing is compiled twice.
`Drawn.truth` holds the scores that generated the verdicts and each judge's slope on them; a
program's ``score`` is on the scale of its average judge, so the truth is the score times the mean
slope. Verdicts follow each judge's law exactly, but for copies.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

import bayesjudge as bj


@dataclass(frozen=True, eq=False)
class Drawn:
    """Verdicts, what they are fitted with, and the true score of the average judge by item."""

    data: bj.Comparisons
    terms: tuple[str, ...]
    truth: pd.Series


def drawn(frame, slope, score, terms=("position",)):
    """Read the rows; the items are numbered."""
    names = item_names(len(score))
    rows = frame.assign(
        slot_a=names[frame["first"]], slot_b=names[frame["second"]], judge=frame["judge"].map(judge)
    )
    columns = rows.drop(columns=["first", "second", "won"]).assign(
        verdict=np.where(frame["won"], "a", "b"), prompt=[f"p{one}" for one in frame["prompt"]]
    )
    truth = (score - score.mean()) * np.mean(slope)
    return Drawn(bj.read(columns, kind="llm"), terms, pd.Series(truth, names))


def item_names(size):
    return np.array([f"item-{i}" for i in range(size)])


def judge(number):
    return f"judge-{number:03d}"


def pairs(rng, n_items, size):
    """Draw ordered pairs of different items, each equally often but for a rest."""
    ordered = np.array([(i, j) for i in range(n_items) for j in range(n_items) if i != j])
    deck = np.concatenate([rng.permutation(ordered) for _ in range(-(-size // len(ordered)))])
    return deck[:size].T


def panel(rng, score, slope, position, prompts, judges_a_prompt=None):
    """Every prompt shows one pair, to all judges or to some of them in turn."""
    first, second = pairs(rng, len(score), prompts)
    share = judges_a_prompt or len(slope)
    prompt = np.repeat(np.arange(prompts), share)
    who = np.resize(rng.permutation(len(slope)), prompt.size)
    logit = slope[who] * (score[first] - score[second])[prompt] + position[who]
    return pd.DataFrame(
        {
            "prompt": prompt,
            "judge": who,
            "first": first[prompt],
            "second": second[prompt],
            "won": rng.random(prompt.size) < 1 / (1 + np.exp(-logit)),
        }
    )


def scores(rng, n_items, spread=0.8):
    return rng.normal(0.0, spread, n_items)


def turned(rows, turn):
    """Exchange the slots of some rows."""
    first, second = rows["first"], rows["second"]
    return rows.assign(
        first=np.where(turn, second, first),
        second=np.where(turn, first, second),
        won=rows["won"].to_numpy() != turn,
    )


def separated_by_slot(rng):
    """The first column of the file holds the winner; 3 judges, 6 items, 600 verdicts."""
    score, slope = scores(rng, 6), np.array([0.8, 1.0, 1.2])
    rows = panel(rng, score, slope, np.zeros(3), prompts=200)
    return drawn(turned(rows, ~rows["won"].to_numpy()), slope, score)


def separated_by_length(rng):
    """The longer answer always wins; 3 judges, 6 items, 600 verdicts, either slot."""
    score, slope = scores(rng, 6), np.array([0.8, 1.0, 1.2])
    rows = panel(rng, score, slope, np.zeros(3), prompts=200)
    short = rng.integers(200, 500, len(rows))
    long = short + rng.integers(20, 400, len(rows))
    won = rows["won"].to_numpy()
    lengths = {"length_a": np.where(won, long, short), "length_b": np.where(won, short, long)}
    return drawn(rows.assign(**lengths), slope, score, ("position", "length"))


def opposed_of_five(rng):
    """One of five judges prefers what the others do not; 6 items, 1,500 verdicts."""
    return opposed(rng, np.array([1.0, 1.1, 0.9, 1.0, -1.0]), prompts=300)


def opposed_of_three(rng):
    """One of three judges prefers what the others do not; 6 items, 1,500 verdicts."""
    return opposed(rng, np.array([1.0, 1.2, -0.8]), prompts=500)


def opposed(rng, slope, prompts):
    score, position = scores(rng, 6), rng.normal(0.0, 0.5, len(slope))
    return drawn(panel(rng, score, slope, position, prompts), slope, score)


def repeated(rng):
    """Three judges, 6 items, 200 prompts; every verdict is stored three times: 1,800 rows."""
    score, slope = scores(rng, 6), np.array([0.8, 1.0, 1.2])
    rows = panel(rng, score, slope, np.array([0.4, -0.3, 0.0]), prompts=200)
    copies = [rows.assign(repeat=number) for number in (1, 2, 3)]
    return drawn(pd.concat(copies, ignore_index=True), slope, score)


def best_of_four(rng):
    """One judge picks one of four answers, written against the other three; 300 prompts, 900 rows.

    The choice is Luce's: a winner is chosen from the four shown with probability proportional to
    the exponential of its score. Of two items shown, the first then wins, given that one of the
    two does, with the logistic probability of the difference of their scores, whatever else was
    shown: the pairs follow Bradley and Terry's law, though those of one prompt are dependent.
    """
    score, size, shown = scores(rng, 6), 300, 4
    order = np.argsort(rng.random((size, len(score))), axis=1)[:, :shown]
    best = (score[order] + rng.gumbel(size=order.shape)).argmax(axis=1)
    others = np.array([np.delete(order[p], best[p]) for p in range(size)])
    winner = np.repeat(order[np.arange(size), best], shown - 1)
    rows = pd.DataFrame(
        {
            "prompt": np.repeat(np.arange(size), shown - 1),
            "judge": 0,
            "first": winner,
            "second": others.ravel(),
            "won": True,
        }
    )
    return drawn(turned(rows, rng.random(len(rows)) < 0.5), np.ones(1), score)


def reward_model(rng):
    """One judge scores answers alone; three of 6 items a prompt, both orders: 900 rows.

    An answer's grade is its item's score and Gumbel noise, so that the marginal law of a pair is
    Bradley and Terry's. The second order always mirrors the first.
    """
    score, size, shown = scores(rng, 6), 150, 3
    order = np.argsort(rng.random((size, len(score))), axis=1)[:, :shown]
    grade = score[order] + rng.gumbel(size=order.shape)
    rows = [
        (p, 0, order[p, i], order[p, j], grade[p, i] > grade[p, j])
        for p in range(size)
        for i in range(shown)
        for j in range(shown)
        if i != j
    ]
    frame = pd.DataFrame(rows, columns=["prompt", "judge", "first", "second", "won"])
    return drawn(frame, np.ones(1), score)


def many_judges(rng):
    """300 judges with three verdicts each, every one on a prompt of its own; 6 items."""
    score, slope = scores(rng, 6), rng.lognormal(0.0, 0.3, 300)
    position = rng.normal(0.0, 0.4, 300)
    rows = panel(rng, score, slope, position, prompts=900, judges_a_prompt=1)
    return drawn(rows, slope, score)


def two_groups(rng):
    """Two groups of four items, 500 verdicts of 2 judges each, linked by a single verdict."""
    score, slope, position = scores(rng, 8), np.array([0.9, 1.1]), np.array([0.3, -0.2])
    halves = [
        panel(rng, score[start : start + 4], slope, position, prompts=250).assign(group=start)
        for start in (0, 4)
    ]
    rows = pd.concat(halves, ignore_index=True)
    rows = rows.assign(
        first=rows["first"] + rows["group"],
        second=rows["second"] + rows["group"],
        prompt=rows["prompt"] + 1000 * rows["group"],
    ).drop(columns="group")
    link = pd.DataFrame([(9999, 0, 0, 4, rng.random() < 0.5)], columns=rows.columns)
    return drawn(pd.concat([rows, link], ignore_index=True), slope, score)


def dominant_item(rng):
    """One of 6 items wins all but always (log-odds of 4 to 7); 3 judges, 1,500 verdicts."""
    score, slope = scores(rng, 6, 0.6), np.array([0.9, 1.0, 1.1])
    score[0] = score[1:].mean() + rng.uniform(4.0, 7.0)
    return drawn(panel(rng, score, slope, np.array([0.4, -0.3, 0.1]), prompts=500), slope, score)


def near_chance(rng):
    """14 of 32 judges are near chance; 8 items, 500 prompts, four judges each: 2,000 verdicts."""
    score = scores(rng, 8)
    slope = np.concatenate([rng.normal(0.0, 0.05, 14), rng.lognormal(0.0, 0.2, 18)])
    position = rng.normal(0.0, 0.4, 32)
    return drawn(panel(rng, score, slope, position, 500, judges_a_prompt=4), slope, score)


CORNERS: dict[str, Callable[[np.random.Generator], Drawn]] = {
    "separation by slot": separated_by_slot,
    "separation by length": separated_by_length,
    "an opposed judge of five": opposed_of_five,
    "an opposed judge of three": opposed_of_three,
    "repeats x3": repeated,
    "best of four": best_of_four,
    "one reward model": reward_model,
    "300 judges x 3 verdicts": many_judges,
    "two groups, one link": two_groups,
    "a dominant item": dominant_item,
    "14 of 32 judges near chance": near_chance,
}
COPIES = ("repeats x3", "best of four", "one reward model")
