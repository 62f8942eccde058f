"""A ranking, or a diagnosis, as one JSON document with units and versions."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from math import isfinite
from typing import TYPE_CHECKING, Any

import pandas as pd

import bayesjudge as bj
from bayesjudge.data.comparisons import TIE
from bayesjudge.face.fits import Fits, leading_method
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.leader import doubts
from bayesjudge.face.outputs import win_rows, written, written_by_category
from bayesjudge.face.report import (
    LEVEL,
    CategoryRankings,
    HumansReport,
    JudgesReport,
    Ranking,
    scorer,
)

if TYPE_CHECKING:
    from bayesjudge.diagnosis.findings import Diagnosis
    from bayesjudge.report.table import Table


def diagnosis_document(inputs: Inputs, diagnosis: "Diagnosis") -> dict[str, Any]:
    """Return what was read, and what it can identify."""
    return {
        "bayesjudge": bj.__version__,
        "data": {name: _data(table) for name, table in inputs.tables.items()},
        **_plain(diagnosis.to_dict()),
    }


def ranking_document(ranking: Ranking) -> dict[str, Any]:
    """Return a ranking with its data, settings, versions and files."""
    return {
        **diagnosis_document(ranking.inputs, ranking.diagnosis),
        "versions": _versions(),
        **_results(ranking),
        "files": written(ranking),
    }


def categories_document(
    inputs: Inputs, diagnosis: "Diagnosis", by: CategoryRankings
) -> dict[str, Any]:
    """Return rankings by category, each with its data and findings, beside those of all data."""
    return {
        **diagnosis_document(inputs, diagnosis),
        "versions": _versions(),
        "by": by.column,
        "categories": {
            value: {
                "folder": by.folders[value],
                **diagnosis_document(ranking.inputs, ranking.diagnosis),
                **_results(ranking),
            }
            for value, ranking in by.rankings.items()
        },
        "left_out": by.left_out,
        "verdicts_without_category": by.without_value,
        "files": written_by_category(by),
    }


def _versions() -> dict[str, str]:
    from bayesjudge.fits.estimate import PACKAGES

    return {name: version(name) for name in PACKAGES}


def _results(ranking: Ranking) -> dict[str, Any]:
    judges = ranking.judges
    return {
        "fit": _fit(judges.fits),
        "ranking": {name: _table(table) for name, table in judges.ranking.items()},
        "leaders": {name: _leader(judges, name) for name in judges.ranking},
        "judges": {name: _table(table) for name, table in judges.judges.items()},
        "win_probability": _win_probability(judges),
        "humans": _humans(ranking.humans) if ranking.humans else None,
    }


def _leader(judges: JudgesReport, method: str) -> dict[str, Any]:
    """Return the item that is named the best, or why none is."""
    reasons = doubts(judges, method)
    return {
        "item": None if reasons else judges.ranking[method]["item"].iloc[0],
        "reasons": list(reasons),
    }


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Return null for numbers that JSON does not know, such as an infinite variance inflation."""
    if isinstance(value, Mapping):
        return {str(key): _plain(content) for key, content in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(content) for content in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _data(table: "bj.Comparisons") -> dict[str, Any]:
    return {
        "source": table.source,
        "rows": table.n_rows,
        "verdicts": float(table.weight.sum()),
        "items": list(table.items),
        "judges": list(table.judges),
        "prompts": table.n_prompts,
        "ties": float(table.weight[table.verdict == TIE].sum() / table.weight.sum()),
        "left_out": [asdict(dropped) for dropped in table.dropped],
        "notes": list(table.notes),
    }


def _table(table: "Table") -> dict[str, Any]:
    return {"caption": table.caption, "units": dict(table.units), "rows": _rows(table)}


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as JSON holds them, numbers to 15 decimals and missing ones as null."""
    rows: list[dict[str, Any]] = json.loads(
        pd.DataFrame(frame).to_json(orient="records", double_precision=15)
    )
    return rows


def _fit(fits: Fits) -> dict[str, Any]:
    from bayesjudge.fits.estimate import read_meta

    meta = {} if fits.posterior is None else read_meta(fits.posterior)
    return {
        **asdict(fits.choice),
        "posterior": _sampled_program(fits),
        "mode": None if fits.robust is None else fits.choice.pair.plain,
        "leading": leading_method(fits),
        "level": LEVEL,
        "sampler": meta.get("settings"),
        "convergence": meta.get("convergence"),
        "notes": list(fits.notes),
    }


def _sampled_program(fits: Fits) -> str | None:
    return None if fits.posterior is None else fits.choice.pair.pooled


def _win_probability(judges: JudgesReport) -> dict[str, Any]:
    unit = f"probability that {scorer(judges.fits.leading)} prefers the item to the opponent"
    return {
        "units": dict.fromkeys(["win_probability", "lower", "upper"], unit),
        "rows": _rows(win_rows(judges)),
    }


def _humans(humans: HumansReport) -> dict[str, Any]:
    return {
        "posterior": _sampled_program(humans.fits),
        "notes": list(humans.fits.notes),
        "ranking": _table(humans.ranking),
        "agreement": _table(humans.agreement),
    }
