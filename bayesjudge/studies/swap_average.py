"""Swap-and-average: one averaged preference a pair shown in both orders."""

import numpy as np

from bayesjudge.data.arrays import FloatArray, IntArray
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.studies.swap_groups import SwapGroups, swap_groups


def swap_average(data: Comparisons) -> Comparisons:
    r"""Average each exact-swap group into one record of weight one.

    The mean score y of a group's first item (by name) is a fraction, and a verdict is not. It is
    written as a win of weight y and a loss of weight 1 - y of the group's prompt, which together
    add to the log loss what one record with the score y would:

    .. math:: y \log\sigma(\eta) + (1 - y) \log\{1 - \sigma(\eta)\} = y \eta - \log(1 + e^\eta)

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    Comparisons
        One or two rows a group, for programs that count ties as half wins, such as the paper's J:
        ``bj.mode(bj.models.sensitivity, bj.design(swap_average(data), terms=()))``. The order of
        display is unknown, since it is averaged out; lengths and covariates are not carried over.

    Raises
    ------
    NoSwapsError
        If no pair was shown in both orders.
    NotComparisonsError
        If the verdicts have not been read.

    Notes
    -----
    OSCAR Section 6.2 and Appendix D.4. The two orders count equally, however often each was shown.
    Use standard errors by prompt: the two rows of a group are one record, and ``cluster="row"``
    would take them for two.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y"], "right": ["y", "x"], "winner": ["left", "tie"], "prompt": "p"}
    >>> averaged = swap_average(bj.read(table | {"prompt": ["p", "p"]}))
    >>> averaged.to_frame()[["item_first", "item_second", "verdict", "weight"]]
      item_first item_second verdict  weight
    0          x           y   first    0.75
    1          x           y  second    0.25
    """
    groups = swap_groups(data)
    score = groups.item_score
    weight = np.concatenate([score, 1 - score])
    verdict = np.repeat([FIRST, SECOND], len(groups))
    order = np.argsort(np.tile(np.arange(len(groups)), 2), kind="stable")
    kept = order[weight[order] > 0]
    return _records(groups, kept % len(groups), verdict[kept], weight[kept])


def _records(
    groups: SwapGroups, group: IntArray, verdict: IntArray, weight: FloatArray
) -> Comparisons:
    data, size = groups.data, len(group)
    head = groups.row[np.flatnonzero(np.diff(groups.group, prepend=-1))]
    every = Comparisons(
        items=data.items,
        judges=data.judges,
        prompts=data.prompts,
        first=groups.item[group],
        second=groups.other[group],
        verdict=verdict,
        judge=groups.judge[group],
        prompt=groups.prompt[group],
        human=data.human,
        order_known=np.zeros(size, dtype=bool),
        weight=weight,
        repeat=np.ones(size, dtype=np.int64),
        source_row=data.source_row[head[group]],
        notes=(*data.notes, "Each row is part of the average over both orders of a pair."),
        source=f"swap averages of {data.source}",
    )
    return every.select(np.ones(size, dtype=bool))  # only the names that still occur
