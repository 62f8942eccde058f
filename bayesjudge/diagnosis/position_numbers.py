"""How well the display of pairs separates a position effect from the items' scores."""

from itertools import pairwise

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import both_orders_by_group, combined_key
from bayesjudge.data.comparisons import FIRST, TIE, Comparisons
from bayesjudge.designs.cells import count_cells


def explained_position_share(first: IntArray, second: IntArray, rows: FloatArray) -> float:
    """Return the share of a position column that item contrasts explain.

    The position column is one in every row, item columns are plus one for the item shown first and
    minus one for the other. The share is the uncentred R squared of the weighted regression of the
    first on the others; the variance of a position effect is inflated by one over one less that
    share.

    Shapes: first, second, rows (n_cells,).
    """
    items, index = np.unique(np.concatenate([first, second]), return_inverse=True)
    start, end = index[: len(first)], index[len(first) :]
    laplacian = np.zeros((len(items), len(items)))
    for one, other, sign in ((start, start, 1), (end, end, 1), (start, end, -1), (end, start, -1)):
        np.add.at(laplacian, (one, other), sign * rows)
    net = np.bincount(start, rows, len(items)) - np.bincount(end, rows, len(items))
    potential = np.linalg.lstsq(laplacian, net, rcond=1e-10)[0]
    return float(np.clip(net @ potential / rows.sum(), 0.0, 1.0))


def variance_inflation(share: float) -> float:
    """Return the factor by which an explained share inflates a variance; infinite at one."""
    return float("inf") if share > 1 - 1e-9 else 1 / (1 - share)


def explained_shares(data: Comparisons, at_least: int) -> tuple[float, FloatArray]:
    """Return the explained share of position over all judges, and within each, (n_judges,).

    Rows of unknown order are left aside; NaN for a judge with fewer rows than `at_least`.
    """
    cells, cell_of_row = count_cells(data, data.order_known[:, None].astype(float))
    shown = np.flatnonzero(cells.columns[:, 0] > 0)
    judge, first, second = cells.judge[shown], cells.first[shown], cells.second[shown]
    rows = np.bincount(cell_of_row)[shown].astype(float)
    by_judge = np.full(data.n_judges, np.nan)
    bounds = np.searchsorted(judge, np.arange(data.n_judges + 1))
    for number, (low, high) in enumerate(pairwise(bounds)):
        part = slice(low, high)
        if rows[part].sum() >= at_least:
            by_judge[number] = explained_position_share(first[part], second[part], rows[part])
    return explained_position_share(first, second, rows), by_judge


def first_slot_shares(data: Comparisons) -> tuple[FloatArray, FloatArray]:
    """Return each judge's share of decisive verdicts that the first slot won, and their number.

    Shapes: -> share, verdicts (n_judges,).
    """
    decisive = data.weight * (data.order_known & (data.verdict != TIE))
    total = np.bincount(data.judge, decisive, data.n_judges)
    first = np.bincount(data.judge, decisive * (data.verdict == FIRST), data.n_judges)
    return np.divide(first, total, out=np.full(data.n_judges, np.nan), where=total > 0), total


def judges_with_swaps(data: Comparisons) -> BoolArray:
    """Mark the judges that saw a pair in both orders, on whatever prompts, shape (n_judges,)."""
    known = data.order_known
    judge = data.judge[known]
    group = combined_key(judge, data.pair[known])
    both = both_orders_by_group(group, data.swapped[known])
    return np.bincount(judge, both[group], data.n_judges) > 0


def one_slot_items(data: Comparisons) -> tuple[IntArray, IntArray]:
    """List the items that were only ever shown first, and only ever shown second."""
    known = data.order_known
    first = np.bincount(data.first[known], minlength=data.n_items) > 0
    second = np.bincount(data.second[known], minlength=data.n_items) > 0
    return np.flatnonzero(first & ~second), np.flatnonzero(second & ~first)
