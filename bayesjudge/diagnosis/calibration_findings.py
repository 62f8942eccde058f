"""What judges and votes identify of DIAL's calibration, in words."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons
from bayesjudge.data.odd_names import alike_names
from bayesjudge.designs.design import designs
from bayesjudge.designs.structure import default_structure, structure
from bayesjudge.diagnosis.calibration_numbers import (
    CalibrationSpace,
    HumanIdentification,
    JudgeIdentification,
    human_identification,
    identification,
)
from bayesjudge.diagnosis.diagnose import set_label
from bayesjudge.diagnosis.findings import Diagnosis, Finding
from bayesjudge.diagnosis.judge_findings import near_copies_finding
from bayesjudge.diagnosis.position_findings import one_slot_judges_finding, position_finding

NAMED_ALIKE = 4  # groups of names that a sentence writes out


def identify(judges: Comparisons, humans: Comparisons, rank: int | None = None) -> Diagnosis:
    """Say what judges' verdicts and human votes identify together, before any fit.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts of judges and votes of people; items are those of both.
    rank : int, optional
        Directions of disagreement that the judges' scores shall have; one where there is room.

    Returns
    -------
    Diagnosis
        Which judges' comparisons link all items, which judges' own verdicts identify them, and
        which are identified through the shared space alone; cells against coordinates; judges
        that teach nothing (all for one slot, ties only, near-copies of another); whether votes
        tell the directions of calibration apart; items whose human scores rest on the judges'
        structure alone, and items of votes that no judge saw; whether votes have finite
        estimates, alone and in calibration.

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
    DIAL Propositions 1, 2, B.1 and B.2, Corollary B.1, Condition 4 and Theorem C.5. Ranks are
    those of a space in general position; separation is looked at in the space of the judges'
    ridge scores cut to the rank. The numbers are those of
    `bayesjudge.diagnosis.calibration_numbers.identification`, which takes a space too.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> votes = bj.example_votes()
    >>> few = votes.select((votes.first < 6) & (votes.second < 6))
    >>> found = identify(bj.example_panel(), few)
    >>> print(found.on("coverage")[0].sentence)
    Nobody voted on maple and rowan: their human scores rest on the judges' structure alone.
    >>> found.on("judges")[0].sentence
    'All 5 judges are identified by their own verdicts, position included.'
    """
    found = identification(judges, humans, rank=rank)
    split = _separated_in(judges, humans, rank)
    return Diagnosis(
        (
            *_about(set_label((judges, humans), 0), _judge_findings(judges, found.judges)),
            *_about(set_label((judges, humans), 1), _human_findings(found.humans)),
            *_about("all data together", [_judged_items(judges, humans)]),
            *_about("all data together", _calibration_findings(found.humans, split)),
        )
    )


def _about(name: str, findings: Sequence[Finding]) -> list[Finding]:
    return [replace(finding, about=name) for finding in findings]


def _separated_in(judges: Comparisons, humans: Comparisons, rank: int | None) -> list[bool]:
    """Say whether votes are separated within the consensus, and within all directions."""
    if rank is None:
        base = default_structure(designs(judges, humans))
    else:
        base = structure(judges, humans, rank=rank)
    directions = np.column_stack([base.direction, base.disagreement])
    space = helmert_basis(len(base.direction) + 1) @ directions
    items = tuple(sorted({*judges.items, *humans.items}))
    widths = (1, base.rank + 1) if base.rank else (1,)
    found = [human_identification(humans, items, base.rank, space[:, :d]) for d in widths]
    return [bool(each.spaces[0].separated) for each in found]


def _judge_findings(data: Comparisons, found: JudgeIdentification) -> list[Finding]:
    return [
        _linked(found),
        position_finding(data),
        _finite_positions(data),
        one_slot_judges_finding(data),
        _judges(found),
        _decisive(data),
        near_copies_finding(data),
        _cells(found),
    ]


def _linked(found: JudgeIdentification) -> Finding:
    loose = _named(found, ~found.connected)
    details = {"not_linked": loose}
    if not loose:
        sentence = f"Each judge's comparisons link all {counted(found.n_items, 'item')}."
        return Finding("judge graphs", "fine", sentence, details)
    sentence = f"The comparisons of {listing(loose)} do not link all {found.n_items:,} items."
    return Finding("judge graphs", "note", sentence, details)


def _judges(found: JudgeIdentification) -> Finding:
    through = _named(found, found.through_space)
    lost = _named(found, ~found.alone & ~found.through_space)
    details = {
        "alone": _named(found, found.alone),
        "through_space": through,
        "not_identified": lost,
        "own_rank": dict(zip(found.judges, found.own_rank.tolist(), strict=True)),
    }
    if lost:
        return Finding("judges", "problem", _lost_sentence(found, lost), details)
    if through:
        sentence = (
            f"{listing(through)} {chosen_form(len(through), 'is', 'are')} identified only through "
            "the space that "
            f"{chosen_form(int(found.alone.sum()), 'the other judge spans', 'the others span')}."
        )
        return Finding("judges", "note", sentence, details)
    all_judges = f"All {len(found.judges):,} judges are identified by their own"
    who = all_judges if len(found.judges) > 1 else "The judge is identified by its own"
    sentence = f"{who} verdicts, position included."
    return Finding("judges", "fine", sentence, details)


def _lost_sentence(found: JudgeIdentification, lost: Sequence[str]) -> str:
    if found.space_identified:
        return (
            f"Neither own verdicts nor the shared space identify {listing(lost)}: leave such "
            "judges out, or show them more pairs, some in both orders."
        )
    return (
        f"{listing(lost)} {chosen_form(len(lost), 'is', 'are')} not identified by own verdicts, "
        f"and the {counted(int(found.alone.sum()), 'judge')} that "
        f"{chosen_form(int(found.alone.sum()), 'is', 'are')} cannot span a space of "
        f"{counted(found.rank + 1, 'direction')}: show judges more pairs, some in both orders, or "
        "lower the rank."
    )


def _cells(found: JudgeIdentification) -> Finding:
    cells = int(found.cells.sum())
    sentence = (
        f"{cells:,} distinct judges, pairs and orders stand against {found.parameters:,} "
        "coordinates."
    )
    details = {"cells": cells, "coordinates": found.parameters}
    return Finding("cells", "fine" if found.enough_cells else "problem", sentence, details)


def _finite_positions(data: Comparisons) -> Finding:
    """Name judges whose position effect runs away: one slot has all their verdicts."""
    shown = np.bincount(data.judge, data.order_known, data.n_judges)
    of_slot = [
        np.bincount(data.judge, data.order_known & (data.verdict == slot), data.n_judges)
        for slot in (FIRST, SECOND)
    ]
    runaway = (shown > 0) & (np.max(of_slot, axis=0) == shown)
    names = [data.judges[k] for k in np.flatnonzero(runaway)]
    details = {"judges": names}
    if not names:
        sentence = (
            "No judge gives all its verdicts to one slot: position effects are finite."
            if shown.any()
            else "No order of display is known: there are no position effects to run away."
        )
        return Finding("finite position", "fine", sentence, details)
    sentence = (
        f"All verdicts of {listing(names)} are for one slot: "
        f"{chosen_form(len(names), 'its position has', 'their positions have')} no finite "
        "estimate; leave such judges out, or keep a prior (bj.nuts)."
    )
    return Finding("finite position", "problem", sentence, details)


def _decisive(data: Comparisons) -> Finding:
    """Name judges that never pick a winner."""
    picks = np.bincount(data.judge, data.verdict != TIE, data.n_judges)
    names = [data.judges[k] for k in np.flatnonzero(picks == 0)]
    details = {"ties_only": names}
    if not names:
        sentence = "Every judge picks a winner at times."
        return Finding("ties only", "fine", sentence, details)
    sentence = (
        f"All verdicts of {listing(names)} are ties, which tell no item from another: leave such "
        "judges out."
    )
    return Finding("ties only", "warning", sentence, details)


def _judged_items(judges: Comparisons, humans: Comparisons) -> Finding:
    """Name items of votes on which no judge has a verdict."""
    foreign = [name for name in humans.items if name not in set(judges.items)]
    alike = [
        list(group)
        for group in alike_names({*judges.items, *foreign})
        if not set(foreign).isdisjoint(group)
    ]
    details = {"without_judge": foreign, "alike": alike}
    if not foreign:
        sentence = "Judges have verdicts on every item that people voted on."
        return Finding("judged items", "fine", sentence, details)
    sentence = (
        f"People voted on {listing(foreign)}, of which no judge has a verdict: "
        f"{_advice_on_foreign(foreign, alike)}."
    )
    return Finding("judged items", "problem", sentence, details)


def _advice_on_foreign(foreign: Sequence[str], alike: Sequence[Sequence[str]]) -> str:
    """Say what to do about items without a judge, some of which may be misspelled."""
    told = "; ".join(listing([repr(name) for name in group]) for group in alike[:NAMED_ALIKE])
    rename = f"write names alike in both tables ({told} may differ in upper and lower case only)"
    leave = "leave those votes out, or sample models.calibrated_pooled, where the prior stands in"
    if not alike:
        return leave
    others = set(foreign).difference(*alike)
    return f"{rename}; on the others, {leave}" if others else rename


def _human_findings(found: HumanIdentification) -> list[Finding]:
    return [_coverage(found), _votes_alone(found)]


def _coverage(found: HumanIdentification) -> Finding:
    bare = _items(found, found.without_votes)
    rest = _items(found, found.on_structure_alone)
    details = {"without_votes": bare, "on_structure_alone": rest, "groups": found.n_components}
    if found.n_components == 1:
        sentence = f"Votes link all {counted(len(found.items), 'item')}."
        return Finding("coverage", "fine", sentence, details)
    if bare == rest:
        sentence = (
            f"Nobody voted on {listing(bare)}: {chosen_form(len(bare), 'its', 'their')} human "
            f"{chosen_form(len(bare), 'score rests', 'scores rest')} on the judges' structure "
            "alone."
        )
    else:
        sentence = (
            f"Votes link the items in {found.n_components:,} groups: what sets {listing(rest)} "
            "apart from the largest rests on the judges' structure alone."
        )
    return Finding("coverage", "warning", sentence, details)


def _votes_alone(found: HumanIdentification) -> Finding:
    if found.strongly_connected:
        return Finding("votes alone", "fine", "The votes alone have a finite estimate.")
    sentence = (
        "The votes alone have no finite estimate: no chain of wins leads from every item to every "
        "other, and the weight path has no human-only end."
    )
    return Finding("votes alone", "note", sentence)


def _calibration_findings(found: HumanIdentification, split: Sequence[bool]) -> list[Finding]:
    pairs = list(zip(found.spaces, split, strict=True))
    return [*(_directions(space) for space, _ in pairs), *(_finite(*pair) for pair in pairs)]


def _directions(space: CalibrationSpace) -> Finding:
    details = {"rank": space.rank, "dimension": space.dimension}
    directions = f"the {counted(space.dimension, 'direction')} of {space.name}"
    if space.identified:
        sentence = f"The votes identify {directions}."
        return Finding("calibration", "fine", sentence, details)
    sentence = (
        f"The votes identify {space.rank:,} of {directions}: calibrate in a smaller space, or "
        "collect votes on other pairs."
    )
    return Finding("calibration", "problem", sentence, details)


def _finite(space: CalibrationSpace, separated: bool) -> Finding:
    if not separated:
        sentence = f"Votes contradict each other enough for a finite calibration in {space.name}."
        return Finding("separation", "fine", sentence)
    sentence = (
        f"Along some direction of {space.name} no vote is contradicted: its calibration has no "
        "finite estimate; collect more votes, or keep a prior (bj.nuts)."
    )
    return Finding("separation", "problem", sentence)


def _named(found: JudgeIdentification, mask: np.ndarray) -> list[str]:
    return [found.judges[k] for k in np.flatnonzero(mask)]


def _items(found: HumanIdentification, mask: np.ndarray) -> list[str]:
    return [found.items[i] for i in np.flatnonzero(mask)]
