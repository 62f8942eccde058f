"""Which program is fitted, to which data, and how."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bayesjudge as bj
from bayesjudge.core.wording import listing
from bayesjudge.errors import JudgeKindError, MissingFamilyError, UnknownOptionError
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.programs import PROGRAMS, Pair, ProgramName, TieRule, reads_votes

if TYPE_CHECKING:
    from bayesjudge.designs.terms import Term


POSITION: "tuple[Term, ...]" = ("position",)
NO_TERMS = "none"


@dataclass(frozen=True)
class Choice:
    """Which program is fitted, and how.

    Attributes
    ----------
    program : str
        Name of an offer of `bayesjudge.face.programs`.
    ties : {"half", "davidson"}
        Ties as half wins, or as a separate outcome.
    terms : tuple of {"position", "length", "family"}
        Judge-specific terms.
    seed : int
        Random seed.
    draws, warmup : int
        Draws of each chain that are kept, and warm-up draws before them.
    """

    program: ProgramName = "sensitivity"
    ties: TieRule = "half"
    terms: "tuple[Term, ...]" = POSITION
    seed: int = 1
    draws: int = 1000
    warmup: int = 500

    @property
    def pair(self) -> Pair:
        """The programs that are fitted."""
        offer = PROGRAMS[self.program]
        pair = offer.davidson if self.ties == "davidson" else offer.half
        if pair is None:
            others = listing([name for name, one in PROGRAMS.items() if one.davidson])
            raise UnknownOptionError(
                f"--program {self.program} has no --ties davidson; leave --ties out, so that a tie "
                f"counts as half a win for each item, or choose one of {others}."
            )
        return pair

    @property
    def with_votes(self) -> bool:
        """Whether human votes are part of the data that are fitted."""
        return reads_votes(self.pair)


def choose(
    inputs: Inputs,
    program: ProgramName | None,
    ties: TieRule,
    terms: str | None,
    sampling: Mapping[str, int],
) -> Choice:
    """Return the choice that the options and the data make."""
    name = program or ("bradley_terry" if inputs.judges.human.all() else "sensitivity")
    choice = Choice(name, ties, _terms(inputs, name, terms), **sampling)
    if choice.with_votes:
        _demand_both(inputs, name)
    return choice


def _demand_both(inputs: Inputs, program: ProgramName) -> None:
    """Raise where a program that reads judges and humans is given one of the two."""
    if inputs.judges.human.any():
        raise JudgeKindError(
            f"--program {program} needs verdicts of LLM judges beside human votes, and all "
            "verdicts are human; give the judges' file as FILE and the votes with --humans."
        )
    if inputs.humans is None:
        raise JudgeKindError(
            f"--program {program} needs human votes beside the judges' verdicts; give their file "
            "with --humans, or mark them in the file by a column judge_kind."
        )


def _terms(inputs: Inputs, program: ProgramName, given: str | None) -> "tuple[Term, ...]":
    """Return the terms asked for, or else position where the order of display is known."""
    known = bool(inputs.judges.order_known.any())
    if given is None:
        return POSITION if PROGRAMS[program].has_terms and known else ()
    names = () if given == NO_TERMS else tuple(name.strip() for name in given.split(","))
    if names and not PROGRAMS[program].has_terms:
        others = listing([name for name, offer in PROGRAMS.items() if offer.has_terms], 20)
        raise UnknownOptionError(
            f"--program {program} has no terms of judges; leave --terms out, or choose one of "
            f"{others}."
        )
    if "position" in names and not known:
        raise UnknownOptionError(
            "--terms position needs the order of display, and it is unknown in every row; leave "
            f"position out of --terms (--terms {NO_TERMS} where it is the only one)."
        )
    return names  # type: ignore[return-value]


def fit_data(inputs: Inputs, choice: Choice) -> "tuple[bj.Comparisons | bj.Design, ...]":
    """Return the data sets that the chosen program reads, the judges' laid out with its terms."""
    judges = inputs.judges
    families = families_of(judges) if "family" in choice.terms else None
    votes = inputs.humans if choice.with_votes else None
    tables = [judges] if votes is None else [judges, votes]
    items = sorted({name for table in tables for name in table.items})
    design = bj.design(judges, choice.terms, families=families, items=items)
    return (design,) if votes is None else (design, votes)


def families_of(judges: "bj.Comparisons") -> dict[str, str]:
    """Return the family of each item and judge by its name; raise where none is shared."""
    families = bj.organisation_families((*judges.items, *judges.judges))
    if not {families[name] for name in judges.items} & {families[x] for x in judges.judges}:
        raise MissingFamilyError(
            "--terms family finds no judge whose name shows the family of an item; leave family "
            "out of --terms, or give families in Python: bj.design(data, terms=..., families=...)."
        )
    return families


def families_sentence(judges: "bj.Comparisons") -> str:
    """Name the families that a judge and an item share, and how the other names count."""
    families = families_of(judges)
    members: dict[str, list[str]] = {}
    for name, family in families.items():
        members.setdefault(family, []).append(name)
    shared = {families[name] for name in judges.items} & {families[x] for x in judges.judges}
    words = [f"{family} ({listing(members[family])})" for family in sorted(shared)]
    return (
        f"Families that judges and items share, by their names: {listing(words)}. A name that "
        "shows no known organisation is a family of its own."
    )
