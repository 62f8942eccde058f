"""The estimators that DIAL compares, of one panel, each path fitted once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design, design
from bayesjudge.designs.structure import layout_structure
from bayesjudge.designs.variants import reweighted
from bayesjudge.dial.candidates import Candidate
from bayesjudge.dial.weight_path import WeightPath, weight_path
from bayesjudge.engine.sites import Model
from bayesjudge.errors import NoAdmissibleFitError
from bayesjudge.models import calibrated
from bayesjudge.models.calibrated import calibrated_full
from bayesjudge.studies.dial.baselines import ordered_consensus, pooled_judges
from bayesjudge.studies.dial.panel import DialPanel

SIMULATION_MULTIPLES = np.logspace(1, -1, 7)  # of n_l / n_h


@dataclass(frozen=True, eq=False)
class Estimate:
    """What an estimator says about a panel.

    Attributes
    ----------
    human_score : ndarray, shape (n_items,)
        Log-odds.
    position : ndarray, shape (n_judges,), or None
        Judges' position effects of the LLM-only fit, log-odds; None where there are none.
    covariance : ndarray, shape (n_items, n_items), or None
        Of the human score, where the estimator has intervals.
    """

    human_score: FloatArray
    position: FloatArray | None = None
    covariance: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class DialFits:
    """A panel with the paths that several estimators read.

    Attributes
    ----------
    panel : DialPanel
        The data and the truth.
    rank : int
        Working rank.
    multiples : ndarray
        Weights as multiples of n_l / n_h.
    """

    panel: DialPanel
    rank: int
    multiples: FloatArray

    @cached_property
    def consensus(self) -> WeightPath:
        """The path within the consensus."""
        return self._path(calibrated, self.panel.judges)

    @cached_property
    def full(self) -> WeightPath:
        """The path within consensus and disagreement."""
        return self._path(calibrated_full, self.panel.judges)

    @cached_property
    def without_position(self) -> WeightPath:
        """The path within the consensus of judges without position effects."""
        judges = self.panel.judges
        plain = design(judges.data, terms=(), items=judges.items)
        return self._path(calibrated, reweighted(plain, judges.weight))

    def _path(self, program: Model, judges: Design) -> WeightPath:
        joint = judges.weight.sum() / self.panel.humans.weight.sum()
        structure = layout_structure(judges.layout, self.rank)
        return weight_path(
            program, judges, self.panel.humans, structure, weights=list(joint * self.multiples)
        )


def humans_alone(fits: DialFits) -> Estimate:
    """Give DIAL's "Human": votes alone, with Fisher information; raises where not finite."""
    fit = finite(fits.consensus.human_only).fit
    assert fit is not None
    return Estimate(
        fit.values["human_score"], None, fit.covariance("model").of("human_score").values
    )


def pooled(fits: DialFits) -> Estimate:
    """Give DIAL's "Pooled": all judges as one, without order, stretched to the votes."""
    score = pooled_judges(fits.panel.judges, fits.panel.humans).human_score
    return Estimate(score, np.zeros_like(fits.panel.truth.position))


def anchored_estimate(fits: DialFits) -> Estimate:
    """Give DIAL-Anc within the consensus."""
    return _estimate(fits.consensus, finite(fits.consensus.anchored))


def adaptive(fits: DialFits) -> Estimate:
    """Give DIAL-Ada within the consensus."""
    return _estimate(fits.consensus, fits.consensus.selected)


def adaptive_full(fits: DialFits) -> Estimate:
    """Give DIAL-Ada(W), within consensus and disagreement."""
    return _estimate(fits.full, fits.full.selected)


def adaptive_without_position(fits: DialFits) -> Estimate:
    """Give DIAL-noPos, the adaptive fit with every position effect at zero."""
    score = fits.without_position.selected.human_score.values
    return Estimate(score, np.zeros_like(fits.panel.truth.position))


def oracle(fits: DialFits) -> Estimate:
    """Give the candidate whose excess risk is smallest, which nobody can know."""
    there = [each for each in fits.consensus.candidates if each.fault is None]
    return Estimate(
        min((each.human_score.values for each in there), key=fits.panel.truth.excess_risk)
    )


def aggregate_then_calibrate(fits: DialFits) -> Estimate:
    """Give AtC: the consensus in the order of the votes."""
    return Estimate(ordered_consensus(fits.consensus).human_score)


ESTIMATORS = {
    "Human": humans_alone,
    "Pooled": pooled,
    "DIAL-Anc": anchored_estimate,
    "DIAL-Ada": adaptive,
    "DIAL-Ada (W)": adaptive_full,
    "DIAL-noPos": adaptive_without_position,
    "AtC": aggregate_then_calibrate,
    "oracle": oracle,
}


def _estimate(path: WeightPath, chosen: Candidate) -> Estimate:
    covariance = path.covariance(chosen.weight, "cell" if chosen.weight else "row")
    position = path.joint_fit(np.inf).values["position"]
    return Estimate(chosen.human_score.values, position, covariance.of("human_score").values)


def finite(candidate: Candidate) -> Candidate:
    """Give a candidate that may be reported; raise where it may not.

    Parameters
    ----------
    candidate : Candidate
        Of a path.

    Returns
    -------
    Candidate
        As given.

    Raises
    ------
    NoAdmissibleFitError
        With the reason.
    """
    if candidate.fault is not None:
        raise NoAdmissibleFitError(
            f"There is no fit at weight {candidate.weight:g} ({candidate.fault}); this estimator "
            "is left out of averages here."
        )
    return candidate
