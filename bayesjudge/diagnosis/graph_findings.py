"""Findings on the comparison graph: components, finite estimates, single links."""

import numpy as np

from bayesjudge.core.wording import counted, listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.graph import (
    all_won_or_lost,
    cut_items,
    distinct_pairs,
    item_components,
    judges_without_finite_estimate,
    unbounded_items,
)
from bayesjudge.diagnosis.findings import Finding


def components_finding(data: Comparisons) -> Finding:
    """Say whether comparisons link all items."""
    component = item_components(data)
    groups = [
        [data.items[i] for i in np.flatnonzero(component == number)]
        for number in range(component.max() + 1)
    ]
    details = {"groups": groups}
    if len(groups) == 1:
        return Finding("components", "fine", "Comparisons link all items.", details)
    listed = "; ".join(f"{{{listing(group)}}}" for group in groups[:4])
    more = f"; and {len(groups) - 4} more" if len(groups) > 4 else ""
    return Finding(
        "components",
        "problem",
        f"The items fall into {len(groups)} groups that no comparison links ({listed}{more}): "
        "contrasts across groups rest on the prior alone, and have no maximum likelihood estimate.",
        details,
    )


def finite_estimate_finding(data: Comparisons) -> Finding:
    """Say for which items the likelihood has no finite maximum."""
    unbounded = unbounded_items(data)
    details = {"unbounded": list(unbounded)}
    if not unbounded:
        return Finding(
            "finite estimate",
            "fine",
            "Chains of wins lead both ways between linked items: the maximum likelihood estimate "
            "is finite.",
            details,
        )
    told = listing([f"{name}{_why_unbounded(data, name)}" for name in unbounded])
    return Finding(
        "finite estimate",
        "warning",
        f"There is no finite MLE for {told}: use a prior, which gives finite, wide intervals, or "
        "collect verdicts that go the other way.",
        details,
    )


def _why_unbounded(data: Comparisons, name: str) -> str:
    item = data.items.index(name)
    won_all, lost_all = all_won_or_lost(data)
    verdicts = counted(int(((data.first == item) | (data.second == item)).sum()), "verdict")
    if won_all[item]:
        return f" (won all of its {verdicts})"
    if lost_all[item]:
        return f" (lost all of its {verdicts})"
    return ""


def judge_estimates_finding(data: Comparisons) -> Finding:
    """Say which judges, taken alone, have no finite maximum likelihood estimate."""
    unbounded = judges_without_finite_estimate(data)
    names = [data.judges[j] for j in np.flatnonzero(unbounded)]
    if not names:
        sentence = "Each judge's verdicts alone have a finite maximum likelihood estimate."
        return Finding("finite estimate by judge", "fine", sentence, {"judges": names})
    return Finding(
        "finite estimate by judge",
        "note",
        f"The verdicts of {len(names):,} of {counted(data.n_judges, 'judge')} alone have no finite "
        f"MLE ({listing(names)}): scores of their own need a prior or pooling.",
        {"judges": names},
    )


def links_finding(data: Comparisons) -> Finding:
    """Say whether contrasts hang on single items."""
    cuts = [data.items[i] for i in cut_items(data)]
    low, high = distinct_pairs(data)
    centres = [name for i, name in enumerate(data.items) if bool(((low == i) | (high == i)).all())]
    details = {"cut_items": cuts, "centres": centres}
    if len(cuts) == 1 and cuts == centres:
        return Finding(
            "links",
            "warning",
            f"All contrasts go through {cuts[0]}: no other two items were compared directly, so "
            "that verdicts on one pair say nothing about another.",
            details,
        )
    if cuts:
        return Finding(
            "links",
            "note",
            f"Some items are linked to the rest only through {listing(cuts)}: contrasts across "
            "add up the errors of both sides.",
            details,
        )
    return Finding("links", "fine", "No single item holds the comparison graph together.", details)
