"""Rows that say again what an earlier row said."""

import numpy as np

from bayesjudge.data.arrays import BoolArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.orders import combined_key


def repeated_rows(data: Comparisons) -> BoolArray:
    """Mark rows that equal an earlier one.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of bool, shape (n_rows,)
        True where an earlier row has the same judge, prompt, display order, verdict, repetition
        and, if there are turns, turn.
    """
    keys = [data.judge, data.prompt, data.first, data.second, data.verdict, data.repeat]
    turn = dict(data.covariates).get("turn")
    if turn is not None:
        keys.append(turn.astype(np.int64))
    repeated = np.ones(data.n_rows, dtype=bool)
    repeated[np.unique(combined_key(*keys), return_index=True)[1]] = False
    return repeated
