"""Findings on single judges: ties, few verdicts, copies, and judges against the others."""

from collections import Counter
from dataclasses import asdict
from itertools import compress

import numpy as np

from bayesjudge.core.arrays import BoolArray
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import TIE, Comparisons
from bayesjudge.diagnosis.copies import (
    COPIES_ADVICE,
    AgreementTable,
    Kept,
    agreement_table,
    choices,
    mirrored,
    near_copies,
    opposed_judges,
    rankings,
)
from bayesjudge.diagnosis.findings import Finding, Level, judged, span
from bayesjudge.diagnosis.judge_agreement import JudgeAgreement, judge_agreement
from bayesjudge.diagnosis.position_findings import ENOUGH_VERDICTS
from bayesjudge.diagnosis.prompt_findings import person_names_finding

MANY_TIES = 0.30  # above, ties as half wins flatten a judge's sensitivity
MANY_LEFT_OUT = 0.05  # share of the rows


def judge_findings(data: Comparisons) -> list[Finding]:
    """Check what is particular about single judges."""
    table, agreement = agreement_table(data), judge_agreement(data)
    return [
        ties_finding(data),
        few_verdicts_finding(data),
        number_of_judges_finding(data),
        person_names_finding(data),
        near_copies_finding(table),
        opposed_judges_finding(agreement, table),
        near_chance_finding(agreement),
        runaway_finding(agreement),
        choices_finding(data),
        rankings_finding(data),
        mirrored_finding(data),
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
    """Name judges with too few verdicts for an estimate of their own, and what to fit instead."""
    rows = np.bincount(data.judge, minlength=data.n_judges)
    few = {data.judges[j]: int(rows[j]) for j in np.flatnonzero(rows < ENOUGH_VERDICTS)}
    judges = listing([f"{judge}: {number}" for judge, number in few.items()])
    bad = (
        f"{counted(len(few), 'judge')} gave fewer than {ENOUGH_VERDICTS} verdicts ({judges}): "
        "a position effect or sensitivity of such a judge rests on the prior."
    )
    most = 2 * len(few) > data.n_judges or 2 * sum(few.values()) > data.n_rows
    if most and data.n_judges > 1:
        bad += (
            " Since these are most of the judges or of the verdicts, fit a program that pools the "
            "judges by its posterior (bj.nuts(bj.models.sensitivity_pooled, ...), the posterior of "
            "`bayesjudge rank`) or Bradley-Terry (bj.models.bradley_terry, "
            "`--program bradley_terry`): the sandwich of a program with judge-specific effects has "
            "nothing to rest on."
        )
    fine = f"Every judge gave at least {ENOUGH_VERDICTS} verdicts (minimum {rows.min():,})."
    level: Level = "warning" if most else "note"
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


def opposed_judges_finding(agreement: JudgeAgreement, table: AgreementTable) -> Finding:
    """Name judges that contradict the scores of the others, and pairs that contradict verdicts."""
    opposed, against = agreement.opposed, set(compress(agreement.judges, agreement.opposed))
    pairs = [pair for pair in opposed_judges(table) if not against & {pair.one, pair.other}]
    told = [_camps(agreement)] if opposed.any() else []
    disagreements = [
        f"{pair.one} and {pair.other} disagree on {pair.share:.1%} of the cells they share"
        for pair in pairs
    ]
    if disagreements:
        told.append(
            f"{listing(disagreements)} (among cells for which both pick a winner): the direction "
            "of the scores then rests on the prior or on the other judges."
        )
    details = {
        "judges": _slopes(agreement, opposed),
        "pairs": [[pair.one, pair.other] for pair in pairs],
        "cells": [pair.cells for pair in pairs],
    }
    level: Level = "problem" if _divided(agreement) else "warning"
    fine = "No judge contradicts the scores that the other judges give."
    return judged("opposed judges", told, level, " ".join(told), fine, details)


def _divided(agreement: JudgeAgreement) -> bool:
    """Check whether as many judges contradict the others as agree with them."""
    return bool(agreement.opposed.any()) and bool(
        agreement.opposed.sum() >= (agreement.lower > 0).sum()
    )


def _camps(agreement: JudgeAgreement) -> str:
    opposed = _told(agreement, agreement.opposed)
    number = int(agreement.opposed.sum())
    if _divided(agreement):
        return (
            f"{_told(agreement, agreement.lower > 0)} and {opposed} contradict each other "
            f"({SLOPES}): as many judges favour one order of the items as its reverse, so the "
            "verdicts do not tell which item leads; find out which judges are right, and leave the "
            "others out."
        )
    return (
        f"{opposed} {chosen_form(number, 'contradicts', 'contradict')} the scores that the other "
        f"judges give ({SLOPES}): check whether the labels or slots of "
        f"{chosen_form(number, 'this judge', 'these judges')} are exchanged, or leave "
        f"{chosen_form(number, 'it', 'them')} out."
    )


def near_chance_finding(agreement: JudgeAgreement) -> Finding:
    """Name judges whose verdicts hardly follow the scores that the other judges give."""
    found = agreement.near_chance
    number = int(found.sum())
    below = (agreement.slope[found] < -2 * agreement.standard_error[found]).any()
    bad = (
        f"{_told(agreement, found)} {chosen_form(number, 'is', 'are')} near chance"
        f"{' or below it' * bool(below)} ({SLOPES}): such verdicts say little about the items, and "
        "a program whose sensitivities are positive is biased by "
        f"{chosen_form(number, 'this judge', 'these judges')}; compare with the "
        f"ranking without {chosen_form(number, 'it', 'them')}, and do not take "
        f"{chosen_form(number, 'it', 'one of them')} as the reference judge."
    )
    fine = "No judge is shown to be near chance."
    details = {"judges": _slopes(agreement, found)}
    return judged("near-chance judges", number, "warning", bad, fine, details)


def runaway_finding(agreement: JudgeAgreement) -> Finding:
    """Name judges that follow the others' scores without exception, or far beyond the average."""
    found = agreement.runaway
    number = int(found.sum())
    bad = (
        f"{_told(agreement, found)} {chosen_form(number, 'follows', 'follow')} the scores that the "
        f"other judges give without exception or far more closely than the average ({SLOPES}): the "
        f"sensitivity of {chosen_form(number, 'this judge', 'these judges')} has no upper bound or "
        f"a weak one, so do not take {chosen_form(number, 'it', 'them')} as the reference judge."
    )
    fine = "No judge follows the scores that the other judges give far beyond the average."
    details = {"judges": _slopes(agreement, found)}
    return judged("runaway judges", number, "warning", bad, fine, details)


SLOPES = (
    "sensitivity to the others' scores on a scale where their average is one, with its standard "
    "error"
)


def _told(agreement: JudgeAgreement, mask: BoolArray) -> str:
    """Name judges with slope, standard error and number of verdicts."""
    return listing(_slope(agreement, judge) for judge in np.flatnonzero(mask).tolist())


def _slope(agreement: JudgeAgreement, judge: int) -> str:
    slope, error = agreement.slope[judge], agreement.standard_error[judge]
    number = counted(round(agreement.verdicts[judge]), "verdict")
    size = "without exception" if np.isinf(slope) else f"{slope:.2f} ± {error:.2f}"
    return f"{agreement.judges[judge]} ({size.replace('-', '−')}, {number})"


def _slopes(agreement: JudgeAgreement, mask: BoolArray) -> dict[str, dict[str, float]]:
    """Return the numbers of judges, by name."""
    return {
        agreement.judges[j]: {
            "slope": float(agreement.slope[j]),
            "standard_error": float(agreement.standard_error[j]),
            "verdicts": float(agreement.verdicts[j]),
        }
        for j in np.flatnonzero(mask)
    }


def choices_finding(data: Comparisons) -> Finding:
    """Name judges that chose the best, or the worst, of several items, written as pairs."""
    found = choices(data)
    told = [
        f"{_kept(kept)} one item {verb} all others shown "
        f"({kept.share:.1%}, and {kept.expected:.1%} for independent verdicts), as where a choice "
        f"of the {which} of several is written as pairs"
        for which, verb, kept in (
            (which, {"best": "beats", "worst": "loses to"}[which], kept)
            for which, kept in found.items()
        )
    ]
    bad = f"{'; '.join(told)}. {COPIES_ADVICE}"
    fine = "No choice of one among several items seems to be written as pairs."
    details = {which: asdict(kept) for which, kept in found.items()}
    return judged("choices as pairs", found, "warning", bad, fine, details)


def _kept(kept: Kept) -> str:
    """Write where a rule holds."""
    return (
        f"In {kept.sets:,} sets of verdicts of {listing(kept.judges)} on one prompt "
        f"({kept.verdicts:,} verdicts)"
    )


def rankings_finding(data: Comparisons) -> Finding:
    """Name judges whose verdicts on a prompt never form a cycle."""
    kept = rankings(data)
    fine = "No ranking of several items seems to be written as pairs."
    if kept is None:
        return Finding("rankings as pairs", "fine", fine)
    sentence = (
        f"{_kept(kept)} the verdicts form no cycle ({kept.share:.1%}, and {kept.expected:.1%} for "
        "independent verdicts), as where a ranking, or scores of single answers, are written as "
        f"pairs. {COPIES_ADVICE}"
    )
    return Finding("rankings as pairs", "warning", sentence, asdict(kept))


def mirrored_finding(data: Comparisons) -> Finding:
    """Name judges whose two orders hold one verdict."""
    kept = mirrored(data)
    fine = "No judge gives the same verdict in both orders as a matter of course."
    if kept is None:
        return Finding("mirrored orders", "fine", fine)
    sentence = (
        f"{listing(kept.judges)} {chosen_form(len(kept.judges), 'prefers', 'prefer')} the same "
        f"item in both orders on {kept.share:.1%} of {kept.sets:,} cells (judge, prompt, pair), "
        f"and would on {kept.expected:.1%} if the orders were independent, as a judge that scores "
        "answers one by one: its position effect is zero by construction, and both orders are one "
        f"verdict. {COPIES_ADVICE}"
    )
    return Finding("mirrored orders", "warning", sentence, asdict(kept))


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
