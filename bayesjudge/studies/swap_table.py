"""How often each judge prefers the first slot: on matched swaps, and over all its verdicts."""

import numpy as np
import pandas as pd

from bayesjudge.data.arrays import BoolArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.report.intervals import demand_level, level_words
from bayesjudge.report.table import Table
from bayesjudge.studies.clustered_mean import ClusteredMean, clustered_mean
from bayesjudge.studies.swap_groups import SwapGroups, swap_groups

UNIT = "difference of probabilities"


def swap_table(data: Comparisons, prob: float = 0.95) -> Table:
    r"""Describe each judge's first-slot preference without any model.

    Parameters
    ----------
    data : Comparisons
        The verdicts; rows of unknown order are left aside.
    prob : float
        Level of the intervals.

    Returns
    -------
    Table
        One row a judge, by name: ``swap_preference``, the mean over exact-swap groups of the score
        of the first slot in both orders, less one; ``all_preference``, first wins minus second
        wins over all verdicts; ``_lower`` and ``_upper`` of both by prompt-cluster standard errors
        and t critical values; ``groups`` and ``verdicts``, how many there are. NaN where a judge
        has no swaps.

    Raises
    ------
    NoSwapsError
        If no judge saw a pair in both orders.
    NotComparisonsError
        If the verdicts have not been read.
    UnknownOptionError
        If the level is not a probability.

    Notes
    -----
    .. math:: d_m = \bar Y_m^{AB} + \bar Y_m^{BA} - 1, \qquad
              \hat D_k^{\text{all}} = 2 \bar Y_k - 1

    OSCAR, Appendix C.4. `all_preference` also holds the quality of what happened to be shown first;
    `swap_preference` does not. Both average over the quality gaps there are, and a clear gap leaves
    less to the position: they lie nearer to zero than D = tanh(position / 2), which is for equally
    good answers.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y", "x", "y"], "right": ["y", "x", "y", "x"]}
    >>> table |= {"winner": ["left", "left", "left", "tie"], "prompt": ["p", "p", "q", "q"]}
    >>> swap_table(bj.read(table))[["groups", "swap_preference", "all_preference"]]
    First-slot preference without a model, 95 % intervals by prompt. swap_preference,
    all_preference: difference of probabilities.
       groups  swap_preference  all_preference
    0       2            0.750           0.750
    """
    demand_level(prob)
    groups = swap_groups(data)
    rows = [_row(groups, judge, prob) for judge in range(data.n_judges)]
    caption = f"First-slot preference without a model, {level_words(prob)} by prompt."
    names = [
        f"{kind}_preference{end}" for kind in ("swap", "all") for end in ("", "_lower", "_upper")
    ]
    return Table(pd.DataFrame(rows), caption=caption, units=dict.fromkeys(names, UNIT))


def _row(groups: SwapGroups, judge: int, prob: float) -> dict[str, object]:
    of_groups, of_all = _swap_mean(groups, judge), _all_mean(groups.data, judge)
    return {
        "judge": groups.data.judges[judge],
        **_columns("swap_preference", of_groups, prob),
        **_columns("all_preference", of_all, prob),
        "groups": int((groups.judge == judge).sum()),
        "verdicts": float(groups.data.weight[_of_known_order(groups.data, judge)].sum()),
    }


def _swap_mean(groups: SwapGroups, judge: int) -> ClusteredMean:
    own = groups.judge == judge
    return clustered_mean(groups.first_preference[own], np.ones(int(own.sum())), groups.prompt[own])


def _all_mean(data: Comparisons, judge: int) -> ClusteredMean:
    chosen = _of_known_order(data, judge)
    slot = (1 - data.verdict[chosen]).astype(np.float64)  # 1, 0, -1
    return clustered_mean(slot, data.weight[chosen], data.prompt[chosen])


def _of_known_order(data: Comparisons, judge: int) -> BoolArray:
    return (data.judge == judge) & data.order_known


def _columns(name: str, found: ClusteredMean, prob: float) -> dict[str, float]:
    lower, upper = found.interval(prob)
    return {name: found.value, f"{name}_lower": lower, f"{name}_upper": upper}
