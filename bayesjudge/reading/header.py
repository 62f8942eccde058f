"""Column names of a table: known ones are found, missing and ambiguous ones refused."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from bayesjudge.core.wording import chosen_form, listing
from bayesjudge.errors import AmbiguousColumnError, MissingColumnError
from bayesjudge.reading.known_columns import (
    ITEM_PAIRS,
    ITEM_WORDS,
    KIND_PRIORITY,
    LENGTH_PAIRS,
    OUTCOME_WORDS,
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
    return _only_pair(roles, columns)


def _only_pair(
    roles: tuple[str, str], columns: Sequence[tuple[str, str]]
) -> tuple[str, str] | None:
    if len(columns) > 1:
        raise _ambiguous(roles, [" / ".join(pair) for pair in columns])
    return columns[0] if columns else None


def find_outcome_pair(roles: tuple[str, str], names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of winners and losers, where their names say so."""
    pairs = list(_item_outcomes(names))
    longer = [pair for pair in pairs if len(_words(pair[0])) > 1]
    return _only_pair(roles, longer or pairs)  # chosen_model, where chosen is the answer's text


def _item_outcomes(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield columns of winners and losers whose other words are those of items."""
    return ((won, lost) for won, lost, rest in outcome_pairs(names) if rest <= ITEM_WORDS)


def outcome_pairs(names: Sequence[str]) -> Iterator[tuple[str, str, set[str]]]:
    """Yield columns whose names differ in one word, winner and loser, and their other words."""
    by_words = {_words(name): name for name in names}
    for words, name in by_words.items():
        for place, word in enumerate(words):
            before, after = words[:place], words[place + 1 :]
            for won, lost in OUTCOME_WORDS:
                other = by_words.get((*before, lost, *after))
                if word == won and other is not None:
                    yield name, other, {*before, *after}


def _words(name: str) -> tuple[str, ...]:
    """Split a column's name into words: winner_model, "Winner Model" and winnerModel alike."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return tuple(re.findall(r"[^\W_]+", parted.casefold()))


def refuse_half_pair(
    roles: tuple[str, str], pairs: Sequence[ColumnPair], names: Sequence[str]
) -> None:
    """Raise where there is one column of a pair, but not the other."""
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
    spaced = [name for name in names if name != wanted and name.strip() == str(wanted).strip()]
    if spaced:
        hint = f" (there is {spaced[0]!r}, with spaces around it)"
    elif looks_like_values(names):
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


def refuse_spaced(names: Sequence[str], chosen: Iterable[str | None]) -> None:
    """Raise where columns would be known if there were no spaces around their names."""
    outcomes = list(_item_outcomes([name.strip() for name in names]))
    wanted = (*_KNOWN, *(name.casefold() for pair in outcomes for name in pair))
    spaced = [name for name in names if name != name.strip() and name not in tuple(chosen)]
    known = [name for name in spaced if matching([name.strip()], wanted)]
    if not known:
        return
    leads = all(name[0].isspace() for name in known)
    advice = (
        " (pandas.read_csv(..., skipinitialspace=True) does so where a space follows each comma)"
    )
    raise MissingColumnError(
        f"The column {chosen_form(len(known), 'name', 'names')} {listing(map(repr, known))} "
        f"{chosen_form(len(known), 'begins or ends', 'begin or end')} with spaces; take the "
        f"spaces out of the names and out of the cells{advice if leads else ''}."
    )


_KNOWN = (
    *(name for pair in (*ITEM_PAIRS, *LENGTH_PAIRS) for name in (pair.first, pair.second)),
    *(name for names in SINGLE_COLUMNS.values() for name in names),
    *(*PROMPT_PRIORITY, *KIND_PRIORITY),
)


def looks_like_values(names: Sequence[str]) -> bool:
    """Whether column names look like a row of the table."""
    pairs = (*ITEM_PAIRS, *LENGTH_PAIRS)
    lone = (*PROMPT_PRIORITY, *KIND_PRIORITY, *(x for xs in SINGLE_COLUMNS.values() for x in xs))
    if matching(names, lone) or any(
        len(matching(names, (pair.first, pair.second))) > 1 for pair in pairs
    ):
        return False
    labels = TIES.union(*VOCABULARIES.values())
    return len(set(names)) < len(names) or any(
        normal_label(name) in labels or label_number(name) is not None for name in names
    )
