"""What judges and votes identify of DIAL's calibration, in words."""

from collections.abc import Sequence
from itertools import compress

import numpy as np

from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons
from bayesjudge.data.odd_names import alike_names
from bayesjudge.diagnosis.calibration_numbers import (
    CalibrationSpace,
    HumanIdentification,
    JudgeIdentification,
    identification,
    ridge_separation,
)
from bayesjudge.diagnosis.copies import agreement_table
from bayesjudge.diagnosis.diagnose import TOGETHER, set_labels
from bayesjudge.diagnosis.findings import Diagnosis, Finding, judged, labelled
from bayesjudge.diagnosis.judge_findings import near_copies_finding
from bayesjudge.diagnosis.position_findings import one_slot_judges_finding, position_finding

NAMED_ALIKE = 4  # groups of names that a sentence writes out


def identify(judges: Comparisons, humans: Comparisons, rank: int | None = None) -> Diagnosis:
    """Check what judges' verdicts and human votes identify together, before any fit.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts of judges and votes of people; items are those of both.
    rank : int, optional
        Number of directions along which the judges' scores disagree; by default one, or none
        where the panel is too small.

    Returns
    -------
    Diagnosis
        Of the judges: whose comparisons link all items, whose own verdicts identify scores and
        position, who is identified through the shared space alone, numbers of cells and
        parameters, and uninformative judges (one slot, ties only, near-copies). Of the votes:
        whether they identify each direction of calibration, which human scores rest on the
        judges' structure alone, which items no judge saw, and whether estimates are finite, from
        the votes alone and in calibration.

    Raises
    ------
    NotComparisonsError
        If verdicts have not been read.
    JudgeKindError
        If people are given for judges, and judges for people.
    RankError
        If the panel does not allow the rank.

    Notes
    -----
    DIAL Propositions 1, 2, B.1 and B.2, Corollary B.1, Condition 4 and Theorem C.5. Matrix ranks
    are those of a space in general position; separation is checked in the space of the judges'
    ridge scores cut to the rank. `bayesjudge.diagnosis.calibration_numbers.identification`
    returns the numbers, also for a space that is given.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> votes = bj.example_votes()
    >>> few = votes.select((votes.first < 6) & (votes.second < 6))
    >>> diagnosis = bj.calibration.identify(bj.example_panel(), few)
    >>> print(diagnosis.on("coverage")[0])
    Nobody voted on maple and rowan: their human scores rest on the judges' structure alone.
    >>> print(diagnosis.on("judges")[0])
    All 5 judges are identified by their own verdicts, including position effects.
    """
    numbers = identification(judges, humans, rank=rank)
    spaces = numbers.humans.spaces
    separated = ridge_separation(judges, humans, numbers.judges.rank)
    of_judges, of_humans = set_labels((judges, humans))
    joint = [
        _judged_items(judges, humans),
        *(_directions(space) for space in spaces),
        *(_separation(*pair) for pair in zip(spaces, separated, strict=True)),
    ]
    return Diagnosis(
        (
            *labelled(of_judges, _judge_findings(judges, numbers.judges)),
            *labelled(of_humans, [_coverage(numbers.humans), _votes_alone(numbers.humans)]),
            *labelled(TOGETHER, joint),
        )
    )


def _judge_findings(data: Comparisons, numbers: JudgeIdentification) -> list[Finding]:
    return [
        _judge_graphs(numbers),
        position_finding(data),
        _finite_positions(data),
        one_slot_judges_finding(data),
        _judges(numbers),
        _ties_only(data),
        near_copies_finding(agreement_table(data)),
        _cells(numbers),
    ]


def _judge_graphs(numbers: JudgeIdentification) -> Finding:
    loose = list(compress(numbers.judges, ~numbers.connected))
    bad = f"The comparisons of {listing(loose)} do not link all {numbers.n_items:,} items."
    fine = f"Each judge's comparisons link all {counted(numbers.n_items, 'item')}."
    return judged("judge graphs", loose, "note", bad, fine, {"not_linked": loose})


def _judges(numbers: JudgeIdentification) -> Finding:
    alone, through, lost = (
        list(compress(numbers.judges, mask))
        for mask in (numbers.alone, numbers.through_space, ~numbers.alone & ~numbers.through_space)
    )
    details = {
        "alone": alone,
        "through_space": through,
        "not_identified": lost,
        "own_rank": dict(zip(numbers.judges, numbers.own_rank.tolist(), strict=True)),
    }
    if lost:
        return Finding("judges", "problem", _lost_sentence(numbers, lost), details)
    who = "The judge is identified by its own"
    if len(alone) > 1:
        who = f"All {len(alone):,} judges are identified by their own"
    bad = (
        f"{listing(through)} {chosen_form(len(through), 'is', 'are')} identified only through the "
        f"space that {chosen_form(len(alone), 'the other judge spans', 'the others span')}."
    )
    fine = f"{who} verdicts, including position effects."
    return judged("judges", through, "note", bad, fine, details)


def _lost_sentence(numbers: JudgeIdentification, lost: Sequence[str]) -> str:
    if numbers.space_identified:
        return (
            f"Neither their own verdicts nor the shared space identify {listing(lost)}: leave such "
            "judges out, or show them more pairs, some in both orders."
        )
    return (
        f"{listing(lost)} {chosen_form(len(lost), 'is', 'are')} not identified by own verdicts, "
        f"and the {counted(int(numbers.alone.sum()), 'judge')} so identified cannot span a space "
        f"of {counted(numbers.rank + 1, 'direction')}: show judges more pairs, some in both "
        "orders, or lower the rank."
    )


def _cells(numbers: JudgeIdentification) -> Finding:
    cells = int(numbers.cells.sum())
    sentence = (
        f"There are {cells:,} distinct combinations of judge, pair and display order for "
        f"{numbers.parameters:,} free parameters."
    )
    details = {"cells": cells, "coordinates": numbers.parameters}
    return Finding("cells", "fine" if numbers.enough_cells else "problem", sentence, details)


def _finite_positions(data: Comparisons) -> Finding:
    """Name judges whose position effect diverges, because one slot has all their verdicts."""
    shown = np.bincount(data.judge, data.order_known, data.n_judges)
    by_slot = [
        np.bincount(data.judge, data.order_known & (data.verdict == slot), data.n_judges)
        for slot in (FIRST, SECOND)
    ]
    names = list(compress(data.judges, (shown > 0) & (np.max(by_slot, axis=0) == shown)))
    fine = "No judge gives all its verdicts to one slot: position effects are finite."
    if not shown.any():
        fine = "No display order is known, so there are no position effects to estimate."
    bad = (
        f"All verdicts of {listing(names)} are for one slot: "
        f"{chosen_form(len(names), 'its position effect has', 'their position effects have')} no "
        "finite estimate; leave such judges out, or keep a prior (bj.nuts)."
    )
    return judged("finite position", names, "problem", bad, fine, {"judges": names})


def _ties_only(data: Comparisons) -> Finding:
    """Name judges that never pick a winner."""
    picks = np.bincount(data.judge, data.verdict != TIE, data.n_judges)
    names = list(compress(data.judges, picks == 0))
    bad = (
        f"All verdicts of {listing(names)} are ties, which do not rank the items: leave such "
        "judges out."
    )
    fine = "Every judge has at least one decisive verdict."
    return judged("ties only", names, "warning", bad, fine, {"ties_only": names})


def _judged_items(judges: Comparisons, humans: Comparisons) -> Finding:
    """Name items of votes on which no judge has a verdict."""
    foreign = [name for name in humans.items if name not in set(judges.items)]
    alike = [
        list(group)
        for group in alike_names({*judges.items, *foreign})
        if not set(foreign).isdisjoint(group)
    ]
    bad = (
        f"People voted on {listing(foreign)}, on which no judge has a verdict: "
        f"{_advice_on_foreign(foreign, alike)}."
    )
    fine = "Judges have verdicts on every item that people voted on."
    details = {"without_judge": foreign, "alike": alike}
    return judged("judged items", foreign, "problem", bad, fine, details)


def _advice_on_foreign(foreign: Sequence[str], alike: Sequence[Sequence[str]]) -> str:
    """Advise on items without a judge, some of which may be misspelled."""
    names = "; ".join(listing([repr(name) for name in group]) for group in alike[:NAMED_ALIKE])
    rename = (
        f"use the same names in both tables ({names} differ only in spaces, letter case, Unicode "
        "form or the way a number is written)"
    )
    leave = (
        "leave those votes out, or sample models.calibrated_pooled, where the prior replaces the "
        "judges' verdicts"
    )
    if not alike:
        return leave
    others = set(foreign).difference(*alike)
    return f"{rename}; for the others, {leave}" if others else rename


def _coverage(numbers: HumanIdentification) -> Finding:
    bare = list(compress(numbers.items, numbers.without_votes))
    rest = list(compress(numbers.items, numbers.on_structure_alone))
    groups = numbers.n_components
    bad = (
        f"The graph of votes has {groups:,} components: contrasts between {listing(rest)} and the "
        "largest component rest on the judges' structure alone."
    )
    if bare == rest:
        bad = (
            f"Nobody voted on {listing(bare)}: {chosen_form(len(bare), 'its', 'their')} human "
            f"{chosen_form(len(bare), 'score rests', 'scores rest')} on the judges' structure "
            "alone."
        )
    fine = f"Votes link all {counted(len(numbers.items), 'item')}."
    details = {"without_votes": bare, "on_structure_alone": rest, "groups": groups}
    return judged("coverage", groups > 1, "warning", bad, fine, details)


def _votes_alone(numbers: HumanIdentification) -> Finding:
    bad = (
        "The votes alone have no finite maximum likelihood estimate, because chains of wins do not "
        "lead from every item to every other: the weight path has no human-only end."
    )
    fine = "The votes alone have a finite maximum likelihood estimate."
    return judged("votes alone", not numbers.strongly_connected, "note", bad, fine)


def _directions(space: CalibrationSpace) -> Finding:
    directions = counted(space.dimension, "direction")
    bad = (
        f"The votes identify {space.rank:,} of the {directions} of {space.name}: calibrate in a "
        "smaller space, or collect votes on other pairs."
    )
    fine = f"The votes identify the calibration along {space.name} ({directions})."
    details = {"rank": space.rank, "dimension": space.dimension}
    return judged("calibration", not space.identified, "problem", bad, fine, details)


def _separation(space: CalibrationSpace, separated: bool) -> Finding:
    bad = (
        f"The votes are separated (none contradicts some direction of {space.name}), so the "
        "calibration has no finite estimate: collect more votes, or keep a prior (bj.nuts)."
    )
    fine = f"The calibration along {space.name} has a finite estimate: the votes are not separated."
    return judged("separation", separated, "problem", bad, fine)
