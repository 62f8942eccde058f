"""Single fits of a weight path, and why some of them may not be chosen (DIAL E.3.2)."""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.data.graph import win_groups
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Space
from bayesjudge.dial.blocks import Anchored, Blocks, is_flat
from bayesjudge.dial.gacv import optimism, vote_loss
from bayesjudge.errors import NoAdmissibleFitError
from bayesjudge.fits.mode import Mode, mode
from bayesjudge.fits.plain_causes import NAMED, habits
from bayesjudge.models.calibrated import within_space

BOX = 10.0  # bound of the canonical coordinates
LARGEST_SCORE = 10.0  # log-odds
GRADIENT = 1e-9  # by vote and unit of weight
DIVERGED = 30.0  # log-odds that no verdicts support
STILL = 1e-6  # relative speed below which the human score does not move
LEAST_CURVATURE = 1e-8  # of a verdict's mean loss; what is less comes from predictions of certainty
EVEN = 1e-6  # log-odds of an average judge's score that is none
LEAST_LEFT = 1e-7  # share of the votes' information at zero, below which all are foretold


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
        """Return the fit, if it may be reported.

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


def human_only(blocks: Blocks) -> Candidate:
    """Fit the votes alone."""
    votes = blocks.designs[1]
    fault = human_only_fault(votes)
    if fault is not None:
        return Candidate(0.0, fault, None, np.nan, np.nan)
    fit = mode(within_space, votes, Space(helmert_basis(len(votes.items))), prior=False)
    return Candidate(0.0, None, fit, vote_loss(fit), optimism(fit))


def anchored_candidate(blocks: Blocks, staged: Anchored) -> Candidate:
    """Return the anchored fit as a candidate."""
    fit = blocks.joint_model_at(staged.phi)
    unfitted = blocks.unfitted_information(staged.phi)
    fault = anchored_fault(staged, fit, ~blocks.calibration, unfitted)
    return Candidate(np.inf, fault, fit, vote_loss(fit), optimism(fit, blocks.calibration))


def finite_candidate(blocks: Blocks, start: FloatArray, weight: float) -> Candidate:
    """Fit judges and humans at a weight, from a flat vector (size,) close by."""
    _, fit = blocks.in_own_chart(start, lambda chart, phi: chart.joint_fit(phi, weight))
    fault = finite_fault(fit, fit.gradient_norm / blocks.scale(weight))
    return Candidate(weight, fault, fit, vote_loss(fit), optimism(fit))


def human_only_fault(design: Design) -> str | None:
    """Return why votes alone have no finite estimate (Ford 1957)."""
    votes = design.data.select(design.weight > 0)
    absent = [name for name in design.items if name not in votes.items]
    if absent:
        return f"no votes on {listing(absent, 3)}"
    if win_groups(votes).max() > 0:
        return "the votes are separated: some items only won or only lost"
    return None


def anchored_fault(
    staged: Anchored, fit: Mode, structure: BoolArray, unfitted: FloatArray
) -> str | None:
    """Return why the anchored fit may not be chosen.

    A judge about whom the verdicts say nothing is no fault as long as the human score does not
    depend on it.

    Shapes: unfitted (free, free), the votes' information on a calibration of zero.
    """
    calibration = float(np.abs(staged.calibration.phi).max(initial=0.0))
    if moves_along_flat("human_score", staged, fit, structure):
        return _with_habits(_unidentified_structure(fit), fit)
    if abs(float(fit.values["loading"].mean())) < EVEN:
        return "the judges have no consensus: their average score is zero"
    if not calibration <= BOX or foretold(staged.calibration.hessian, unfitted):
        return f"the calibration diverges ({calibration:.1f}): the votes are separated"
    gradient = max(staged.calibration.gradient_norm, staged.judges.gradient_norm)
    return None if gradient <= GRADIENT else _not_converged(gradient)


def consensus_fault(blocks: Blocks, staged: Anchored, anchored: Candidate) -> str | None:
    """Return why the judges' consensus may not be used, even if the human score does not move."""
    fit = anchored.fit
    if anchored.fault is None and fit is not None:
        moves = moves_along_flat("consensus", staged, fit, ~blocks.calibration)
        return _with_habits(_unidentified_structure(fit), fit) if moves else None
    return anchored.fault


def finite_fault(fit: Mode, gradient: float) -> str | None:
    """Return why a fit at a finite weight may not be chosen."""
    score = float(np.abs(fit.values["human_score"]).max())
    if not gradient <= GRADIENT:
        return _not_converged(gradient)
    if _farthest(fit) > BOX:
        return _with_habits(f"the judges' estimates exceed the bound of {BOX:g}", fit)
    if is_flat(np.linalg.eigvalsh(fit.hessian)).any():
        return "its Hessian is singular"
    if score > LARGEST_SCORE:
        return f"a human score is {score:.1f} log-odds, beyond the bound of {LARGEST_SCORE:g}"
    return None


def _unidentified_structure(fit: Mode) -> str:
    if np.abs(fit.values["judge_score"]).max() > DIVERGED:
        return "a judge's estimate diverges: its verdicts are separated"
    return "the judges do not identify a structure of this rank"


def _with_habits(fault: str, fit: Mode) -> str:
    """Add which judges always picked one slot, which is why their estimates diverge."""
    causes = listing(habits(fit), NAMED)
    return f"{fault.partition(':')[0]}: {causes}" if causes else fault


def _not_converged(gradient: float) -> str:
    return f"did not converge (gradient {gradient:.0e})"


def foretold(information: FloatArray, unfitted: FloatArray) -> bool:
    """Whether a direction is left without information, as where votes are separated."""
    values, vectors = np.linalg.eigh(unfitted)
    unit = vectors / np.sqrt(values)
    return bool(np.linalg.eigvalsh(unit.T @ information @ unit)[0] < LEAST_LEFT)


def moves_along_flat(name: str, staged: Anchored, fit: Mode, structure: BoolArray) -> bool:
    """Whether a quantity moves where the judges' mean likelihood does not."""
    curvature, directions = np.linalg.eigh(staged.judges.hessian)
    flat = is_flat(curvature) | (curvature <= LEAST_CURVATURE)
    if not flat.any():
        return False
    gradient = fit.jacobians[name][:, structure]
    speed = np.linalg.norm(gradient @ directions[:, flat], axis=0)
    return bool((speed > STILL * np.linalg.norm(gradient)).any())


def _farthest(fit: Mode) -> float:
    """Return the largest canonical coordinate: relative loadings, scores, UV' and position."""
    values = fit.values
    parts = [values["loading"] / values["loading"].mean(), values["score"], values["disagreement"]]
    if "position" in values:
        parts.append(values["position"])
    return max(float(np.abs(part).max(initial=0.0)) for part in parts)
