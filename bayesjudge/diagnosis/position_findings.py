"""Findings on display order: is a position effect identified, and how well."""

import numpy as np

from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.graph import display_rank
from bayesjudge.diagnosis.findings import Finding, Level
from bayesjudge.diagnosis.position_numbers import (
    explained_shares,
    first_slot_shares,
    judges_with_swaps,
    one_slot_items,
    variance_inflation,
)

ONE_SLOT = 0.95  # a judge that picks one slot at least this often says little about items


ENOUGH_VERDICTS = 10  # fewer are too few to say anything of a judge


def order_findings(data: Comparisons) -> list[Finding]:
    """Say what the display order lets the data tell.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    list of Finding
        One topic each; a single one where no order is known.
    """
    if not data.order_known.any():
        return [
            Finding(
                "order",
                "warning",
                "The order of display is unknown in all rows: no position effect can be estimated, "
                "and one that is there biases the scores.",
            )
        ]
    return [
        both_orders_finding(data),
        position_finding(data),
        inflation_finding(data),
        one_slot_judges_finding(data),
        one_slot_items_finding(data),
    ]


def both_orders_finding(data: Comparisons) -> Finding:
    """Say how many cells were shown in both orders, and which judges never saw a swap."""
    both, cells = data.both_order_cells()
    share = both / cells
    without = [data.judges[j] for j in np.flatnonzero(~judges_with_swaps(data))]
    details = {"share": share, "cells": cells, "judges_without_swap": without}
    if len(without) == data.n_judges:
        who = {1: "The judge", 2: "Both judges"}.get(data.n_judges, f"All {data.n_judges:,} judges")
        sentence = (
            f"{who} saw every pair in one order only: position shows only through cycles of the "
            "comparison graph, and a raw first-slot rate is not a position effect."
        )
        return Finding("both orders", "warning", sentence, details)
    sentence = (
        f"{both:,} of {cells:,} cells (judge, prompt, pair) {chosen_form(both, 'was', 'were')} "
        "shown in both orders"
    )
    if without:
        sentence += f"; {listing(without)} saw every pair in one order only"
    return Finding(
        "both orders", "note" if without or share < 0.05 else "fine", sentence + ".", details
    )


def position_finding(data: Comparisons) -> Finding:
    """Say for which judges a position effect is not identified from their verdicts alone."""
    rank, free = display_rank(data)
    names = [data.judges[j] for j in np.flatnonzero(~free)]
    details = {
        "judges_not_identified": names,
        "rank": {judge: int(r) for judge, r in zip(data.judges, rank, strict=True)},
    }
    if not names:
        sentence = "Each judge's position effect is identified from that judge's verdicts alone."
        return Finding("position", "fine", sentence, details)
    level: Level = "warning" if len(names) == data.n_judges else "note"
    return Finding(
        "position",
        level,
        f"For {listing(names)} a shift of the scores explains every display (no cycle breaks it): "
        "position is not identified from that judge alone, only through scores shared with others "
        "or the prior.",
        details,
    )


def inflation_finding(data: Comparisons) -> Finding:
    """Say how much of the position column the items explain."""
    pooled, by_judge = explained_shares(data, ENOUGH_VERDICTS)
    inflation = variance_inflation(pooled)
    details = {
        "share_pooled": pooled,
        "variance_inflation": inflation,
        "share_by_judge": {
            judge: float(share)
            for judge, share in zip(data.judges, by_judge, strict=True)
            if np.isfinite(share)
        },
    }
    within = by_judge[np.isfinite(by_judge)]
    spread = (
        f"; within single judges {within.min():.2f} to {within.max():.2f}" if len(within) else ""
    )
    if np.isinf(inflation):
        sentence = (
            f"Item columns explain the position column wholly over all judges{spread}: a position "
            "effect cannot be told from scores."
        )
        return Finding("position inflation", "warning", sentence, details)
    level: Level = "fine" if inflation < 2 else "note" if inflation < 10 else "warning"
    sentence = (
        f"Item columns explain {pooled:.2f} of the position column over all judges{spread}: the "
        f"variance of a shared position effect is inflated {inflation:.1f} times."
    )
    return Finding("position inflation", level, sentence, details)


def one_slot_judges_finding(data: Comparisons) -> Finding:
    """Name judges that nearly always pick one slot."""
    share, verdicts = first_slot_shares(data)
    enough = verdicts >= ENOUGH_VERDICTS
    extreme = enough & ((share >= ONE_SLOT) | (share <= 1 - ONE_SLOT))
    found = {data.judges[j]: float(share[j]) for j in np.flatnonzero(extreme)}
    details = {"first_slot_share": found}
    if not found:
        sentence = f"No judge picks one slot in {ONE_SLOT:.0%} or more of its decisive verdicts."
        return Finding("one slot", "fine", sentence, details)
    told = listing(
        [
            f"{judge} picks the {'first' if p > 0.5 else 'second'} slot in {max(p, 1 - p):.1%}"
            for judge, p in found.items()
        ]
    )
    return Finding(
        "one slot",
        "warning",
        f"{told} of the decisive verdicts: such verdicts say little about the items.",
        details,
    )


def one_slot_items_finding(data: Comparisons) -> Finding:
    """Name items that were shown in one slot only."""
    only_first, only_second = one_slot_items(data)
    names = {
        "first": [data.items[i] for i in only_first],
        "second": [data.items[i] for i in only_second],
    }
    if not names["first"] and not names["second"]:
        return Finding("item slots", "fine", "Every item was shown in both slots.", names)
    told = [f"{listing(found)} only {slot}" for slot, found in names.items() if found]
    return Finding(
        "item slots",
        "note",
        f"Some items were only ever shown in one slot ({' and '.join(told)}): their scores lean "
        "on the position effect.",
        {**names, "count": counted(len(only_first) + len(only_second), "item")},
    )
