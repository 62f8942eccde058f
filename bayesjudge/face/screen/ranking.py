"""Rankings as tables on the screen, with their doubts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from rich.console import Console

from bayesjudge.core.intervals import level_words
from bayesjudge.core.wording import counted, listing
from bayesjudge.face.fits import Fits, leading_method
from bayesjudge.face.inputs import raters
from bayesjudge.face.leader import leader_sentences
from bayesjudge.face.report import LEVEL, HumansReport, JudgesReport, Ranking, scorer
from bayesjudge.face.screen.findings import count_sentence
from bayesjudge.face.screen.grid import (
    ABSENT,
    Block,
    Column,
    Value,
    count_column,
    footnotes,
    short_names,
    show_grid,
    value_column,
    value_of,
)
from bayesjudge.face.screen.text import heading, paragraph
from bayesjudge.report.fits import caution_words

if TYPE_CHECKING:
    from bayesjudge.report.table import Table

SCORES = (
    "Score: log-odds that {scorer} prefers the item to the average item. Rank: interval of the "
    "item's rank. n: number of verdicts on the item."
)

TRUST = (
    "The sandwich allows for correlated errors of judges on the same prompt, and needs many "
    "prompts. The posterior takes verdicts as independent given the model."
)


def show_ranking(
    console: Console, ranking: Ranking, truth: Mapping[str, float] | None = None, of: str = ""
) -> None:
    """Show the ranking by every method, side by side, with the sentences that limit it."""
    report = ranking.judges
    heading(console, f"{of}{title(ranking)}")
    if sentence := count_sentence(ranking.diagnosis):
        paragraph(console, sentence)
    tables = {name: table.set_index("item") for name, table in report.ranking.items()}
    items = list(tables[leading_method(report.fits)].index)
    values = {name: _scores(table, items) for name, table in tables.items()}
    first: Block = (count_column(next(iter(tables.values())), items),)
    if truth is not None:
        first = (*first, Column("true\nscore", tuple(f"{truth[item]:.2f}" for item in items)))
    groups = [[_block(f"{name},\nscore", values[name], tables[name], items)] for name in tables]
    show_grid(console, "item", items, first, groups)
    marked = [
        (method, item, value)
        for method, column in values.items()
        for item, value in zip(items, column, strict=True)
    ]
    for sentence in (*leader_sentences(report), *footnotes(marked), *_notes(report)):
        paragraph(console, sentence)


def title(ranking: Ranking) -> str:
    """Say what is ranked, by which verdicts and how."""
    inputs, fits = ranking.inputs, ranking.judges.fits
    votes = inputs.humans if fits.choice.with_votes else None
    tables = [inputs.judges] if votes is None else [inputs.judges, votes]
    sources = [
        f"{table.weight.sum():,.10g} verdicts of "
        f"{counted(table.n_judges, raters(table).removesuffix('s'))}"
        for table in tables
    ]
    items = len(next(iter(ranking.judges.ranking.values())))
    mode = "" if fits.posterior is not None else ", by the mode alone"
    return (
        f"Ranking of {counted(items, 'item')} by {' and '.join(sources)}{mode}, with "
        f"{level_words(LEVEL)}"
    )


def show_humans(console: Console, humans: HumansReport, judges: JudgesReport) -> None:
    """Show the humans' ranking beside the judges' ranks, and the agreement."""
    heading(console, f"Humans beside the judges, with {level_words(LEVEL)}")
    by_humans = humans.ranking.set_index("item")
    by_judges = judges.ranking[leading_method(judges.fits)].set_index("item")
    items = list(by_humans.index)
    values = _scores(by_humans, items)
    ranks = Column("judges,\nrank", _ranks(by_judges, items))
    scores = _block("humans,\nscore", values, by_humans, items)
    show_grid(console, "item", items, (count_column(by_humans, items),), [[scores], [(ranks,)]])
    method = leading_method(humans.fits)
    marked = [(method, item, value) for item, value in zip(items, values, strict=True)]
    unseen = set(by_judges.index) - set(by_humans.index)
    sentences = (
        *footnotes(marked),
        _coverage(unseen),
        _agreement(humans.agreement),
        *humans.fits.notes,
        SCORES.format(scorer=scorer(humans.fits.leading)),
    )
    for sentence in sentences:
        paragraph(console, sentence)


def _block(head: str, values: list[Value | None], table: pd.DataFrame, items: list[str]) -> Block:
    return value_column(head, values), Column("\nrank", _ranks(table, items))


def _scores(table: pd.DataFrame, items: list[str]) -> list[Value | None]:
    """Return the scores of items, None of those that a table does not have."""
    return [
        value_of(table.loc[item], "score", ("lower", "upper")) if item in table.index else None
        for item in items
    ]


def _ranks(table: pd.DataFrame, items: list[str]) -> tuple[str, ...]:
    return tuple(_rank(table.loc[item]) if item in table.index else ABSENT for item in items)


def _rank(row: Any) -> str:  # noqa: ANN401
    """Write the interval of a rank."""
    ranks = [row["rank_lower"], row["rank_upper"]]
    if np.isnan([row["lower"], *ranks]).any():
        return ABSENT
    return "-".join(f"{rank:.0f}" for rank in sorted(set(ranks)))


def show_legend(console: Console, report: JudgesReport) -> None:
    """Say how to choose between the methods, and what the columns of a ranking are."""
    robust, scores = report.fits.robust, SCORES.format(scorer=scorer(report.fits.leading))
    both = report.fits.posterior is not None and robust is not None and robust.kind == "sandwich"
    for sentence in (TRUST, scores) if both else (scores,):
        paragraph(console, sentence)


def _notes(report: JudgesReport) -> list[str]:
    """Return what limits a ranking: missing fits, the prior, cautions."""
    return [*report.fits.notes, *_prior_notes(report.ranking), *_cautions(report.fits)]


def _prior_notes(tables: "Mapping[str, Table]") -> list[str]:
    names = {
        str(item)
        for table in tables.values()
        if "rests_on_prior" in table
        for item in table.loc[table["rests_on_prior"], "item"]
    }
    if not names:
        return []
    items = listing(short_names(sorted(names)).values())
    return [f"The score of {items} rests on the prior: see bayesjudge diagnose."]


def _cautions(fits: Fits) -> list[str]:
    """Return the cautions of each method."""
    named = {name: caution_words(fit) for name, fit in fits.by_method.items()}
    return [f"{name.capitalize()}:{words}" for name, words in named.items() if words]


def _coverage(unseen: set[object]) -> str:
    if not unseen:
        return "Humans compared every item that the judges compared."
    return f"Humans did not compare {listing(short_names(sorted(map(str, unseen))).values())}."


def _agreement(table: "Table") -> str:
    correlations = [
        f"{row['measure']} {Value(row['estimate'], row['lower'], row['upper']).text}"
        for _, row in table.iterrows()
    ]
    return (
        f"Agreement of the two rankings, from -1 to 1, over {table['items'].iloc[0]} shared items: "
        f"{listing(correlations)}."
    )
