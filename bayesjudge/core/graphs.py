"""Components and matrices of graphs, and keys that combine several integer columns."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray


def link_graph(start: IntArray, end: IntArray, n_nodes: int) -> sparse.csr_array:
    """Make a sparse graph with a link from each start to each end.

    Shapes: start, end (n_links,) -> (n_nodes, n_nodes).
    """
    return sparse.csr_array((np.ones(len(start)), (start, end)), shape=(n_nodes, n_nodes))


def net_flow(start: IntArray, end: IntArray, flow: FloatArray, n_nodes: int) -> FloatArray:
    """Add up what leaves each node, less what arrives.

    Shapes: start, end, flow (n_links,) -> (n_nodes,).
    """
    return np.bincount(start, flow, n_nodes) - np.bincount(end, flow, n_nodes)


def laplacian(start: IntArray, end: IntArray, weight: FloatArray, n_nodes: int) -> FloatArray:
    """Return the weighted sum of squares of the differences along links.

    Shapes: start, end, weight (n_links,) -> (n_nodes, n_nodes).
    """
    linked = np.bincount(start * n_nodes + end, weight, n_nodes**2).reshape(n_nodes, n_nodes)
    linked = linked + linked.T
    return np.diag(linked.sum(axis=1)) - linked


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


def combined_key(*keys: IntArray) -> IntArray:
    """Index the distinct combinations of several keys, in sorted order.

    Shapes: *keys (n_rows,) -> (n_rows,).
    """
    combined = np.unique(keys[0], return_inverse=True)[1]
    for key in keys[1:]:
        dense = np.unique(key, return_inverse=True)[1]
        combined = np.unique(combined * (dense.max() + 1) + dense, return_inverse=True)[1]
    return combined


def both_orders_by_group(group: IntArray, swapped: BoolArray) -> BoolArray:
    """Return which groups hold rows in either order.

    Shapes: group (n_rows,); swapped (n_rows,) -> (n_groups,).
    """
    with_swap = np.bincount(group, weights=swapped) > 0
    without_swap = np.bincount(group, weights=~swapped) > 0
    return with_swap & without_swap
