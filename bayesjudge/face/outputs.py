"""The files of a ranking: tables, fits, figures and one report in JSON."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

import bayesjudge as bj
from bayesjudge.core.wording import listing
from bayesjudge.errors import UnwritableFolderError
from bayesjudge.face.report import LEVEL, HumansReport, JudgesReport
from bayesjudge.report.fits import quantities

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bayesjudge.report.fits import Readable


DPI = 150
TEXTS = ("rankings.csv", "judges.csv", "win_probability.csv", "report.json")


def open_folder(path: Path) -> Path:
    """Create a folder, and check that it can be written to, before any long work."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Raise a failure to write as one sentence about the folder."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnwritableFolderError(
            f"Nothing can be written to {str(folder)!r} ({reason.casefold()}); choose another "
            "folder with --out."
        ) from error


def write_all(
    folder: Path, judges: JudgesReport, humans: HumansReport | None, document: dict[str, Any]
) -> None:
    """Write every file of a ranking, the figures last."""
    with writing(folder):
        for name, table in _tables(judges, humans).items():
            table.to_csv(folder / name, index=False, lineterminator="\n")
        report = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
        (folder / "report.json").write_text(f"{report}\n", encoding="utf-8")
        for name, fit in _fits(judges, humans).items():
            bj.save(fit, folder / name)
        for name, draw in _figures(judges, humans).items():
            draw().savefig(folder / name, dpi=DPI)


def written(judges: JudgesReport, humans: HumansReport | None) -> dict[str, str]:
    """Describe the files that a ranking has, without writing them."""
    methods, leading = listing(judges.fits.by_method), judges.fits.first[0]
    of_humans = humans.fits.first[0] if humans else ""
    contents = {
        "rankings.csv": f"scores and ranks of the items, by {methods}",
        "judges.csv": f"sensitivity and effects of each judge, by {methods}",
        "win_probability.csv": "win probabilities of all pairs of items",
        "fit.nc": "the judges' posterior, for bj.load and ArviZ",
        "sandwich.nc": "the judges' mode with its covariance, for bj.load",
        "humans.nc": f"the humans' fit ({of_humans}), for bj.load",
        "ranking.png": f"scores with intervals, by {methods}",
        "win_probability.png": f"win probabilities of all pairs of items, by {leading}",
        "position.png": f"preference of each judge for the first slot, by {methods}",
        "humans_ranking.png": f"scores from human verdicts alone, by {of_humans}",
        "report.json": "tables, findings and settings in one document, with units and versions",
    }
    files = {*TEXTS, *_fits(judges, humans), *_figures(judges, humans)}
    return {name: content for name, content in contents.items() if name in files}


def win_rows(judges: JudgesReport) -> pd.DataFrame:
    """Return the win probabilities of all methods as rows, one a pair of different items."""
    frames = [
        data.to_dataframe().reset_index().assign(method=method)
        for method, data in judges.win_probability.items()
    ]
    rows = pd.concat(frames, ignore_index=True)
    return _method_first(rows[rows["item"] != rows["opponent"]])


def _tables(judges: JudgesReport, humans: HumansReport | None) -> dict[str, pd.DataFrame]:
    rankings = {f"judges, {name}": _marked(table) for name, table in judges.ranking.items()}
    if humans:
        rankings[f"humans, {humans.fits.first[0]}"] = _marked(humans.ranking)
    return {
        "rankings.csv": _stacked(rankings),
        "judges.csv": _stacked(judges.judges),
        "win_probability.csv": win_rows(judges),
    }


def _marked(table: pd.DataFrame) -> pd.DataFrame:
    """Return a ranking with its columns on the prior, also where every item is informed."""
    if "rests_on_prior" in table:
        return table
    return table.assign(component=1, rests_on_prior=False)


def _stacked(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    frames = [pd.DataFrame(table).assign(method=name) for name, table in tables.items()]
    return _method_first(pd.concat(frames, ignore_index=True))


def _method_first(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[["method", *(name for name in frame.columns if name != "method")]]


def _fits(judges: JudgesReport, humans: HumansReport | None) -> "dict[str, Readable]":
    fits = {
        "fit.nc": judges.fits.posterior,
        "sandwich.nc": judges.fits.robust,
        "humans.nc": humans.fits.first[1] if humans else None,
    }
    return {name: fit for name, fit in fits.items() if fit is not None}


def _figures(
    judges: JudgesReport, humans: HumansReport | None
) -> "dict[str, Callable[[], Figure]]":
    fits, (_, leading) = judges.fits.by_method, judges.fits.first
    figures: dict[str, Callable[[], Figure]] = {
        "ranking.png": partial(bj.plot_ranking, fits, prob=LEVEL),
        "win_probability.png": partial(bj.plot_win_probability, leading, prob=LEVEL),
    }
    if "net_first_preference" in quantities(leading):
        figures["position.png"] = partial(bj.plot_position, fits, prob=LEVEL)
    if humans:
        fit = humans.fits.first[1]
        figures["humans_ranking.png"] = partial(bj.plot_ranking, fit, prob=LEVEL)
    return figures
