"""Lines of column names: known names found in them, and lines that seem to be missing."""

from collections.abc import Iterable, Sequence

from bayesjudge.errors import AmbiguousColumnError
from bayesjudge.reading.known_columns import (
    ITEM_PAIRS,
    KIND_PRIORITY,
    LENGTH_PAIRS,
    PROMPT_PRIORITY,
    SINGLE_COLUMNS,
)
from bayesjudge.reading.labels import TIES, VOCABULARIES, label_number, normal_label


def matching(names: Iterable[str], known: Sequence[str]) -> list[str]:
    """List the columns with one of the known names, in the known order, whatever their case."""
    names = list(names)
    return [name for one in known for name in names if name.casefold() == one]


def refuse_repeated(names: Sequence[str]) -> None:
    """Refuse a table with two columns of one name."""
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated and looks_like_values(names):
        raise AmbiguousColumnError(
            f"The table has two columns named {repeated[0]!r} and none with a known name, so that "
            "the line of column names seems to be missing; add it as the first line."
        )
    if repeated:
        raise AmbiguousColumnError(
            f"The table has two columns named {repeated[0]!r}; rename or drop one of them."
        )


def looks_like_values(names: Sequence[str]) -> bool:
    """Whether column names look like a row of the table.

    Parameters
    ----------
    names : sequence of str
        Columns of the table.

    Returns
    -------
    bool
        True if no known name is among them, but a verdict's label, a number, or one name twice.

    Examples
    --------
    >>> looks_like_values(["q1", "gpt-4", "alpaca", "llama", "model_a"])
    True
    >>> looks_like_values(["model_a", "model_b", "preferred"])
    False
    """
    pairs = (*ITEM_PAIRS, *LENGTH_PAIRS)
    singles = [
        *PROMPT_PRIORITY,
        *KIND_PRIORITY,
        *(x for known in SINGLE_COLUMNS.values() for x in known),
    ]
    if matching(names, singles) or any(len(matching(names, pair)) > 1 for pair in pairs):
        return False
    labels = TIES.union(*VOCABULARIES.values())
    return len(set(names)) < len(names) or any(
        normal_label(name) in labels or label_number(name) is not None for name in names
    )
