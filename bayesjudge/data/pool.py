"""Several tables of comparisons as one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.errors import JudgeKindError

_KEPT = ("verdict", "order_known", "weight", "repeat", "source_row")
_LENGTHS = ("length_first", "length_second")


def pool_comparisons(*tables: Comparisons) -> Comparisons:
    """Put several tables under one list of items, judges and prompts, joined by their names.

    Made-up prompts of different tables stay apart; lengths are kept where all tables have them.
    """
    items, item = _union([table.items for table in tables])
    judges, judge = _union([table.judges for table in tables])
    prompts, prompt = _union([_prompt_names(tables, place) for place in range(len(tables))])
    complete = all(getattr(table, name) is not None for table in tables for name in _LENGTHS)
    kept = (*_KEPT, *_LENGTHS) if complete else _KEPT
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(table, name) for table in tables]) for name in kept
    }
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
        dropped=tuple(dropped for table in tables for dropped in table.dropped),
        notes=tuple(note for table in tables for note in table.notes),
        source=" + ".join(table.source for table in tables),
        kinds_stated=all(table.kinds_stated for table in tables),
        prompts_stated=all(table.prompts_stated for table in tables),
    )


def _prompt_names(tables: Sequence[Comparisons], place: int) -> tuple[str, ...]:
    names, stated = tables[place].prompts, tables[place].prompts_stated
    return names if stated else tuple(f"{name} of table {place + 1}" for name in names)


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
