"""Findings on display order: is a position effect identified, and how well."""

from itertools import compress, pairwise

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import both_orders_by_group, combined_key, laplacian, net_flow
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import FIRST, TIE, Comparisons
from bayesjudge.data.graph import display_rank
from bayesjudge.designs.cells import count_cells
from bayesjudge.diagnosis.findings import Finding, Level, judged, span

ONE_SLOT = 0.95  # a judge that picks one slot at least this often says little about items
ENOUGH_VERDICTS = 10  # fewer are too few for an estimate of a judge's own
BOTH_ORDERS = 0.05  # share of cells in both orders, below which few are
INFLATED, MUCH_INFLATED = 2, 10
UNCONFOUNDED = 0.005  # R squared that reads as 0.00


def order_findings(data: Comparisons) -> list[Finding]:
    """Check what the display order lets the data identify."""
    if not data.order_known.any():
        sentence = (
            "The display order is unknown in all rows: position effects cannot be estimated, and "
            "any that exist bias the scores."
        )
        return [Finding("order", "warning", sentence)]
    return [
        both_orders_finding(data),
        position_finding(data),
        inflation_finding(data),
        one_slot_judges_finding(data),
        one_slot_items_finding(data),
    ]


def both_orders_finding(data: Comparisons) -> Finding:
    """Count the cells shown in both orders, and name judges that never saw a swap."""
    both, cells = data.both_order_cells()
    share = both / cells
    without = list(compress(data.judges, ~judges_with_swaps(data)))
    details = {"share": share, "cells": cells, "judges_without_swap": without}
    if len(without) == data.n_judges:
        who = {1: "The judge", 2: "Both judges"}.get(data.n_judges, f"All {data.n_judges:,} judges")
        sentence = (
            f"{who} saw every pair in one order only: position effects are identified only through "
            "cycles of the comparison graph, and a raw first-slot rate does not estimate them."
        )
        return Finding("both orders", "warning", sentence, details)
    sentence = (
        f"{both:,} of {cells:,} cells (judge, prompt, pair) {chosen_form(both, 'was', 'were')} "
        "shown in both orders"
    )
    if without:
        sentence += f"; {listing(without)} saw every pair in one order only"
    level: Level = "note" if without or share < BOTH_ORDERS else "fine"
    return Finding("both orders", level, f"{sentence}.", details)


def position_finding(data: Comparisons) -> Finding:
    """Name the judges whose own verdicts do not identify a position effect."""
    rank, free = display_rank(data)
    names = list(compress(data.judges, ~free))
    bad = (
        f"For {listing(names)} the judge's own verdicts do not identify the position effect, "
        "because a shift of the scores has the same effect on every display (no cycle contradicts "
        "it): only scores shared with other judges, or the prior, determine it."
    )
    fine = "Each judge's position effect is identified from that judge's verdicts alone."
    level: Level = "warning" if len(names) == data.n_judges else "note"
    ranks = dict(zip(data.judges, rank.tolist(), strict=True))
    details = {"judges_not_identified": names, "rank": ranks}
    return judged("position", names, level, bad, fine, details)


def inflation_finding(data: Comparisons) -> Finding:
    """Compute how far the items explain the position column."""
    pooled, by_judge = explained_shares(data, ENOUGH_VERDICTS)
    inflation = variance_inflation(pooled)
    known = np.isfinite(by_judge)
    within = by_judge[known]
    shares = dict(zip(compress(data.judges, known), within.tolist(), strict=True))
    details = {"share_pooled": pooled, "variance_inflation": inflation, "share_by_judge": shares}
    extent = f"confounded with the items (R² = {pooled:.2f} over all judges"
    if len(within):
        extent += f", {span(within.min(), within.max(), '.2f')} within single judges"
    if np.isinf(inflation):
        sentence = (
            f"Position is completely {extent}): a position effect cannot be distinguished from the "
            "scores."
        )
        return Finding("position inflation", "warning", sentence, details)
    level: Level = (
        "fine" if inflation < INFLATED else "note" if inflation < MUCH_INFLATED else "warning"
    )
    sentence = (
        f"Position is {'not' if pooled < UNCONFOUNDED else 'partly'} {extent}): the variance of a "
        f"shared position effect is inflated by a factor of {inflation:.1f}."
    )
    return Finding("position inflation", level, sentence, details)


def one_slot_judges_finding(data: Comparisons) -> Finding:
    """Name judges that nearly always pick one slot."""
    share, verdicts = first_slot_shares(data)
    extreme = (share >= ONE_SLOT) | (share <= 1 - ONE_SLOT)
    one_sided = {
        data.judges[j]: float(share[j])
        for j in np.flatnonzero(extreme & (verdicts >= ENOUGH_VERDICTS))
    }
    judges = [
        f"{judge} picks the {'first' if p > 0.5 else 'second'} slot in {max(p, 1 - p):.1%}"
        for judge, p in one_sided.items()
    ]
    bad = (
        f"{listing(judges)} of the decisive verdicts: such verdicts carry little information about "
        "the items."
    )
    fine = f"No judge picks the same slot in {ONE_SLOT:.0%} or more of its decisive verdicts."
    return judged("one slot", one_sided, "warning", bad, fine, {"first_slot_share": one_sided})


def one_slot_items_finding(data: Comparisons) -> Finding:
    """Name items that were shown in one slot only."""
    only_first, only_second = one_slot_items(data)
    names = {
        "first": [data.items[i] for i in only_first],
        "second": [data.items[i] for i in only_second],
    }
    details: dict[str, list[str] | str] = {**names}
    if number := len(only_first) + len(only_second):
        details["count"] = counted(number, "item")
    slots = [f"{listing(items)} only {slot}" for slot, items in names.items() if items]
    bad = (
        f"Some items were shown in one slot only ({' and '.join(slots)}): their scores depend on "
        "the estimate of the position effect."
    )
    fine = "Every item was shown in both slots."
    return judged("item slots", number, "note", bad, fine, details)


def explained_position_share(first: IntArray, second: IntArray, rows: FloatArray) -> float:
    """Return the share of a position column that item contrasts explain.

    The position column is one in every row, item columns are plus one for the item shown first and
    minus one for the other. The share is the uncentred R squared of the weighted regression of the
    first on the others; the variance of a position effect is inflated by one over one less that
    share.

    Shapes: first, second, rows (n_cells,).
    """
    items, index = np.unique(np.concatenate([first, second]), return_inverse=True)
    start, end = index[: len(first)], index[len(first) :]
    squares = laplacian(start, end, rows, len(items))
    net = net_flow(start, end, rows, len(items))
    potential = np.linalg.lstsq(squares, net, rcond=1e-10)[0]
    return float(np.clip(net @ potential / rows.sum(), 0.0, 1.0))


def variance_inflation(share: float) -> float:
    """Return the factor by which an explained share inflates a variance; infinite at one."""
    return float("inf") if share > 1 - 1e-9 else 1 / (1 - share)


def explained_shares(data: Comparisons, at_least: int) -> tuple[float, FloatArray]:
    """Return the explained share of position over all judges, and within each, (n_judges,).

    Rows of unknown order are left aside; NaN for a judge with fewer rows than `at_least`.
    """
    cells, cell_of_row = count_cells(data, data.order_known[:, None].astype(float))
    shown = np.flatnonzero(cells.columns[:, 0] > 0)
    judge, first, second = cells.judge[shown], cells.first[shown], cells.second[shown]
    rows = np.bincount(cell_of_row)[shown].astype(float)
    by_judge = np.full(data.n_judges, np.nan)
    bounds = np.searchsorted(judge, np.arange(data.n_judges + 1))
    for number, (low, high) in enumerate(pairwise(bounds)):
        part = slice(low, high)
        if rows[part].sum() >= at_least:
            by_judge[number] = explained_position_share(first[part], second[part], rows[part])
    return explained_position_share(first, second, rows), by_judge


def first_slot_shares(data: Comparisons) -> tuple[FloatArray, FloatArray]:
    """Return each judge's share of decisive verdicts that the first slot won, and their number.

    Shapes: -> share, verdicts (n_judges,).
    """
    decisive = data.weight * (data.order_known & (data.verdict != TIE))
    total = np.bincount(data.judge, decisive, data.n_judges)
    first = np.bincount(data.judge, decisive * (data.verdict == FIRST), data.n_judges)
    return np.divide(first, total, out=np.full(data.n_judges, np.nan), where=total > 0), total


def judges_with_swaps(data: Comparisons) -> BoolArray:
    """Mark the judges that saw a pair in both orders, on whatever prompts, shape (n_judges,)."""
    known = data.order_known
    judge = data.judge[known]
    group = combined_key(judge, data.pair[known])
    both = both_orders_by_group(group, data.swapped[known])
    return np.bincount(judge, both[group], data.n_judges) > 0


def one_slot_items(data: Comparisons) -> tuple[IntArray, IntArray]:
    """List the items that were only ever shown first, and only ever shown second."""
    known = data.order_known
    first = np.bincount(data.first[known], minlength=data.n_items) > 0
    second = np.bincount(data.second[known], minlength=data.n_items) > 0
    return np.flatnonzero(first & ~second), np.flatnonzero(second & ~first)
