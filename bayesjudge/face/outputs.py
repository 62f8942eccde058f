"""The files of a ranking: tables, fits, figures and one report in JSON."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

import bayesjudge as bj
from bayesjudge.core.wording import listing
from bayesjudge.face.fits import leading_method
from bayesjudge.face.folder import NAMES, REPORT, writing
from bayesjudge.face.report import LEVEL, CategoryRankings, JudgesReport, Ranking
from bayesjudge.report.fits import quantities, raters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bayesjudge.report.fits import Readable


DPI = 150
TABLES = ("rankings.csv", "judges.csv", "win_probability.csv")


def write_ranking(folder: Path, ranking: Ranking, document: dict[str, Any]) -> None:
    """Write every file of a ranking, the report first and the figures last.

    The report lists the files, so that a later run can tell them from foreign ones.
    """
    with writing(folder):
        _write_report(folder, document)
        _write_tables(folder, _tables(ranking))
        _write_fits(folder, ranking)


def write_categories(folder: Path, by: CategoryRankings, document: dict[str, Any]) -> None:
    """Write the tables of all categories together, and fits and figures into folders."""
    tables = {value: _tables(ranking) for value, ranking in by.rankings.items()}
    with writing(folder):
        _write_report(folder, document)
        _write_tables(folder, {name: _by_category(tables, name) for name in TABLES})
        for value, ranking in by.rankings.items():
            inner = folder / by.folders[value]
            inner.mkdir(exist_ok=True)
            _write_fits(inner, ranking)


def written(ranking: Ranking) -> dict[str, str]:
    """Describe the files that a ranking has, without writing them."""
    fits, methods = ranking.judges.fits, listing(ranking.judges.fits.by_method)
    whose, leading = raters(fits.leading), leading_method(fits)
    of_humans = leading_method(ranking.humans.fits) if ranking.humans else ""
    contents = {
        "rankings.csv": f"scores and ranks of the items, by {methods}",
        "judges.csv": f"sensitivity and effects of each judge, by {methods}",
        "win_probability.csv": "win probabilities of all pairs of items",
        "fit.nc": f"the posterior, from verdicts of {whose}, for bj.load and ArviZ",
        "sandwich.nc": f"the mode with its covariance, from verdicts of {whose}, for bj.load",
        "humans.nc": f"the humans' fit ({of_humans}), for bj.load",
        "ranking.png": f"scores with intervals, by {methods}",
        "win_probability.png": f"win probabilities of all pairs of items, by {leading}",
        "position.png": f"preference of each judge for the first slot, by {methods}",
        "humans_ranking.png": f"scores from human verdicts alone, by {of_humans}",
        REPORT: "tables, findings and settings in one document, with units and versions",
    }
    files = {*TABLES, REPORT, *_fits(ranking), *_figures(ranking)}
    return {name: contents[name] for name in NAMES if name in files}


def written_by_category(by: CategoryRankings) -> dict[str, str]:
    """Describe the files that rankings by category have, those in a category's folder too."""
    files: dict[str, str] = {}
    for value, ranking in by.rankings.items():
        shared, contents = {*TABLES, REPORT}, written(ranking)
        files |= {name: f"{contents[name]}; all categories" for name in contents if name in shared}
        files |= {
            f"{by.folders[value]}/{name}": content
            for name, content in contents.items()
            if name not in shared
        }
    return files


def win_rows(judges: JudgesReport) -> pd.DataFrame:
    """Return the win probabilities of all methods as rows, one a pair of different items."""
    frames = [
        data.to_dataframe().reset_index().assign(method=method)
        for method, data in judges.win_probability.items()
    ]
    rows = pd.concat(frames, ignore_index=True)
    return _first("method", rows[rows["item"] != rows["opponent"]])


def _write_report(folder: Path, document: dict[str, Any]) -> None:
    report = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / REPORT).write_text(f"{report}\n", encoding="utf-8")


def _write_tables(folder: Path, tables: Mapping[str, pd.DataFrame]) -> None:
    for name, table in tables.items():
        table.to_csv(folder / name, index=False, lineterminator="\n")


def _write_fits(folder: Path, ranking: Ranking) -> None:
    for name, fit in _fits(ranking).items():
        bj.save(fit, folder / name)
    for name, draw in _figures(ranking).items():
        draw().savefig(folder / name, dpi=DPI)


def _tables(ranking: Ranking) -> dict[str, pd.DataFrame]:
    judges, humans = ranking.judges, ranking.humans
    whose = raters(judges.fits.leading)
    rankings = {f"{whose}, {name}": _marked(table) for name, table in judges.ranking.items()}
    if humans:
        rankings[f"humans, {leading_method(humans.fits)}"] = _marked(humans.ranking)
    tables = (_stacked(rankings), _stacked(judges.judges), win_rows(judges))
    return dict(zip(TABLES, tables, strict=True))


def _marked(table: pd.DataFrame) -> pd.DataFrame:
    """Return a ranking with its columns on the prior, also where every item is informed."""
    if "rests_on_prior" in table:
        return table
    return table.assign(component=1, rests_on_prior=False)


def _stacked(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    frames = [pd.DataFrame(table).assign(method=name) for name, table in tables.items()]
    return _first("method", pd.concat(frames, ignore_index=True))


def _by_category(tables: Mapping[str, Mapping[str, pd.DataFrame]], name: str) -> pd.DataFrame:
    frames = [table[name].assign(category=value) for value, table in tables.items()]
    return _first("category", pd.concat(frames, ignore_index=True))


def _first(column: str, frame: pd.DataFrame) -> pd.DataFrame:
    return frame[[column, *(name for name in frame.columns if name != column)]]


def _fits(ranking: Ranking) -> "dict[str, Readable]":
    judges, humans = ranking.judges.fits, ranking.humans
    fits = {
        "fit.nc": judges.posterior,
        "sandwich.nc": judges.robust,
        "humans.nc": humans.fits.leading if humans else None,
    }
    return {name: fit for name, fit in fits.items() if fit is not None}


def _figures(ranking: Ranking) -> "dict[str, Callable[[], Figure]]":
    fits, leading = ranking.judges.fits.by_method, ranking.judges.fits.leading
    figures: dict[str, Callable[[], Figure]] = {
        "ranking.png": partial(bj.plot_ranking, fits, prob=LEVEL),
        "win_probability.png": partial(bj.plot_win_probability, leading, prob=LEVEL),
    }
    if "net_first_preference" in quantities(leading):
        figures["position.png"] = partial(bj.plot_position, fits, prob=LEVEL)
    if ranking.humans:
        fit = ranking.humans.fits.leading
        figures["humans_ranking.png"] = partial(bj.plot_ranking, fit, prob=LEVEL)
    return figures
