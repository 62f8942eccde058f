"""Names that may not mean what they are read as: missing, human-looking or nearly alike."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from bayesjudge.core.wording import chosen_form, counted, listing

_MISSING_WORDS = frozenset({"nan", "none", "null", "na", "n/a", "<na>"})
_PEOPLE = ("human", "annotator", "author_", "expert_", "rater", "worker", "user")
_PERSON = frozenset({"author", "expert"})


def spells_missing(name: str) -> bool:
    """Whether a name is a word by which tools write a missing value."""
    return name.strip().casefold() in _MISSING_WORDS


def names_a_person(judge: str) -> bool:
    """Whether a judge is named as people are in tables of verdicts."""
    folded = judge.strip().casefold()
    return folded in _PERSON or folded.startswith(_PEOPLE)


def missing_spelled(names: pd.Series) -> dict[str, int]:
    """Count the rows of names that spell a missing value."""
    spelled = sorted(name for name in pd.unique(names) if spells_missing(name))
    return {name: int((names == name).sum()) for name in spelled}


def missing_spelled_notes(names: pd.Series, what: str) -> tuple[str, ...]:
    """Return a sentence on the names that spell a missing value and are kept, if there are any."""
    rows = missing_spelled(names)
    if not rows:
        return ()
    verb = chosen_form(
        len(rows),
        "spells a missing value and is kept as a name",
        "spell a missing value and are kept as names",
    )
    advice = f"take those rows out if the {what} is not known"
    return (f"The {missing_name_list(rows, what)} {verb}; {advice}.",)


def missing_name_list(rows: Mapping[str, int], what: str) -> str:
    """List names with their rows, for example ``"judges 'NA' (2 rows) and 'None' (1 row)"``."""
    names = [f"{name!r} ({counted(number, 'row')})" for name, number in rows.items()]
    return f"{chosen_form(len(rows), what, what + 's')} {listing(names)}"


def people_sentence(judges: Sequence[str]) -> str:
    """Write which judges are LLMs by default although their names are those of people."""
    one = len(judges) == 1
    judged = f"Judge {judges[0]} was" if one else f"Judges {listing(judges)} were"
    return (
        f"{judged} classified as {'an LLM' if one else 'LLMs'} by default; say kind='human' (or "
        f"human_judges=) if {'this is a person' if one else 'these are people'}."
    )


def alike_names(names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Group names that differ only in outer spaces, letter case, Unicode form or as a number."""
    groups = defaultdict(list)
    for name in names:
        groups[_plain_number(unicodedata.normalize("NFC", name.strip().casefold()))].append(name)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1))


_WHOLE = re.compile(r"(-?\d+)(\.0*)?", re.ASCII)


def whole_number(name: str) -> str | None:
    """Return a whole number without its decimal zeros: 81 for ``"81.0"``, None for other names."""
    match = _WHOLE.fullmatch(name)
    return match[1] if match else None


def _plain_number(name: str) -> str:
    """Return whole numbers without decimal zeros and leading zeros, other names as they are."""
    number = whole_number(name)
    if number is None:
        return name
    sign = "-" if number.startswith("-") else ""
    return sign + (number.removeprefix("-").lstrip("0") or "0")


def alike_sentences(names: Iterable[str], what: str) -> tuple[str, ...]:
    """Write which names look alike and were kept apart."""
    return tuple(
        f"The {what} {listing([repr(name) for name in group])} look alike and are kept apart; "
        "rename them before reading if they are the same."
        for group in alike_names(names)
    )
