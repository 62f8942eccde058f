"""Weighted counts of verdicts, as they are shown."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def whole_numbers(counts: NDArray[np.float64]) -> NDArray[Any]:
    """Give counts as integers where all of them are whole.

    Parameters
    ----------
    counts : ndarray, shape (n,)
        Weighted counts.

    Returns
    -------
    ndarray, shape (n,)
        Integers, or the counts as given.
    """
    whole = np.round(counts)
    return whole.astype(np.int64) if np.array_equal(whole, counts) else counts
