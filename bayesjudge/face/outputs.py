"""The files of a ranking: tables, fits, figures and one report in JSON."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

import bayesjudge as bj
from bayesjudge.errors import UnwritableFolderError
from bayesjudge.face.report import HumansReport, JudgesReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 150
FIGURES = {
    "ranking.png": "scores with intervals, by posterior and sandwich",
    "win_probability.png": "probability that one item is preferred to another",
    "position.png": "which answer each judge prefers for its place alone",
    "humans_ranking.png": "the humans' own scores",
}
FILES = {
    "rankings.csv": "scores and ranks of the items, by every method",
    "judges.csv": "sensitivity and position effect of the judges",
    "win_probability.csv": "win probabilities of all pairs of items",
    "fit.nc": "the judges' posterior: bj.load reads it, and ArviZ works on it",
    "sandwich.nc": "the mode with its sandwich: bj.load reads it",
    "humans.nc": "the humans' posterior",
    **FIGURES,
    "report.json": "everything above as one document, with units and versions",
}


def open_folder(path: Path) -> Path:
    """Make a folder, and make sure that it can be written to, before any long work.

    Parameters
    ----------
    path : pathlib.Path
        The folder.

    Returns
    -------
    pathlib.Path
        As given.

    Raises
    ------
    UnwritableFolderError
        If it cannot be made or written to.
    """
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn a failure to write into one sentence about the folder."""
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
) -> dict[str, str]:
    """Write every file of a ranking.

    Parameters
    ----------
    folder : pathlib.Path
        Where to; files of the same names are replaced.
    judges : JudgesReport
        What the judges say.
    humans : HumansReport or None
        What the humans say.
    document : dict
        What goes into report.json.

    Returns
    -------
    dict of str to str
        What lies in each file, by name.

    Raises
    ------
    UnwritableFolderError
        If writing fails.
    """
    with writing(folder):
        for name, table in _tables(judges, humans).items():
            table.to_csv(folder / name, index=False, lineterminator="\n")
        for name, fit in _fits(judges, humans).items():
            bj.save(fit, folder / name)
        for name, figure in _figures(judges, humans).items():
            figure.savefig(folder / name, dpi=DPI)
        report = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
        (folder / "report.json").write_text(f"{report}\n", encoding="utf-8")
    return written(judges, humans)


def written(judges: JudgesReport, humans: HumansReport | None) -> dict[str, str]:
    """List the files that a ranking has, without writing them."""
    absent = set() if humans else {"humans.nc", "humans_ranking.png"}
    absent |= set() if _has_position(judges) else {"position.png"}
    absent |= set() if len(judges.fits.by_method) > 1 else {"sandwich.nc"}
    return {name: content for name, content in FILES.items() if name not in absent}


def win_rows(judges: JudgesReport) -> pd.DataFrame:
    """Write the win probabilities of all methods as rows, without an item against itself."""
    frames = [
        data.to_dataframe().reset_index().assign(method=method)
        for method, data in judges.win_probability.items()
    ]
    rows = pd.concat(frames, ignore_index=True)
    return _method_first(rows[rows["item"] != rows["opponent"]])


def _tables(judges: JudgesReport, humans: HumansReport | None) -> dict[str, pd.DataFrame]:
    rankings = {f"judges, {name}": table for name, table in judges.ranking.items()}
    if humans:
        rankings["humans, posterior"] = humans.ranking
    return {
        "rankings.csv": _stacked(rankings),
        "judges.csv": _stacked(judges.judges),
        "win_probability.csv": win_rows(judges),
    }


def _stacked(tables: dict[str, Any]) -> pd.DataFrame:
    frames = [pd.DataFrame(table).assign(method=name) for name, table in tables.items()]
    return _method_first(pd.concat(frames, ignore_index=True))


def _method_first(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[["method", *(name for name in frame.columns if name != "method")]]


def _fits(judges: JudgesReport, humans: HumansReport | None) -> dict[str, Any]:
    fits = dict(zip(("fit.nc", "sandwich.nc"), judges.fits.by_method.values(), strict=False))
    return fits | ({"humans.nc": humans.posterior} if humans else {})


def _figures(judges: JudgesReport, humans: HumansReport | None) -> "dict[str, Figure]":
    fits, posterior = judges.fits.by_method, judges.fits.posterior
    figures = {
        "ranking.png": bj.plot_ranking(fits),
        "win_probability.png": bj.plot_win_probability(posterior),
    }
    if _has_position(judges):
        figures["position.png"] = bj.plot_position(fits)
    if humans:
        figures["humans_ranking.png"] = bj.plot_ranking(humans.posterior)
    return figures


def _has_position(judges: JudgesReport) -> bool:
    return "net_first_preference" in judges.fits.posterior["posterior"]
