"""Each judge's position effect from matched swaps, whatever the items' qualities are."""

import numpy as np
import pandas as pd

from bayesjudge.data.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.comparisons import FIRST, TIE, Comparisons
from bayesjudge.errors import FractionalCountError
from bayesjudge.report.intervals import demand_level, level_words, normal_half_width
from bayesjudge.report.table import Table
from bayesjudge.studies.conditional_likelihood import SwapCounts, jeffreys_position
from bayesjudge.studies.swap_groups import SwapGroups, swap_groups

UNITS = {
    "position": "log-odds",
    "standard_error": "log-odds",
    "net_first_preference": "difference of probabilities",
}


def conditional_position(data: Comparisons, prob: float = 0.95) -> Table:
    """Estimate each judge's position effect by conditional logistic regression on matched swaps.

    Parameters
    ----------
    data : Comparisons
        The verdicts. Ties are left out first, and so are rows of unknown order.
    prob : float
        Level of the intervals.

    Returns
    -------
    Table
        One row a judge, by name: ``position`` with ``_lower`` and ``_upper`` and
        ``standard_error`` (log-odds), ``net_first_preference`` (D = tanh(position / 2)) with its
        ends, ``groups`` (how many speak of position: decided for both answers), ``separated``
        (whether only the Jeffreys correction keeps the estimate finite). NaN without such groups.

    Raises
    ------
    NoSwapsError
        If no judge saw a pair in both orders.
    NotComparisonsError
        If the verdicts have not been read.
    FractionalCountError
        If rows stand for parts of verdicts.
    UnknownOptionError
        If the level is not a probability.

    Notes
    -----
    OSCAR, Appendix D.2. Quality has an intercept of its own in each group, so that neither scores
    nor their differences between prompts are modelled. Errors come from the information and take
    the verdicts of a group as independent given its quality.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {"left": ["x", "y"] * 3, "right": ["y", "x"] * 3, "winner": ["left"] * 6}
    >>> found = conditional_position(bj.read(table | {"prompt": ["p", "p", "q", "q", "r", "r"]}))
    >>> found[["position", "standard_error", "groups", "separated"]]
    Position from matched swaps (conditional likelihood, Jeffreys), 95 % intervals.
    position, standard_error: log-odds.
       position  standard_error  groups  separated
    0     0.973           0.873       3       True
    """
    demand_level(prob)
    groups = swap_groups(data)
    counts = swap_counts(groups)
    rows = [_row(counts.select(groups.judge == judge), prob) for judge in range(data.n_judges)]
    table = pd.DataFrame(rows)
    table.insert(0, "judge", data.judges)
    caption = (
        f"Position from matched swaps (conditional likelihood, Jeffreys), {level_words(prob)}."
    )
    return Table(table, caption=caption, units=UNITS)


def swap_counts(groups: SwapGroups) -> SwapCounts:
    """Count decided verdicts by group, order and choice.

    Parameters
    ----------
    groups : SwapGroups
        The exact-swap groups.

    Returns
    -------
    SwapCounts
        One entry a group, without ties.

    Raises
    ------
    FractionalCountError
        If the weights of a group's verdicts do not add to whole numbers.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.studies.swap_groups import swap_groups
    >>> table = {"left": ["x", "y"], "right": ["y", "x"], "winner": ["left"] * 2}
    >>> counts = swap_counts(swap_groups(bj.read(table | {"prompt": ["p", "p"]})))
    >>> counts.chosen_first.tolist(), counts.chosen_second.tolist()
    ([1], [0])
    """
    data, row, first = groups.data, groups.row, groups.item_first
    decided = data.verdict[row] != TIE
    chosen = first == (data.verdict[row] == FIRST)

    def number(rows: BoolArray) -> IntArray:
        weight = data.weight[row] * (decided & rows)
        return _whole(np.bincount(groups.group, weight, len(groups)))

    return SwapCounts(
        shown_first=number(first),
        shown_second=number(~first),
        chosen_first=number(first & chosen),
        chosen_second=number(~first & chosen),
    )


def _whole(counts: FloatArray) -> IntArray:
    whole = np.rint(counts)
    if (np.abs(counts - whole) > 1e-9).any():
        raise FractionalCountError(
            "Row weights add to parts of verdicts in a swap group, and the conditional likelihood "
            "counts whole ones; give weights that say how many verdicts a row stands for."
        )
    return whole.astype(np.int64)


def _row(counts: SwapCounts, prob: float) -> dict[str, object]:
    found = jeffreys_position(counts)
    half = normal_half_width(prob) * found.standard_error
    ends = np.array([found.position, found.position - half, found.position + half])
    names = ("", "_lower", "_upper")
    return {
        **{f"position{end}": x for end, x in zip(names, ends, strict=True)},
        "standard_error": found.standard_error,
        **{
            f"net_first_preference{end}": x for end, x in zip(names, np.tanh(ends / 2), strict=True)
        },
        "groups": found.groups,
        "separated": found.separated,
    }
