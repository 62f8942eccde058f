"""Findings on single judges: ties, few verdicts, copies, opposites, failed verdicts."""

from collections import Counter

import numpy as np

from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import TIE, Comparisons
from bayesjudge.diagnosis.alike_judges import near_copies, opposed_judges
from bayesjudge.diagnosis.findings import Finding, Level
from bayesjudge.diagnosis.position_findings import ENOUGH_VERDICTS
from bayesjudge.diagnosis.prompt_findings import person_names_finding

MANY_TIES = 0.30  # above, half wins flatten a judge's sensitivity


def judge_findings(data: Comparisons) -> list[Finding]:
    """Say what is particular about single judges.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    list of Finding
        One topic each.
    """
    return [
        ties_finding(data),
        few_verdicts_finding(data),
        number_of_judges_finding(data),
        person_names_finding(data),
        near_copies_finding(data),
        opposed_judges_finding(data),
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
    details = {"overall": overall, "often": often}
    if not often:
        sentence = (
            f"{overall:.1%} of the verdicts are ties; no judge with at least {ENOUGH_VERDICTS} "
            f"verdicts ties in more than {MANY_TIES:.0%}."
        )
        return Finding("ties", "fine", sentence, details)
    told = listing([f"{judge} ({share_above(value, MANY_TIES)})" for judge, value in often.items()])
    return Finding(
        "ties",
        "warning",
        f"More than {MANY_TIES:.0%} of the verdicts are ties for {told}: half wins crush such a "
        "judge's sensitivity, so use a program with Davidson ties (its _davidson sibling).",
        details,
    )


def share_above(share: float, threshold: float) -> str:
    """Write a share with as many decimals as tell it from the threshold that it exceeds.

    Examples
    --------
    >>> share_above(0.4, 0.3), share_above(0.304, 0.3), share_above(0.3004, 0.3)
    ('40%', '30.4%', '30.04%')
    """
    for decimals in range(6):
        if f"{share:.{decimals}%}" != f"{threshold:.{decimals}%}":
            return f"{share:.{decimals}%}"
    return f"just above {threshold:.0%}"


def few_verdicts_finding(data: Comparisons) -> Finding:
    """Name judges with too few verdicts to say anything of them."""
    rows = np.bincount(data.judge, minlength=data.n_judges)
    few = {data.judges[j]: int(rows[j]) for j in np.flatnonzero(rows < ENOUGH_VERDICTS)}
    details = {"few": few, "fewest": int(rows.min())}
    if not few:
        sentence = f"Every judge gave at least {ENOUGH_VERDICTS} verdicts (fewest {rows.min():,})."
        return Finding("few verdicts", "fine", sentence, details)
    told = listing([f"{judge} ({number})" for judge, number in few.items()])
    level: Level = "warning" if 2 * len(few) > data.n_judges else "note"
    return Finding(
        "few verdicts",
        level,
        f"{counted(len(few), 'judge')} gave fewer than {ENOUGH_VERDICTS} verdicts ({told}): what "
        "is said of them rests on the prior.",
        details,
    )


def number_of_judges_finding(data: Comparisons) -> Finding:
    """Say where there is one judge only."""
    if data.n_judges > 1:
        sentence = f"{data.n_judges:,} judges can be compared."
        return Finding("judges", "fine", sentence, {"n_judges": data.n_judges})
    return Finding(
        "judges",
        "note",
        f"There is one judge only ({data.judges[0]}): its sensitivity is fixed at one, because "
        "scores and sensitivity cannot be told apart.",
        {"n_judges": 1},
    )


def near_copies_finding(data: Comparisons) -> Finding:
    """Name groups of judges that agree on nearly everything."""
    groups = near_copies(data)
    details = {"groups": [list(group.judges) for group in groups]}
    if not groups:
        return Finding(
            "near-copies", "fine", "No two judges are near-copies of each other.", details
        )
    told = "; ".join(
        f"{listing(group.judges)} agree on {_range(group.lowest, group.highest)} of the cells "
        "they share"
        for group in groups
    )
    return Finding(
        "near-copies",
        "warning",
        f"{told}: such judges count as one judge several times, and make intervals too narrow.",
        details,
    )


def _range(low: float, high: float) -> str:
    if f"{low:.1%}" == f"{high:.1%}":
        return f"{low:.1%}"
    return f"{low:.1%} to {high:.1%}"


def opposed_judges_finding(data: Comparisons) -> Finding:
    """Name pairs of judges that disagree on nearly everything."""
    pairs = opposed_judges(data)
    details = {
        "pairs": [[pair.one, pair.other] for pair in pairs],
        "cells": [pair.cells for pair in pairs],
    }
    if not pairs:
        sentence = "No two judges disagree on nearly all cells that they share."
        return Finding("opposed judges", "fine", sentence, details)
    told = listing(
        [
            f"{pair.one} and {pair.other} disagree on {pair.share:.1%} of the cells they share"
            for pair in pairs
        ]
    )
    return Finding(
        "opposed judges",
        "warning",
        f"{told} (those on which both pick a winner): the direction of the scores then rests on "
        "the prior or on the other judges.",
        details,
    )


def left_out_finding(data: Comparisons) -> Finding:
    """Say how many rows of which judge were left out, and why."""
    if not data.dropped:
        return Finding("left out", "fine", "No row was left out in reading.", {"rows": 0})
    counts: Counter[tuple[str, str]] = Counter()
    for one in data.dropped:
        counts[one.judge, one.reason] += one.rows
    parts = [
        f"{number:,} of {judge} ({reason})" for (judge, reason), number in counts.most_common()
    ]
    total = sum(counts.values())
    details = {
        "rows": total,
        "by_judge_and_order": [
            {
                "reason": d.reason,
                "judge": d.judge,
                "first": d.first,
                "second": d.second,
                "rows": d.rows,
            }
            for d in data.dropped
        ],
    }
    return Finding(
        "left out",
        "note" if total < 0.05 * (total + data.n_rows) else "warning",
        f"{counted(total, 'row')} of {total + data.n_rows:,} {chosen_form(total, 'was', 'were')} "
        f"left out in reading: {listing(parts)}.",
        details,
    )
