"""Linear separation: directions along which a likelihood rises without end.

A verdict's log-likelihood rises along a direction of the parameters if a linear function of them
(the verdict's log-odds, signed by who won) does not fall. Where such a direction raises some
verdicts and lowers none, there is no finite maximum (Albert and Anderson, 1984), and a function of
the parameters is bounded only if the other verdicts, which the direction leaves alone, determine
it (Clarkson and Jennrich, 1991).
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.threads import one_blas_thread
from bayesjudge.errors import NotConvergedError

ENOUGH = 5000  # rows, a part of which is looked at first
FAR = (-1e5, 1e5)  # of a direction, in units in which columns have length one
NOISE = 1e-7
RAISED = 0.5  # of one, to which the linear program raises whatever can rise at all
NULL = 1e-10  # eigenvalue of normalised rows, relative to the largest, that counts as zero
LOST = 1e-6  # share of a gradient in directions that no row determines


@dataclass(frozen=True, eq=False)
class RowSpace:
    """Which linear functions of the parameters some rows determine.

    Attributes
    ----------
    scale : ndarray, shape (size,)
        Unit of each parameter, in which its column of the rows has length one.
    null : ndarray, shape (size, n)
        Orthonormal directions, in those units, that leave every row alone.
    """

    scale: FloatArray
    null: FloatArray

    def determines(self, gradient: FloatArray) -> BoolArray:
        """Mark the functions that the rows determine: gradients (n, size) -> (n,)."""
        scaled = gradient * self.scale
        return np.linalg.norm(scaled @ self.null, axis=1) <= LOST * np.linalg.norm(scaled, axis=1)

    def apart(self, gradient: FloatArray) -> BoolArray:
        """Mark the differences of functions that the rows leave open: (n, size) -> (n, n)."""
        from scipy.spatial.distance import cdist

        # Distances rather than differences: memory grows with pairs, not pairs times parameters.
        scaled = gradient * self.scale
        lost = scaled @ self.null
        return np.asarray(cdist(lost, lost) > LOST * cdist(scaled, scaled))


@one_blas_thread
def separated(rising: sparse.csr_array, still: sparse.csr_array) -> BoolArray:
    """Mark the rows that some direction raises while it lowers no row and moves none of the others.

    Shapes: rising (n_rows, size), still (n_still, size) -> (n_rows,).
    """
    unit = unit_columns(sparse.vstack([rising, still]).tocsr())
    if 2 * still.shape[0] > len(unit):
        free = row_space(still, unit).null
        if 2 * free.shape[1] < len(unit):  # few directions are left: better in their coordinates
            nothing = sparse.csr_array((0, free.shape[1]))
            return _raised(_without_noise((rising * unit) @ free), nothing)
    return _raised((rising * unit).tocsr(), (still * unit).tocsr())


def _raised(rising: sparse.csr_array, still: sparse.csr_array) -> BoolArray:
    n_rows, size = rising.shape
    none, step = np.zeros(n_rows, dtype=bool), -(-n_rows // ENOUGH)
    if not n_rows * size:
        return none
    # What lowers no row lowers no row of a part: where the part allows nothing, nothing is allowed.
    for part in [rising[::step], rising] if step > 1 else [rising]:
        total = np.asarray(part.sum(axis=0)).ravel()
        bounds = np.concatenate([np.ones(part.shape[0]), np.zeros(part.shape[0])])
        below = sparse.vstack([part, -part]).tocsr()
        end = _maximise(total, below, bounds, still, [FAR] * size)
        if end @ total < RAISED:
            return none
    return _heights(rising, still) > RAISED


def _without_noise(rows: FloatArray) -> sparse.csr_array:
    """Set to zero what rounding leaves of rows that move along no free direction."""
    return sparse.csr_array(np.where(np.abs(rows) > NOISE * np.abs(rows).max(initial=0.0), rows, 0))


def _heights(rising: sparse.csr_array, still: sparse.csr_array) -> FloatArray:
    """Raise as many rows as possible, each to one; what cannot be raised stays at zero."""
    n_rows, size = rising.shape
    below = sparse.csr_array(sparse.hstack([-rising, sparse.eye_array(n_rows)]))
    fixed = sparse.hstack([still, sparse.csr_array((still.shape[0], n_rows))]).tocsr()
    bounds = [(-np.inf, np.inf)] * size + [(0.0, 1.0)] * n_rows
    total = np.concatenate([np.zeros(size), np.ones(n_rows)])
    return _maximise(total, below, np.zeros(n_rows), fixed, bounds)[size:]


def _maximise(
    total: FloatArray,
    below: sparse.csr_array,
    bound: FloatArray,
    fixed: sparse.csr_array,
    bounds: list[tuple[float, float]],
) -> FloatArray:
    """Return where ``total @ x`` is largest under ``below @ x <= bound`` and ``fixed @ x = 0``."""
    from scipy.optimize import linprog

    zero = np.zeros(fixed.shape[0])
    for method in ("highs-ds", "highs-ipm"):  # the second where the first loses its way
        end = linprog(  # type: ignore[call-overload]  # the stubs know no sparse matrices
            -total, below, bound, fixed, zero, bounds, method=method
        )
        if end.status == 0:
            return np.asarray(end.x)
    raise NotConvergedError(
        f"The linear program that looks for separation failed ({end.message}); report this with "
        "the data, and drop the rows of items and judges with few verdicts until then."
    )


@one_blas_thread
def row_space(rows: sparse.csr_array, scale: FloatArray) -> RowSpace:
    """Return what rows (n_rows, size) determine, in given units of the parameters, (size,)."""
    scaled = rows @ sparse.diags_array(scale)
    return RowSpace(scale, _null((scaled.T @ scaled).toarray(), 0.0))


@one_blas_thread
def joint_space(space: RowSpace, rows: sparse.csr_array) -> RowSpace:
    """Return what further rows (n_rows, size) determine together with those of a space."""
    moved = (rows @ sparse.diags_array(space.scale)) @ space.null
    return replace(space, null=space.null @ _null(moved.T @ moved, 1.0))


def _null(products: FloatArray, least: float) -> FloatArray:
    """Return directions without products, relative to the largest or to a least: (n, n_null)."""
    values, vectors = np.linalg.eigh(products)
    largest = max(values.max(initial=0.0), least, np.finfo(float).tiny)
    return vectors[:, values <= NULL * largest]


def unit_columns(rows: sparse.csr_array) -> FloatArray:
    """Return the units in which each column of rows has length one; one for empty columns."""
    length = np.sqrt(np.asarray((rows * rows).sum(axis=0)).ravel())
    return np.divide(1.0, length, out=np.ones_like(length), where=length > 0)
