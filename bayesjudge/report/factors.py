"""Directions of disagreement and the judges' places on them: a convention, for pictures."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import RankError
from bayesjudge.report.evidence import evidence
from bayesjudge.report.fits import demand_quantity, readable

if TYPE_CHECKING:
    from bayesjudge.report.fits import Fit


VANISHING = 1e-8  # singular value, relative to the largest, below which there is no factor


def factors(fit: "Fit", rank: int = 1) -> xr.Dataset:
    """Split the disagreement of judges into directions among items and places of judges.

    Only the product UV' is identified: the factors here are turned so that the first carries the
    most, draws are turned towards the estimate (Procrustes), and the item that a direction favours
    most has a positive entry. Another convention would say the same.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
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
    fit = readable(fit)
    demand_quantity(fit, "disagreement")
    found = evidence(fit, "disagreement")
    estimate, values = found.estimate, np.asarray(found.draws).reshape(-1, *found.estimate.shape)
    rank = _demand_rank(rank, min(_rank_of(estimate.values), _rank_of(values[0])))
    place, direction = _split(estimate.values, rank)
    turned = [_towards(*_split(each, rank), place, direction) for each in values]
    places, directions = (np.stack(each) for each in zip(*turned, strict=True))
    return xr.Dataset(
        {
            "direction": (("draw", "factor", "item"), directions.transpose(0, 2, 1)),
            "place": (("draw", "factor", "judge"), places.transpose(0, 2, 1)),
            "direction_estimate": (("factor", "item"), direction.T),
            "place_estimate": (("factor", "judge"), place.T),
        },
        coords={
            "factor": np.arange(1, rank + 1),
            "item": estimate["item"].values,
            "judge": estimate["judge"].values,
        },
    )


def _demand_rank(rank: int, there: int) -> int:
    if there == 0:
        raise RankError(
            "The fit's judges do not disagree in any direction (its rank is 0), so that there are "
            "no factors; fit with bj.structure(judges, rank=...) of a higher rank, if the panel "
            "allows one."
        )
    if isinstance(rank, bool) or not isinstance(rank, int | np.integer) or not 1 <= rank <= there:
        raise RankError(
            f"rank is {rank!r} and the fit's disagreement has {there} factors; give a whole number "
            f"from 1 to {there}, or fit with bj.structure(judges, rank=...) of a higher rank."
        )
    return int(rank)


def _rank_of(disagreement: FloatArray) -> int:
    values = np.linalg.svd(disagreement, compute_uv=False)
    return int((values > VANISHING * max(values[0], VANISHING)).sum())


def _split(disagreement: FloatArray, rank: int) -> tuple[FloatArray, FloatArray]:
    """Places U and directions V of one matrix, signs by the largest entry of each direction."""
    left, values, right = np.linalg.svd(disagreement, full_matrices=False)
    direction = np.sqrt(disagreement.shape[1]) * right[:rank].T
    place = left[:, :rank] * values[:rank] / np.sqrt(disagreement.shape[1])
    largest = direction[np.abs(direction).argmax(axis=0), np.arange(rank)]
    sign = np.where(largest < 0, -1.0, 1.0)
    return place * sign, direction * sign


def _towards(
    place: FloatArray, direction: FloatArray, to_place: FloatArray, to_direction: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Turn factors so that both together lie closest to others; their product does not change."""
    target = place.T @ to_place + direction.T @ to_direction
    left, _, right = np.linalg.svd(target)
    turn = left @ right
    return place @ turn, direction @ turn
