"""The graph of who was compared with whom and who beat whom, for all judges and for each."""

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.graphs import component_labels, link_graph, strong_labels
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons


def item_components(data: Comparisons) -> IntArray:
    """Label the groups of items that comparisons link, shape (n_items,)."""
    return component_labels(link_graph(data.first, data.second, data.n_items))


def win_groups(data: Comparisons) -> IntArray:
    """Label the groups within which a chain of wins links each item to each other one, (n_items,).

    A tie counts as half a win for both, that is, as a link both ways.
    """
    return strong_labels(link_graph(*win_edges(data), data.n_items))


def win_edges(data: Comparisons) -> tuple[IntArray, IntArray]:
    """Return the winner and the loser of each edge; a tie gives both edges."""
    return _winner_loser(data.first, data.second, data.verdict)


def _winner_loser(
    first: IntArray, second: IntArray, verdict: IntArray
) -> tuple[IntArray, IntArray]:
    not_lost, not_won = verdict != SECOND, verdict != FIRST
    return (
        np.concatenate([first[not_lost], second[not_won]]),
        np.concatenate([second[not_lost], first[not_won]]),
    )


def unbounded_items(data: Comparisons) -> tuple[str, ...]:
    """Name the items that have no finite maximum likelihood estimate."""
    outside = outside_core(item_components(data), win_groups(data))
    return tuple(data.items[i] for i in np.flatnonzero(outside))


def outside_core(component: IntArray, group: IntArray) -> BoolArray:
    """Mark the nodes outside the largest group of their component; all where no two are together.

    Shapes: component, group (n_nodes,), the groups being parts of components -> (n_nodes,).
    """
    size = np.bincount(group)
    outside = np.zeros(len(group), dtype=bool)
    for number in np.unique(component):
        members = np.flatnonzero(component == number)
        core = group[members][np.argmax(size[group[members]])]
        outside[members] = group[members] != core if size[core] > 1 else True
    return outside


def all_won_or_lost(data: Comparisons) -> tuple[BoolArray, BoolArray]:
    """Return which items won and which lost all their verdicts, shape (n_items,) each."""
    winner, loser = win_edges(data)
    won, lost = (np.bincount(index, minlength=data.n_items) for index in (winner, loser))
    return lost == 0, won == 0


def cut_items(data: Comparisons) -> IntArray:
    """Return the items whose removal disconnects items that comparisons link."""
    whole = item_components(data).max() + 1
    low, high = distinct_pairs(data)
    return np.array(
        [item for item in range(data.n_items) if _parts_without(item, low, high, data) > whole],
        dtype=np.int64,
    )


def distinct_pairs(data: Comparisons) -> tuple[IntArray, IntArray]:
    """Return the unordered pairs that were compared: low, high (n_pairs,)."""
    return np.divmod(np.unique(data.pair), data.n_items)


def _parts_without(item: int, low: IntArray, high: IntArray, data: Comparisons) -> int:
    kept = (low != item) & (high != item)
    label = component_labels(link_graph(low[kept], high[kept], data.n_items))
    return int(label.max())  # one less than the number of parts, since the item itself is one


def judges_without_finite_estimate(data: Comparisons) -> BoolArray:
    """Return which judges' own verdicts have no finite maximum likelihood estimate, (n_judges,)."""
    first, second, judge_of_node = _judge_nodes(data)
    graph = link_graph(*_winner_loser(first, second, data.verdict), len(judge_of_node))
    weak, strong = (
        _distinct(label, judge_of_node, data.n_judges)
        for label in (component_labels(graph), strong_labels(graph))
    )
    return strong > weak


def display_rank(data: Comparisons) -> tuple[IntArray, BoolArray]:
    """Return each judge's matrix rank with a position column, and whether the column adds to it.

    A position effect is not identified from a judge alone if a potential explains every display:
    numbers p with p(first) - p(second) = 1 (0 where the order is unknown). Such a potential exists
    if and only if every cycle of the display graph has as many steps along as against the display.
    Both results have shape (n_judges,).
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
    """Return the two nodes, judge and item, of each row, and the judge of each node."""
    keys = np.concatenate([data.judge, data.judge]) * data.n_items
    keys += np.concatenate([data.first, data.second])
    nodes, index = np.unique(keys, return_inverse=True)
    return index[: data.n_rows], index[data.n_rows :], nodes // data.n_items


def _potentials(first: IntArray, second: IntArray, step: IntArray, n_nodes: int) -> IntArray:
    """Compute the potential of each node: a step down along a display, a step up against it."""
    edges, row = np.unique(first * n_nodes + second, return_index=True)
    start, end = np.divmod(edges, n_nodes)
    steps = dict(zip(zip(start.tolist(), end.tolist(), strict=True), step[row], strict=True))
    potential = np.zeros(n_nodes, dtype=np.int64)
    for above, node in _walk(start, end, n_nodes):
        down = (above, node) in steps
        potential[node] = potential[above] + (-steps[above, node] if down else steps[node, above])
    return potential


def _walk(start: IntArray, end: IntArray, n_nodes: int) -> list[tuple[int, int]]:
    """Return steps (from, to) that reach each node but the first of its component once."""
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
