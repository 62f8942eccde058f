"""Single fits of a weight path, and when they are admissible."""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.data.graph import win_groups
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Space
from bayesjudge.dial.blocks import Anchored, Blocks
from bayesjudge.dial.gacv import optimism, vote_loss
from bayesjudge.errors import NoAdmissibleFitError
from bayesjudge.fits.mode import Mode, mode
from bayesjudge.fits.recentre import CALIBRATION
from bayesjudge.models.calibrated import within_space


@dataclass(frozen=True, eq=False, repr=False)
class Candidate:
    """A fit at one weight.

    Attributes
    ----------
    weight : float
        DIAL's lambda: infinite for the anchored fit, zero for humans alone.
    fault : str or None
        Why it may not be chosen; None where it may.
    fit : Mode or None
        The fit; None where there is none.
    human_loss : float
        Mean loss of a vote, nats.
    optimism : float
        tr(H^-1 J), effective number of parameters.
    """

    weight: float
    fault: str | None
    fit: Mode | None
    human_loss: float
    optimism: float

    @property
    def gacv(self) -> float:
        """DIAL eq. (15): estimated loss of a new vote, nats; infinite where there is no fit."""
        if self.fit is None:
            return np.inf
        return self.human_loss + self.optimism / (float(self.fit.designs[-1].weight.sum()) - 1)

    @property
    def human_score(self) -> xr.DataArray:
        """Human score at this weight, log-odds; sums to zero.

        Raises
        ------
        NoAdmissibleFitError
            If the fit may not be reported.
        """
        return self.admissible().quantity("human_score")

    def admissible(self) -> Mode:
        """Give the fit, if it may be reported.

        Returns
        -------
        Mode
            The same as ``fit``, which is there without this check.

        Raises
        ------
        NoAdmissibleFitError
            Saying why not.
        """
        if self.fit is None or self.fault is not None:
            raise NoAdmissibleFitError(
                f"There is no fit at weight {self.weight:g} that may be reported ({self.fault}); "
                "choose another weight from the path's table."
            )
        return self.fit

    def __repr__(self) -> str:
        return f"Candidate(weight {self.weight:g}, {self.fault or f'GACV {self.gacv:.4f}'})"


def human_only(of: Blocks) -> Candidate:
    """Fit the votes alone.

    Parameters
    ----------
    of : Blocks
        Judges and humans.

    Returns
    -------
    Candidate
        At weight zero; without a fit where votes have no finite estimate.
    """
    votes = of.designs[1]
    fault = human_only_fault(votes)
    if fault is not None:
        return Candidate(0.0, fault, None, np.nan, np.nan)
    fit = mode(within_space, votes, Space(helmert_basis(len(votes.items))), prior=False)
    return Candidate(0.0, None, fit, vote_loss(fit), optimism(fit))


def anchored_candidate(of: Blocks, staged: Anchored) -> Candidate:
    """Give the anchored fit as a candidate.

    Parameters
    ----------
    of : Blocks
        Judges and humans.
    staged : Anchored
        Its two stages.

    Returns
    -------
    Candidate
        At an infinite weight.
    """
    fit = of.fit_at(staged.phi, 1.0)
    fault = anchored_fault(staged, fit)
    return Candidate(np.inf, fault, fit, vote_loss(fit), optimism(fit, of.calibration))


def finite_candidate(of: Blocks, start: NDArray[np.float64], weight: float) -> Candidate:
    """Fit judges and humans at a weight.

    Parameters
    ----------
    of : Blocks
        Judges and humans.
    start : ndarray, shape (size,)
        A fit at a similar weight, in the blocks' chart.
    weight : float
        DIAL's lambda, finite and above zero.

    Returns
    -------
    Candidate
        Its fit lies in a chart about itself.
    """
    _, fit = of.about_itself(start, lambda blocks, phi: blocks.joint_fit(phi, weight))
    fault = finite_fault(fit, fit.gradient_norm / of.scale(weight))
    return Candidate(weight, fault, fit, vote_loss(fit), optimism(fit))


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
