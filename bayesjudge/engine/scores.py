"""Scores of verdicts: derivatives of their log-likelihood, and sums of them from counts.

A verdict's log-likelihood depends on the parameters through a few predictors of its cell (the
log-odds, and Davidson's tie parameter), so that its score is slope times the predictors' Jacobian.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from bayesjudge.core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of one win, tie and loss in every cell of a data set.

    Attributes
    ----------
    slope : ndarray, shape (n_cells, 3, n_predictors)
        Derivative of each outcome's log-likelihood by the cell's predictors.
    jacobian : ndarray, shape (n_cells, n_predictors, size)
        Derivative of the predictors by the flat vector.
    """

    slope: FloatArray
    jacobian: FloatArray

    @property
    def flat_jacobian(self) -> FloatArray:
        """One row a predictor, shape (n_cells * n_predictors, size)."""
        return self.jacobian.reshape(-1, self.jacobian.shape[-1])

    @property
    def by_outcome(self) -> FloatArray:
        """Score of each possible verdict, shape (n_cells, 3, size)."""
        return np.asarray(self.slope @ self.jacobian)

    def times(self, factor: float) -> "Scores":
        """Return the scores of the log-likelihood to a power."""
        return replace(self, slope=factor * self.slope)

    def along(self, weights: FloatArray) -> "Scores":
        """Return the influences that weights (n, size) make of the scores, of size n."""
        return replace(self, jacobian=self.jacobian @ weights.T)

    def total(self, counts: FloatArray) -> FloatArray:
        """Return the summed scores of counted verdicts: (n_cells, 3) -> (size,)."""
        return np.einsum("co,cop->cp", counts, self.slope).ravel() @ self.flat_jacobian

    def products(self, counts: FloatArray) -> FloatArray:
        """Return the summed products of scores with themselves: (n_cells, 3) -> (size, size)."""
        used = counts.any(axis=1)
        slope, jacobian = self.slope[used], self.jacobian[used]
        weight = np.einsum("co,cop,coq->cpq", counts[used], slope, slope)
        size = jacobian.shape[-1]
        return jacobian.reshape(-1, size).T @ (weight @ jacobian).reshape(-1, size)

    def by_group(
        self, group: IntArray, outcome: IntArray, weight: FloatArray, n_groups: int
    ) -> FloatArray:
        """Return the scores of rows summed over groups: three arrays (n_rows,) -> (n_groups, size).

        `outcome` is the place of a row's cell and verdict among all ``3 * n_cells`` outcomes.
        """
        n_predictors = self.slope.shape[-1]
        slope = self.slope.reshape(-1, n_predictors)[outcome] * weight[:, None]
        columns = (outcome // 3)[:, None] * n_predictors + np.arange(n_predictors)
        rows = np.repeat(group, n_predictors)
        shape = (n_groups, self.slope.shape[0] * n_predictors)
        return csr_array((slope.ravel(), (rows, columns.ravel())), shape=shape) @ self.flat_jacobian
