"""Which columns of a table are read, and as what."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayesjudge.core.wording import listing
from bayesjudge.errors import AmbiguousColumnError, MissingColumnError, UnknownOptionError
from bayesjudge.reading.cell_values import refuse_nested
from bayesjudge.reading.header import looks_like_values, matching
from bayesjudge.reading.known_columns import (
    ITEM_PAIRS,
    KIND_PRIORITY,
    LENGTH_PAIRS,
    PROMPT_PRIORITY,
    ROLES,
    SINGLE_COLUMNS,
)
from bayesjudge.reading.options import ReadOptions
from bayesjudge.reading.table_forms import PLAIN, SPECIAL_FORMS, TableForm
from bayesjudge.reading.tables import Table

_TEXT_LENGTH = 200  # characters; a longer "prompt" is the text itself, not an identifier


@dataclass(frozen=True)
class Plan:
    """What to fetch from a table.

    Attributes
    ----------
    form : TableForm
        How the table holds verdicts.
    roles : dict of str to str
        Role to column, as far as names decide.
    prompts, kinds : tuple of str
        Columns that may name the prompt, or say human or llm; their values decide.
    form_columns : dict of str to str
        The form's own columns.
    covariates : tuple of str
        Further columns asked for.
    has_consistency : bool
        Whether a column says that both orders of display agreed.
    """

    form: TableForm
    roles: dict[str, str]
    prompts: tuple[str, ...]
    kinds: tuple[str, ...]
    form_columns: dict[str, str]
    covariates: tuple[str, ...]
    has_consistency: bool


def plan_columns(names: Sequence[str], options: ReadOptions) -> Plan:
    """Decide which columns to fetch.

    Parameters
    ----------
    names : sequence of str
        Columns of the table.
    options : ReadOptions
        The user's overrides.

    Returns
    -------
    Plan
        Roles and candidates.

    Raises
    ------
    MissingColumnError, AmbiguousColumnError, UnknownOptionError
        If a role has no column, or two.
    """
    chosen = dict(options.columns)
    check_roles(chosen, names)
    for name in options.covariates:
        if name not in names:
            raise missing_column("a covariate", name, names)
    form = find_form(names, chosen)
    roles = {role: name for role, name in chosen.items() if name is not None}
    roles |= _item_roles(form, names, chosen)
    roles |= _length_roles(names, chosen)
    roles |= _single_roles(form, names, chosen)
    form_names = matching(names, (*form.needs, *form.may_have))
    return Plan(
        form=form,
        roles=roles,
        prompts=_candidates("prompt", PROMPT_PRIORITY, names, chosen),
        kinds=_candidates("judge_kind", KIND_PRIORITY, names, chosen),
        form_columns={name.casefold(): name for name in form_names},
        covariates=tuple(options.covariates),
        has_consistency=bool(matching(names, ("consistent",))),
    )


def find_form(names: Sequence[str], chosen: dict[str, str | None]) -> TableForm:
    """Recognise how the table holds verdicts.

    Parameters
    ----------
    names : sequence of str
        Columns of the table.
    chosen : dict of str to str or None
        The user's overrides; one for the verdict means one verdict column.

    Returns
    -------
    TableForm
        The form.

    Raises
    ------
    AmbiguousColumnError
        If the table fits two forms.
    """
    if chosen.get("verdict") is not None:
        return PLAIN
    forms = [form for form in SPECIAL_FORMS if len(matching(names, form.needs)) == len(form.needs)]
    taken = {name for form in forms for name in form.needs}
    plain = [x for x in matching(names, SINGLE_COLUMNS["verdict"]) if x.casefold() not in taken]
    if len(forms) + bool(plain) > 1:
        ways = [*(listing(form.needs) for form in forms), *plain]
        raise AmbiguousColumnError(
            f"The table holds verdicts in more than one way ({'; '.join(ways)}); choose with "
            "columns={'verdict': ...}, or drop the columns that are not meant."
        )
    return forms[0] if forms else PLAIN


def _item_roles(
    form: TableForm, names: Sequence[str], chosen: dict[str, str | None]
) -> dict[str, str]:
    roles = ("item_first", "item_second")
    if all(chosen.get(role) for role in roles):
        return {}
    pairs = ITEM_PAIRS if form.items is None else (form.items,)
    pair = find_pair(roles, pairs, names)
    if pair is None:
        side, known = half_of_pair(pairs, names) or (0, ", ".join(first for first, _ in pairs))
        raise missing_column(roles[side], known, names)
    return dict(zip(roles, pair, strict=True))


def _length_roles(names: Sequence[str], chosen: dict[str, str | None]) -> dict[str, str]:
    roles = ("length_first", "length_second")
    given = [role for role in roles if chosen.get(role) is not None]
    if len(given) == 1:
        other = roles[1 - roles.index(given[0])]
        raise missing_column(other, "the other length", names)
    if any(role in chosen for role in roles):
        return {}
    pair = find_pair(roles, LENGTH_PAIRS, names)
    half = half_of_pair(LENGTH_PAIRS, names)
    if pair is None and half is not None:
        raise missing_column(roles[half[0]], half[1], names)
    return dict(zip(roles, pair, strict=True)) if pair else {}


def _single_roles(
    form: TableForm, names: Sequence[str], chosen: dict[str, str | None]
) -> dict[str, str]:
    found = {}
    for role in SINGLE_COLUMNS:
        if role in chosen or (role == "verdict" and form is not PLAIN):
            continue
        column = find_single(role, names)
        if column is not None:
            found[role] = column
    if form is PLAIN and "verdict" not in found and not chosen.get("verdict"):
        raise missing_column("verdict", ", ".join(SINGLE_COLUMNS["verdict"]), names)
    if form.name == "win counts" and "weight" in found:
        raise AmbiguousColumnError(
            f"The table has win counts and also {found['weight']!r}, which could be a weight; "
            "say that it is not one with columns={'weight': None}."
        )
    return found


def _candidates(
    role: str, priority: Sequence[str], names: Sequence[str], chosen: dict[str, str | None]
) -> tuple[str, ...]:
    return () if role in chosen else tuple(matching(names, priority))


def fetch_roles(table: Table, plan: Plan) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Fetch the planned columns under the names of their roles.

    Parameters
    ----------
    table : Table
        The opened table.
    plan : Plan
        What to fetch.

    Returns
    -------
    frame : pandas.DataFrame
        Columns by role, the form's columns in lower case, covariates under ``covariate:name``,
        and ``source_row``.
    notes : tuple of str
        Which prompt column was chosen, and from which; a column of swaps that was not read.

    Raises
    ------
    NestedValueError
        If a cell holds a list or a dict.
    """
    wanted = {
        *plan.roles.values(),
        *plan.prompts,
        *plan.kinds,
        *plan.form_columns.values(),
        *plan.covariates,
    }
    raw = table.fetch([name for name in table.names if name in wanted])
    prompt, notes = _choose_prompt(raw, plan)
    roles = plan.roles | prompt | _choose_kind(raw, plan)
    columns = {role: raw[name] for role, name in roles.items()}
    columns |= {key: raw[name] for key, name in plan.form_columns.items()}
    columns |= {f"covariate:{name}": raw[name] for name in plan.covariates}
    notes += _swap_notes(table.names)
    frame = pd.DataFrame(columns | {"source_row": np.arange(len(raw))})
    return refuse_nested(frame, roles | plan.form_columns), notes


def _swap_notes(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"Column {name!r} was not read: the item named first counts as the item shown first, and "
        "verdicts as given in that order."
        for name in matching(names, ("swapped", "is_swapped", "swap"))
    )


def _choose_prompt(raw: pd.DataFrame, plan: Plan) -> tuple[dict[str, str], tuple[str, ...]]:
    if "prompt" in plan.roles:
        return {}, ()
    usable = [name for name in plan.prompts if not _is_text(name, raw[name])]
    if not usable:
        return {}, tuple(map(_text_note, plan.prompts))
    if len(usable) == 1:
        return {"prompt": usable[0]}, ()
    note = (
        f"Prompts are read from column {usable[0]!r}, although {listing(usable[1:])} could name "
        "them too; choose with columns={'prompt': ...}."
    )
    return {"prompt": usable[0]}, (note,)


def _text_note(name: str) -> str:
    return (
        f"Column {name!r} holds the text of prompts instead of their names, and was not read; "
        f"say columns={{'prompt': {name!r}}} to read it all the same."
    )


def _is_text(name: str, values: pd.Series) -> bool:
    """Whether a column called "prompt" holds the prompts' text instead of their names."""
    return name.casefold() == "prompt" and any(map(_reads_as_text, values.tolist()))


def _reads_as_text(value: object) -> bool:
    if isinstance(value, str):
        return len(value) > _TEXT_LENGTH or "\n" in value
    return isinstance(value, list | dict | np.ndarray)


def _choose_kind(raw: pd.DataFrame, plan: Plan) -> dict[str, str]:
    if "judge_kind" in plan.roles:
        return {}
    for name in plan.kinds:
        words = {text.strip().casefold() for text in raw[name].map(str).unique()}
        if name.casefold() == "judge_kind" or words <= {"human", "llm"}:
            return {"judge_kind": name}
    return {}


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


def _ambiguous(
    role: str, found: Sequence[str], roles: Sequence[str] | None = None
) -> AmbiguousColumnError:
    example = ", ".join(f"{one!r}: ..." for one in (roles or (role,)))
    return AmbiguousColumnError(
        f"The columns {listing(found)} could each be the {role}; choose with columns={{{example}}}."
    )
