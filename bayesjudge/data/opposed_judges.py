"""Judges that contradict each other on nearly everything."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesjudge.data.comparisons import FIRST, SECOND, TIE, Comparisons
from bayesjudge.data.orders import combined_key

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
