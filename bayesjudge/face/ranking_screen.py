"""Rankings and judges as tables on the screen."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid

from bayesjudge.core.intervals import level_words
from bayesjudge.core.wording import listing
from bayesjudge.face.fits import Fits
from bayesjudge.face.report import LEVEL, HumansReport, JudgesReport
from bayesjudge.face.screen import INDENT, NARROWEST, NameCell, heading, paragraph
from bayesjudge.report.fits import caution_words, method_label, rater
from bayesjudge.report.shown_names import shortened
from bayesjudge.report.table import Table

ABSENT = "-"

SCORES = (
    "Score: log-odds that an average {rater} prefers the item to the average item. Rank: interval "
    "of the item's rank. n: number of verdicts on the item."
)

TRUST = (
    "The sandwich allows for correlated errors of judges on the same prompt, and needs many "
    "prompts. The posterior assumes independent verdicts; its uncertainty is a lower bound if "
    "verdicts on a prompt are positively correlated."
)

JUDGE_HEADS = {
    "scaled_sensitivity": "sensitivity,\nlog-odds per\nSD of scores",
    "net_first_preference": "preference for\nthe first slot,\nfrom -1 to 1",
}


def show_ranking(
    console: Console, report: JudgesReport, truth: Mapping[str, float] | None = None
) -> None:
    """Show the ranking by every method, side by side."""
    heading(console, f"Ranking, with {level_words(LEVEL)}")
    paragraph(console, SCORES.format(rater=rater(report.fits.first[1])))
    tables = {name: table.set_index("item") for name, table in report.ranking.items()}
    grid = _grid("item", "n", *([] if truth is None else ["true\nscore"]))
    for name in tables:
        _add_numbers(grid, f"{name},\nscore", "\nrank")
    first = next(iter(tables.values()))
    for cell, (item, row) in zip(_names(first.index), first.iterrows(), strict=True):
        known = [] if truth is None else [f"{truth[str(item)]:.2f}"]
        scores = [text for table in tables.values() for text in _score(table, str(item))]
        grid.add_row(cell, _count(row), *known, *scores)
    _print(console, grid)
    for name, table in report.ranking.items():
        paragraph(console, _leader(name, table, report.win_probability[name]))
    for note in (*_prior_notes(report.ranking), *report.fits.notes, *_sandwich_notes(report.fits)):
        paragraph(console, note)


def show_judges(
    console: Console,
    report: JudgesReport,
    truth: Mapping[str, Sequence[float]] | None = None,
) -> None:
    """Show the judges by the first method, the most sensitive first."""
    method, table = next(iter(report.judges.items()))
    quantities = [name for name in JUDGE_HEADS if name in table.columns]
    if not quantities:
        return
    heading(console, f"Judges by the {method}, with {level_words(LEVEL)}")
    grid = _grid("judge", "n")
    for name in quantities:
        _add_numbers(grid, JUDGE_HEADS[name], *([] if truth is None else ["true"]))
    cells = dict(zip(table.index, _names(table["judge"]), strict=True))
    for i in table[quantities[0]].sort_values(ascending=False).index:
        row, numbers = table.loc[i], []
        for name in quantities:
            numbers.append(_interval(row[name], row[f"{name}_lower"], row[f"{name}_upper"]))
            numbers += [] if truth is None else [f"{truth[name][int(i)]:.2f}"]
        grid.add_row(cells[i], _count(row), *numbers)
    _print(console, grid)


def show_humans(console: Console, humans: HumansReport, judges: JudgesReport) -> None:
    """Show the humans' ranking beside the judges' ranks, and the agreement."""
    heading(console, f"Humans beside the judges, with {level_words(LEVEL)}")
    paragraph(console, SCORES.format(rater=rater(humans.fits.first[1])))
    by_humans = humans.ranking.set_index("item")
    by_judges = next(iter(judges.ranking.values())).set_index("item")
    grid = _grid("item", "n")
    _add_numbers(grid, "humans,\nscore", "\nrank", "judges,\nrank")
    for cell, (item, row) in zip(_names(by_humans.index), by_humans.iterrows(), strict=True):
        _, rank = _score(by_judges, str(item))
        grid.add_row(cell, _count(row), *_score(by_humans, str(item)), rank)
    _print(console, grid)
    unseen = set(by_judges.index) - set(by_humans.index)
    for sentence in (_coverage(unseen), _agreement(humans.agreement), *humans.fits.notes):
        paragraph(console, sentence)


def _grid(name: str, *numbers: str) -> Grid:
    grid = Grid(
        box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style=""
    )
    grid.add_column(name, min_width=NARROWEST, vertical="top")
    _add_numbers(grid, *numbers)
    return grid


def _short(names: Iterable[object]) -> dict[str, str]:
    """Return names as they are shown, by the names themselves."""
    whole = [str(name) for name in names]
    return dict(zip(whole, shortened(whole), strict=True))


def _names(names: Iterable[object]) -> list[NameCell]:
    return [NameCell(name) for name in _short(names).values()]


def _add_numbers(grid: Grid, *heads: str) -> None:
    for head in heads:
        grid.add_column(head, justify="right", no_wrap=True)


def _print(console: Console, grid: Grid) -> None:
    console.print(Padding(grid, (1, 0, 1, INDENT), expand=False))


def _count(row: pd.Series) -> str:
    return f"{row['verdicts']:,.10g}" if "verdicts" in row else ABSENT


def _score(table: pd.DataFrame, item: str) -> tuple[str, str]:
    """Write an item's score with its interval, and the interval of its rank."""
    if item not in table.index:
        return ABSENT, ABSENT
    row: Any = table.loc[item]
    ranks = [row["rank_lower"], row["rank_upper"]]
    rank = ABSENT if np.isnan(ranks).any() else "-".join(f"{x:.0f}" for x in sorted(set(ranks)))
    return _interval(row["score"], row["lower"], row["upper"]), rank


def _interval(value: float, lower: float, upper: float) -> str:
    inside = ABSENT if np.isnan([lower, upper]).any() else f"{lower:z.2f}, {upper:z.2f}"
    return f"{value:z.2f} [{inside}]"


def _leader(method: str, table: pd.DataFrame, won: xr.Dataset) -> str:
    """Name the first item of a ranking, and the items whose intervals against it include 0.5."""
    best, short = table.iloc[0], _short(table["item"])
    head = f"{method.capitalize()}: {short[best['item']]} ranks first"
    if "rests_on_prior" in table or np.isnan(best["p_best"]):
        return (
            f"{head}; no item is called the best, because part of the order depends on the prior."
        )
    ahead = won.sel(item=best["item"]).drop_sel(opponent=best["item"])
    rivals = [short[str(name)] for name in ahead["opponent"].values[~(ahead["lower"] > 0.5).values]]
    against = (
        f"include 0.5 against {listing(rivals)}"
        if rivals
        else "exclude 0.5 against every other item"
    )
    return (
        f"{head}, with probability {_probability(best['p_best'])} of being the best; the intervals "
        f"of its win probabilities {against}."
    )


def _probability(value: float) -> str:
    if value < 0.005:
        return "below 0.01"
    if value > 0.995:
        return "above 0.99"
    return f"{value:.2f}"


def _prior_notes(tables: Mapping[str, Table]) -> list[str]:
    names = {
        str(item)
        for table in tables.values()
        if "rests_on_prior" in table
        for item in table.loc[table["rests_on_prior"], "item"]
    }
    if not names:
        return []
    items = listing(_short(sorted(names)).values())
    return [
        f"The order of {items} depends partly on the prior, because the verdicts do not inform "
        "every difference of their scores: see bayesjudge diagnose."
    ]


def _sandwich_notes(fits: Fits) -> list[str]:
    """Return the cautions of the mode's covariance, and how to choose between it and the draws."""
    if fits.robust is None:
        return []
    cautions = caution_words(fits.robust)
    notes = [f"{method_label(fits.robust).capitalize()}:{cautions}"] if cautions else []
    both = fits.posterior is not None and fits.robust.kind == "sandwich"
    return [*notes, TRUST] if both else notes


def _coverage(unseen: set[object]) -> str:
    if not unseen:
        return "Humans compared every item that the judges compared."
    return f"Humans did not compare {listing(_short(sorted(map(str, unseen))).values())}."


def _agreement(table: Table) -> str:
    correlations = [
        f"{row['measure']} {_interval(row['estimate'], row['lower'], row['upper'])}"
        for _, row in table.iterrows()
    ]
    return (
        f"Agreement of the two rankings, from -1 to 1, over {table['items'].iloc[0]} shared items: "
        f"{listing(correlations)}."
    )
