"""The graph of who was compared with whom, and of who beat whom."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from bayesjudge.data.arrays import BoolArray, IntArray
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons


def item_components(data: Comparisons) -> IntArray:
    """Label the groups of items that comparisons link.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of int, shape (n_items,)
        Items with the same number are linked; numbers start at 0 with the first item. Contrasts
        between items of different numbers rest on the prior alone.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.data.graph import item_components
    >>> table = {"left": ["a", "c"], "right": ["b", "d"], "winner": ["left", "tie"]}
    >>> item_components(bj.read(table)).tolist()
    [0, 0, 1, 1]
    """
    return component_labels(link_graph(data.first, data.second, data.n_items))


def win_groups(data: Comparisons) -> IntArray:
    """Label the groups within which a chain of wins leads from every item to every other.

    A tie counts as half a win for both, that is, as a link both ways.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of int, shape (n_items,)
        Items with the same number are strongly connected. The likelihood of a Bradley-Terry
        model has a finite maximum if and only if linked items all have the same number
        (Ford, 1957).
    """
    return strong_labels(link_graph(*win_edges(data), data.n_items))


def win_edges(data: Comparisons) -> tuple[IntArray, IntArray]:
    """List the edges from winner to loser; ties give both.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    winner, loser : ndarray of int
        Item indices, one entry an edge, with repetition.
    """
    not_lost, not_won = data.verdict != SECOND, data.verdict != FIRST
    return (
        np.concatenate([data.first[not_lost], data.second[not_won]]),
        np.concatenate([data.second[not_lost], data.first[not_won]]),
    )


def unbounded_items(data: Comparisons) -> tuple[str, ...]:
    """Name the items that have no finite maximum likelihood estimate.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    tuple of str
        Items whose contrast with the core of their component is infinite. The core is the
        largest group of linked items with chains of wins in both directions; where no group has
        two items, the whole component is unbounded.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.data.graph import unbounded_items
    >>> table = {
    ...     "left": ["a", "a", "a", "b"],
    ...     "right": ["b", "b", "x", "x"],
    ...     "winner": ["left", "right", "left", "left"],
    ... }
    >>> unbounded_items(bj.read(table))
    ('x',)
    """
    component, group = item_components(data), win_groups(data)
    size = np.bincount(group)
    unbounded = np.zeros(data.n_items, dtype=bool)
    for number in np.unique(component):
        members = np.flatnonzero(component == number)
        core = group[members][np.argmax(size[group[members]])]
        unbounded[members] = group[members] != core if size[core] > 1 else True
    return tuple(data.items[i] for i in np.flatnonzero(unbounded))


def all_won_or_lost(data: Comparisons) -> tuple[BoolArray, BoolArray]:
    """Say which items won, and which lost, every verdict they were in.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    won_all, lost_all : ndarray of bool, shape (n_items,)
        A single tie makes both False.
    """
    winner, loser = win_edges(data)
    won, lost = _counts(winner, data.n_items), _counts(loser, data.n_items)
    return lost == 0, won == 0


def cut_items(data: Comparisons) -> IntArray:
    """Find the items without which linked items fall apart.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of int
        Indices of these items, sorted.
    """
    whole = item_components(data).max() + 1
    low, high = distinct_pairs(data)
    return np.array(
        [item for item in range(data.n_items) if _parts_without(item, low, high, data) > whole],
        dtype=np.int64,
    )


def distinct_pairs(data: Comparisons) -> tuple[IntArray, IntArray]:
    """List the unordered pairs that were compared.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    low, high : ndarray of int, shape (n_pairs,)
        Item indices, low below high.
    """
    low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
    return np.divmod(np.unique(low * data.n_items + high), data.n_items)


def _parts_without(item: int, low: IntArray, high: IntArray, data: Comparisons) -> int:
    kept = (low != item) & (high != item)
    label = component_labels(link_graph(low[kept], high[kept], data.n_items))
    return int(label.max())  # one less than the number of parts: the item itself stands alone


def _counts(index: IntArray, size: int) -> IntArray:
    return np.bincount(index, minlength=size)


def link_graph(start: IntArray, end: IntArray, n_nodes: int) -> sparse.csr_array:
    """Make a sparse graph with a link from each start to each end.

    Parameters
    ----------
    start, end : ndarray of int, shape (n_links,)
        Nodes; links may repeat.
    n_nodes : int
        Number of nodes.

    Returns
    -------
    scipy.sparse.csr_array, shape (n_nodes, n_nodes)
        Number of links.
    """
    return sparse.csr_array((np.ones(len(start)), (start, end)), shape=(n_nodes, n_nodes))


def component_labels(graph: sparse.csr_array) -> IntArray:
    """Label the nodes that links connect, whatever their direction, by first member."""
    return _labelled_by_first(connected_components(graph, directed=False)[1])


def strong_labels(graph: sparse.csr_array) -> IntArray:
    """Label the nodes that paths connect in both directions, by first member."""
    return _labelled_by_first(connected_components(graph, directed=True, connection="strong")[1])


def _labelled_by_first(labels: np.ndarray) -> IntArray:
    """Renumber groups by their first member, so that labels do not depend on the algorithm."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)
