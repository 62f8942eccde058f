"""Plain reasons why a likelihood has no single finite maximum: habits, one-sided items, ties."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.graphs import component_labels, link_graph
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons
from bayesjudge.data.graph import win_groups
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import flat_cells
from bayesjudge.designs.layouts import retained_mask
from bayesjudge.engine.point import Point
from bayesjudge.fits.tree import edges

NAMED = 3
CERTAIN = 10.0  # log-odds that a fit on its way to infinity has passed
EVEN, SURE = 1e-3, 1e-6  # log-odds, and a probability, where a judge's verdicts are all alike


@dataclass(frozen=True)
class Habit:
    """How a judge is said to follow a column always, or its opposite, and among which verdicts."""

    along: str
    against: str
    among: str


HABITS = {
    "position": Habit("picked the first slot", "picked the second slot", "of known order"),
    "length": Habit(
        "preferred the longer answer", "preferred the shorter answer", "on different lengths"
    ),
    "family": Habit(
        "preferred its own family", "preferred other families", "between its own and another family"
    ),
}


@dataclass(frozen=True, eq=False)
class _Verdicts:
    """The verdicts of a data set that count, with what a fit predicts of each.

    Attributes
    ----------
    data : Comparisons
        With the weights that count.
    log_odds, tie : ndarray, shape (n_rows,)
        That the item shown first wins, and the probability of a tie as an outcome of its own.
    """

    data: Comparisons
    log_odds: FloatArray
    tie: FloatArray

    def at(self, rows: BoolArray) -> "_Verdicts":
        return _Verdicts(self.data.select(rows), self.log_odds[rows], self.tie[rows])

    @property
    def by_judge(self) -> Iterator[tuple[str, "_Verdicts"]]:
        for number, name in enumerate(self.data.judges):
            yield name, self.at(self.data.judge == number)


def habits(point: Point) -> list[str]:
    """Say which judges' decisive verdicts all follow a column whose effect the program fits."""
    fitted = {quantity.name for quantity in point.program.sites.quantities}
    return [
        sentence
        for design in point.designs
        for number, term in enumerate(design.layout.terms)
        if term in fitted
        for sentence in _followers(point, design, number)
    ]


def unbounded_causes(point: Point) -> list[str]:
    """Say what in the verdicts lets a likelihood rise without end, as far as it is plain."""
    return [*habits(point), *_one_sided(point), *_ties(point)]


def unidentified_causes(point: Point) -> list[str]:
    """Say what in the verdicts leaves parameters without information, as far as it is plain."""
    return [*_ties(point), *_unlinked(point)]


def _verdicts(point: Point, design: Design) -> _Verdicts:
    counted = design.weight > 0
    cell = design.cell_of_row[counted]
    return _Verdicts(
        replace(design.data.select(counted), weight=design.weight[counted]),
        point.log_odds(design)[cell],
        point.outcome_probs(design)[cell, TIE],
    )


def _followers(point: Point, design: Design, number: int) -> Iterator[str]:
    """Say which judges always follow one column of a design, or always its opposite."""
    term, judges = design.layout.terms[number], np.array(design.data.judges, dtype=object)
    words = HABITS.get(
        term, Habit(f"preferred more {term}", f"preferred less {term}", f"on different {term}")
    )
    along, against, even, aside = _followed(point, design, number)
    free = retained_mask(design.layout)[number] & (even == 0)
    for way, counts, others in ((words.along, along, against), (words.against, against, along)):
        for among, chosen in (("", aside == 0), (f" {words.among}", aside > 0)):
            always = free & chosen & (counts > 0) & (others == 0)
            verdicts, kind = float(counts[always].sum()), f"decisive verdicts{among}"
            yield from _of_judges(list(judges[always]), verdicts, f"{way} in all of", kind)


def _followed(point: Point, design: Design, number: int) -> FloatArray:
    """Count each judge's verdicts by a column, shape (4, n_judges).

    Those along its sign, those against it, ties where they are half wins, and decisive verdicts
    where the column is zero.
    """
    cells, n_judges = flat_cells(design), design.layout.n_judges
    sign = np.sign(cells.columns[:, number])
    won, tied, lost = np.where(sign < 0, cells.counts.T[::-1], cells.counts.T)
    half_wins = not point.outcome_probs(design)[:, TIE].any()
    kinds = (won * abs(sign), lost * abs(sign), tied * abs(sign) * half_wins)
    every = (*kinds, (won + lost) * (sign == 0))
    return np.stack([np.bincount(cells.judge, counts, n_judges) for counts in every])


def _of_judges(names: list[str], verdicts: float, way: str, kind: str) -> list[str]:
    """Say in one sentence what is true of judges, if there are any."""
    if not names:
        return []
    whose = "its" if len(names) == 1 else "their"
    return [f"{listing(names, NAMED)} {way} {whose} {verdicts:,.10g} {kind}"]


def _one_sided(point: Point) -> list[str]:
    """Say which items won or lost everything against the others, where the fit runs after that."""
    own = any(set(one.dims) == {"judge", "item"} for one in point.program.sites.quantities)
    sentences: list[str] = []
    for design in point.designs:
        verdicts = _verdicts(point, design)
        sentences += _group_sentences(verdicts, "")
        if own and not sentences:
            for name, one in verdicts.by_judge:
                sentences += _group_sentences(one, f" from {name}")
    return sentences


def _group_sentences(verdicts: _Verdicts, source: str) -> list[str]:
    groups = _one_sided_groups(verdicts.data)
    return [
        _group_sentence(verdicts.data, inside, source)
        for inside in groups
        if _is_certain(verdicts, inside)
    ]


def _one_sided_groups(data: Comparisons) -> list[BoolArray]:
    """Mark the items, or smallest groups of them, that won or lost everything against the rest."""
    label = win_groups(data)
    marks = (label == number for number in range(int(label.max()) + 1))
    groups = [inside for inside in marks if _is_one_sided(data, inside)]
    groups.sort(key=lambda inside: int(inside.sum()))
    return [
        inside
        for place, inside in enumerate(groups)
        if not any((inside == ~smaller).all() for smaller in groups[:place])
    ]


def _is_one_sided(data: Comparisons, inside: BoolArray) -> bool:
    won, lost = _against_others(data, inside)
    tied = _crossing(data, inside)[data.verdict == TIE].sum()
    return bool(tied == 0 and (won > 0) != (lost > 0))


def _crossing(data: Comparisons, inside: BoolArray) -> FloatArray:
    """Return the weight of verdicts between a group of items and the others, else zero."""
    return data.weight * (inside[data.first] != inside[data.second])


def _against_others(data: Comparisons, inside: BoolArray) -> tuple[float, float]:
    """Return how many verdicts a group of items won and lost against the others."""
    crossing, first = _crossing(data, inside), inside[data.first]
    won = crossing[np.where(first, data.verdict == FIRST, data.verdict == SECOND)].sum()
    lost = crossing[np.where(first, data.verdict == SECOND, data.verdict == FIRST)].sum()
    return float(won), float(lost)


def _is_certain(verdicts: _Verdicts, inside: BoolArray) -> bool:
    """Whether a fit predicts all verdicts of a group against the others, some of them for sure."""
    data = verdicts.data
    side = np.where(data.verdict == FIRST, 1.0, -1.0)
    predicted = (side * verdicts.log_odds)[_crossing(data, inside) > 0]
    return bool((predicted > 0).all() and predicted.max(initial=0.0) > CERTAIN)


def _group_sentence(data: Comparisons, inside: BoolArray, source: str) -> str:
    names = [name for name, own in zip(data.items, inside, strict=True) if own]
    won, lost = _against_others(data, inside)
    whose, against = ("its", "") if len(names) == 1 else ("their", " against the other items")
    verdicts = f"{won + lost:,.10g} verdicts{source}{against}"
    return f"{listing(names, NAMED)} {'won' if won else 'lost'} all of {whose} {verdicts}"


def _ties(point: Point) -> list[str]:
    """Say which judges' verdicts are all ties, or never one, where the fit runs after that."""
    every = [_verdicts(point, design) for design in point.designs]
    if all((one.data.verdict == TIE).all() for one in every):
        return ["every verdict is a tie"]
    return [sentence for one in every for sentence in _tie_sentences(one)]


def _tie_sentences(verdicts: _Verdicts) -> Iterator[str]:
    own_ties = bool(verdicts.tie.any())
    if own_ties and not (verdicts.data.verdict == TIE).any():
        yield "no verdict is a tie"
        return
    kinds = {name: _tie_habit(one, own_ties) for name, one in verdicts.by_judge}
    weight = {name: float(one.data.weight.sum()) for name, one in verdicts.by_judge}
    for habit, ending in (("called all of", "verdicts ties"), ("called none of", "verdicts a tie")):
        names = [name for name, kind in kinds.items() if kind == habit]
        yield from _of_judges(names, sum(weight[name] for name in names), habit, ending)


def _tie_habit(verdicts: _Verdicts, own_ties: bool) -> str | None:
    """Return whether a judge's verdicts are all ties or never one, where the fit foretells it."""
    tied = verdicts.data.verdict == TIE
    foretold = verdicts.tie > 1 - SURE if own_ties else np.abs(verdicts.log_odds) < EVEN
    if tied.all() and foretold.all():
        return "called all of"
    never = own_ties and not tied.any() and (verdicts.tie < SURE).all()
    return "called none of" if never else None


def _unlinked(point: Point) -> list[str]:
    """Say which items no verdict links to the others."""
    names = np.array(point.designs[0].items, dtype=object)
    counted = [edges(design)[:, design.weight > 0] for design in point.designs]
    start, end = np.concatenate(counted, axis=1)
    label = component_labels(link_graph(start, end, len(names)))
    if not label.any():
        return []
    apart = names[label == np.bincount(label).argmin()]
    return [f"no verdict links {listing(apart, NAMED)} to the other items"]
