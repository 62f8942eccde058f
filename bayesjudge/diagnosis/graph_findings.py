"""Findings on the comparison graph: components, finite estimates, single links."""

from collections.abc import Sequence
from itertools import compress

import numpy as np

from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.graph import (
    all_won_or_lost,
    cut_items,
    distinct_pairs,
    item_components,
    judges_without_finite_estimate,
    unbounded_items,
)
from bayesjudge.diagnosis.findings import Finding, judged

LISTED = 4  # components that a sentence writes out


def components_finding(data: Comparisons) -> Finding:
    """Check whether comparisons link all items."""
    component = item_components(data)
    groups = [
        list(compress(data.items, component == number)) for number in range(component.max() + 1)
    ]
    listed = "; ".join(f"{{{listing(group)}}}" for group in groups[:LISTED])
    more = f"; and {len(groups) - LISTED} more" if len(groups) > LISTED else ""
    bad = (
        f"The comparison graph has {len(groups)} components ({listed}{more}): contrasts between "
        "components rest on the prior alone and have no maximum likelihood estimate."
    )
    fine = "Comparisons link all items."
    return judged("components", len(groups) > 1, "problem", bad, fine, {"groups": groups})


def finite_estimate_finding(data: Comparisons) -> Finding:
    """Name the items for which the likelihood has no finite maximum."""
    unbounded = unbounded_items(data)
    items = listing(_with_reasons(data, unbounded))
    bad = (
        f"There is no finite MLE for {items}: use a prior, which gives finite but wide intervals, "
        "or collect more verdicts on these items."
    )
    fine = (
        "The maximum likelihood estimate is finite: chains of wins lead from every item to every "
        "other item of its component."
    )
    details = {"unbounded": list(unbounded)}
    return judged("finite estimate", unbounded, "warning", bad, fine, details)


def _with_reasons(data: Comparisons, names: Sequence[str]) -> list[str]:
    """Return names of items, with what each won or lost where that was everything."""
    won_all, lost_all = all_won_or_lost(data)
    verdicts = np.bincount(np.concatenate([data.first, data.second]), minlength=data.n_items)
    reasons = []
    for name in names:
        item = data.items.index(name)
        reason = ""
        if won_all[item] or lost_all[item]:
            number = int(verdicts[item])
            all_of_them = chosen_form(number, "its only verdict", f"all of its {number:,} verdicts")
            reason = f" ({'won' if won_all[item] else 'lost'} {all_of_them})"
        reasons.append(name + reason)
    return reasons


def judge_estimates_finding(data: Comparisons) -> Finding:
    """Name the judges whose own verdicts have no finite maximum likelihood estimate."""
    names = list(compress(data.judges, judges_without_finite_estimate(data)))
    bad = (
        f"The MLE from a judge's own verdicts is not finite for {len(names):,} of "
        f"{counted(data.n_judges, 'judge')} ({listing(names)}): judge-specific scores need a prior "
        "or partial pooling."
    )
    fine = "The maximum likelihood estimate from each judge's own verdicts is finite."
    return judged("finite estimate by judge", names, "note", bad, fine, {"judges": names})


def links_finding(data: Comparisons) -> Finding:
    """Check whether contrasts depend on single intermediate items."""
    cuts = [data.items[i] for i in cut_items(data)]
    low, high = distinct_pairs(data)
    centres = [name for i, name in enumerate(data.items) if bool(((low == i) | (high == i)).all())]
    details = {"cut_items": cuts, "centres": centres}
    if len(cuts) == 1 and cuts == centres:
        return Finding(
            "links",
            "warning",
            f"All contrasts go through {cuts[0]}: no other two items were compared directly, so "
            "the verdicts on one pair carry no information about any other pair.",
            details,
        )
    bad = (
        f"Some items are linked to the rest only through {listing(cuts)}: contrasts across such an "
        "item add up the errors of both sides."
    )
    fine = "No contrast depends on a single intermediate item (the graph has no cut vertex)."
    return judged("links", cuts, "note", bad, fine, details)
