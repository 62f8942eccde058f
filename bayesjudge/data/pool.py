"""Several tables of comparisons as one."""

from collections.abc import Sequence

import numpy as np

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.errors import JudgeKindError


def pool_comparisons(*data: Comparisons) -> Comparisons:
    """Put several tables under one list of items, judges and prompts.

    Parameters
    ----------
    *data : Comparisons
        The tables; names that are equal mean the same item, judge or prompt.

    Returns
    -------
    Comparisons
        All rows; lengths only if every table has them, and no further covariates.

    Raises
    ------
    JudgeKindError
        If a judge is human in one table and an LLM in another.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.data.pool import pool_comparisons
    >>> one = bj.read({"left": ["x"], "right": ["y"], "winner": ["left"], "judge": ["j"]})
    >>> other = bj.read({"left": ["y"], "right": ["z"], "winner": ["tie"]}, kind="human")
    >>> pool_comparisons(one, other).items
    ('x', 'y', 'z')
    """
    items, item = _union([one.items for one in data])
    judges, judge = _union([one.judges for one in data])
    prompts, prompt = _union([one.prompts for one in data])
    return Comparisons(
        items=items,
        judges=judges,
        prompts=prompts,
        first=np.concatenate([new[one.first] for new, one in zip(item, data, strict=True)]),
        second=np.concatenate([new[one.second] for new, one in zip(item, data, strict=True)]),
        verdict=np.concatenate([one.verdict for one in data]),
        judge=np.concatenate([new[one.judge] for new, one in zip(judge, data, strict=True)]),
        prompt=np.concatenate([new[one.prompt] for new, one in zip(prompt, data, strict=True)]),
        human=_kinds(data, judges, judge),
        order_known=np.concatenate([one.order_known for one in data]),
        weight=np.concatenate([one.weight for one in data]),
        repeat=np.concatenate([one.repeat for one in data]),
        source_row=np.concatenate([one.source_row for one in data]),
        **_lengths(data),
        dropped=tuple(dropped for one in data for dropped in one.dropped),
        notes=tuple(note for one in data for note in one.notes),
        source=" + ".join(one.source for one in data),
    )


def _union(names: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], list[IntArray]]:
    """Join lists of names, and give each list's places in the joined one."""
    joined = tuple(sorted({name for part in names for name in part}))
    place = {name: i for i, name in enumerate(joined)}
    return joined, [np.array([place[name] for name in part], dtype=np.int64) for part in names]


def _kinds(
    data: Sequence[Comparisons], judges: tuple[str, ...], places: list[IntArray]
) -> BoolArray:
    human = np.zeros(len(judges), dtype=bool)
    machine = np.zeros(len(judges), dtype=bool)
    for one, place in zip(data, places, strict=True):
        human[place[one.human]] = True
        machine[place[~one.human]] = True
    both = np.flatnonzero(human & machine)
    if len(both):
        raise JudgeKindError(
            f"Judges {listing([judges[j] for j in both])} are human in one table and LLM in "
            "another; give the people and the models different names."
        )
    return human


def _lengths(data: Sequence[Comparisons]) -> dict:
    if any(one.length_first is None or one.length_second is None for one in data):
        return {}
    return {
        name: np.concatenate([getattr(one, name) for one in data])
        for name in ("length_first", "length_second")
    }
