"""When anchoring to judges beats votes alone: DIAL's first-order trade-off (Theorem 3)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from bayesjudge.data.arrays import FloatArray
from bayesjudge.errors import MismatchedRowsError, NotConvergedError

STEPS = 100
CLOSE = 1e-11


@dataclass(frozen=True)
class Tradeoff:
    """First-order excess risks, nats a vote.

    Attributes
    ----------
    votes_alone : float
        (N - 1) / (2 n_h).
    anchored : float
        Delta + d / (2 n_h), the space taken as known.
    """

    votes_alone: float
    anchored: float

    @property
    def anchoring_wins(self) -> bool:
        """Whether n_h Delta < (N - 1 - d) / 2."""
        return self.anchored < self.votes_alone


def anchoring_tradeoff(
    n_items: int, dimension: int, votes: float, approximation: float = 0.0
) -> Tradeoff:
    """Compare votes alone with votes that only calibrate.

    Parameters
    ----------
    n_items : int
        N.
    dimension : int
        d, of the calibration space.
    votes : float
        n_h.
    approximation : float
        Delta of `approximation_error`, nats a vote.

    Returns
    -------
    Tradeoff
        DIAL Theorem 3.

    Raises
    ------
    MismatchedRowsError
        For sizes that do not go together.

    Examples
    --------
    >>> anchoring_tradeoff(10, 1, votes=100).votes_alone
    0.045
    >>> anchoring_tradeoff(10, 1, votes=1600, approximation=0.01).anchoring_wins
    False
    """
    if not 1 <= dimension <= n_items - 1 or not votes > 0 or not 0 <= approximation < np.inf:
        raise MismatchedRowsError(
            f"n_items {n_items!r}, dimension {dimension!r}, votes {votes!r} and approximation "
            f"{approximation!r} do not go together; give 1 <= dimension < n_items, votes above "
            "zero and an approximation error that is not negative."
        )
    return Tradeoff((n_items - 1) / (2 * votes), approximation + dimension / (2 * votes))


def approximation_error(
    human_score: FloatArray, space: FloatArray, share: FloatArray | None = None
) -> float:
    """Give Delta: the least risk in a space of scores, less that of the human score.

    Parameters
    ----------
    human_score : ndarray, shape (n_items,)
        s_h, log-odds.
    space : ndarray, shape (n_items, d)
        Basis M of the calibration's space.
    share : ndarray, shape (n_items * (n_items - 1) / 2,), optional
        Share of the votes on each pair i < j; equal by default.

    Returns
    -------
    float
        DIAL eq. (8), nats a vote; zero where the human score lies in the space.

    Raises
    ------
    MismatchedRowsError
        If shapes do not go together.
    NotConvergedError
        If Newton's method does not arrive.

    Examples
    --------
    >>> line = np.array([[1.0], [0.0], [-1.0]])
    >>> approximation_error(np.array([2.0, 0.0, -2.0]), line)
    0.0
    """
    contrast, weight = _pairs(len(human_score), share)
    if np.shape(space)[0] != len(human_score):
        raise MismatchedRowsError(
            f"The space has {np.shape(space)[0]} rows and there are {len(human_score)} items; give "
            "one row an item."
        )
    x, p = contrast @ space, expit(contrast @ human_score)
    c = np.linalg.lstsq(space - space.mean(axis=0), human_score - np.mean(human_score))[0]
    for _ in range(STEPS):
        q = expit(x @ c)
        gradient = x.T @ (weight * (q - p))
        if np.abs(gradient).max() < CLOSE:
            found = float(weight @ (_risk(x @ c, p) - _risk(contrast @ human_score, p)))
            return max(0.0, found if found > CLOSE else 0.0)
        c = c - np.linalg.solve((x.T * (weight * q * (1 - q))) @ x, gradient)
    raise NotConvergedError(
        "The nearest score in the space was not found; give a space whose columns are independent "
        "and scores of moderate size."
    )


def comparison_laplacian(human_score: FloatArray, share: FloatArray | None = None) -> FloatArray:
    """Give L: the information of a vote on the human score.

    Parameters
    ----------
    human_score : ndarray, shape (n_items,)
        s_h, log-odds.
    share : ndarray, shape (n_items * (n_items - 1) / 2,), optional
        Share of the votes on each pair i < j; equal by default.

    Returns
    -------
    ndarray, shape (n_items, n_items)
        DIAL (C.6): a weighted graph Laplacian, the Hessian of the risk at the truth.

    Raises
    ------
    MismatchedRowsError
        If there is not one share a pair.

    Examples
    --------
    >>> comparison_laplacian(np.zeros(2))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    contrast, weight = _pairs(len(human_score), share)
    p = expit(contrast @ human_score)
    return (contrast.T * (weight * p * (1 - p))) @ contrast


def _pairs(n_items: int, share: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    i, j = np.triu_indices(n_items, k=1)
    weight = np.full(len(i), 1 / len(i)) if share is None else np.asarray(share, dtype=float)
    if weight.shape != (len(i),) or not (weight >= 0).all() or not weight.sum() > 0:
        raise MismatchedRowsError(
            f"share has shape {weight.shape}; give one share, not negative, for each of the "
            f"{len(i)} pairs."
        )
    identity = np.eye(n_items)
    return identity[i] - identity[j], weight / weight.sum()


def _risk(gap: FloatArray, p: FloatArray) -> FloatArray:
    return np.logaddexp(0, gap) - p * gap
