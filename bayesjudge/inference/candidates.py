"""Single fits of a weight path: anchored, at a finite weight, and of votes alone."""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from bayesjudge.data.basis import helmert_basis
from bayesjudge.data.frames import Space
from bayesjudge.errors import NoAdmissibleFitError
from bayesjudge.inference.admissible import anchored_fault, finite_fault, human_only_fault
from bayesjudge.inference.anchored import Anchored
from bayesjudge.inference.blocks import Blocks
from bayesjudge.inference.gacv import optimism, vote_loss
from bayesjudge.inference.mode import Mode, mode
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
