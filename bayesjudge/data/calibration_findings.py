"""Whether judges and votes identify a human score, in words."""

import numpy as np

from bayesjudge.data.basis import helmert_basis
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import Design, designs
from bayesjudge.data.findings import Diagnosis, Finding
from bayesjudge.data.frames import Structure
from bayesjudge.data.identification import (
    HumansIdentified,
    JudgesIdentified,
    humans_identified,
    judges_identified,
)
from bayesjudge.data.judge_structure import structure
from bayesjudge.data.names import listing

NAMED = 5


def identify(
    judges: Comparisons | Design, humans: Comparisons | Design, rank: int = 1
) -> Diagnosis:
    """Say what judges' verdicts and human votes identify together, before any fit.

    Parameters
    ----------
    judges, humans : Comparisons or Design
        Verdicts of judges and votes of people.
    rank : int
        Directions of disagreement that the judges' scores shall have.

    Returns
    -------
    Diagnosis
        Judges identified alone or through the shared space, cells against coordinates; calibration
        within the consensus and within all directions; items whose human scores rest on the
        judges' structure alone.

    Raises
    ------
    RankError
        If the panel does not allow the rank.

    Notes
    -----
    DIAL Propositions 1, 2, B.2, Corollary B.1, Condition 4 and Theorem C.5. The space is that of
    the judges' ridge scores cut to the rank.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> print(identify(bj.example_panel(), bj.example_votes()))
    synthetic panel (OSCAR G.1, seed 2609)
      fine     All 5 judges are identified by their own verdicts, position included.
      fine     245 distinct judges, pairs and orders stand against 25 coordinates.
    <BLANKLINE>
    synthetic votes (seed 2610)
      fine     The votes tell the 1 direction of the consensus apart.
      fine     The votes tell the 2 directions of consensus and disagreement apart.
      fine     All 8 items have votes, and votes link them.
      fine     The votes alone have a finite estimate.
      fine     The votes do not all point one way: calibration is finite.
    """
    prepared = designs(judges, humans)
    about = [each.data.source for each in prepared]
    space = _space(structure(judges, humans, rank=rank))
    of_judges = judges_identified(prepared[0], space)
    of_line = humans_identified(prepared[1], space[:, :1])
    of_space = humans_identified(prepared[1], space)
    told = [
        (_judges(of_judges, prepared[0]), about[0]),
        (_cells(of_judges), about[0]),
        (_directions(of_line, "the consensus"), about[1]),
        (_directions(of_space, "consensus and disagreement"), about[1]),
        (_coverage(of_line, prepared[1]), about[1]),
        (_alone(of_line), about[1]),
        (_separation(of_line), about[1]),
    ]
    if rank == 0:
        told = [each for each in told if each[0].topic != "consensus and disagreement"]
    return Diagnosis(
        tuple(
            Finding(one.topic, one.level, one.sentence, one.details, source) for one, source in told
        )
    )


def _space(base: Structure) -> np.ndarray:
    basis = helmert_basis(len(base.direction) + 1)
    return basis @ np.column_stack([base.direction, base.disagreement])


def _judges(found: JudgesIdentified, of: Design) -> Finding:
    names = np.array(of.data.judges)
    through = names[~found.alone & found.in_space].tolist()
    lost = names[~found.alone & ~found.in_space].tolist()
    details = {"through_space": through, "not_identified": lost}
    if lost:
        sentence = (
            f"Neither its own verdicts nor the shared space identify {listing(lost, NAMED)}: leave "
            "such judges out, or show them pairs in both orders."
        )
        return Finding("judges", "problem", sentence, details)
    if through:
        sentence = (
            f"{listing(through, NAMED)} cannot be told alone from {int(found.alone.sum())} others' "
            "help: the shared space identifies their scores and position."
        )
        return Finding("judges", "note", sentence, details)
    sentence = f"All {len(names)} judges are identified by their own verdicts, position included."
    return Finding("judges", "fine", sentence, details)


def _cells(found: JudgesIdentified) -> Finding:
    sentence = (
        f"{found.cells:,} distinct judges, pairs and orders stand against {found.coordinates:,} "
        "coordinates."
    )
    enough = found.cells >= found.coordinates
    return Finding("cells", "fine" if enough else "problem", sentence)


def _directions(found: HumansIdentified, words: str) -> Finding:
    topic, count = words.removeprefix("the "), f"{found.dimension} direction"
    count += "s" if found.dimension > 1 else ""
    if found.rank == found.dimension:
        return Finding(topic, "fine", f"The votes tell the {count} of {words} apart.")
    sentence = (
        f"The votes tell {found.rank} of the {count} of {words} apart: calibrate in a smaller "
        "space, or collect votes on other pairs."
    )
    return Finding(topic, "problem", sentence)


def _coverage(found: HumansIdentified, of: Design) -> Finding:
    names = np.array(of.items)
    bare, groups = names[~found.voted].tolist(), int(found.component.max()) + 1
    if groups == 1:
        sentence = f"All {len(names)} items have votes, and votes link them."
        return Finding("coverage", "fine", sentence)
    if bare:
        sentence = (
            f"No votes on {listing(bare, NAMED)}: their human scores rest on the judges' structure "
            "alone."
        )
    else:
        sentence = (
            f"Votes link the items in {groups} groups: differences between groups rest on the "
            "judges' structure alone."
        )
    return Finding("coverage", "warning", sentence, {"without_votes": bare, "groups": groups})


def _alone(found: HumansIdentified) -> Finding:
    if found.finite_alone:
        return Finding("votes alone", "fine", "The votes alone have a finite estimate.")
    sentence = (
        "The votes alone have no finite estimate: no chain of wins leads from every item to every "
        "other. The weight path has no human-only end."
    )
    return Finding("votes alone", "note", sentence)


def _separation(found: HumansIdentified) -> Finding:
    if not found.separated:
        sentence = "The votes do not all point one way: calibration is finite."
        return Finding("separation", "fine", sentence)
    sentence = (
        "Every vote follows the consensus, or none does: its calibration has no finite estimate; "
        "collect more votes, or keep a prior (bj.nuts)."
    )
    return Finding("separation", "problem", sentence)
