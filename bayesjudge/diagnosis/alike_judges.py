"""Judges that nearly copy each other, and judges with opposed verdicts."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.graphs import combined_key, component_labels, link_graph
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons

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


DISAGREEMENT = 0.95


SHARED_DECISIVE = 20


@dataclass(frozen=True)
class OpposedJudges:
    """Two judges that pick opposite winners.

    Attributes
    ----------
    one, other : str
        Their names.
    share : float
        Share of the shared cells on which they disagree.
    cells : int
        Number of cells on which both gave a decisive verdict.
    """

    one: str
    other: str
    share: float
    cells: int


def opposed_judges(data: Comparisons) -> tuple[OpposedJudges, ...]:
    """Find pairs of judges that disagree on nearly all cells on which both are decisive.

    A cell is a prompt and a displayed pair; where a judge saw it repeatedly, the first verdict
    counts. Two judges are opposed if they share at least 20 such cells and disagree on 95 %.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    tuple of OpposedJudges
        Pairs, in the order of their names.
    """
    said_first, said_second = _decisive_cells(data)
    decisive = said_first + said_second
    shared = sparse.triu(decisive @ decisive.T, k=1).tocoo()
    contrary = sparse.triu(said_first @ said_second.T + said_second @ said_first.T, k=1).tocsr()
    enough = shared.data >= SHARED_DECISIVE
    one, other, cells = shared.row[enough], shared.col[enough], shared.data[enough]
    share = np.array([contrary[i, j] for i, j in zip(one, other, strict=True)]) / cells
    return tuple(
        OpposedJudges(data.judges[one[k]], data.judges[other[k]], float(share[k]), int(cells[k]))
        for k in np.lexsort((other, one))
        if share[k] >= DISAGREEMENT
    )


def _decisive_cells(data: Comparisons) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Mark, judge by cell, where the first item won and where the second did."""
    cell = combined_key(data.prompt, data.first, data.second)
    rows = np.unique(data.judge * (cell.max() + 1) + cell, return_index=True)[1]
    rows = rows[data.verdict[rows] != TIE]
    often = np.bincount(data.judge[rows], minlength=data.n_judges) >= SHARED_DECISIVE
    rows = rows[often[data.judge[rows]]]
    shape = (data.n_judges, int(cell.max()) + 1)

    def marked(verdict: int) -> sparse.csr_array:
        said = rows[data.verdict[rows] == verdict]
        return sparse.csr_array((np.ones(len(said)), (data.judge[said], cell[said])), shape=shape)

    return marked(FIRST), marked(SECOND)
