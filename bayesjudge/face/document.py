"""A ranking, or a diagnosis, as one JSON document with units and versions."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from math import isfinite
from typing import TYPE_CHECKING, Any

import pandas as pd

import bayesjudge as bj
from bayesjudge.face.fits import Choice, Fits
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.outputs import win_rows, written
from bayesjudge.face.report import HumansReport, JudgesReport
from bayesjudge.report.fits import rater

if TYPE_CHECKING:
    from bayesjudge.diagnosis.findings import Diagnosis
    from bayesjudge.report.table import Table


LEVEL = 0.95


def diagnosis_document(inputs: Inputs, diagnosis: "Diagnosis") -> dict[str, Any]:
    """Write what was read, and what it can identify.

    Parameters
    ----------
    inputs : Inputs
        The tables.
    diagnosis : Diagnosis
        Findings about them.

    Returns
    -------
    dict
        Ready for JSON.
    """
    return {
        "bayesjudge": bj.__version__,
        "data": {name: _data(table) for name, table in inputs.tables.items()},
        **_plain(diagnosis.to_dict()),
    }


def ranking_document(
    inputs: Inputs,
    diagnosis: "Diagnosis",
    choice: Choice,
    judges: JudgesReport,
    humans: HumansReport | None,
) -> dict[str, Any]:
    """Write a ranking with everything that it rests on.

    Parameters
    ----------
    inputs : Inputs
        The tables.
    diagnosis : Diagnosis
        Findings about them.
    choice : Choice
        What was fitted.
    judges : JudgesReport
        What the judges say.
    humans : HumansReport or None
        What the humans say.

    Returns
    -------
    dict
        Ready for JSON; a number that is missing or infinite is null.
    """
    from bayesjudge.fits.tree import PACKAGES

    return {
        **diagnosis_document(inputs, diagnosis),
        "versions": {name: version(name) for name in PACKAGES},
        "fit": _fit(choice, judges.fits),
        "ranking": {name: _table(table) for name, table in judges.ranking.items()},
        "judges": {name: _table(table) for name, table in judges.judges.items()},
        "win_probability": _win_probability(judges),
        "humans": _humans(humans),
        "files": written(judges, humans),
    }


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Turn numbers that JSON does not know (an infinite inflation of a variance) into null."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _data(table: "bj.Comparisons") -> dict[str, Any]:
    return {
        "source": table.source,
        "rows": table.n_rows,
        "verdicts": float(table.weight.sum()),
        "items": list(table.items),
        "judges": list(table.judges),
        "prompts": table.n_prompts,
        "ties": float(table.weight[table.verdict == 1].sum() / table.weight.sum()),
        "left_out": [asdict(each) for each in table.dropped],
        "notes": list(table.notes),
    }


def _table(table: "Table") -> dict[str, Any]:
    return {"caption": table.caption, "units": dict(table.units), "rows": _rows(table)}


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    text = pd.DataFrame(frame).to_json(orient="records", double_precision=15)
    rows: list[dict[str, Any]] = json.loads(text)
    return rows


def _fit(choice: Choice, fits: Fits) -> dict[str, Any]:
    from bayesjudge.fits.tree import read_meta

    about = {} if fits.posterior is None else read_meta(fits.posterior)
    return {
        **asdict(choice),
        "posterior": choice.pooled if about else None,
        "mode": choice.plain if fits.robust else None,
        "level": LEVEL,
        "sampler": about.get("settings"),
        "convergence": about.get("convergence"),
        "notes": list(fits.notes),
    }


def _win_probability(judges: JudgesReport) -> dict[str, Any]:
    whose = rater(judges.fits.first[1])
    unit = f"probability that an average {whose} prefers the item to the opponent"
    return {
        "units": dict.fromkeys(["win_probability", "lower", "upper"], unit),
        "rows": _rows(win_rows(judges)),
    }


def _humans(humans: HumansReport | None) -> dict[str, Any] | None:
    if humans is None:
        return None
    return {
        "posterior": humans.program if humans.fits.posterior is not None else None,
        "notes": list(humans.fits.notes),
        "ranking": _table(humans.ranking),
        "agreement": _table(humans.agreement),
    }
