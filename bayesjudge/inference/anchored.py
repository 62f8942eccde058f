"""DIAL's anchored estimate: judges first, then humans in the space that the judges leave."""

from dataclasses import dataclass, replace

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
        Stage one: the judges' loss, by verdict, with derivatives in the structure's coordinates.
    calibration : Optimum
        Stage two: the humans' loss, by vote, in the calibration coordinates.
    """

    phi: NDArray[np.float64]
    judges: Optimum
    calibration: Optimum


def judges_alone(of: Blocks) -> tuple[Blocks, Optimum]:
    """Fit the judges by themselves, in a chart about their own fit.

    Parameters
    ----------
    of : Blocks
        Judges and humans, about any base point.

    Returns
    -------
    blocks : Blocks
        About the judges' fit.
    judges : Optimum
        Their loss by verdict, at the flat vector of the whole program; its gradient and Hessian are
        those of the structure's coordinates.
    """
    known = {name: value for frame in of.frames for name, value in frame.starts().items()}
    return of.about_itself(of.program.sites.flat(known), _judges)


def anchored(of: Blocks, judges: Optimum) -> Anchored:
    """Calibrate the judges' fit by the votes.

    Parameters
    ----------
    of : Blocks
        Judges and humans, in the chart of the fit.
    judges : Optimum
        What `judges_alone` gave.

    Returns
    -------
    Anchored
        Not checked.
    """
    calibration = calibrate(of, judges.phi)
    phi = judges.phi.copy()
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
    free = ~of.calibration
    loss = restricted(of.loss(1.0, 0.0), start, free, of.n_judge_verdicts)
    end = minimise(loss, [start[free]])
    phi = start.copy()
    phi[free] = end.phi
    return replace(end, phi=phi)
