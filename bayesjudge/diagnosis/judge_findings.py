"""Findings on single judges: ties, few verdicts, near-copies, opposed judges, rows left out."""

from collections import Counter
from dataclasses import asdict

import numpy as np

from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import TIE, Comparisons
from bayesjudge.diagnosis.alike_judges import (
    AgreementTable,
    agreement_table,
    near_copies,
    opposed_judges,
)
from bayesjudge.diagnosis.findings import Finding, Level, judged, span
from bayesjudge.diagnosis.position_findings import ENOUGH_VERDICTS
from bayesjudge.diagnosis.prompt_findings import person_names_finding

MANY_TIES = 0.30  # above, ties as half wins flatten a judge's sensitivity
MANY_LEFT_OUT = 0.05  # share of the rows


def judge_findings(data: Comparisons) -> list[Finding]:
    """Check what is particular about single judges."""
    table = agreement_table(data)
    return [
        ties_finding(data),
        few_verdicts_finding(data),
        number_of_judges_finding(data),
        person_names_finding(data),
        near_copies_finding(table),
        opposed_judges_finding(table),
        left_out_finding(data),
    ]


def ties_finding(data: Comparisons) -> Finding:
    """Name judges that tie often."""
    verdicts = np.bincount(data.judge, data.weight, data.n_judges)
    ties = np.bincount(data.judge, data.weight * (data.verdict == TIE), data.n_judges)
    share = ties / verdicts
    enough = np.bincount(data.judge, minlength=data.n_judges) >= ENOUGH_VERDICTS
    often = {data.judges[j]: float(share[j]) for j in np.flatnonzero(enough & (share > MANY_TIES))}
    overall = float(ties.sum() / verdicts.sum())
    judges = [f"{judge} ({share_above(value, MANY_TIES)})" for judge, value in often.items()]
    bad = (
        f"More than {MANY_TIES:.0%} of the verdicts are ties for {listing(judges)}: counting ties "
        "as half wins biases the sensitivity of such judges downward, so use a program with "
        "Davidson ties (its _davidson sibling)."
    )
    fine = (
        f"{overall:.1%} of the verdicts are ties; no judge with at least {ENOUGH_VERDICTS} "
        f"verdicts ties in more than {MANY_TIES:.0%} of them."
    )
    return judged("ties", often, "warning", bad, fine, {"overall": overall, "often": often})


def share_above(share: float, threshold: float) -> str:
    """Write a share with enough decimals to differ from the threshold that it exceeds."""
    for decimals in range(6):
        if f"{share:.{decimals}%}" != f"{threshold:.{decimals}%}":
            return f"{share:.{decimals}%}"
    return f"just above {threshold:.0%}"


def few_verdicts_finding(data: Comparisons) -> Finding:
    """Name judges with too few verdicts for an estimate of their own."""
    rows = np.bincount(data.judge, minlength=data.n_judges)
    few = {data.judges[j]: int(rows[j]) for j in np.flatnonzero(rows < ENOUGH_VERDICTS)}
    judges = listing([f"{judge}: {number}" for judge, number in few.items()])
    bad = (
        f"{counted(len(few), 'judge')} gave fewer than {ENOUGH_VERDICTS} verdicts ({judges}): "
        "estimates for such judges rest on the prior."
    )
    fine = f"Every judge gave at least {ENOUGH_VERDICTS} verdicts (minimum {rows.min():,})."
    level: Level = "warning" if 2 * len(few) > data.n_judges else "note"
    details = {"few": few, "fewest": int(rows.min())}
    return judged("few verdicts", few, level, bad, fine, details)


def number_of_judges_finding(data: Comparisons) -> Finding:
    """Check whether there is more than one judge."""
    bad = (
        f"There is only one judge ({data.judges[0]}): its sensitivity is fixed at one, because "
        "the data do not identify it separately from the scale of the scores."
    )
    fine = f"{data.n_judges:,} judges can be compared."
    return judged("judges", data.n_judges == 1, "note", bad, fine, {"n_judges": data.n_judges})


def near_copies_finding(table: AgreementTable) -> Finding:
    """Name groups of judges that agree on nearly everything."""
    groups = near_copies(table)
    agreements = "; ".join(
        f"{listing(group.judges)} agree on {span(group.lowest, group.highest, '.1%')} of the cells "
        "they share"
        for group in groups
    )
    bad = f"{agreements}: near-copies count as independent judges, and make intervals too narrow."
    fine = "No two judges are near-copies of each other."
    details = {"groups": [list(group.judges) for group in groups]}
    return judged("near-copies", groups, "warning", bad, fine, details)


def opposed_judges_finding(table: AgreementTable) -> Finding:
    """Name pairs of judges that disagree on nearly everything."""
    pairs = opposed_judges(table)
    disagreements = [
        f"{pair.one} and {pair.other} disagree on {pair.share:.1%} of the cells they share"
        for pair in pairs
    ]
    bad = (
        f"{listing(disagreements)} (among cells for which both pick a winner): the direction "
        "of the scores then rests on the prior or on the other judges."
    )
    fine = "No two judges disagree on nearly all cells that they share."
    names, cells = [[pair.one, pair.other] for pair in pairs], [pair.cells for pair in pairs]
    details = {"pairs": names, "cells": cells}
    return judged("opposed judges", pairs, "warning", bad, fine, details)


def left_out_finding(data: Comparisons) -> Finding:
    """Count the rows left out, by judge and reason."""
    if not data.dropped:
        return Finding("left out", "fine", "No row was left out in reading.", {"rows": 0})
    counts: Counter[tuple[str, str]] = Counter()
    for dropped in data.dropped:
        counts[dropped.judge, dropped.reason] += dropped.rows
    parts = [
        f"{number:,} of {judge} ({reason})" for (judge, reason), number in counts.most_common()
    ]
    total = sum(counts.values())
    before = total + data.n_rows
    return Finding(
        "left out",
        "note" if total < MANY_LEFT_OUT * before else "warning",
        f"{counted(total, 'row')} of {before:,} {chosen_form(total, 'was', 'were')} left out in "
        f"reading: {listing(parts)}.",
        {"rows": total, "by_judge_and_order": [asdict(dropped) for dropped in data.dropped]},
    )
