"""Directions of disagreement and the judges' places on them, by a convention."""

import numpy as np
import xarray as xr

from bayesjudge.core.arguments import demand_count
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import counted
from bayesjudge.errors import RankError
from bayesjudge.report.evidence import evidence
from bayesjudge.report.fits import Fit

VANISHING = 1e-8  # singular value, relative to the largest, below which there is no factor


def factors(fit: Fit, rank: int = 1) -> xr.Dataset:
    """Split the disagreement of judges into directions among items and places of judges.

    Only the product UV' is identified. By convention the first factor explains the most variation,
    draws are rotated towards the estimate (Procrustes), and the largest entry of each direction is
    positive.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance or WeightPath
        A fit with the quantity "disagreement".
    rank : int
        How many factors.

    Returns
    -------
    xarray.Dataset
        ``direction`` (draw, factor, item; V, mean square one over items) and ``place`` (draw,
        factor, judge; U, log-odds), with the estimates ``direction_estimate`` and
        ``place_estimate``.

    Raises
    ------
    UnknownQuantityError
        If the fit has no disagreement.
    RankError
        If the disagreement has fewer factors.

    Notes
    -----
    DIAL Section 3.2: U and V are unique only up to a rotation.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> factors(fit)["direction_estimate"].dims
    ('factor', 'item')
    """
    disagreement = evidence(fit, "disagreement")
    estimate = disagreement.estimate.values
    values = disagreement.draws.reshape(-1, *estimate.shape)
    rank = _demand_rank(rank, min(_matrix_rank(estimate), _matrix_rank(values[0])))
    place, direction = _split(estimate, rank)
    turned = [_towards(*_split(value, rank), place, direction) for value in values]
    places, directions = (np.stack(parts) for parts in zip(*turned, strict=True))
    return xr.Dataset(
        {
            "direction": (("draw", "factor", "item"), directions.transpose(0, 2, 1)),
            "place": (("draw", "factor", "judge"), places.transpose(0, 2, 1)),
            "direction_estimate": (("factor", "item"), direction.T),
            "place_estimate": (("factor", "judge"), place.T),
        },
        coords={
            "factor": np.arange(1, rank + 1),
            "item": disagreement.names("item"),
            "judge": disagreement.names("judge"),
        },
    )


def _demand_rank(rank: int, most: int) -> int:
    advice = "fit with bj.calibration.structure(judges, rank=...) of a higher rank"
    if most == 0:
        raise RankError(
            "The fit's judges do not disagree in any direction (its rank is 0), so that there are "
            f"no factors; {advice}, if the panel allows one."
        )
    advice = (
        f"the fit's disagreement has {counted(most, 'factor')}, so give a whole number from 1 to "
        f"{most}, or {advice}"
    )
    return demand_count("rank", rank, advice, RankError, most=most)


def _matrix_rank(disagreement: FloatArray) -> int:
    values = np.linalg.svd(disagreement, compute_uv=False)
    return int((values > VANISHING * max(values[0], VANISHING)).sum())


def _split(disagreement: FloatArray, rank: int) -> tuple[FloatArray, FloatArray]:
    """Split a matrix into places U and directions V, the largest entry of a direction positive."""
    left, values, right = np.linalg.svd(disagreement, full_matrices=False)
    direction = np.sqrt(disagreement.shape[1]) * right[:rank].T
    place = left[:, :rank] * values[:rank] / np.sqrt(disagreement.shape[1])
    largest = direction[np.abs(direction).argmax(axis=0), np.arange(rank)]
    sign = np.where(largest < 0, -1.0, 1.0)
    return place * sign, direction * sign


def _towards(
    place: FloatArray, direction: FloatArray, to_place: FloatArray, to_direction: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Rotate factors as near as possible to others; their product does not change."""
    left, _, right = np.linalg.svd(place.T @ to_place + direction.T @ to_direction)
    rotation = left @ right
    return place @ rotation, direction @ rotation
