"""Which fits along a path of weights may be chosen from: DIAL's guards (E.3.2)."""

import numpy as np

from bayesjudge.data.arrays import FloatArray
from bayesjudge.data.design import Design
from bayesjudge.data.graph import win_groups
from bayesjudge.data.names import listing
from bayesjudge.inference.anchored import Anchored
from bayesjudge.inference.mode import Mode
from bayesjudge.inference.recentre import CALIBRATION

BOX = 10.0  # bound of the canonical coordinates
LARGEST_SCORE = 10.0  # log-odds
FLAT = 1e-9  # smallest curvature, relative to the largest
GRADIENT = 1e-9  # by vote and unit of weight
RUNAWAY = 30.0  # log-odds that no verdicts say
STILL = 1e-6  # relative speed below which the human score does not move


def finite_fault(fit: Mode, gradient: float) -> str | None:
    """Say why a fit at a finite weight may not be chosen.

    Parameters
    ----------
    fit : Mode
        The fit.
    gradient : float
        Largest component of the gradient by vote, over one plus the weight.

    Returns
    -------
    str or None
        None where it may be.
    """
    curvature = np.linalg.eigvalsh(fit.hessian)
    score = float(np.abs(fit.values["human_score"]).max())
    faults = {
        f"did not converge (gradient {gradient:.0e})": gradient > GRADIENT,
        "its judges' estimates leave the box of 10": _farthest(fit) > BOX,
        "its Hessian is singular": _is_flat(curvature),
        f"a human score is {score:.1f}": score > LARGEST_SCORE,
    }
    return next((fault for fault, true in faults.items() if true), None)


def anchored_fault(staged: Anchored, fit: Mode) -> str | None:
    """Say why the anchored fit may not be chosen.

    Parameters
    ----------
    staged : Anchored
        Its two stages.
    fit : Mode
        The same as a fit of the whole program.

    Returns
    -------
    str or None
        None where it may be.

    Notes
    -----
    A judge about whom the verdicts say nothing is no fault as long as the human score does not
    depend on it.
    """
    farthest = float(np.abs(staged.calibration.phi).max(initial=0.0))
    gradient = max(staged.calibration.gradient_norm, staged.judges.gradient_norm)
    if _moves_along_flat(staged, fit):
        if np.abs(fit.values["judge_score"]).max() > RUNAWAY:
            return "a judge's estimate runs away: its verdicts are separated"
        return "the judges do not identify a structure of this rank"
    if farthest > BOX or not np.isfinite(farthest):
        return f"its calibration runs away ({farthest:.1f}): the votes are separated"
    return f"did not converge (gradient {gradient:.0e})" if gradient > GRADIENT else None


def _moves_along_flat(staged: Anchored, fit: Mode) -> bool:
    """Whether the human score moves where the judges' likelihood does not."""
    values, vectors = np.linalg.eigh(staged.judges.hessian)
    flat = vectors[:, values <= FLAT * values[-1]]
    structure = np.ones(len(fit.phi), dtype=bool)
    structure[fit.program.sites.slices[CALIBRATION]] = False
    gradient = fit.jacobians["human_score"][:, structure]
    moved = np.linalg.norm(gradient @ flat, axis=0)
    return bool((moved > STILL * np.linalg.norm(gradient)).any())


def human_only_fault(of: Design) -> str | None:
    """Say why votes alone have no finite estimate (Ford 1957).

    Parameters
    ----------
    of : Design
        The humans' votes; rows of weight zero do not count.

    Returns
    -------
    str or None
        None where every item can be reached from every other along wins.
    """
    votes = of.data.select(of.weight > 0)
    absent = [name for name in of.items if name not in votes.items]
    if absent:
        return f"no votes on {listing(absent, 3)}"
    if win_groups(votes).max() > 0:
        return "the votes are separated: some items only won or only lost"
    return None


def _is_flat(curvature: FloatArray) -> bool:
    return bool(curvature[0] <= FLAT * curvature[-1])


def _farthest(fit: Mode) -> float:
    """Largest canonical coordinate: relative loadings, average scores, UV' and position."""
    found = fit.values
    parts = [found["loading"] / found["loading"].mean(), found["score"], found["disagreement"]]
    if "position" in found:
        parts.append(found["position"])
    return max(float(np.abs(part).max(initial=0.0)) for part in parts)
