"""Judges that give nearly the same verdicts: one judge, counted several times."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesjudge.data.arrays import FloatArray, IntArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.graph import component_labels, link_graph
from bayesjudge.data.orders import combined_key

AGREEMENT = 0.95
SHARED_CELLS = 50


@dataclass(frozen=True)
class NearCopies:
    """A group of judges that are near-copies of each other.

    Attributes
    ----------
    judges : tuple of str
        Their names.
    lowest, highest : float
        Lowest and highest agreement among the linked pairs.
    """

    judges: tuple[str, ...]
    lowest: float
    highest: float


def near_copies(data: Comparisons) -> tuple[NearCopies, ...]:
    """Find groups of judges that agree on nearly all cells they share.

    A cell is a prompt and a displayed pair; where a judge saw it repeatedly, the first verdict
    counts. Two judges are linked if they share at least 50 cells and agree on 95 % of them.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    tuple of NearCopies
        Groups of linked judges.
    """
    judges, agree, shared = agreement_counts(data)
    linked = (shared >= SHARED_CELLS) & (agree >= AGREEMENT * shared)
    np.fill_diagonal(linked, False)
    one, other = np.nonzero(linked)
    group = component_labels(link_graph(one, other, len(judges)))
    share = np.divide(agree, shared, out=np.zeros_like(agree), where=shared > 0)
    found = []
    for number in np.flatnonzero(np.bincount(group) > 1):
        members = np.flatnonzero(group == number)
        values = share[np.ix_(members, members)][linked[np.ix_(members, members)]]
        names = tuple(data.judges[judges[member]] for member in members)
        found.append(NearCopies(names, float(values.min()), float(values.max())))
    return tuple(found)


def agreement_counts(data: Comparisons) -> tuple[IntArray, FloatArray, FloatArray]:
    """Count, for pairs of judges, the cells that both saw and those on which they agree.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    judges : ndarray of int, shape (n,)
        Judges with enough cells to be looked at.
    agree, shared : ndarray of float, shape (n, n)
        Numbers of cells.
    """
    cell = combined_key(data.prompt, data.first, data.second)
    rows = np.unique(data.judge * (cell.max() + 1) + cell, return_index=True)[1]
    judges = np.flatnonzero(np.bincount(data.judge[rows]) >= SHARED_CELLS)
    rows = rows[np.isin(data.judge[rows], judges)]
    place = np.searchsorted(judges, data.judge[rows])
    shape = (len(judges), int(cell.max()) + 1)
    shared = np.zeros((len(judges), len(judges)))
    agree = np.zeros_like(shared)
    saw = sparse.csr_array((np.ones(len(rows)), (place, cell[rows])), shape=shape)
    shared += (saw @ saw.T).toarray()
    for verdict in range(3):
        said = (data.verdict[rows] == verdict).astype(np.float64)
        part = sparse.csr_array((said, (place, cell[rows])), shape=shape)
        agree += (part @ part.T).toarray()
    return judges, agree, shared
