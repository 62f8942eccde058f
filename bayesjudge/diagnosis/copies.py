"""Copies: judges that say the same or the opposite, and verdicts that follow from each other."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Self

import numpy as np
from scipy import sparse

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import combined_key, component_labels, link_graph, strong_labels
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons

AGREEMENT = 0.95  # share of the cells that both judged
SHARED_CELLS = 50
DISAGREEMENT = 0.95  # share of the cells that both decided
DECISIVE_CELLS = 20

ALWAYS = 0.99  # share of the sets of verdicts in which a rule holds
SETS, MIRRORED_SETS = 10, 30  # fewer say nothing about a rule
BROKEN, MIRRORED_BROKEN = 10.0, 5.0  # sets that would break it if verdicts were independent
SHUFFLES, SEED = 20, 0
COPIES_ADVICE = (
    "Standard errors clustered by prompt remain valid; posterior and model-based intervals count "
    "such verdicts as independent and are too narrow."
)
VERDICTS_A_PAIR = 5  # of one judge, from which on they are shuffled apart from the other judges'


@dataclass(frozen=True, eq=False)
class AgreementTable:
    """Numbers of cells that pairs of judges share.

    A cell is a prompt and a displayed pair; where a judge saw it repeatedly, the first verdict
    counts.

    Attributes
    ----------
    judges : tuple of str
        Names.
    one, other : ndarray of int, shape (n_pairs,)
        Indices of two judges that share a cell, the smaller first; sorted.
    shared, agreed : ndarray of float, shape (n_pairs,)
        Cells that both judged, and those with the same verdict.
    decided, opposed : ndarray of float, shape (n_pairs,)
        Cells on which both picked a winner, and those with opposite winners.
    """

    judges: tuple[str, ...]
    one: IntArray
    other: IntArray
    shared: FloatArray
    agreed: FloatArray
    decided: FloatArray
    opposed: FloatArray


def agreement_table(data: Comparisons) -> AgreementTable:
    """Count the shared cells of all pairs of judges that have enough to be compared."""
    won, tied, lost = _marked_cells(data)
    shared = sparse.triu((won + tied + lost) @ (won + tied + lost).T, k=1).tocoo()
    order = np.lexsort((shared.col, shared.row))
    one, other = shared.row[order], shared.col[order]
    contrary = won @ lost.T
    products = (
        won @ won.T + tied @ tied.T + lost @ lost.T,
        (won + lost) @ (won + lost).T,
        contrary + contrary.T,
    )
    # Without any pair SciPy would return a sparse array.
    counts = [product[one, other] if len(one) else np.zeros(0) for product in products]
    return AgreementTable(data.judges, one, other, shared.data[order], *counts)


def _marked_cells(data: Comparisons) -> list[sparse.csr_array]:
    """Mark, judge by cell, where the first item won, where it tied and where it lost."""
    cell = combined_key(data.prompt, data.first, data.second)
    n_cells = int(cell.max()) + 1
    rows = np.unique(data.judge * n_cells + cell, return_index=True)[1]
    often = np.bincount(data.judge[rows], minlength=data.n_judges) >= DECISIVE_CELLS
    rows = rows[often[data.judge[rows]]]
    marked = []
    for verdict in (FIRST, TIE, SECOND):
        kept = rows[data.verdict[rows] == verdict]
        places = (data.judge[kept], cell[kept])
        marked.append(sparse.csr_array((np.ones(len(kept)), places), (data.n_judges, n_cells)))
    return marked


@dataclass(frozen=True)
class NearCopies:
    """A group of judges that are near-copies of each other.

    Attributes
    ----------
    judges : tuple of str
        Their names.
    lowest, highest : float
        Lowest and highest agreement among the linked pairs.
    """

    judges: tuple[str, ...]
    lowest: float
    highest: float


def near_copies(table: AgreementTable) -> tuple[NearCopies, ...]:
    """Find the groups linked by pairs that share 50 cells or more and agree on 95 % of them."""
    linked = (table.shared >= SHARED_CELLS) & (table.agreed >= AGREEMENT * table.shared)
    one, share = table.one[linked], table.agreed[linked] / table.shared[linked]
    group = component_labels(link_graph(one, table.other[linked], len(table.judges)))
    copies = []
    for number in np.flatnonzero(np.bincount(group) > 1):
        names = tuple(compress(table.judges, group == number))
        shares = share[group[one] == number]
        copies.append(NearCopies(names, float(shares.min()), float(shares.max())))
    return tuple(copies)


@dataclass(frozen=True)
class OpposedJudges:
    """Two judges that pick opposite winners.

    Attributes
    ----------
    one, other : str
        Their names.
    share : float
        Share of the cells that both decided on which they disagree.
    cells : int
        Number of cells that both decided.
    """

    one: str
    other: str
    share: float
    cells: int


def opposed_judges(table: AgreementTable) -> tuple[OpposedJudges, ...]:
    """Find the pairs that both decided 20 cells or more and disagree on 95 % of them."""
    enough = table.decided >= DECISIVE_CELLS
    return tuple(
        OpposedJudges(
            table.judges[table.one[pair]],
            table.judges[table.other[pair]],
            float(table.opposed[pair] / table.decided[pair]),
            int(table.decided[pair]),
        )
        for pair in np.flatnonzero(enough & (table.opposed >= DISAGREEMENT * table.decided))
    )


def question_key(data: Comparisons) -> IntArray:
    """Return the number of each row's question, a prompt or one turn of it, shape (n_rows,)."""
    turn = dict(data.covariates).get("turn")
    if turn is None:
        return data.prompt
    return combined_key(data.prompt, np.nan_to_num(turn, nan=-1.0))


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Net outcomes of each judge, question and pair, in both orders and all repeats together.

    Attributes
    ----------
    n_items, n_questions : int
        Numbers of items and of questions.
    judge, question, low, high : ndarray of int, shape (n,)
        Judge, question, and the two items.
    net : ndarray of int, shape (n,)
        One where the low item won, minus one where the high one did, zero for a tie.
    verdicts : ndarray of int, shape (n,)
        Rows of the table behind it.
    """

    n_items: int
    n_questions: int
    judge: IntArray
    question: IntArray
    low: IntArray
    high: IntArray
    net: IntArray
    verdicts: IntArray

    @classmethod
    def of(cls, data: Comparisons, rows: BoolArray | None = None) -> Self:
        """Add up the verdicts of a table, or of some of its rows."""
        kept = np.arange(data.n_rows) if rows is None else np.flatnonzero(rows)
        question = question_key(data)
        keys = [data.judge[kept], question[kept], data.pair[kept]]
        key = combined_key(*keys)
        head = np.unique(key, return_index=True)[1]
        won = (TIE - data.verdict[kept]) * np.where(data.swapped[kept], -1, 1)
        net = np.sign(np.bincount(key, data.weight[kept] * won)).astype(np.int64)
        judge, asked, pair = (values[head] for values in keys)
        low, high = np.divmod(pair, data.n_items)
        size = data.n_items, int(question.max()) + 1
        return cls(*size, judge, asked, low, high, net, np.bincount(key))

    def kept(self, chosen: BoolArray | IntArray) -> Self:
        """Return some of the outcomes."""
        names = ("judge", "question", "low", "high", "net", "verdicts")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    @property
    def set(self) -> IntArray:
        """Number of the judge's set of verdicts on a question, shape (n,)."""
        return combined_key(self.judge, self.question)

    @property
    def cell(self) -> IntArray:
        """Number of judge, question and pair, the same in every table of these items, (n,)."""
        question = self.judge * self.n_questions + self.question
        return (question * self.n_items + self.low) * self.n_items + self.high

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Exchange outcomes between questions, within each pair and, where many, each judge."""
        pair = self.low * self.n_items + self.high
        own = np.unique(combined_key(self.judge, pair), return_index=True)[1]
        pairs, verdicts = np.bincount(self.judge[own]), np.bincount(self.judge)
        apart = verdicts[self.judge] >= VERDICTS_A_PAIR * pairs[self.judge]
        group = combined_key(np.where(apart, self.judge + 1, 0), pair)
        place = np.argsort(group, kind="stable")
        drawn = np.lexsort((rng.random(len(group)), group))
        net = np.empty_like(self.net)
        net[place] = self.net[drawn]
        return replace(self, net=net)


@dataclass(frozen=True)
class Kept:
    """A rule that sets of verdicts keep to, and that independent verdicts would break.

    Attributes
    ----------
    judges : tuple of str
        Judges whose sets keep to it.
    sets, verdicts : int
        Their numbers of sets, and of verdicts in these.
    share : float
        Share of the sets that keep to the rule.
    expected : float
        That share for independent verdicts.
    """

    judges: tuple[str, ...]
    sets: int
    verdicts: int
    share: float
    expected: float


type Holds = Callable[[np.random.Generator | None], BoolArray]  # by set; shuffled where drawn


def _kept_rule(
    data: Comparisons,
    judge: IntArray,
    verdicts: IntArray,
    holds: Holds,
    least: tuple[int, float] = (SETS, BROKEN),
) -> Kept | None:
    """Return who keeps to a rule in nearly all sets, though independent verdicts would not.

    Shapes: judge, verdicts (n_sets,). All judges together are looked at before each by itself.
    """
    kept, n_judges = holds(None), data.n_judges
    sets = np.bincount(judge, minlength=n_judges)
    broken = np.bincount(judge, ~kept, n_judges)
    together = broken.sum() <= (1 - ALWAYS) * sets.sum() and sets.sum() >= least[0]
    able = (sets > 0) if together else (sets >= least[0]) & (broken <= (1 - ALWAYS) * sets)
    if not able.any():
        return None
    rng = np.random.default_rng(SEED)
    would = np.mean([np.bincount(judge, ~holds(rng), n_judges) for _ in range(SHUFFLES)], axis=0)
    named = able & ((would.sum() if together else would) >= least[1])
    if not named.any():
        return None
    chosen, number = named[judge], sets[named].sum()
    return Kept(
        judges=tuple(compress(data.judges, named)),
        sets=int(number),
        verdicts=int(verdicts[chosen].sum()),
        share=float(kept[chosen].mean()),
        expected=float(1 - would[named].sum() / number),
    )


def _kept_by_sets(
    data: Comparisons, outcomes: Outcomes, rule: Callable[[Outcomes], BoolArray]
) -> Kept | None:
    """Look whether sets of verdicts on one question keep to a rule."""
    head = np.unique(outcomes.set, return_index=True)[1]
    verdicts = np.bincount(outcomes.set, outcomes.verdicts).astype(np.int64)
    return _kept_rule(
        data,
        outcomes.judge[head],
        verdicts,
        lambda rng: rule(outcomes if rng is None else outcomes.shuffled(rng)),
    )


def choices(data: Comparisons) -> dict[str, Kept]:
    """Find who chose the best, or the worst, of several items, written as pairs."""
    outcomes = Outcomes.of(data)
    links, full = _degrees(outcomes)
    stars = outcomes.kept((links >= 2) & (full == links))
    if not len(stars.judge):
        return {}
    found = {
        which: _kept_by_sets(data, stars, partial(_centre_takes, side=side))
        for which, side in (("best", 1), ("worst", -1))
    }
    return {which: kept for which, kept in found.items() if kept is not None}


def _degrees(outcomes: Outcomes) -> tuple[IntArray, IntArray]:
    """Return the number of pairs in each row's set, and how many its more frequent item is in."""
    low, high, _ = _nodes(outcomes)
    degree = np.bincount(np.concatenate([low, high]))
    number = outcomes.set
    return np.bincount(number)[number], np.maximum(degree[low], degree[high])


def _nodes(outcomes: Outcomes) -> tuple[IntArray, IntArray, IntArray]:
    """Return numbers of each row's two items within its set, and how many items that set has."""
    start = outcomes.set * outcomes.n_items
    keys = np.concatenate([start + outcomes.low, start + outcomes.high])
    node, index = np.unique(keys, return_inverse=True)
    n = len(start)
    return index[:n], index[n:], np.bincount(node // outcomes.n_items)[outcomes.set]


def _centre_takes(stars: Outcomes, side: int) -> BoolArray:
    """Return in which stars the centre wins (or loses) every verdict, (n_sets,)."""
    low, high, _ = _nodes(stars)
    degree = np.bincount(np.concatenate([low, high]))
    won = stars.net * np.where(degree[low] > degree[high], side, -side)
    return np.bincount(stars.set, won != 1) == 0


def rankings(data: Comparisons) -> Kept | None:
    """Find whose pairs never form a cycle, as if they were written from a ranking or scores."""
    outcomes = Outcomes.of(data)
    *_, items = _nodes(outcomes)
    rings = outcomes.kept(np.bincount(outcomes.set)[outcomes.set] >= items)
    return _kept_by_sets(data, rings, _without_cycle) if len(rings.judge) else None


def _without_cycle(rings: Outcomes) -> BoolArray:
    """Return in which sets no decisive verdict lies on a cycle of wins and ties, (n_sets,)."""
    low, high, _ = _nodes(rings)
    up, down = rings.net >= 0, rings.net <= 0
    start, end = np.concatenate([low[up], high[down]]), np.concatenate([high[up], low[down]])
    group = strong_labels(link_graph(start, end, int(max(low.max(), high.max())) + 1))
    return np.bincount(rings.set, (rings.net != 0) & (group[low] == group[high])) == 0


def mirrored(data: Comparisons) -> Kept | None:
    """Find who gives the same verdict in both orders, as if answers were scored one by one."""
    shown = [data.order_known & (data.swapped == swapped) for swapped in (False, True)]
    if not all(rows.any() for rows in shown):
        return None
    one, other = (Outcomes.of(data, rows) for rows in shown)
    cells = (one.cell, other.cell)
    _, here, there = np.intersect1d(*cells, assume_unique=True, return_indices=True)
    if not len(here):
        return None
    one, other = one.kept(here), other.kept(there)
    return _kept_rule(
        data,
        one.judge,
        one.verdicts + other.verdicts,
        lambda rng: one.net == (other if rng is None else other.shuffled(rng)).net,
        (MIRRORED_SETS, MIRRORED_BROKEN),
    )
