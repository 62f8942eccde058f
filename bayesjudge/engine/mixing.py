"""R-hat and effective sample sizes of every scalar, by ArviZ, with ranks computed once for both."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray

TAILS = (0.05, 0.95)
AXES = {"chain_axis": -2, "draw_axis": -1}


@dataclass(frozen=True)
class Mixing:
    """How well chains mix, by scalar; what could not be computed has the worst value.

    Attributes
    ----------
    r_hat : ndarray, shape (n,)
        Rank-normalised split R-hat, of location and of spread, whichever is larger.
    bulk, tail : ndarray, shape (n,)
        Effective sample sizes of the bulk and of the 5 % tails.
    varies : ndarray of bool, shape (n,)
        Whether the scalar has more than one value.
    """

    r_hat: FloatArray
    bulk: FloatArray
    tail: FloatArray
    varies: BoolArray


def mixing(quantities: Iterable[FloatArray]) -> Mixing:
    """Return how well the scalars of quantities (chains, draws, ...) mix, in their order."""
    with np.errstate(divide="ignore", invalid="ignore"):  # chains that stand still, or run away
        parts = [_mixing(_by_scalar(quantity)) for quantity in quantities]
    return Mixing(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _mixing(draws: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, BoolArray]:
    """Diagnose scalars: draws (n, chains, draws) -> four arrays (n,)."""
    from arviz_stats.base import array_stats  # a second to import, so only when needed

    halves = _halves(draws)
    location, spread = _normal_scores(halves), _normal_scores(_distance_from_median(halves))
    r_hats = [array_stats.rhat(scores, method="identity", **AXES) for scores in (location, spread)]
    bulk = array_stats.ess(location, method="identity", **AXES)
    tail = array_stats.ess(draws, method="tail", prob=TAILS, **AXES)
    varies = np.ptp(draws, axis=(1, 2)) != 0  # true of what is not a number
    return _known(np.maximum(*r_hats), np.inf), _known(bulk, 0.0), _known(tail, 0.0), varies


def _by_scalar(values: FloatArray) -> FloatArray:
    """Put scalars first: (chains, draws, ...) -> (n, chains, draws)."""
    return np.ascontiguousarray(np.moveaxis(values.reshape(*values.shape[:2], -1), -1, 0))


def _halves(draws: FloatArray) -> FloatArray:
    """Split chains: (n, chains, draws) -> (n, 2 * chains, draws // 2)."""
    half = draws.shape[-1] // 2
    return np.concatenate([draws[..., :half], draws[..., -half:]], axis=-2)


def _distance_from_median(draws: FloatArray) -> FloatArray:
    return np.abs(draws - np.median(draws, axis=(1, 2), keepdims=True))


def _normal_scores(draws: FloatArray) -> FloatArray:
    """Replace draws (n, chains, draws) by normal quantiles of their ranks (Vehtari et al. 2021)."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    rank = rankdata(draws.reshape(len(draws), -1), axis=1)
    return ndtri((rank - 3 / 8) / (rank.shape[1] + 1 / 4)).reshape(draws.shape)


def _known(values: FloatArray, worst: float) -> FloatArray:
    return np.nan_to_num(values, nan=worst, posinf=np.inf)
