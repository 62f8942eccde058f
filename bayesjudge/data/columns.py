"""Which column plays which role: the names that are known, and how one is chosen.

Names are compared without regard to letter case. Where two columns could play one role, the user
must choose; only the prompt has an order of priority, because tables often carry several ids.
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence

from bayesjudge.data.labels import TIES, VOCABULARIES, label_number, normal_label
from bayesjudge.data.names import listing
from bayesjudge.errors import AmbiguousColumnError, MissingColumnError, UnknownOptionError

ITEM_PAIRS = (
    ("item_first", "item_second"),
    ("item_a", "item_b"),
    ("slot_a", "slot_b"),
    ("model_a", "model_b"),
    ("model_1", "model_2"),
    ("model_a_name", "model_b_name"),
    ("model_x", "model_y"),
    ("generator_1", "generator_2"),
    ("left", "right"),
    ("first", "second"),
    ("player0", "player1"),
    ("player1", "player2"),
)

LENGTH_PAIRS = (
    ("length_first", "length_second"),
    ("length_a", "length_b"),
    ("len_a", "len_b"),
    ("a_len", "b_len"),
    ("sum_assistant_a_tokens", "sum_assistant_b_tokens"),
)

SINGLE_COLUMNS: dict[str, tuple[str, ...]] = {
    "verdict": (
        "verdict",
        "winner",
        "choice",
        "decision",
        "judge_preferred_model",
        "label",
        "preference",
        "result",
        "vote",
        "outcome",
        "chosen_model_name",
    ),
    "judge": (
        "judge",
        "judge_model",
        "judge_name",
        "annotator",
        "worker",
        "voter_id",
        "judge_id",
        "rater",
    ),
    "weight": ("weight", "count", "n", "counts"),
    "repeat": ("repeat", "repetition", "sample_index", "rep"),
    "order_known": ("order_known",),
    "outcome_detail": ("outcome_detail",),
    "turn": ("turn",),
}

PROMPT_PRIORITY = (
    "prompt_id",
    "question_id",
    "qid",
    "uid",
    "instruction_index",
    "prompt",
    "evaluation_session_id",
    "idx",
    "pair_id",
    "item_id",
    "id",
)

KIND_PRIORITY = ("judge_kind", "kind", "source")

ROLES = (
    *("item_first", "item_second", "verdict", "judge", "judge_kind", "prompt"),
    *("length_first", "length_second", "weight", "repeat", "order_known", "outcome_detail", "turn"),
)


def check_roles(columns: Mapping[str, str | None], names: Sequence[str]) -> None:
    """Refuse an override that names no role, or a column that is not there.

    Parameters
    ----------
    columns : mapping of str to str or None
        Role to column; None says that no column plays the role.
    names : sequence of str
        Columns of the table.

    Raises
    ------
    UnknownOptionError
        If a role is not one of `ROLES`.
    MissingColumnError
        If a column is not in the table.
    """
    for role, name in columns.items():
        if role not in ROLES:
            raise UnknownOptionError(
                f"`columns` has no role {role!r}; the roles are {listing(ROLES, 20)}."
            )
        if name is not None and name not in names:
            raise missing_column(role, name, names)


def missing_column(role: str, wanted: str, names: Sequence[str]) -> MissingColumnError:
    """Say which column is missing, which are there, and which look near.

    Parameters
    ----------
    role : str
        What the column is needed for.
    wanted : str
        The name, or names, looked for.
    names : sequence of str
        Columns of the table.

    Returns
    -------
    MissingColumnError
        To be raised by the caller.
    """
    folded = {name.casefold(): name for name in names}
    tries = [part.strip() for part in wanted.casefold().split(",")]
    near = {folded[close] for one in tries for close in difflib.get_close_matches(one, folded)}
    hint = f" (near: {listing(sorted(near))})" if near else ""
    if looks_like_values(names):
        hint = ", which look like a row, so that the line of column names seems to be missing"
    return MissingColumnError(
        f"No column for {role} ({wanted}) is among {listing(names, 20) or 'no columns'}{hint}; "
        f"name yours with columns={{{role!r}: 'its name'}}."
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


def find_single(role: str, names: Sequence[str]) -> str | None:
    """Find the one column that plays a role.

    Parameters
    ----------
    role : str
        A key of `SINGLE_COLUMNS`.
    names : sequence of str
        Columns of the table.

    Returns
    -------
    str or None
        The column's name as written.

    Raises
    ------
    AmbiguousColumnError
        If there are two.
    """
    found = matching(names, SINGLE_COLUMNS[role])
    if len(found) > 1:
        raise _ambiguous(role, found)
    return found[0] if found else None


def find_pair(
    roles: tuple[str, str], pairs: Sequence[tuple[str, str]], names: Sequence[str]
) -> tuple[str, str] | None:
    """Find the two columns that describe the first and the second item.

    Parameters
    ----------
    roles : tuple of str
        The two roles, for messages.
    pairs : sequence of tuple of str
        Known pairs of names, such as `ITEM_PAIRS`.
    names : sequence of str
        Columns of the table.

    Returns
    -------
    tuple of str or None
        The two columns, as written.

    Raises
    ------
    AmbiguousColumnError
        If two pairs are there.
    """
    found = [
        (first, second)
        for pair in pairs
        for first in matching(names, pair[:1])
        for second in matching(names, pair[1:])
    ]
    if len(found) > 1:
        raise _ambiguous(" and ".join(roles), [" / ".join(pair) for pair in found], roles)
    return found[0] if found else None


def half_of_pair(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> tuple[int, str] | None:
    """Say which side is missing, and its name, where only half of a known pair is there."""
    for pair in pairs:
        found = [bool(matching(names, (name,))) for name in pair]
        if any(found) and not all(found):
            side = found.index(False)
            return side, pair[side]
    return None


def matching(names: Iterable[str], known: Sequence[str]) -> list[str]:
    """List the columns with one of the known names, in the known order, whatever their case."""
    names = list(names)
    return [name for one in known for name in names if name.casefold() == one]


def _ambiguous(
    role: str, found: Sequence[str], roles: Sequence[str] | None = None
) -> AmbiguousColumnError:
    example = ", ".join(f"{one!r}: ..." for one in (roles or (role,)))
    return AmbiguousColumnError(
        f"The columns {listing(found)} could each be the {role}; choose with columns={{{example}}}."
    )
