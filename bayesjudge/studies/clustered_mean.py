"""A mean whose values come in clusters, with its standard error."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from bayesjudge.data.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class ClusteredMean:
    """A mean and what is known of its error.

    Attributes
    ----------
    value : float
        The mean; NaN of no values.
    standard_error : float
        Its cluster-robust standard error; NaN with fewer than two clusters.
    clusters : int
        Number of clusters G.
    """

    value: float
    standard_error: float
    clusters: int

    def interval(self, prob: float) -> tuple[float, float]:
        """Give the interval with the critical value of t with G - 1 degrees of freedom.

        Parameters
        ----------
        prob : float
            Level.

        Returns
        -------
        lower, upper : float
            Not cut at any bound of the values; NaN with fewer than two clusters.
        """
        if self.clusters < 2:
            return float("nan"), float("nan")
        half = float(stdtrit(self.clusters - 1, 0.5 + prob / 2)) * self.standard_error
        return self.value - half, self.value + half


def clustered_mean(value: FloatArray, weight: FloatArray, cluster: IntArray) -> ClusteredMean:
    r"""Average values that are independent between clusters but not within.

    Parameters
    ----------
    value : ndarray of float, shape (n,)
        Values.
    weight : ndarray of float, shape (n,)
        How often each counts.
    cluster : ndarray of int, shape (n,)
        Cluster of each.

    Returns
    -------
    ClusteredMean
        Weighted mean with its standard error.

    Notes
    -----
    .. math:: \widehat{\mathrm{se}}^2 = \frac{G}{G - 1} \sum_g
              \Bigl\{\sum_{m \in g} w_m (d_m - \bar d)\Bigr\}^2 \Big/ \Bigl(\sum_m w_m\Bigr)^2

    OSCAR, Appendix C.4. With one value a cluster this is the usual standard error of a mean.

    Examples
    --------
    >>> import numpy as np
    >>> found = clustered_mean(np.array([0.0, 1.0, 1.0]), np.ones(3), np.array([0, 1, 1]))
    >>> round(found.value, 3), round(found.standard_error, 3), found.clusters
    (0.667, 0.444, 2)
    """
    total = weight.sum()
    if total == 0:
        return ClusteredMean(float("nan"), float("nan"), 0)
    mean = float(weight @ value / total)
    code = np.unique(cluster, return_inverse=True)[1]
    sums = np.bincount(code, weight * (value - mean))
    count = len(sums)
    if count < 2:
        return ClusteredMean(mean, float("nan"), count)
    error = float(np.sqrt(count / (count - 1) * np.sum(sums**2)) / total)
    return ClusteredMean(mean, error, count)
