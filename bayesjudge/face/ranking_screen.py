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

from bayesjudge.core.wording import listing
from bayesjudge.face.fits import Fits
from bayesjudge.face.report import HumansReport, JudgesReport
from bayesjudge.face.screen import INDENT, NARROWEST, NameCell, heading, paragraph
from bayesjudge.report.fits import caution_words, method_label, rater
from bayesjudge.report.shown_names import shortened
from bayesjudge.report.table import Table

ABSENT = "-"


RANKING = (
    "Scores are log-odds of an average {rater}, 0 for the average item; n counts verdicts that the "
    "item took part in."
)


HUMANS = (
    "Scores are log-odds of an average person, 0 for the average item; n counts their verdicts."
)


TRUST = (
    "The sandwich allows for judges who err together on a prompt, given many prompts; the "
    "posterior takes verdicts as independent, and is the least uncertainty there is."
)


JUDGE_HEADS = {
    "scaled_sensitivity": "sensitivity,\nlog-odds per\nSD of scores",
    "net_first_preference": "preference for\nthe first slot,\nfrom -1 to 1",
}


def show_ranking(
    console: Console, report: JudgesReport, truth: Mapping[str, float] | None = None
) -> None:
    """Show the ranking by every method, side by side.

    Parameters
    ----------
    console : rich.console.Console
        Where to.
    report : JudgesReport
        The tables.
    truth : mapping of str to float, optional
        True scores by item, where they are known.
    """
    heading(console, "Ranking, with 95 % intervals")
    paragraph(console, RANKING.format(rater=rater(report.fits.first[1])))
    tables = {name: table.set_index("item") for name, table in report.ranking.items()}
    grid = _grid("item", "n", *([] if truth is None else ["true\nscore"]))
    for name in tables:
        _add_numbers(grid, f"{name},\nscore", "\nrank")
    first = next(iter(tables.values()))
    for cell, (item, row) in zip(_names(first.index), first.iterrows(), strict=True):
        known = [] if truth is None else [f"{truth[str(item)]:.2f}"]
        shown = [text for table in tables.values() for text in _score(table, str(item))]
        grid.add_row(cell, _count(row), *known, *shown)
    _print(console, grid)
    for name, table in report.ranking.items():
        paragraph(console, _leader(name, table, report.win_probability[name]))
    cautions = _cautions(report.fits)
    for note in (*_prior_notes(report.ranking), *report.fits.notes, *cautions):
        paragraph(console, note)
    if len(tables) > 1 and any(name.startswith("sandwich") for name in tables):
        paragraph(console, TRUST)


def show_judges(
    console: Console,
    report: JudgesReport,
    truth: Mapping[str, Sequence[float]] | None = None,
) -> None:
    """Show what each judge is like, by the posterior, the most sensitive first.

    Parameters
    ----------
    console : rich.console.Console
        Where to.
    report : JudgesReport
        The tables.
    truth : mapping of str to sequence of float, optional
        True values by quantity, in the order of the judges.
    """
    method, table = next(iter(report.judges.items()))
    quantities = [name for name in JUDGE_HEADS if name in table.columns]
    if not quantities:
        return
    heading(console, f"Judges by the {method}, with 95 % intervals")
    grid = _grid("judge", "n")
    for name in quantities:
        _add_numbers(grid, JUDGE_HEADS[name], *([] if truth is None else ["true"]))
    cells = dict(zip(table.index, _names(table["judge"]), strict=True))
    for i in table[quantities[0]].sort_values(ascending=False).index:
        row, shown = table.loc[i], []
        for name in quantities:
            known = [] if truth is None else [f"{truth[name][int(i)]:.2f}"]
            bounds = (row[name], row[f"{name}_lower"], row[f"{name}_upper"])
            shown += [_interval(*bounds), *known]
        grid.add_row(cells[i], _count(row), *shown)
    _print(console, grid)


def show_humans(console: Console, humans: HumansReport, judges: JudgesReport) -> None:
    """Show the humans' own ranking beside the judges' ranks, and the agreement.

    Parameters
    ----------
    console : rich.console.Console
        Where to.
    humans : HumansReport
        Ranking and agreement.
    judges : JudgesReport
        The judges' ranking.
    """
    heading(console, "Humans beside the judges, with 95 % intervals")
    paragraph(console, HUMANS)
    own = humans.ranking.set_index("item")
    others = next(iter(judges.ranking.values())).set_index("item")
    grid = _grid("item", "n")
    _add_numbers(grid, "humans,\nscore", "\nrank", "judges,\nrank")
    for cell, (item, row) in zip(_names(own.index), own.iterrows(), strict=True):
        judged = _score(others, str(item))[1]
        grid.add_row(cell, _count(row), *_score(own, str(item)), judged)
    _print(console, grid)
    paragraph(console, _missing(set(others.index) - set(own.index)))
    paragraph(console, _agreement(humans.agreement))
    for note in humans.fits.notes:
        paragraph(console, note)


def _grid(name: str, *numbers: str) -> Grid:
    grid = Grid(
        box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style=""
    )
    grid.add_column(name, min_width=NARROWEST, vertical="top")
    _add_numbers(grid, *numbers)
    return grid


def _short(names: Iterable[object]) -> dict[str, str]:
    """Give names as they are shown, by the names themselves."""
    whole = [str(each) for each in names]
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
    """Tell who leads by a method, how probably it is the best, and from whom it is told apart."""
    best, shown = table.iloc[0], _short(table["item"])
    head = f"{method.capitalize()}: {shown[best['item']]} leads"
    if "rests_on_prior" in table or np.isnan(best["p_best"]):
        return f"{head}; part of the ranking rests on the prior, so none is called the best."
    ahead = won.sel(item=best["item"]).drop_sel(opponent=best["item"])
    others = [shown[str(name)] for name in ahead["opponent"].values[~(ahead["lower"] > 0.5).values]]
    tail = f"not told apart from {listing(others)}" if others else "told apart from every other"
    return f"{head}, the best with probability {_probability(best['p_best'])}; {tail}."


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
    shown = listing(_short(sorted(names)).values())
    return [
        f"The order of {shown} rests in part on the prior, because verdicts do not inform every "
        "difference of their scores: see bayesjudge diagnose."
    ]


def _cautions(fits: Fits) -> list[str]:
    """Say what to bear in mind about the sandwich."""
    found = "" if fits.robust is None else caution_words(fits.robust)
    return [f"{method_label(fits.robust).capitalize()}:{found}"] if found else []


def _missing(items: set[object]) -> str:
    if not items:
        return "Humans saw every item that the judges saw."
    return f"Humans did not see {listing(_short(sorted(map(str, items))).values())}."


def _agreement(table: Table) -> str:
    parts = [
        f"{row['measure']} {_interval(row['estimate'], row['lower'], row['upper'])}"
        for _, row in table.iterrows()
    ]
    return (
        f"Agreement of the two rankings, from -1 to 1, over {table['items'].iloc[0]} shared items: "
        f"{listing(parts)}."
    )
