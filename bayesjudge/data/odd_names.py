"""Names that may not mean what they are read as: missing, human-looking or nearly alike."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

import pandas as pd

from bayesjudge.core.wording import chosen_form, counted, listing

_MISSING_WORDS = frozenset({"nan", "none", "null", "na", "n/a", "<na>"})


_PEOPLE = ("human", "annotator", "author_", "expert_", "rater", "worker", "user")


_PERSON = frozenset({"author", "expert"})


# Also the mark by which a diagnosis knows that nobody has said what the judges are.
PEOPLE_ADVICE = "say kind='human' (or human_judges=) if these are people."


def spells_missing(name: str) -> bool:
    """Whether a name is a word by which tools write a missing value.

    Examples
    --------
    >>> spells_missing("NaN"), spells_missing("nano")
    (True, False)
    """
    return name.strip().casefold() in _MISSING_WORDS


def names_a_person(judge: str) -> bool:
    """Whether a judge is named as people are in tables of verdicts.

    Examples
    --------
    >>> names_a_person("Annotator-3"), names_a_person("gpt-4")
    (True, False)
    """
    folded = judge.strip().casefold()
    return folded in _PERSON or folded.startswith(_PEOPLE)


def missing_spelled(names: pd.Series) -> dict[str, int]:
    """Count the rows of names that spell a missing value.

    Parameters
    ----------
    names : pandas.Series of str
        One name a row.

    Returns
    -------
    dict of str to int
        Rows by name, in the order of the names.
    """
    found = sorted(name for name in pd.unique(names) if spells_missing(name))
    return {name: int((names == name).sum()) for name in found}


def missing_spelled_notes(names: pd.Series, what: str) -> tuple[str, ...]:
    """Say which names spell a missing value and are kept.

    Parameters
    ----------
    names : pandas.Series of str
        One name a row.
    what : str
        What they name, in the singular.

    Returns
    -------
    tuple of str
        One sentence, or none.
    """
    found = missing_spelled(names)
    if not found:
        return ()
    verb = chosen_form(
        len(found),
        "spells a missing value and is kept as a name",
        "spell a missing value and are kept as names",
    )
    advice = f"take those rows out if the {what} is not known"
    return (f"The {told_missing(found, what)} {verb}; {advice}.",)


def told_missing(found: Mapping[str, int], what: str) -> str:
    """List names with their rows, for example ``"judges 'NA' (2 rows) and 'None' (1 row)"``."""
    told = [f"{name!r} ({counted(rows, 'row')})" for name, rows in found.items()]
    return f"{chosen_form(len(found), what, what + 's')} {listing(told)}"


def people_sentence(judges: Iterable[str]) -> str:
    """Say which judges are read as machines although their names are those of people.

    Parameters
    ----------
    judges : iterable of str
        One name or more.

    Returns
    -------
    str
        A sentence that ends in `PEOPLE_ADVICE`.
    """
    names = list(judges)
    verb = chosen_form(len(names), "is read as a machine", "are read as machines")
    return f"{chosen_form(len(names), 'Judge', 'Judges')} {listing(names)} {verb}; {PEOPLE_ADVICE}"


def alike_names(names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Find names that differ only in outer spaces, letter case or Unicode composition.

    Parameters
    ----------
    names : iterable of str
        Different names.

    Returns
    -------
    tuple of tuple of str
        Groups of names that look alike, each with two names or more.

    Examples
    --------
    >>> alike_names(["gpt-4", "GPT-4 ", "claude"])
    (('GPT-4 ', 'gpt-4'),)
    """
    groups = defaultdict(list)
    for name in names:
        groups[unicodedata.normalize("NFC", name.strip().casefold())].append(name)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1))


def alike_sentences(names: Iterable[str], what: str) -> tuple[str, ...]:
    """Say which names look alike and were kept apart.

    Parameters
    ----------
    names : iterable of str
        Different names.
    what : str
        What they name, in the plural.

    Returns
    -------
    tuple of str
        One sentence a group.
    """
    return tuple(
        f"The {what} {listing([repr(name) for name in group])} look alike and are kept apart; "
        "rename them before reading if they are the same."
        for group in alike_names(names)
    )
