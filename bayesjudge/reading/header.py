"""Column names of a table: known ones are found, missing and ambiguous ones refused."""

import difflib
from collections.abc import Iterable, Sequence

from bayesjudge.core.wording import listing
from bayesjudge.errors import AmbiguousColumnError, MissingColumnError
from bayesjudge.reading.known_columns import (
    ITEM_PAIRS,
    KIND_PRIORITY,
    LENGTH_PAIRS,
    PROMPT_PRIORITY,
    SINGLE_COLUMNS,
    ColumnPair,
)
from bayesjudge.reading.labels import TIES, VOCABULARIES, label_number, normal_label


def matching(names: Sequence[str], known: Iterable[str]) -> list[str]:
    """Return the columns with one of the known names, in the known order, whatever their case."""
    return [name for wanted in known for name in names if name.casefold() == wanted]


def find_single(role: str, names: Sequence[str]) -> str | None:
    """Return the one column that plays a role."""
    columns = matching(names, SINGLE_COLUMNS[role])
    if len(columns) > 1:
        raise _ambiguous((role,), columns)
    return columns[0] if columns else None


def find_pair(
    roles: tuple[str, str], pairs: Sequence[ColumnPair], names: Sequence[str]
) -> tuple[str, str] | None:
    """Return the two columns that describe the first and the second item."""
    columns = [
        (first, second)
        for pair in pairs
        for first in matching(names, (pair.first,))
        for second in matching(names, (pair.second,))
    ]
    if len(columns) > 1:
        raise _ambiguous(roles, [" / ".join(pair) for pair in columns])
    if not columns:
        _refuse_half_pair(roles, pairs, names)
    return columns[0] if columns else None


def _refuse_half_pair(
    roles: tuple[str, str], pairs: Sequence[ColumnPair], names: Sequence[str]
) -> None:
    for pair in pairs:
        if matching(names, (pair.first,)):
            raise missing_column(roles[1], pair.second, names)
        if matching(names, (pair.second,)):
            raise missing_column(roles[0], pair.first, names)


def _ambiguous(roles: Sequence[str], columns: Sequence[str]) -> AmbiguousColumnError:
    example = ", ".join(f"{role!r}: ..." for role in roles)
    return AmbiguousColumnError(
        f"The columns {listing(columns)} could each be the {' and '.join(roles)}; choose with "
        f"columns={{{example}}}."
    )


def missing_column(role: str, wanted: str, names: Sequence[str]) -> MissingColumnError:
    """Return the error that names a missing column, the columns there are and the near ones."""
    folded = {name.casefold(): name for name in names}
    tries = [part.strip() for part in str(wanted).casefold().split(",")]
    near = {folded[close] for one in tries for close in difflib.get_close_matches(one, folded)}
    hint = f" (near: {listing(sorted(near))})" if near else ""
    if looks_like_values(names):
        hint = ", which look like a row, so that the line of column names seems to be missing"
    return MissingColumnError(
        f"No column for {role} ({wanted}) is among {listing(names, 20) or 'no columns'}{hint}; "
        f"name yours with columns={{{role!r}: 'its name'}}."
    )


def refuse_repeated(names: Sequence[str]) -> None:
    """Raise where two columns have one name."""
    repeated = sorted({name for name in names if names.count(name) > 1})
    if not repeated:
        return
    if looks_like_values(names):
        raise AmbiguousColumnError(
            f"The table has two columns named {repeated[0]!r} and none with a known name, so that "
            "the line of column names seems to be missing; add it as the first line."
        )
    raise AmbiguousColumnError(
        f"The table has two columns named {repeated[0]!r}; rename or drop one of them."
    )


def looks_like_values(names: Sequence[str]) -> bool:
    """Whether column names look like a row of the table."""
    pairs = (*ITEM_PAIRS, *LENGTH_PAIRS)
    known = (*PROMPT_PRIORITY, *KIND_PRIORITY, *(x for xs in SINGLE_COLUMNS.values() for x in xs))
    if matching(names, known) or any(
        len(matching(names, (pair.first, pair.second))) > 1 for pair in pairs
    ):
        return False
    labels = TIES.union(*VOCABULARIES.values())
    return len(set(names)) < len(names) or any(
        normal_label(name) in labels or label_number(name) is not None for name in names
    )
