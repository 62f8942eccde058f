"""DIAL's anchored estimate: judges first, then humans in the space that the judges leave."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesjudge.inference.blocks import Blocks, restricted
from bayesjudge.inference.optimise import Optimum, follow, minimise


@dataclass(frozen=True, eq=False)
class Anchored:
    """The two stages of the anchored estimate, DIAL eq. (12).

    Attributes
    ----------
    phi : ndarray, shape (size,)
        Flat vector of the calibrated program.
    judges : Optimum
        Stage one: the judges' loss, by verdict, in the structure's coordinates.
    calibration : Optimum
        Stage two: the humans' loss, by vote, in the calibration coordinates.
    """

    phi: NDArray[np.float64]
    judges: Optimum
    calibration: Optimum


def anchored(of: Blocks) -> Anchored:
    """Fit the judges alone, then calibrate.

    Parameters
    ----------
    of : Blocks
        Judges and humans.

    Returns
    -------
    Anchored
        Not checked.
    """
    start = of.program.sites.flat(
        {name: value for frame in of.frames for name, value in frame.starts().items()}
    )
    judges = _judges(of, start)
    phi = start.copy()
    phi[~of.calibration] = judges.phi
    calibration = calibrate(of, phi)
    phi[of.calibration] = calibration.phi
    return Anchored(phi, judges, calibration)


def calibrate(of: Blocks, phi: NDArray[np.float64]) -> Optimum:
    """Fit the calibration coordinates to the humans, the structure kept.

    Parameters
    ----------
    of : Blocks
        Judges and humans.
    phi : ndarray, shape (size,)
        Where the structure is kept, and where calibration starts.

    Returns
    -------
    Optimum
        A convex problem, by vote.
    """
    loss = restricted(of.loss(0.0, 1.0), phi, of.calibration, of.n_human_votes)
    return follow(loss, phi[of.calibration])


def _judges(of: Blocks, start: NDArray[np.float64]) -> Optimum:
    loss = restricted(of.loss(1.0, 0.0), start, ~of.calibration, of.n_judge_verdicts)
    return minimise(loss, [start[~of.calibration]])
