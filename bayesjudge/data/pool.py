"""Several tables of comparisons as one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.errors import JudgeKindError

_KEPT = ("verdict", "order_known", "weight", "repeat")
_LENGTHS = ("length_first", "length_second")
_NAMED = 4  # sources that the name of a pool lists


def pool_comparisons(*tables: Comparisons) -> Comparisons:
    """Put several tables under one list of items, judges and prompts, joined by their names.

    Made-up prompts of different tables stay apart; lengths and covariates are kept where all
    tables have them.
    """
    items, item = _union([table.items for table in tables])
    judges, judge = _union([table.judges for table in tables])
    prompts, prompt = _union([_prompt_names(tables, place) for place in range(len(tables))])
    complete = all(getattr(table, name) is not None for table in tables for name in _LENGTHS)
    kept = (*_KEPT, *_LENGTHS) if complete else _KEPT
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(table, name) for table in tables]) for name in kept
    }
    starts = _first_rows(tables)
    return Comparisons(
        items=items,
        judges=judges,
        prompts=prompts,
        first=_renumbered(tables, "first", item),
        second=_renumbered(tables, "second", item),
        judge=_renumbered(tables, "judge", judge),
        prompt=_renumbered(tables, "prompt", prompt),
        human=_kinds(tables, judges, judge),
        **joined,
        source_row=np.concatenate(
            [table.source_row + start for table, start in zip(tables, starts, strict=True)]
        ),
        covariates=_shared_covariates(tables),
        outcome_detail=_details(tables),
        dropped=tuple(dropped for table in tables for dropped in table.dropped),
        notes=tuple(note for table in tables for note in table.notes),
        source=_joined_name([table.source for table in tables]),
        sources=tuple(
            replace(source, start=source.start + start)
            for table, start in zip(tables, starts, strict=True)
            for source in table.places.sources
        ),
        kinds_stated=all(table.kinds_stated for table in tables),
        prompts_stated=all(table.prompts_stated for table in tables),
    )


def _first_rows(tables: Sequence[Comparisons]) -> list[int]:
    """Return where each table's rows start among those of all."""
    sizes = [int(table.source_row.max()) + 1 for table in tables]
    return [0, *np.cumsum(sizes[:-1]).tolist()]


def _joined_name(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return " + ".join([*names[:_NAMED], f"{more} more"] if more > 1 else names)


def _shared_covariates(tables: Sequence[Comparisons]) -> tuple[tuple[str, FloatArray], ...]:
    columns = [dict(table.covariates) for table in tables]
    shared = [name for name in columns[0] if all(name in column for column in columns)]
    return tuple((name, np.concatenate([each[name] for each in columns])) for name in shared)


def _details(tables: Sequence[Comparisons]) -> tuple[str, ...] | None:
    """Return the labels as given, empty for tables whose labels say no more than the verdict."""
    if all(table.outcome_detail is None for table in tables):
        return None
    labels = (table.outcome_detail or ("",) * table.n_rows for table in tables)
    return tuple(label for part in labels for label in part)


def _prompt_names(tables: Sequence[Comparisons], place: int) -> tuple[str, ...]:
    names, stated = tables[place].prompts, tables[place].prompts_stated
    sources = [table.source for table in tables]
    source = sources[place] if len(set(sources)) == len(sources) else f"table {place + 1}"
    return names if stated else tuple(f"{name} of {source}" for name in names)


def _union(names: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], list[IntArray]]:
    """Return all names in sorted order, and the place of each table's names among them."""
    joined = tuple(sorted({name for part in names for name in part}))
    place = {name: i for i, name in enumerate(joined)}
    return joined, [np.array([place[name] for name in part], dtype=np.int64) for part in names]


def _renumbered(tables: Sequence[Comparisons], field: str, places: list[IntArray]) -> IntArray:
    indices = (getattr(table, field) for table in tables)
    return np.concatenate([place[index] for place, index in zip(places, indices, strict=True)])


def _kinds(
    tables: Sequence[Comparisons], judges: tuple[str, ...], places: list[IntArray]
) -> BoolArray:
    human = np.zeros(len(judges), dtype=bool)
    machine = np.zeros(len(judges), dtype=bool)
    for table, place in zip(tables, places, strict=True):
        human[place[table.human]] = True
        machine[place[~table.human]] = True
    both = np.flatnonzero(human & machine)
    if len(both):
        raise JudgeKindError(
            f"Judges {listing([judges[j] for j in both])} are human in one table and LLM in "
            "another; give the people and the models different names."
        )
    return human
