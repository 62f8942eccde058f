"""What the design can and cannot identify, in words."""

from collections.abc import Sequence

import numpy as np

from bayesjudge.core.graphs import combined_key
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.diagnosis.findings import Diagnosis, Finding, judged, labelled
from bayesjudge.diagnosis.graph_findings import (
    components_finding,
    finite_estimate_finding,
    judge_estimates_finding,
    links_finding,
)
from bayesjudge.diagnosis.judge_findings import judge_findings
from bayesjudge.diagnosis.position_findings import order_findings
from bayesjudge.diagnosis.prompt_findings import (
    alike_names_finding,
    clusters_finding,
    length_findings,
    prompt_findings,
)
from bayesjudge.diagnosis.separation_findings import separation_finding
from bayesjudge.errors import EmptyComparisonsError

TOGETHER = "all data together"


def diagnose(*data: Comparisons) -> Diagnosis:
    """Check what the data can and cannot identify, before any fit.

    Parameters
    ----------
    *data : Comparisons
        One table, or several (verdicts of LLMs, votes of people), which are checked one by one
        and together.

    Returns
    -------
    Diagnosis
        Findings in sentences; printing it shows problems first.

    Raises
    ------
    EmptyComparisonsError
        If no table is given.
    JudgeKindError
        If a judge is human in one table and an LLM in another.

    Notes
    -----
    Estimates are finite where chains of wins lead from every item to every other (Ford, 1957).
    Position effects are checked by the cycle criterion of the display graph, and by the R squared
    of the position column regressed on the item columns.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {
    ...     "left": ["a", "b", "a", "x"],
    ...     "right": ["b", "a", "x", "b"],
    ...     "winner": ["left", "left", "left", "right"],
    ... }
    >>> diagnosis = bj.diagnose(bj.read(table))
    >>> print(diagnosis.on("components")[0].sentence)
    Comparisons link all items.
    >>> diagnosis.on("finite estimate")[0].details["unbounded"]
    ['x']
    """
    if not data:
        raise EmptyComparisonsError("There is nothing to diagnose; give at least one table.")
    for table in data:
        demand_comparisons(table)
    findings: list[Finding] = []
    for label, table in zip(set_labels(data), data, strict=True):
        findings += labelled(label, single_findings(table))
    if len(data) > 1:
        findings += labelled(TOGETHER, joint_findings(data))
    return Diagnosis(tuple(findings))


def set_labels(data: Sequence[Comparisons]) -> list[str]:
    """Return the source of each data set, numbered where sources are equal."""
    sources = [table.source for table in data]
    return [
        source if sources.count(source) == 1 else f"{source} {number}"
        for number, source in enumerate(sources, 1)
    ]


def single_findings(data: Comparisons) -> list[Finding]:
    """Check one table."""
    return [
        components_finding(data),
        finite_estimate_finding(data),
        judge_estimates_finding(data),
        links_finding(data),
        separation_finding(data),
        *order_findings(data),
        *judge_findings(data),
        *prompt_findings(data),
        *length_findings(data),
    ]


def joint_findings(data: Sequence[Comparisons]) -> list[Finding]:
    """Check what several data sets identify together."""
    pooled = pool_comparisons(*data)
    return [
        shared_items_finding(data, pooled),
        shared_cells_finding(data, pooled),
        components_finding(pooled),
        finite_estimate_finding(pooled),
        links_finding(pooled),
        clusters_finding(pooled),
        alike_names_finding(pooled),
    ]


def shared_items_finding(data: Sequence[Comparisons], pooled: Comparisons) -> Finding:
    """Name items that some data set lacks."""
    lacking = {
        label: [name for name in pooled.items if name not in set(table.items)]
        for label, table in zip(set_labels(data), data, strict=True)
    }
    lacks = [
        f"{label} has no verdict on {listing(names)}" for label, names in lacking.items() if names
    ]
    bad = f"{'; '.join(lacks)}: these items are linked only through the other data."
    fine = f"All {pooled.n_items:,} items occur in every data set."
    return judged("shared items", lacks, "warning", bad, fine, {"lacking": lacking})


def shared_cells_finding(data: Sequence[Comparisons], pooled: Comparisons) -> Finding:
    """Count the cells (prompt, pair) of each data set that occur in another."""
    cell = combined_key(pooled.prompt, pooled.pair)
    bounds = np.cumsum([table.n_rows for table in data])[:-1]
    occurs = np.array(
        [np.bincount(part, minlength=cell.max() + 1) > 0 for part in np.split(cell, bounds)]
    )
    shared = occurs & (occurs.sum(axis=0) > 1)
    counts = np.column_stack([shared.sum(axis=1), occurs.sum(axis=1)]).tolist()
    cells = dict(zip(set_labels(data), counts, strict=True))
    parts = [f"{number:,} of {total:,} in {label}" for label, (number, total) in cells.items()]
    bad = "No cell (prompt, pair) occurs in two data sets: the data are linked only through items."
    fine = f"Of the cells (prompt, pair), {listing(parts)} also occur in another data set."
    return judged("shared cells", not shared.any(), "note", bad, fine, {"cells": cells})
