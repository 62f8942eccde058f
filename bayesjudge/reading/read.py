"""Reading verdicts from whatever people keep them in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import demand_mapping
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.wording import chosen_form, listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.odd_names import alike_sentences
from bayesjudge.data.places import ROLE_WORDS, Source
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.errors import BayesjudgeError, UnreadableFileError
from bayesjudge.reading.cell_values import refuse_nested
from bayesjudge.reading.leave_out import leave_out
from bayesjudge.reading.measures import measured_rows, with_lengths
from bayesjudge.reading.options import BothBad, JudgeKind, MissingLength, RaiseOrDrop, ReadOptions
from bayesjudge.reading.plan import COVARIATE, LENGTHS, fetch_roles, plan_columns
from bayesjudge.reading.row_names import (
    identified_rows,
    kinds_stated,
    refuse_unknown_judges,
)
from bayesjudge.reading.sources import open_tables
from bayesjudge.reading.tables import Table
from bayesjudge.reading.verdicts import contradiction_notes, decode_verdicts


def read(
    source: Any,  # noqa: ANN401 - any dataframe is welcome
    kind: JudgeKind | None = None,
    *,
    columns: Mapping[str, str | None] | None = None,
    verdicts: str | Mapping[Any, str] | None = None,
    human_judges: Iterable[str] = (),
    covariates: Iterable[str] = (),
    order_known: bool | None = None,
    on_missing: RaiseOrDrop = "raise",
    on_invalid: RaiseOrDrop = "raise",
    on_self: RaiseOrDrop = "raise",
    missing_length: MissingLength = "raise",
    both_bad: BothBad = "raise",
) -> Comparisons:
    """Read a table of verdicts, and refuse whatever could be read in two ways.

    Nothing is repaired in silence: rows are left out only on request, and then counted.

    Parameters
    ----------
    source : path, dataframe, list of dict, dict of columns, or a list of paths or tables
        A file (``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.ndjson``, each also ``.gz``, or
        ``.parquet``), a pandas, Polars (eager or lazy), PyArrow or DuckDB table, a list of rows
        as dicts, or a dict of columns. Text files are read as text: an item called "NA" keeps
        its name, and only an empty field is missing. One row is one presentation of two items to
        one judge; tables with one-hot columns (``winner_model_a``, ...), the winner's name and
        ``both_equal``, two games a row (``g1_winner``, ``g2_winner``, or Arena-Hard's ``games``),
        or counts (``win1``, ``win2``) are rewritten so. Columns named for the outcome (``chosen``
        and ``rejected``, ``winner_model`` and ``loser_model``, ...) need no verdict: every row is
        a win, and the order of display is unknown. Files in a list are read one by one and joined
        by the names of items, judges and prompts; notes say which columns only some of them have.
        Names that are whole numbers are written without decimals, so that 81.0 meets 81.
    kind : {"llm", "human"}, optional
        What the judges are. By default a column ``judge_kind`` (or ``kind`` or ``source``, if it
        holds nothing but "human" and "llm") says so, and without one they are LLMs.
    columns : mapping of str to str or None, optional
        Role to column, where the names are not known ones: ``{"verdict": "my column"}``. Roles:
        ``item_first``, ``item_second`` (in the order shown), ``verdict``, ``judge``,
        ``judge_kind``, ``prompt``, ``length_first``, ``length_second``, ``weight``, ``repeat``,
        ``order_known``, ``outcome_detail``, ``turn``, ``consistent`` (whether both orders, merged
        into one row, agreed). None says that no column plays the role.
        Known names are looked up without regard to case (`bayesjudge.reading.known_columns`).
    verdicts : str or mapping, optional
        How to read verdict labels. By default words are read by one vocabulary a column
        (model_a / model_b, left / right, a / b / c, A>B, ...) or as the winner's name, and
        numbers are refused. ``"slot"`` or ``"winner"`` decides between the two; a mapping such
        as ``{1: "first", 0: "second", 0.5: "tie"}`` or ``{True: "first", False: "second"}``, for
        truth values and for the words True and False alike, or the name of a source (``"pandalm"``,
        ``"arena-rank"``, ...; `bayesjudge.reading.labels`) says what numbers mean.
    human_judges : iterable of str, optional
        Names of judges that are people.
    covariates : iterable of str, optional
        Further numeric columns to keep.
    order_known : bool, optional
        Whether the item named first was shown first. By default a column ``order_known`` says so;
        without one it is True, except for sources known to lose the order and for columns named
        for the outcome.
    on_missing, on_invalid, on_self : {"raise", "drop"}
        What to do with rows that have no verdict, a failed one (error, unknown, garbage, null,
        -1), or one item on both sides.
    missing_length : {"raise", "keep", "drop"}
        What to do with rows without a length, if there are columns of lengths.
    both_bad : {"raise", "tie", "drop"}
        What ties of a special sort are: ``tie (bothbad)``, ``both_bad``, ``bothbad_vote``,
        ``tie (inconsistent)``. Ties that a column ``consistent`` denies stand for two games with
        different winners; they are ties unless dropped here.

    Returns
    -------
    Comparisons
        The validated table; ``.describe()`` says in sentences what was read, by which columns, and
        which columns were not used.

    Raises
    ------
    UnreadableFileError, MissingColumnError, AmbiguousColumnError
        If the source cannot be read, or a role has no column or several.
    UnknownOptionError, NotMappingError
        If an argument is not among its allowed values.
    UnknownVerdictError, NumericVerdictError, AmbiguousVerdictError
        If a label has no single meaning, or says that the item in a column of losers won.
    MissingVerdictError, InvalidVerdictError, SelfComparisonError
        If there are such rows and they are not left out on request.
    MissingItemError, MissingIdentifierError, MixedIdentifierError, JudgeKindError
        If names are missing or clash.
    UnwritableNameError, NestedValueError
        If a name holds control characters, or a cell a list or a dict.
    MissingCovariateError, InvalidCovariateError, InvalidWeightError
        If numbers are missing or wrong.
    EmptyComparisonsError
        If no row is left; the message counts the rows left out by reason.

    Notes
    -----
    Messages count the rows of ``.csv``, ``.tsv``, ``.jsonl`` and ``.ndjson`` files by the line of
    the file at which they start, as an editor does: the first line, with the names of columns, is
    line 1. Other rows are counted by their position, from 0.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.read(
    ...     {
    ...         "left": ["gpt-4", "claude-v1", "gpt-4"],
    ...         "right": ["claude-v1", "gpt-4", "llama-13b"],
    ...         "winner": ["left", "tie", "left"],
    ...         "judge": ["X", "X", "Y"],
    ...         "question_id": [81, 81, 82],
    ...     }
    ... )
    >>> data
    Comparisons(3 rows, 3 items, 2 judges, 2 prompts, source='frame')
    >>> votes = bj.read({"chosen": ["gpt-4"], "rejected": ["llama-13b"], "judge": ["ann"]}, "human")
    >>> print(votes.describe().splitlines()[-1])
    Row 0: gpt-4 (order of display unknown) beat llama-13b on prompt row-0 for judge ann.
    """
    options = ReadOptions(
        kind=kind,
        columns=demand_mapping(
            "columns", {} if columns is None else columns, "{'verdict': 'my column'}"
        ),
        verdicts=verdicts,
        human_judges=_names(human_judges),
        covariates=_names(covariates),
        order_known=order_known,
        on_missing=on_missing,
        on_invalid=on_invalid,
        on_self=on_self,
        missing_length=missing_length,
        both_bad=both_bad,
    )
    tables = [_read_table(table, options) for table in open_tables(source)]
    data = tables[0] if len(tables) == 1 else _joined(tables)
    refuse_unknown_judges(data.judges, options)
    return data


def _read_table(table: Table, options: ReadOptions) -> Comparisons:
    with _named(table.source):
        plan = plan_columns(table.names, options)
        frame, plan, plan_notes = fetch_roles(table, plan)
        rows = plan.form.expand(frame, plan.places(frame))
        games = rows[["verdict", "source_row"]]  # a list of games may hold anything
        refuse_nested(games, plan.roles, plan.places(rows))
        rows, name_notes = identified_rows(rows, plan, options)
        coding = "slot" if plan.form.own_words else options.verdicts
        decoded = decode_verdicts(rows, coding, options.both_bad, plan.places(rows))
        rows = with_lengths(rows.assign(code=decoded.code, label=decoded.text), plan)
        rows, dropped = leave_out(rows, options, plan)
        tie_notes = contradiction_notes(rows, plan.roles.get("consistent"))
        rows, number_notes = measured_rows(rows, plan, options)
        return _comparisons(
            rows,
            graded=decoded.graded,
            dropped=dropped,
            notes=(*plan_notes, *name_notes, *tie_notes, *number_notes),
            source=table.source,
            sources=(plan.source,),
            kinds_stated=kinds_stated(frame, options),
            prompts_stated="prompt" in frame,
        )


@contextmanager
def _named(source: str) -> Iterator[None]:
    """Say in errors which file they are about, where they do not do so themselves."""
    try:
        yield
    except UnreadableFileError:
        raise
    except BayesjudgeError as error:
        if source != "frame":
            error.args = (f"{source}: {error}",)
        raise


def _joined(tables: Sequence[Comparisons]) -> Comparisons:
    """Join tables by the names of items, judges and prompts; say what differs between them."""
    data = pool_comparisons(*tables)
    common = [note for note in tables[0].notes if all(note in table.notes for table in tables)]
    single = [
        f"{table.source}: {note}" for table in tables for note in table.notes if note not in common
    ]
    told = {note for table in tables for note in table.notes}
    alike = [
        sentence
        for what in ("items", "judges", "prompts")
        for sentence in alike_sentences(getattr(data, what), what)
        if sentence not in told
    ]
    return replace(data, notes=(*_differences(data.sources), *alike, *common, *single))


_WITHOUT = {  # what follows for the rows of a table without such a column
    "judge": "the other verdicts belong to a judge of unknown name",
    "judge_kind": "the other judges are what `kind` and `human_judges` say",
    "prompt": "each of the other rows counts as a prompt of its own",
    "length_first": "lengths are left out",
    "weight": "each of the other rows counts once",
    "repeat": "no other row is a repetition",
    "turn": "it is left out",
}


def _differences(sources: Sequence[Source]) -> list[str]:
    """Write which roles only some of the tables have, and that judges may be told by the file."""
    roles = [{role for role, _ in source.columns} for source in sources]
    having = {
        role: [source.name for source, own in zip(sources, roles, strict=True) if role in own]
        for role in _WITHOUT
    }
    notes = [
        f"Only {listing(names)} {chosen_form(len(names), 'has', 'have')} a column for the "
        f"{ROLE_WORDS.get(role, role)}: {_WITHOUT[role]}."
        for role, names in having.items()
        if 0 < len(names) < len(sources)
    ]
    if len(sources) - len(having["judge"]) > 1:
        notes.append(
            "More than one table lacks a column of judges; if each holds the verdicts of another "
            "judge, add such a column, because they now count as one judge."
        )
    return notes


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return names if isinstance(names, str) else tuple(names)  # type: ignore[return-value]


def _comparisons(rows: pd.DataFrame, *, graded: bool, **about: Any) -> Comparisons:  # noqa: ANN401
    """Return the table, its items, judges and prompts in the order of their names."""
    both, items = _numbered(pd.concat([rows["item_first"], rows["item_second"]]))
    judge, judges = _numbered(rows["judge"])
    prompt, prompts = _numbered(rows["prompt"])
    human = np.zeros(len(judges), dtype=bool)
    human[judge] = rows["human"].to_numpy()
    kept = ["order_known", "weight", "repeat", "source_row", *(x for x in LENGTHS if x in rows)]
    columns: dict[str, Any] = {name: rows[name].to_numpy() for name in kept}
    return Comparisons(
        items=items,
        judges=judges,
        prompts=prompts,
        first=both[: len(rows)],
        second=both[len(rows) :],
        verdict=rows["code"].to_numpy(),
        judge=judge,
        prompt=prompt,
        human=human,
        covariates=_covariates(rows),
        outcome_detail=_details(rows, graded),
        **columns,
        **about,
    )


def _numbered(names: pd.Series) -> tuple[IntArray, tuple[str, ...]]:
    """Return the place of each name among the distinct ones in sorted order, and these."""
    codes, unique = pd.factorize(names)
    distinct = [str(name) for name in unique.tolist()]
    order = sorted(range(len(distinct)), key=distinct.__getitem__)
    return np.argsort(order)[codes], tuple(distinct[i] for i in order)


def _covariates(rows: pd.DataFrame) -> tuple[tuple[str, FloatArray], ...]:
    return tuple(
        (name.removeprefix(COVARIATE), rows[name].to_numpy())
        for name in rows.columns
        if name.startswith(COVARIATE)
    )


def _details(rows: pd.DataFrame, graded: bool) -> tuple[str, ...] | None:
    if "outcome_detail" in rows:
        return tuple(rows["outcome_detail"].fillna("").astype(str))
    return tuple(rows["label"]) if graded else None
