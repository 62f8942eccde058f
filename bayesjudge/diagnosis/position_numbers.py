"""How much of a position effect the display of pairs can tell from the items' scores."""

from itertools import pairwise

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import both_orders_by_group, combined_key
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.designs.cells import count_cells


def explained_position_share(first: IntArray, second: IntArray, rows: FloatArray) -> float:
    """Give the share of a position column that item contrasts explain.

    The position column is one in every row, item columns are plus one for the item shown first
    and minus one for the other. The share is the uncentred R squared of the weighted regression
    of the first on the others; the variance of a position effect is inflated by one over one
    less that share.

    Parameters
    ----------
    first, second : ndarray of int, shape (n_cells,)
        Items shown first and second.
    rows : ndarray of float, shape (n_cells,)
        Number of verdicts in each cell.

    Returns
    -------
    float
        0 if every pair is shown equally often in both orders; 1 if a position effect cannot be
        told from scores.

    Examples
    --------
    A round robin of six items in alphabetical order:

    >>> import numpy as np
    >>> first, second = np.triu_indices(6, 1)
    >>> round(explained_position_share(first, second, np.ones(15)), 4)
    0.7778
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
    """Give the factor by which an explained share inflates a variance; infinite at one."""
    return float("inf") if share > 1 - 1e-9 else 1 / (1 - share)


def explained_shares(data: Comparisons, at_least: int) -> tuple[float, FloatArray]:
    """Give the explained share of position over all judges, and within each judge.

    Parameters
    ----------
    data : Comparisons
        The verdicts; rows of unknown order are left aside.
    at_least : int
        Judges with fewer rows than this get NaN.

    Returns
    -------
    pooled : float
        With scores and a position effect shared by all judges; NaN if no order is known.
    by_judge : ndarray of float, shape (n_judges,)
        With scores and a position effect of the judge's own.
    """
    by_judge = np.full(data.n_judges, np.nan)
    if not data.order_known.any():
        return float("nan"), by_judge
    cells, cell_of_row = count_cells(data, data.order_known[:, None].astype(float))
    rows = np.bincount(cell_of_row).astype(float) * (cells.columns[:, 0] > 0)
    shown = rows > 0
    pooled = explained_position_share(cells.first[shown], cells.second[shown], rows[shown])
    bounds = np.searchsorted(cells.judge, np.arange(data.n_judges + 1))
    for judge, (low, high) in enumerate(pairwise(bounds)):
        if rows[low:high].sum() >= at_least:
            part = np.arange(low, high)[shown[low:high]]
            by_judge[judge] = explained_position_share(
                cells.first[part], cells.second[part], rows[part]
            )
    return pooled, by_judge


def first_slot_shares(data: Comparisons) -> tuple[FloatArray, FloatArray]:
    """Give the share of each judge's decisive verdicts that the first slot won.

    Parameters
    ----------
    data : Comparisons
        The verdicts; ties and rows of unknown order are left aside.

    Returns
    -------
    share : ndarray of float, shape (n_judges,)
        NaN for a judge without a decisive verdict of known order.
    verdicts : ndarray of float, shape (n_judges,)
        Number (weighted) of such verdicts.
    """
    decisive = data.order_known & np.isin(data.verdict, (FIRST, SECOND))
    total = np.bincount(data.judge, data.weight * decisive, data.n_judges)
    first = np.bincount(data.judge, data.weight * (decisive & (data.verdict == FIRST)))
    first = np.pad(first, (0, data.n_judges - len(first)))
    return np.divide(first, total, out=np.full(data.n_judges, np.nan), where=total > 0), total


def judges_with_swaps(data: Comparisons) -> BoolArray:
    """Say which judges saw at least one pair in both orders, on whatever prompts.

    Parameters
    ----------
    data : Comparisons
        The verdicts; rows of unknown order are left aside.

    Returns
    -------
    ndarray of bool, shape (n_judges,)
        True where a pair occurs in both orders.
    """
    known = data.order_known
    swaps = np.zeros(data.n_judges, dtype=bool)
    if known.any():
        judge = data.judge[known]
        group = combined_key(judge, data.pair[known])
        both = both_orders_by_group(group, data.swapped[known])
        swaps[judge[both[group]]] = True
    return swaps


def one_slot_items(data: Comparisons) -> tuple[IntArray, IntArray]:
    """List the items that were only ever shown first, and only ever shown second.

    Parameters
    ----------
    data : Comparisons
        The verdicts; rows of unknown order are left aside.

    Returns
    -------
    only_first, only_second : ndarray of int
        Item indices.
    """
    known = data.order_known
    first = np.bincount(data.first[known], minlength=data.n_items) > 0
    second = np.bincount(data.second[known], minlength=data.n_items) > 0
    return np.flatnonzero(first & ~second), np.flatnonzero(second & ~first)
