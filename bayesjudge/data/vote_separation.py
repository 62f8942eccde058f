"""Whether votes leave a direction of scores that none of them contradicts."""

import numpy as np
from scipy.optimize import linprog

from bayesjudge.data.arrays import FloatArray

SEPARATION_TOLERANCE = 1e-6  # margin in a box of half-width one; the solver is good to 1e-7


def is_separated(margins: FloatArray) -> bool:
    """Say whether some direction never contradicts a vote, so that no finite estimate exists.

    Parameters
    ----------
    margins : ndarray, shape (n_votes, dimension)
        Row of the winner less row of the loser; a tie gives both signs.

    Returns
    -------
    bool
        True if some direction makes no margin negative and one positive (Albert and Anderson,
        1984; for d = 1, all votes agree with one order of the space).

    Examples
    --------
    >>> is_separated(np.array([[1.0], [2.0]])), is_separated(np.array([[1.0], [-2.0]]))
    (True, False)
    """
    rows = np.unique(margins, axis=0)
    found = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    return bool(found.fun is not None and -found.fun > SEPARATION_TOLERANCE)
