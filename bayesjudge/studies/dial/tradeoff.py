"""When anchoring to judges beats votes alone: DIAL's first-order trade-off (Theorem 3)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import expit

from bayesjudge.core.arguments import demand_count, demand_number, demand_numbers
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.logistic import logistic_information
from bayesjudge.designs.layouts import pair_contrasts
from bayesjudge.errors import MismatchedRowsError, NotConvergedError, UnknownOptionError
from bayesjudge.studies.runner.metrics import expected_vote_loss

CLOSE, ARRIVED = 1e-12, 1e-8  # gradient requested, and accepted
LARGEST_SCORE = 1e6  # log-odds


@dataclass(frozen=True)
class Tradeoff:
    """First-order excess risks, nats a vote.

    Attributes
    ----------
    votes_alone : float
        (N - 1) / (2 n_h).
    anchored : float
        Delta + d / (2 n_h), treating the space as known.
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
    """Compare the first-order risk of votes alone with that of votes that only calibrate.

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
        For sizes that are incompatible.
    UnknownOptionError
        For sizes that are not whole numbers, or other numbers that are text or NaN.

    Examples
    --------
    >>> anchoring_tradeoff(10, 1, votes=100).votes_alone
    0.045
    >>> anchoring_tradeoff(10, 1, votes=1600, approximation=0.01).anchoring_wins
    False
    """
    n_items = _whole("n_items", n_items, least=2)
    dimension = _whole("dimension", dimension, least=1)
    votes = demand_number("votes", votes)
    approximation = demand_number("approximation", approximation)
    if not 1 <= dimension <= n_items - 1 or not votes > 0 or not 0 <= approximation < np.inf:
        raise MismatchedRowsError(
            f"n_items {n_items!r}, dimension {dimension!r}, votes {votes!r} and approximation "
            f"{approximation!r} are incompatible; give 1 <= dimension < n_items, votes above zero "
            "and an approximation error that is finite and not negative."
        )
    return Tradeoff((n_items - 1) / (2 * votes), approximation + dimension / (2 * votes))


def _whole(name: str, value: int, *, least: int) -> int:
    advice = f"give a whole number of {least} or more"
    return demand_count(name, value, advice, UnknownOptionError, least=least)


def approximation_error(
    human_score: FloatArray, space: FloatArray, share: FloatArray | None = None
) -> float:
    """Return Delta, the smallest risk in a space of scores, less that of the human score.

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
        If shapes are incompatible, or a number is not finite.
    UnknownOptionError
        If something is text.
    NotConvergedError
        If the optimiser does not converge.

    Examples
    --------
    >>> line = np.array([[1.0], [0.0], [-1.0]])
    >>> round(approximation_error(np.array([2.0, 0.0, -2.0]), line), 12)
    0.0
    """
    human_score, space = _scores(human_score), demand_numbers("space", space)
    contrast, weight = _pairs(len(human_score), share)
    _demand_space(space, human_score)
    x = np.linalg.qr(contrast @ (space - space.mean(axis=0)))[0]
    return _least_excess(x, contrast @ human_score, weight)


def _least_excess(x: FloatArray, gap: FloatArray, weight: FloatArray) -> float:
    """Minimise the risk of log-odds x c over c, less that of the gap: x (n_pairs, d)."""
    # Gaps may be of any size, for which the Newton steps of a logistic regression would not do.
    p = expit(gap)

    def risk(c: FloatArray) -> float:
        return float(weight @ (expected_vote_loss(x @ c, p) - expected_vote_loss(gap, p)))

    def slope(c: FloatArray) -> FloatArray:
        return x.T @ (weight * (expit(x @ c) - p))

    def curvature(c: FloatArray) -> FloatArray:
        return logistic_information(x, weight, x @ c)

    end = minimize(risk, x.T @ gap, jac=slope, hess=curvature, method="trust-exact", tol=CLOSE)
    if np.abs(slope(end.x)).max() > ARRIVED:
        raise NotConvergedError(
            "The nearest score in the space was not found; give scores of moderate size and shares "
            "of the votes that identify all directions of the space."
        )
    return max(0.0, float(end.fun))


def _demand_space(space: FloatArray, human_score: FloatArray) -> None:
    if space.ndim != 2 or len(space) != len(human_score) or not space.shape[1]:
        raise MismatchedRowsError(
            f"The space has shape {space.shape} and there are {len(human_score)} items; give one "
            "row for each item and one column for each direction."
        )
    if not np.isfinite(space).all():
        raise MismatchedRowsError("The space must be finite; leave missing items out.")
    if np.linalg.matrix_rank(space - space.mean(axis=0)) < space.shape[1]:
        raise MismatchedRowsError(
            "The columns of the space are linearly dependent after centring; give independent ones."
        )


def comparison_laplacian(human_score: FloatArray, share: FloatArray | None = None) -> FloatArray:
    """Return L, the expected information of a vote about the human score.

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
        If there is not one share a pair, or a score is missing or not finite.
    UnknownOptionError
        If something is text.

    Examples
    --------
    >>> comparison_laplacian(np.zeros(2))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    human_score = _scores(human_score)
    contrast, weight = _pairs(len(human_score), share)
    return logistic_information(contrast, weight, contrast @ human_score)


def _scores(human_score: ArrayLike) -> FloatArray:
    scores = demand_numbers("human_score", human_score)
    if scores.ndim != 1 or len(scores) < 2:
        raise MismatchedRowsError(
            f"human_score has shape {scores.shape}; give the scores of two or more items as a "
            "vector."
        )
    if not (np.abs(scores) <= LARGEST_SCORE).all():
        raise MismatchedRowsError(
            f"human_score holds a number that is missing or beyond {LARGEST_SCORE:g} log-odds; "
            "leave missing items out."
        )
    return scores


def _pairs(n_items: int, share: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """Return the contrasts of all pairs (n_pairs, n_items), and their shares, which sum to one."""
    i, j = np.triu_indices(n_items, k=1)
    weight = np.ones(len(i)) if share is None else demand_numbers("share", share)
    valid = weight.shape == (len(i),) and np.isfinite(weight).all() and (weight >= 0).all()
    if not valid or not weight.any():
        raise MismatchedRowsError(
            f"share has shape {weight.shape}; give one share, finite and not negative, for each of "
            f"the {len(i)} pairs, not all zero."
        )
    weight = weight / weight.max()  # the sum of large shares would overflow
    return pair_contrasts(i, j, n_items), weight / weight.sum()
