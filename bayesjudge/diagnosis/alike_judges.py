"""Judges that nearly copy, or nearly contradict, each other."""

from dataclasses import dataclass
from itertools import compress

import numpy as np
from scipy import sparse

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.graphs import combined_key, component_labels, link_graph
from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons

AGREEMENT = 0.95  # share of the cells that both judged
SHARED_CELLS = 50
DISAGREEMENT = 0.95  # share of the cells that both decided
DECISIVE_CELLS = 20


@dataclass(frozen=True, eq=False)
class AgreementTable:
    """Numbers of cells that pairs of judges share.

    A cell is a prompt and a displayed pair; where a judge saw it repeatedly, the first verdict
    counts.

    Attributes
    ----------
    judges : tuple of str
        Names.
    one, other : ndarray of int, shape (n_pairs,)
        Indices of two judges that share a cell, the smaller first; sorted.
    shared, agreed : ndarray of float, shape (n_pairs,)
        Cells that both judged, and those with the same verdict.
    decided, opposed : ndarray of float, shape (n_pairs,)
        Cells on which both picked a winner, and those with opposite winners.
    """

    judges: tuple[str, ...]
    one: IntArray
    other: IntArray
    shared: FloatArray
    agreed: FloatArray
    decided: FloatArray
    opposed: FloatArray


def agreement_table(data: Comparisons) -> AgreementTable:
    """Count the shared cells of all pairs of judges that have enough to be compared."""
    won, tied, lost = _marked_cells(data)
    shared = sparse.triu((won + tied + lost) @ (won + tied + lost).T, k=1).tocoo()
    order = np.lexsort((shared.col, shared.row))
    one, other = shared.row[order], shared.col[order]
    contrary = won @ lost.T
    products = (
        won @ won.T + tied @ tied.T + lost @ lost.T,
        (won + lost) @ (won + lost).T,
        contrary + contrary.T,
    )
    # Without any pair SciPy would return a sparse array.
    counts = [product[one, other] if len(one) else np.zeros(0) for product in products]
    return AgreementTable(data.judges, one, other, shared.data[order], *counts)


def _marked_cells(data: Comparisons) -> list[sparse.csr_array]:
    """Mark, judge by cell, where the first item won, where it tied and where it lost."""
    cell = combined_key(data.prompt, data.first, data.second)
    n_cells = int(cell.max()) + 1
    rows = np.unique(data.judge * n_cells + cell, return_index=True)[1]
    often = np.bincount(data.judge[rows], minlength=data.n_judges) >= DECISIVE_CELLS
    rows = rows[often[data.judge[rows]]]
    marked = []
    for verdict in (FIRST, TIE, SECOND):
        kept = rows[data.verdict[rows] == verdict]
        places = (data.judge[kept], cell[kept])
        marked.append(sparse.csr_array((np.ones(len(kept)), places), (data.n_judges, n_cells)))
    return marked


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


def near_copies(table: AgreementTable) -> tuple[NearCopies, ...]:
    """Find the groups linked by pairs that share 50 cells or more and agree on 95 % of them."""
    linked = (table.shared >= SHARED_CELLS) & (table.agreed >= AGREEMENT * table.shared)
    one, share = table.one[linked], table.agreed[linked] / table.shared[linked]
    group = component_labels(link_graph(one, table.other[linked], len(table.judges)))
    copies = []
    for number in np.flatnonzero(np.bincount(group) > 1):
        names = tuple(compress(table.judges, group == number))
        shares = share[group[one] == number]
        copies.append(NearCopies(names, float(shares.min()), float(shares.max())))
    return tuple(copies)


@dataclass(frozen=True)
class OpposedJudges:
    """Two judges that pick opposite winners.

    Attributes
    ----------
    one, other : str
        Their names.
    share : float
        Share of the cells that both decided on which they disagree.
    cells : int
        Number of cells that both decided.
    """

    one: str
    other: str
    share: float
    cells: int


def opposed_judges(table: AgreementTable) -> tuple[OpposedJudges, ...]:
    """Find the pairs that both decided 20 cells or more and disagree on 95 % of them."""
    enough = table.decided >= DECISIVE_CELLS
    return tuple(
        OpposedJudges(
            table.judges[table.one[pair]],
            table.judges[table.other[pair]],
            float(table.opposed[pair] / table.decided[pair]),
            int(table.decided[pair]),
        )
        for pair in np.flatnonzero(enough & (table.opposed >= DISAGREEMENT * table.decided))
    )
