"""Which columns of a table are read, and as what: first by their names, then by their values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from bayesjudge.core.wording import listing
from bayesjudge.data.places import Places, Source
from bayesjudge.errors import AmbiguousColumnError, MissingColumnError, UnknownOptionError
from bayesjudge.reading.cell_values import refuse_nested, tells_truth
from bayesjudge.reading.header import (
    find_outcome_pair,
    find_pair,
    find_single,
    matching,
    missing_column,
    outcome_pairs,
    refuse_half_pair,
    refuse_repeated,
    refuse_spaced,
)
from bayesjudge.reading.known_columns import (
    ITEM_PAIRS,
    KIND_PRIORITY,
    LENGTH_PAIRS,
    PROMPT_PRIORITY,
    ROLES,
    SINGLE_COLUMNS,
    STRENGTH_COLUMNS,
    SWAP_COLUMNS,
    ColumnPair,
)
from bayesjudge.reading.options import ReadOptions
from bayesjudge.reading.table_forms import PLAIN, SPECIAL_FORMS, WON, TableForm
from bayesjudge.reading.tables import Table

COVARIATE = "covariate:"  # before a covariate's name, where columns bear the names of their roles
ITEMS, LENGTHS = ("item_first", "item_second"), ("length_first", "length_second")
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
        Columns that may name the prompt, or the kind of judge; their values decide.
    form_columns : dict of str to str
        The form's own columns, by their known names.
    covariates : tuple of str
        Further columns asked for.
    order_lost : str
        Why the names of columns say that the order of display is unknown, if they do.
    length_unit : str
        What lengths count, if not characters.
    winner : {"", "item_first", "item_second"}
        Which of the two columns of items holds the winners, where their names say so and the user
        chose no column of verdicts.
    agreed : bool
        Whether a column of verdicts, found by its name, must agree with them.
    source : Source
        The table: where its rows stand, and which columns are used; known once it is fetched.
    """

    form: TableForm
    roles: dict[str, str]
    prompts: tuple[str, ...]
    kinds: tuple[str, ...]
    form_columns: dict[str, str]
    covariates: tuple[str, ...]
    order_lost: str
    length_unit: str
    winner: str = ""
    agreed: bool = False
    source: Source = field(default_factory=Source)

    def places(self, rows: pd.DataFrame) -> Places:
        """Return where rows stand in the table."""
        return Places((self.source,), rows["source_row"].to_numpy())


type _Chosen = Mapping[str, str | None]


def plan_columns(names: Sequence[str], options: ReadOptions) -> Plan:
    """Decide which columns to fetch."""
    chosen = options.columns
    refuse_repeated(names)
    refuse_spaced(names, chosen.values())
    _check_chosen(chosen, options.covariates, names)
    form = _find_form(names, chosen)
    items, lengths = _item_columns(form, names, chosen), _length_columns(names, chosen)
    others = [name for name in names if name not in items.values()]
    named = _named_winner(items)
    winner = "" if chosen.get("verdict") else named
    if winner and form is PLAIN and not _verdict_column(others, chosen):
        form = WON[winner]
    roles = items | lengths | _single_columns(form, names, chosen, items)
    form_names = matching(names, (*form.needs, *form.may_have))
    return Plan(
        form=form,
        roles=roles,
        prompts=() if "prompt" in chosen else tuple(matching(others, PROMPT_PRIORITY)),
        kinds=() if "judge_kind" in chosen else tuple(matching(others, KIND_PRIORITY)),
        form_columns={name.casefold(): name for name in form_names},
        covariates=options.covariates,
        order_lost=_order_lost(roles, named),
        length_unit=_known_pair(lengths, LENGTH_PAIRS).unit,
        winner=winner,
        agreed=form is PLAIN,
    )


def _named_winner(items: Mapping[str, str]) -> str:
    """Return the role of the column of winners, where the names of the two columns say so."""
    winners = [won for won, _, _ in outcome_pairs(tuple(items.values()))]
    return next((role for role, name in items.items() if name in winners), "")


def _verdict_column(names: Sequence[str], chosen: _Chosen) -> str | None:
    return chosen["verdict"] if "verdict" in chosen else find_single("verdict", names)


def _check_chosen(chosen: _Chosen, covariates: Sequence[str], names: Sequence[str]) -> None:
    """Raise where the user names no role, or a column that is not there."""
    for role, name in chosen.items():
        if role not in ROLES:
            raise UnknownOptionError(
                f"`columns` has no role {role!r}; the roles are {listing(ROLES, 20)}."
            )
        if name is not None and name not in names:
            raise missing_column(role, name, names)
    for name in covariates:
        if name not in names:
            raise missing_column("a covariate", name, names)


def _find_form(names: Sequence[str], chosen: _Chosen) -> TableForm:
    """Recognise how the table holds verdicts."""
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


def _item_columns(form: TableForm, names: Sequence[str], chosen: _Chosen) -> dict[str, str]:
    if any(chosen.get(role) is not None for role in ITEMS):
        return _chosen_pair(ITEMS, "the other item", names, chosen)
    pairs = ITEM_PAIRS if form.items is None else (form.items,)
    pair = find_pair(ITEMS, pairs, names)
    if pair is None and form.items is None:
        pair = find_outcome_pair(ITEMS, names)
    if pair is None:
        refuse_half_pair(ITEMS, pairs, names)
        raise missing_column("item_first", ", ".join(pair.first for pair in pairs), names)
    return dict(zip(ITEMS, pair, strict=True))


def _length_columns(names: Sequence[str], chosen: _Chosen) -> dict[str, str]:
    if any(role in chosen for role in LENGTHS):
        return _chosen_pair(LENGTHS, "the other length", names, chosen)
    pair = find_pair(LENGTHS, LENGTH_PAIRS, names)
    if pair is None:
        refuse_half_pair(LENGTHS, LENGTH_PAIRS, names)
    return {} if pair is None else dict(zip(LENGTHS, pair, strict=True))


def _chosen_pair(
    roles: tuple[str, str], other: str, names: Sequence[str], chosen: _Chosen
) -> dict[str, str]:
    """Return the columns chosen for two roles, both or none."""
    pair = {role: name for role in roles if (name := chosen.get(role)) is not None}
    if len(pair) == 1:
        (missing,) = set(roles) - set(pair)
        raise missing_column(missing, other, names)
    return pair


def _single_columns(
    form: TableForm, names: Sequence[str], chosen: _Chosen, items: Mapping[str, str]
) -> dict[str, str]:
    others = [name for name in names if name not in items.values()]
    columns = {
        role: name
        for role, name in chosen.items()
        if name is not None and role not in (*ITEMS, *LENGTHS)
    }
    for role in SINGLE_COLUMNS:
        if role in chosen or (role == "verdict" and form is not PLAIN):
            continue
        column = find_single(role, others)
        if column is not None:
            columns[role] = column
    if form is PLAIN and "verdict" not in columns:
        raise missing_column("verdict", ", ".join(SINGLE_COLUMNS["verdict"]), names)
    if form.counts and "weight" in columns:
        raise AmbiguousColumnError(
            f"The table has win counts and also {columns['weight']!r}, which could be a weight; "
            "say that it is not one with columns={'weight': None}."
        )
    return columns


def _order_lost(roles: Mapping[str, str], named_winner: str) -> str:
    if named_winner:
        first, second = (roles[role] for role in ITEMS)
        return (
            f"Columns {first!r} and {second!r} are named for the outcome, not for the order shown"
        )
    known = _known_pair({role: roles[role] for role in ITEMS}, ITEM_PAIRS).order_lost
    if known or "consistent" not in roles:
        return known
    return f"Column {roles['consistent']!r} shows that each row merges both orders of display"


def _known_pair(roles: Mapping[str, str], pairs: Sequence[ColumnPair]) -> ColumnPair:
    """Return what is known of a pair of columns, which may be nothing."""
    names = [name.casefold() for name in roles.values()]
    known = (pair for pair in pairs if [pair.first, pair.second] == names)
    return next(known, ColumnPair("", ""))


def fetch_roles(table: Table, plan: Plan) -> tuple[pd.DataFrame, Plan, tuple[str, ...]]:
    """Fetch the planned columns under the names of their roles, and complete the plan."""
    wanted = {
        *plan.roles.values(),
        *plan.prompts,
        *plan.kinds,
        *plan.form_columns.values(),
        *plan.covariates,
    }
    raw = table.fetch([name for name in table.names if name in wanted])
    plan = replace(plan, source=Source(table.source, lines=table.lines(len(raw))))
    _refuse_answers(raw, plan)
    prompt, prompt_notes = _choose_prompt(raw, plan)
    roles = plan.roles | prompt | _choose_kind(raw, plan)
    names = roles | plan.form_columns | {COVARIATE + name: name for name in plan.covariates}
    columns = {role: raw[name] for role, name in names.items()}
    frame = pd.DataFrame(columns | {"source_row": np.arange(len(raw))})
    refuse_nested(frame.drop(columns=list(plan.form.lists)), names, plan.places(frame))
    frame, roles, notes = _readable_consistency(frame, roles)
    source = _accounted(table.names, replace(plan, roles=roles))
    notes = (*prompt_notes, *notes, *_winner_notes(plan), *_unread_notes(source.unused))
    return frame, replace(plan, roles=roles, source=source), notes


def _accounted(names: Sequence[str], plan: Plan) -> Source:
    """Return the source with the columns that are used, by role, and those that are not."""
    words = {"item_first": "loser", "item_second": "loser", plan.winner: "winner"}
    used = [
        (words[role] if plan.winner and role in ITEMS else role, name)
        for role, name in plan.roles.items()
    ]
    taken = set(plan.roles.values())
    used += [("verdict", name) for name in plan.form_columns.values() if name not in taken]
    used += [("covariate", name) for name in plan.covariates]
    used.sort(key=lambda pair: names.index(pair[1]))
    taken = {name for _, name in used}
    unused = tuple(name for name in names if name not in taken)
    return replace(plan.source, columns=tuple(used), unused=unused)


def _readable_consistency(
    frame: pd.DataFrame, roles: dict[str, str]
) -> tuple[pd.DataFrame, dict[str, str], tuple[str, ...]]:
    """Leave out a column of consistency that does not say true or false."""
    if "consistent" not in roles or tells_truth(frame["consistent"]):
        return frame, roles, ()
    note = (
        f"Column {roles['consistent']!r} holds other values than true and false, so that ties of "
        "contradicting games cannot be told from other ties."
    )
    rest = {role: name for role, name in roles.items() if role != "consistent"}
    return frame.drop(columns="consistent"), rest, (note,)


def _refuse_answers(raw: pd.DataFrame, plan: Plan) -> None:
    """Raise where columns called chosen and rejected hold the answers themselves."""
    columns = [plan.roles[role] for role in ITEMS]
    if plan.winner and any(_reads_as_text(value) for name in columns for value in raw[name]):
        first, second = columns
        raise MissingColumnError(
            f"Columns {first!r} and {second!r} hold the texts of answers instead of the names of "
            "items; name the columns of the items with columns={'item_first': ..., "
            "'item_second': ...}."
        )


def _winner_notes(plan: Plan) -> tuple[str, ...]:
    if plan.form is not WON.get(plan.winner):
        return ()
    won = plan.roles[plan.winner]
    ties = (
        f", but for ties in {listing(map(repr, plan.form_columns.values()))}"
        if plan.form_columns
        else ""
    )
    return (f"Every row is read as a win of the item in column {won!r}{ties}.",)


def _unread_notes(unused: Sequence[str]) -> tuple[str, ...]:
    swaps = (
        f"Column {name!r} was not read: the item named first counts as the item shown first, and "
        "verdicts as given in that order."
        for name in matching(unused, SWAP_COLUMNS)
    )
    strengths = (
        f"Column {name!r} was not read: every verdict counts alike, however sure the judge was."
        for name in matching(unused, STRENGTH_COLUMNS)
    )
    return (*swaps, *strengths)


def _choose_prompt(raw: pd.DataFrame, plan: Plan) -> tuple[dict[str, str], tuple[str, ...]]:
    if "prompt" in plan.roles:
        return {}, ()
    usable = [name for name in plan.prompts if not _holds_texts(name, raw[name])]
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


def _holds_texts(name: str, values: pd.Series) -> bool:
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
