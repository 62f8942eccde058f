"""The graphs of all judges at once: one node for each judge and item that the judge saw."""

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from bayesjudge.data.arrays import BoolArray, IntArray
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.data.graph import component_labels, link_graph, strong_labels


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
