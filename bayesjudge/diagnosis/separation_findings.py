"""Findings on effects without a finite estimate: a slot, longer answers or a family always win."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Self

import numpy as np
from scipy import sparse

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import component_labels, laplacian, link_graph, net_flow
from bayesjudge.core.separation import LOST, NULL, separated
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons
from bayesjudge.data.graph import outside_core, unbounded_items
from bayesjudge.designs.cells import count_cells
from bayesjudge.designs.terms import (
    Term,
    family_contrast,
    log_length_ratio,
    organisation_families,
    position_contrast,
)
from bayesjudge.diagnosis.findings import Finding, Level
from bayesjudge.diagnosis.position_findings import ENOUGH_VERDICTS

LEADING = 5000  # rows of the judges with most verdicts, that are looked at first

HABITS: dict[tuple[Term, int], str] = {
    ("position", 1): "went to the first slot",
    ("position", -1): "went to the second slot",
    ("length", 1): "on answers of different lengths went to the longer answer",
    ("length", -1): "on answers of different lengths went to the shorter answer",
    ("family", 1): "on one answer of the judge's own family went to that answer",
    ("family", -1): "on one answer of the judge's own family went to the other answer",
}


@dataclass(frozen=True, eq=False)
class Separation:
    """Effects that no verdict bounds, for each group of judges.

    Attributes
    ----------
    terms : tuple of str
        Effects: position, length, family.
    unbounded : ndarray of bool, shape (n_groups, n_terms)
        Effects without a finite estimate. A group is one judge, or all judges together.
    habit : ndarray of int, shape (n_groups, n_terms)
        One where every decisive verdict goes where the effect points, minus one where none does.
    decided : ndarray of int, shape (n_groups, n_terms)
        Decisive verdicts on which the effect bears.
    items : tuple of str
        Items whose scores are confounded with these effects.
    """

    terms: tuple[Term, ...]
    unbounded: BoolArray
    habit: IntArray
    decided: IntArray
    items: tuple[str, ...]


def separation(data: Comparisons, *, by_judge: bool) -> Separation:
    """Find the effects without a finite estimate, of all judges together or of each judge."""
    columns = term_values(data)
    shown = _Shown.of(data, np.column_stack([*columns.values()]), by_judge)
    raised = _raised(shown)
    before, after = _Loose.of(shown), _Loose.of(shown.kept(~raised))
    torn = outside_core(before.part, after.part) & (np.bincount(before.part)[before.part] > 1)
    unbounded = set(unbounded_items(data))
    items = tuple(name for name in compress(data.items, torn) if name not in unbounded)
    return Separation(tuple(columns), after.terms & ~before.terms, *_habits(shown), items)


def term_values(data: Comparisons) -> dict[Term, FloatArray]:
    """Return the columns of the effects that the table says enough about, (n_rows,) each."""
    values: dict[Term, FloatArray] = {"position": position_contrast(data)}
    lengths = data.length_first, data.length_second
    if all(length is not None and not np.isnan(length).any() for length in lengths):
        values["length"] = log_length_ratio(data)
    families = organisation_families((*data.items, *data.judges))
    if all(family != name.lower() for name, family in families.items()):
        values["family"] = family_contrast(data, families)
    return {term: value for term, value in values.items() if value.any()}


@dataclass(frozen=True, eq=False)
class _Shown:
    """Distinct displays with what was decided on them.

    Attributes
    ----------
    n_items, n_groups : int
        Numbers of items, and of groups of judges with effects of their own.
    group, first, second : ndarray of int, shape (n,)
        Group of judges and the two items.
    columns : ndarray, shape (n, n_terms)
        Values of the effects, in units of their root mean square.
    side : ndarray of int, shape (n,)
        One where every verdict went to the first answer, minus one to the second, else zero.
    decided : ndarray, shape (n,)
        Decisive verdicts.
    """

    n_items: int
    n_groups: int
    group: IntArray
    first: IntArray
    second: IntArray
    columns: FloatArray
    side: IntArray
    decided: FloatArray

    @classmethod
    def of(cls, data: Comparisons, columns: FloatArray, by_judge: bool) -> Self:
        """Count the verdicts of a table by display."""
        cells, _ = count_cells(data, columns / np.sqrt((columns**2).mean(axis=0)))
        won, tied, lost = (cells.counts[:, verdict] > 0 for verdict in (FIRST, TIE, SECOND))
        side = np.where(tied, 0, won.astype(np.int64) - lost)
        group = cells.judge if by_judge else np.zeros_like(cells.judge)
        n_groups = data.n_judges if by_judge else 1
        decided = cells.counts[:, [FIRST, SECOND]].sum(axis=1)
        shown = group, cells.first, cells.second, cells.columns, side, decided
        return cls(data.n_items, n_groups, *shown)

    def kept(self, rows: BoolArray) -> Self:
        """Return some of the displays."""
        by_row = ("group", "first", "second", "columns", "side", "decided")
        return replace(self, **{name: getattr(self, name)[rows] for name in by_row})

    def matrix(self, *, with_scores: bool = True) -> sparse.csr_array:
        """Return item contrasts and each group's effects: (n, n_items + n_groups * n_terms)."""
        n, n_terms = self.columns.shape
        row, start = np.arange(n), self.n_items + n_terms * self.group
        one = np.full(n, float(with_scores))
        entries = [(row, self.first, one), (row, self.second, -one)]
        entries += [(row, start + term, self.columns[:, term]) for term in range(n_terms)]
        rows, places, values = (np.concatenate(part) for part in zip(*entries, strict=True))
        size = self.n_items + self.n_groups * n_terms
        return sparse.csr_array((values, (rows, places)), shape=(n, size))


def _raised(shown: _Shown) -> BoolArray:
    """Mark the displays that some direction raises while it lowers none, (n,).

    Where the judges with most verdicts hold the scores still, each other judge stands alone.
    """
    rows = np.bincount(shown.group, minlength=shown.n_groups)
    order = np.argsort(-rows, kind="stable")
    ahead = np.zeros(shown.n_groups, dtype=bool)
    ahead[order[np.cumsum(rows[order]) - rows[order] < LEADING]] = True
    leading = ahead[shown.group]
    raised = np.zeros(len(leading), dtype=bool)
    raised[leading] = _marked(shown.kept(leading))
    if leading.all():
        return raised
    if _Loose.of(shown.kept(leading & ~raised)).part.any():
        return _marked(shown)
    raised[~leading] = _marked(shown.kept(~leading), with_scores=False)
    return raised


def _marked(shown: _Shown, *, with_scores: bool = True) -> BoolArray:
    matrix, decisive = shown.matrix(with_scores=with_scores), shown.side != 0
    raised = np.zeros(len(decisive), dtype=bool)
    if decisive.any():
        signed = sparse.diags_array(shown.side.astype(float)) @ matrix
        raised[decisive] = separated(signed.tocsr()[decisive], matrix[~decisive])
    return raised


@dataclass(frozen=True, eq=False)
class _Loose:
    """What displays leave undetermined.

    Attributes
    ----------
    part : ndarray of int, shape (n_items,)
        Items with the same number have scores whose difference is determined.
    terms : ndarray of bool, shape (n_groups, n_terms)
        Effects that are not determined.
    """

    part: IntArray
    terms: BoolArray

    @classmethod
    def of(cls, shown: _Shown) -> Self:
        """Eliminate each group's effects, then find what the displays say about the scores."""
        squares, crossed = _squares(shown)
        inverse = np.linalg.pinv(squares, rcond=NULL, hermitian=True)
        followed = inverse @ crossed
        explained = np.tensordot(crossed, followed, axes=((0, 1), (0, 1)))
        ones = np.ones(len(shown.group))
        scores = laplacian(shown.first, shown.second, ones, shown.n_items) - explained
        values, vectors = np.linalg.eigh(scores)
        null = vectors[:, values <= NULL * max(values[-1], 1.0)]
        moved = np.linalg.norm(followed @ null, axis=2)
        own = 1 - np.einsum("gtu,gut->gt", inverse, squares)
        return cls(_parts(null), (moved > LOST) | (own > LOST))


def _squares(shown: _Shown) -> tuple[FloatArray, FloatArray]:
    """Return the effects' sums of squares and products, with each other and with contrasts.

    Shapes: -> (n_groups, n_terms, n_terms), (n_groups, n_terms, n_items).
    """
    n_groups, n_items, columns = shown.n_groups, shown.n_items, shown.columns
    n_terms, start = columns.shape[1], n_items * shown.group
    squares = np.empty((n_groups, n_terms, n_terms))
    crossed = np.empty((n_groups, n_terms, n_items))
    for term in range(n_terms):
        column = columns[:, term]
        for other in range(n_terms):
            squares[:, term, other] = np.bincount(shown.group, column * columns[:, other], n_groups)
        flow = net_flow(start + shown.first, start + shown.second, column, n_groups * n_items)
        crossed[:, term] = flow.reshape(n_groups, n_items)
    return squares, crossed


def _parts(null: FloatArray) -> IntArray:
    """Return equal numbers for items that no direction sets apart: (n_items, n) -> (n_items,)."""
    product = null @ null.T
    length = np.diag(product)
    close = length[:, None] + length - 2 * product <= LOST**2
    one, other = np.nonzero(close)
    return component_labels(link_graph(one, other, len(null)))


def _habits(shown: _Shown) -> tuple[IntArray, IntArray]:
    """Return where all decisive verdicts of each group go, and how many they are."""
    habit, decided = [], []
    for column in shown.columns.T:
        bears = column != 0
        toward = np.sign(column[bears]) * shown.side[bears]
        group, n_groups = shown.group[bears], shown.n_groups
        least, most = np.full(n_groups, 1.0), np.full(n_groups, -1.0)
        np.minimum.at(least, group, toward)
        np.maximum.at(most, group, toward)
        habit.append((least == most) * least)
        decided.append(np.bincount(group, shown.decided[bears], n_groups))
    return np.array(habit).T.astype(np.int64), np.array(decided).T.round().astype(np.int64)


def separation_finding(data: Comparisons) -> Finding:
    """Name the effects without a finite estimate, and what follows."""
    if not term_values(data):
        return _fine()
    slot = slot_of_all(data)
    if slot and (data.verdict == TIE).any():
        return _of_ties(data, slot)
    together = separation(data, by_judge=False)
    if together.unbounded.any():
        return _of_all_judges(together, slot)
    single = _enough(data, separation(data, by_judge=True))
    named = np.flatnonzero(single.unbounded.any(axis=1)).tolist()
    return _of_judges(data, single, named) if named else _fine()


def _enough(data: Comparisons, found: Separation) -> Separation:
    """Leave out judges with few verdicts for each effect, whom chance separates."""
    unbounded = found.unbounded & (found.decided >= ENOUGH_VERDICTS)
    habitual = (unbounded & (found.habit != 0)).any(axis=1)
    rows = np.bincount(data.judge, minlength=data.n_judges)
    enough = habitual | (rows >= ENOUGH_VERDICTS * unbounded.sum(axis=1))
    return replace(found, unbounded=unbounded & enough[:, None])


def _fine() -> Finding:
    sentence = "No effect of position, length or family separates the verdicts."
    return Finding("separation", "fine", sentence, _details((), {}, ()))


def _details(
    terms: Iterable[Term], judges: Mapping[str, list[Term]], items: Iterable[str]
) -> dict[str, object]:
    return {"terms": list(terms), "judges": dict(judges), "items": list(items)}


def _of_all_judges(found: Separation, slot: int) -> Finding:
    terms, habits = _unbounded(found, 0)
    facts = [
        f"All {counted(number, 'decisive verdict')} {habit}" for habit, number in habits.items()
    ] or [f"No verdict contradicts {_combination(terms)}"]
    few = found.decided[found.unbounded].max() < ENOUGH_VERDICTS
    sentence = f"{listing(facts)}: {_follows(terms, found.items)}.{_advice(slot)}"
    level: Level = "note" if few else "problem" if habits else "warning"
    return Finding("separation", level, sentence, _details(terms, {}, found.items))


def _of_judges(data: Comparisons, found: Separation, named: Sequence[int]) -> Finding:
    facts: dict[str, list[str]] = {}
    for judge in named:
        terms, habits = _unbounded(found, judge)
        rows = int((data.judge == judge).sum())
        for fact, number in habits.items() or {_combination(terms): rows}.items():
            facts.setdefault(fact, []).append(f"{data.judges[judge]} ({number:,})")
    told = [
        f"{'all decisive verdicts' if fact in HABITS.values() else 'no verdict'} of "
        f"{listing(judges)} {fact if fact in HABITS.values() else f'contradicts {fact}'}"
        for fact, judges in facts.items()
    ]
    by_judge = {data.judges[judge]: _unbounded(found, judge)[0] for judge in named}
    terms = [term for term in found.terms if any(term in own for own in by_judge.values())]
    where = chosen_form(len(named), "this judge", "these judges")
    sentence = "; ".join(told) + f": for {where}, {_follows(terms, found.items)}."
    habitual = any(fact in HABITS.values() for fact in facts)
    level: Level = "problem" if habitual and found.items else "warning"
    details = _details((), by_judge, found.items)
    return Finding("separation", level, sentence[0].upper() + sentence[1:], details)


def _unbounded(found: Separation, group: int) -> tuple[list[Term], dict[str, int]]:
    """Return the unbounded effects of a group, and its habits with their numbers of verdicts."""
    terms = list(compress(found.terms, found.unbounded[group]))
    numbers = {
        HABITS[term, int(found.habit[group, place])]: int(found.decided[group, place])
        for place, term in enumerate(found.terms)
        if term in terms and found.habit[group, place]
    }
    return terms, numbers


def _combination(terms: Sequence[Term]) -> str:
    return f"some combination of the scores and the {_effects(terms)}"


def _effects(terms: Sequence[Term]) -> str:
    return f"{chosen_form(len(terms), 'effect', 'effects')} of {listing(terms)}"


def _follows(terms: Sequence[Term], items: Sequence[str]) -> str:
    """Write what has no finite estimate, and what rests on the prior with it."""
    have, them = (chosen_form(len(terms), *forms) for forms in (("has", "have"), ("it", "them")))
    effects = f"the {_effects(terms)} {have} no finite estimate"
    if not items:
        return f"{effects}, and only the prior bounds {them}"
    return (
        f"{effects}, and the scores of {listing(items)}, which are confounded with {them}, rest on "
        "the prior"
    )


def slot_of_all(data: Comparisons) -> int:
    """Return one if every decisive verdict went to the first slot, minus one if to the second.

    Zero otherwise, and where there are too few decisive verdicts to tell.
    """
    won = data.verdict[data.order_known & (data.verdict != TIE)]
    alike = len(won) >= ENOUGH_VERDICTS and (won == won[0]).all()
    return int(TIE - won[0]) if alike else 0


def _of_ties(data: Comparisons, slot: int) -> Finding:
    decisive = int((data.order_known & (data.verdict != TIE)).sum())
    ties = int((data.verdict == TIE).sum())
    sentence = (
        f"All {counted(decisive, 'decisive verdict')} {HABITS['position', slot]}: nothing but "
        f"{counted(ties, 'tie')} bounds the effect of position and the scores that are confounded "
        f"with it.{_advice(slot)}"
    )
    return Finding("separation", "problem", sentence, _details(("position",), {}, ()))


def _advice(slot: int) -> str:
    """Write what to do where every decisive verdict went to one slot."""
    if not slot:
        return ""
    column = "first" if slot > 0 else "second"
    return (
        f" The {column} column looks like the winner's, as in a table of chosen and rejected "
        "answers: if the answers were not shown in this order, read it with order_known=False."
    )
