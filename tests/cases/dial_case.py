"""Frozen cases of DIAL as verdicts: cells with counts become rows with weights."""

import numpy as np

from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons


def case_data(case):
    """Judges' verdicts and human votes of a frozen case."""
    items = tuple(f"item-{i:02d}" for i in range(case["N"]))
    cells = np.array(case["llm_cells"], dtype=float)
    judge, low, high, order = cells[:, :4].astype(int).T
    judges = tuple(f"judge-{k}" for k in range(case["K"]))
    total, low_wins = cells[:, 4], cells[:, 5]
    first, second = np.where(order > 0, low, high), np.where(order > 0, high, low)
    wins = np.where(order > 0, low_wins, total - low_wins)
    llm = rows(items, judges, judge, first, second, wins, total, human=False)
    votes = np.array(case["human_cells"], dtype=float)
    low, high = votes[:, :2].astype(int).T
    one = np.zeros(len(votes), dtype=int)
    return llm, rows(items, ("people",), one, low, high, votes[:, 3], votes[:, 2], human=True)


def rows(items, judges, judge, first, second, wins, total, *, human):
    weight = np.concatenate([wins, total - wins])
    keep = weight > 0
    twice = [np.tile(each, 2)[keep] for each in (judge, first, second)]
    verdict = np.repeat([FIRST, SECOND], len(wins))[keep]
    n = int(keep.sum())
    return Comparisons(
        items=items,
        judges=judges,
        prompts=tuple(f"prompt-{i:05d}" for i in range(n)),
        first=twice[1],
        second=twice[2],
        verdict=verdict,
        judge=twice[0],
        prompt=np.arange(n),
        human=np.full(len(judges), human),
        order_known=np.ones(n, dtype=bool),
        weight=weight[keep],
        repeat=np.ones(n, dtype=np.int64),
        source_row=np.arange(n),
        length_first=np.full(n, np.nan),
        length_second=np.full(n, np.nan),
        source="frozen case",
    )
