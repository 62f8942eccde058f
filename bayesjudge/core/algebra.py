"""Linear algebra that several rooms need: orthonormal bases, symmetric roots, contrast variances."""

import numpy as np
from numpy.typing import NDArray


def helmert_basis(size: int) -> NDArray[np.float64]:
    """Give the orthonormal Helmert basis of the vectors that sum to zero.

    Parameters
    ----------
    size : int
        Length of the vectors, at least one.

    Returns
    -------
    ndarray, shape (size, size - 1)
        Columns have unit length, sum to zero and are orthogonal to each other.

    Notes
    -----
    OSCAR, Appendix B.1.

    Examples
    --------
    >>> helmert_basis(2).round(4)
    array([[ 0.7071],
           [-0.7071]])
    """
    column = np.arange(1, size)
    row = np.arange(1, size + 1)[:, None]
    scale = 1 / np.sqrt(column * (column + 1))
    return np.where(row <= column, scale, np.where(row == column + 1, -column * scale, 0.0))
