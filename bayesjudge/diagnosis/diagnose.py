"""What the design can and cannot identify, in words."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bayesjudge.core.graphs import combined_key
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.diagnosis.findings import Diagnosis, Finding
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
from bayesjudge.errors import EmptyComparisonsError


def diagnose(*data: Comparisons) -> Diagnosis:
    """Say what the data can and cannot identify, before any fit.

    Parameters
    ----------
    *data : Comparisons
        One table, or several (verdicts of LLMs, verdicts of people), which are looked at one by
        one and together.

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
    Estimates are finite where chains of wins lead both ways (Ford, 1957). Position effects are
    checked by the cycle criterion of the display graph, and by the share of the position column
    that item columns explain.

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
    for one in data:
        demand_comparisons(one)
    findings = [
        replace(finding, about=set_label(data, i))
        for i, one in enumerate(data)
        for finding in single_findings(one)
    ]
    if len(data) > 1:
        findings += _about_all(data)
    return Diagnosis(tuple(findings))


def _about_all(data: Sequence[Comparisons]) -> list[Finding]:
    return [replace(finding, about="all data together") for finding in joint_findings(data)]


def single_findings(data: Comparisons) -> list[Finding]:
    """Look at one table.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    list of Finding
        In the order of topics: graph, order, judges, prompts.
    """
    return [
        components_finding(data),
        finite_estimate_finding(data),
        judge_estimates_finding(data),
        links_finding(data),
        *order_findings(data),
        *judge_findings(data),
        *prompt_findings(data),
        *length_findings(data),
    ]


def joint_findings(data: Sequence[Comparisons]) -> list[Finding]:
    """Say what several data sets identify together.

    Parameters
    ----------
    data : sequence of Comparisons
        Two tables or more.

    Returns
    -------
    list of Finding
        One topic each.
    """
    pooled = pool_comparisons(*data)
    sets = np.repeat(np.arange(len(data)), [one.n_rows for one in data])
    return [
        shared_items_finding(data, pooled),
        shared_cells_finding(data, pooled, sets),
        components_finding(pooled),
        finite_estimate_finding(pooled),
        links_finding(pooled),
        clusters_finding(pooled),
        alike_names_finding(pooled),
    ]


def shared_items_finding(data: Sequence[Comparisons], pooled: Comparisons) -> Finding:
    """Name items that some data set lacks."""
    lacking = {
        set_label(data, i): [name for name in pooled.items if name not in set(one.items)]
        for i, one in enumerate(data)
    }
    told = [
        f"{label} has no verdict on {listing(names)}" for label, names in lacking.items() if names
    ]
    if not told:
        sentence = f"All {pooled.n_items:,} items occur in every data set."
        return Finding("shared items", "fine", sentence, {"lacking": lacking})
    return Finding(
        "shared items",
        "warning",
        f"{'; '.join(told)}: such items are linked only through the other data.",
        {"lacking": lacking},
    )


def shared_cells_finding(
    data: Sequence[Comparisons], pooled: Comparisons, sets: np.ndarray
) -> Finding:
    """Say how many cells (prompt, pair) of each data set occur in another."""
    cell = combined_key(pooled.prompt, pooled.pair)
    in_sets = np.array(
        [np.bincount(cell[sets == i], minlength=cell.max() + 1) > 0 for i in range(len(data))]
    )
    shared = in_sets & (in_sets.sum(axis=0) > 1)
    counts = {
        set_label(data, i): (int(shared[i].sum()), int(in_sets[i].sum())) for i in range(len(data))
    }
    told = listing([f"{n:,} of {total:,} in {label}" for label, (n, total) in counts.items()])
    details = {"cells": {label: list(pair) for label, pair in counts.items()}}
    if not shared.any():
        sentence = "No cell (prompt, pair) occurs in two data sets: they meet only through items."
        return Finding("shared cells", "note", sentence, details)
    sentence = f"Cells (prompt, pair) that also occur in another data set: {told}."
    return Finding("shared cells", "fine", sentence, details)


def set_label(data: Sequence[Comparisons], number: int) -> str:
    """Name a data set by its source, and by its number where sources are equal."""
    source = data[number].source
    twins = sum(one.source == source for one in data)
    return source if twins == 1 else f"{source} {number + 1}"
