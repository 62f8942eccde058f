"""Which pairs were shown in both orders."""

from typing import TYPE_CHECKING

import numpy as np

from bayesjudge.data.arrays import BoolArray, IntArray

if TYPE_CHECKING:
    from bayesjudge.data.comparisons import Comparisons


def pair_index(data: "Comparisons") -> IntArray:
    """Index the unordered pairs of items.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of int, shape (n_rows,)
        The same number for both orders of a pair.
    """
    low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
    return low * data.n_items + high


def combined_key(*keys: IntArray) -> IntArray:
    """Index the distinct combinations of several keys, in sorted order.

    Parameters
    ----------
    *keys : ndarray of int, shape (n_rows,)
        The keys, the most significant first.

    Returns
    -------
    ndarray of int, shape (n_rows,)
        Numbers from 0 to the number of combinations less one.
    """
    combined = np.unique(keys[0], return_inverse=True)[1]
    for key in keys[1:]:
        dense = np.unique(key, return_inverse=True)[1]
        combined = np.unique(combined * (dense.max() + 1) + dense, return_inverse=True)[1]
    return combined


def both_orders_by_group(group: IntArray, swapped: BoolArray) -> BoolArray:
    """Say which groups hold rows in either order.

    Parameters
    ----------
    group : ndarray of int, shape (n_rows,)
        Groups numbered from 0 without gaps.
    swapped : ndarray of bool, shape (n_rows,)
        Whether a row shows the pair against the order of the names.

    Returns
    -------
    ndarray of bool, shape (n_groups,)
        True where both orders occur.
    """
    with_swap = np.bincount(group, weights=swapped) > 0
    without_swap = np.bincount(group, weights=~swapped) > 0
    return with_swap & without_swap


def both_order_cells(data: "Comparisons") -> tuple[int, int]:
    """Count the cells (judge, prompt, pair) that were shown in both orders, and all cells.

    Parameters
    ----------
    data : Comparisons
        The verdicts; rows of unknown order are left aside.

    Returns
    -------
    both, cells : int
        Zero of zero where no order is known.
    """
    known = data.order_known
    if not known.any():
        return 0, 0
    group = combined_key(data.judge[known], data.prompt[known], pair_index(data)[known])
    both = both_orders_by_group(group, (data.first > data.second)[known])
    return int(both.sum()), len(both)
