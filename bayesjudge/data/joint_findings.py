"""Findings on several data sets together: what one says about the items of another."""

from collections.abc import Sequence

import numpy as np

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.findings import Finding
from bayesjudge.data.graph_findings import (
    components_finding,
    finite_estimate_finding,
    links_finding,
)
from bayesjudge.data.names import listing
from bayesjudge.data.orders import combined_key, pair_index
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.data.prompt_findings import alike_names_finding, clusters_finding


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
    cell = combined_key(pooled.prompt, pair_index(pooled))
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
