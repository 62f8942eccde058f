"""Findings on names that may not mean what they are read as."""

import pandas as pd

from bayesjudge.data.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.findings import Finding
from bayesjudge.data.suspect_names import (
    PEOPLE_ADVICE,
    missing_spelled,
    names_a_person,
    people_sentence,
    told_missing,
)


def missing_names_finding(data: Comparisons) -> Finding:
    """Name items, judges and prompts that spell a missing value.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    Finding
        A warning if there are any.
    """
    found = {
        "item": missing_spelled(
            pd.concat([_names(data.items, data.first), _names(data.items, data.second)])
        ),
        "judge": missing_spelled(_names(data.judges, data.judge)),
        "prompt": missing_spelled(_names(data.prompts, data.prompt)),
    }
    told = [f"the {told_missing(rows, what)}" for what, rows in found.items() if rows]
    details = {f"{what}s": rows for what, rows in found.items()}
    if not told:
        return Finding("missing names", "fine", "No name spells a missing value.", details)
    return Finding(
        "missing names",
        "warning",
        f"Some names spell a missing value and are kept as names ({'; '.join(told)}): take those "
        "rows out if nobody knows what they belong to.",
        details,
    )


def _names(names: tuple[str, ...], index: IntArray) -> pd.Series:
    return pd.Series(list(names), dtype=object).take(index)


def person_names_finding(data: Comparisons) -> Finding:
    """Name judges that count as LLMs, though nobody said so and their names are people's.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    Finding
        A warning if there are any.
    """
    unsaid = any(note.endswith(PEOPLE_ADVICE) for note in data.notes)
    found = [
        judge
        for judge, human in zip(data.judges, data.human, strict=True)
        if unsaid and not human and names_a_person(judge)
    ]
    if not found:
        sentence = "No judge named like a person is taken for a machine unasked."
        return Finding("judge kinds", "fine", sentence, {"judges": []})
    return Finding("judge kinds", "warning", people_sentence(found), {"judges": found})
