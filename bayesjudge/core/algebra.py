"""Linear algebra of several rooms: orthonormal bases, symmetric roots, contrast variances."""

import numpy as np
from numpy.typing import NDArray

from bayesjudge.core.arrays import FloatArray


def helmert_basis(size: int) -> NDArray[np.float64]:
    """Return the orthonormal Helmert basis of the vectors that sum to zero.

    OSCAR, Appendix B.1.

    Shapes: -> (size, size - 1).
    """
    column = np.arange(1, size)
    row = np.arange(1, size + 1)[:, None]
    scale = 1 / np.sqrt(column * (column + 1))
    return np.where(row <= column, scale, np.where(row == column + 1, -column * scale, 0.0))


def symmetric_root(matrix: FloatArray) -> FloatArray:
    """Return the symmetric square root; negative eigenvalues of rounding count as zero."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T


def contrast_variance(covariance: FloatArray) -> FloatArray:
    """Return the variance of every difference: (..., n, n) -> (..., n, n), never negative."""
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    return np.maximum(own[..., :, None] + own[..., None, :] - 2 * covariance, 0.0)
