"""What a weight does to the human score: effective dimension, shrinkage and local risk."""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from bayesjudge.core.arguments import real_numbers
from bayesjudge.core.arrays import FloatArray
from bayesjudge.dial.weight_path import WeightPath, demand_path
from bayesjudge.errors import MismatchedRowsError, WeightError

NONE = 1e-13  # relative information that is rounding


@dataclass(frozen=True, eq=False, repr=False)
class LocalInformation:
    """Expected information of a vote and of a judges' verdict at a point (Fisher blocks).

    Attributes
    ----------
    humans, judges : ndarray, shape (size, size)
        DIAL's I_h and I_l, by vote and by verdict, in the program's coordinates.
    score_gradient : ndarray, shape (n_items, size)
        Derivative of the human score.
    """

    humans: FloatArray
    judges: FloatArray
    score_gradient: FloatArray

    def __repr__(self) -> str:
        n_items, size = self.score_gradient.shape
        return f"LocalInformation({n_items} items, {size} coordinates)"

    def effective_dimension(self, weight: float) -> float:
        """Return df = tr{(I_h + weight I_l)^-1 I_h}: coordinates that the votes decide.

        Parameters
        ----------
        weight : float
            DIAL's lambda, above zero.

        Returns
        -------
        float
            From the rank of I_h, near weight zero, down to the dimension of the calibration.
        """
        return float(np.trace(self._inverse(weight) @ self.humans))

    def shrinkage(self, weight: float) -> FloatArray:
        """Return A = s' H^-1 s'^T L: from a departure from the space to what is estimated of it.

        Parameters
        ----------
        weight : float
            DIAL's lambda, above zero.

        Returns
        -------
        ndarray, shape (n_items, n_items)
            DIAL Proposition D.6: near the identity on centred vectors at small weights, a
            projection on the calibration space at large ones.
        """
        bread = self.score_gradient @ self._inverse(weight) @ self.score_gradient.T
        return bread @ self.laplacian

    @property
    def laplacian(self) -> FloatArray:
        """L, the votes' information on the human score, shape (n_items, n_items) (C.6)."""
        inverse = np.linalg.pinv(self.score_gradient)
        return inverse.T @ self.humans @ inverse

    def local_risk(self, weight: float, departure: FloatArray) -> float:
        """Return the limit of n_h times the excess risk under a small departure from the space.

        Parameters
        ----------
        weight : float
            DIAL's lambda, above zero.
        departure : ndarray, shape (n_items,)
            h: sqrt(n_h) times how far the human score lies from the space, log-odds; sums to zero.

        Returns
        -------
        float
            DIAL Corollary D.7: half the squared bias plus half tr(A^2).

        Raises
        ------
        MismatchedRowsError
            If the departure has not one finite value an item.
        """
        n_items, h = len(self.score_gradient), real_numbers(departure)
        if h is None or h.shape != (n_items,) or not np.isfinite(h).all():
            raise MismatchedRowsError(
                f"The departure has shape {np.shape(departure)} and there are {n_items} items; "
                "give one finite log-odds an item."
            )
        shrinkage, centred = self.shrinkage(weight), h - h.mean()
        bias = centred - shrinkage @ centred
        return float(0.5 * bias @ self.laplacian @ bias + 0.5 * np.trace(shrinkage @ shrinkage))

    def _inverse(self, weight: float) -> FloatArray:
        """Return the inverse information, zero where neither votes nor verdicts inform."""
        number = isinstance(weight, Real) and not isinstance(weight, bool)
        if not number or not 0 < weight < np.inf:
            raise WeightError(f"The weight is {weight!r}; give a finite number above zero.")
        return np.linalg.pinv(self.humans + weight * self.judges, rcond=NONE, hermitian=True)


def local_information(path: WeightPath, weight: float = np.inf) -> LocalInformation:
    """Return the expected information by vote and by verdict at a fit of a path.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.calibration.weight_path` gave.
    weight : float
        At which fit: the anchored one by default, where the effective dimension falls with the
        weight exactly.

    Returns
    -------
    LocalInformation
        With ``effective_dimension``, ``shrinkage`` and ``local_risk``.

    Raises
    ------
    WeightError
        If the path has no such weight, or it is zero, where judges have no part.

    Notes
    -----
    DIAL D.1, D.2. Gauss-Newton blocks: the Hessians of either loss alone depend on the coordinates
    away from their own minimum.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> path = bj.calibration.weight_path(
    ...     bj.models.calibrated, bj.example_panel(), bj.example_votes()
    ... )
    >>> local = local_information(path)
    >>> 1.0 < local.effective_dimension(1000.0) < local.effective_dimension(0.01) < 7.0
    True
    """
    demand_path(path).joint_fit(weight)  # names a weight that is not there, or zero
    fit = path.at(weight).admissible()
    judges, humans = (
        fit.expected_information(design) / np.asarray(design.layout.counts).sum()
        for design in fit.designs
    )
    return LocalInformation(humans, judges, fit.jacobians["human_score"])
