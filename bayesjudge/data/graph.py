"""The graph of who was compared with whom and who beat whom, for all judges and for each."""

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.graphs import component_labels, link_graph, strong_labels
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


def judges_without_finite_estimate(data: Comparisons) -> BoolArray:
    """Say which judges' verdicts alone have no finite maximum likelihood estimate.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of bool, shape (n_judges,)
        True where linked items are not strongly connected by that judge's wins.
    """
    first, second, judge_of_node = _judge_nodes(data)
    not_lost, not_won = data.verdict != SECOND, data.verdict != FIRST
    winner = np.concatenate([first[not_lost], second[not_won]])
    loser = np.concatenate([second[not_lost], first[not_won]])
    graph = link_graph(winner, loser, len(judge_of_node))
    weak, strong = component_labels(graph), strong_labels(graph)
    n_judges = data.n_judges
    return _distinct(strong, judge_of_node, n_judges) > _distinct(weak, judge_of_node, n_judges)


def display_rank(data: Comparisons) -> tuple[IntArray, BoolArray]:
    """Give each judge's rank with a position column, and whether that column adds to it.

    A position effect is not identified from a judge alone if a potential explains every display:
    numbers p with p(first) - p(second) = 1 (0 where the order is unknown). Such a potential
    exists if and only if every cycle of the display graph has as many steps along as against the
    display.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    rank : ndarray of int, shape (n_judges,)
        Rank of the columns [item contrasts, position].
    position_free : ndarray of bool, shape (n_judges,)
        True where the position column adds to the rank.
    """
    first, second, judge_of_node = _judge_nodes(data)
    component = component_labels(link_graph(first, second, len(judge_of_node)))
    n_nodes = np.bincount(judge_of_node, minlength=data.n_judges)
    step = data.order_known.astype(np.int64)
    potential = _potentials(first, second, step, len(judge_of_node))
    broken = potential[first] - potential[second] != step
    free = np.bincount(data.judge, weights=broken, minlength=data.n_judges) > 0
    return n_nodes - _distinct(component, judge_of_node, data.n_judges) + free, free


def _judge_nodes(data: Comparisons) -> tuple[IntArray, IntArray, IntArray]:
    """Index the judge-item pairs that occur; give each row's two nodes and each node's judge."""
    keys = np.concatenate([data.judge, data.judge]) * data.n_items
    keys += np.concatenate([data.first, data.second])
    nodes, index = np.unique(keys, return_inverse=True)
    return index[: data.n_rows], index[data.n_rows :], nodes // data.n_items


def _potentials(first: IntArray, second: IntArray, step: IntArray, n_nodes: int) -> IntArray:
    """Walk from node to node: a step down along a display, a step up against it."""
    edges, row = np.unique(first * n_nodes + second, return_index=True)
    start, end = np.divmod(edges, n_nodes)
    steps = dict(zip(zip(start.tolist(), end.tolist(), strict=True), step[row], strict=True))
    potential = np.zeros(n_nodes, dtype=np.int64)
    for above, node in _walk(start, end, n_nodes):
        down = (above, node) in steps
        potential[node] = potential[above] + (-steps[above, node] if down else steps[node, above])
    return potential


def _walk(start: IntArray, end: IntArray, n_nodes: int) -> list[tuple[int, int]]:
    """List (from, to) so that every node but the first of its component is reached once."""
    root = n_nodes  # linked to one node of each component, so that a single walk reaches all
    component = component_labels(link_graph(start, end, n_nodes))
    heads = np.unique(component, return_index=True)[1]
    graph = link_graph(
        np.concatenate([start, np.full(len(heads), root)]),
        np.concatenate([end, heads]),
        n_nodes + 1,
    )
    order, parent = breadth_first_order(graph, root, directed=False)
    return [
        (int(parent[node]), node) for node in order.tolist() if parent[node] not in (root, -9999)
    ]


def _distinct(label: IntArray, group: IntArray, n_groups: int) -> IntArray:
    """Count the distinct labels in each group; a label occurs in one group only."""
    first = np.unique(label, return_index=True)[1]
    return np.bincount(group[first], minlength=n_groups)
