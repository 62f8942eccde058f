"""The seven estimators that DIAL compares, for simulated panels and for real votes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.design import Design
from bayesjudge.designs.structure import structure
from bayesjudge.dial.candidates import Candidate
from bayesjudge.dial.weight_path import WeightPath, weight_path
from bayesjudge.engine.sites import Model
from bayesjudge.models import calibrated
from bayesjudge.models.calibrated import calibrated_full
from bayesjudge.studies.dial.baselines import RescaledScore, ordered_consensus, pooled_judges


@dataclass(frozen=True, eq=False)
class Paths:
    """Verdicts and votes with the weight paths that several estimators share, each fitted once.

    Attributes
    ----------
    judges, humans : Design
        Verdicts on a grid, whose only term is position, and votes.
    rank : int
        Directions of disagreement among judges.
    multiples : ndarray
        Weights as multiples of n_l / n_h.
    """

    judges: Design
    humans: Design
    rank: int
    multiples: FloatArray

    @cached_property
    def consensus(self) -> WeightPath:
        """The path within the consensus."""
        return self._path(calibrated, self.judges)

    @cached_property
    def full(self) -> WeightPath:
        """The path within consensus and disagreement."""
        return self._path(calibrated_full, self.judges)

    @cached_property
    def without_position(self) -> WeightPath:
        """The path within the consensus of judges without position effects."""
        plain = replace(self.judges.layout, terms=(), retained=())
        return self._path(calibrated, replace(self.judges, layout=plain))

    def _path(self, program: Model, judges: Design) -> WeightPath:
        joint = judges.weight.sum() / self.humans.weight.sum()
        frame = structure(judges, rank=self.rank)
        return weight_path(
            program, judges, self.humans, frame, weights=list(joint * self.multiples)
        )


@dataclass(frozen=True, eq=False)
class PathEstimate:
    """The human score at one weight of a path.

    Attributes
    ----------
    human_score : ndarray, shape (n_items,)
        Log-odds.
    path : WeightPath
        The path.
    weight : float
        The weight.
    """

    human_score: FloatArray
    path: WeightPath
    weight: float


def human_only(paths: Paths) -> PathEstimate:
    """Return DIAL's "Human": votes alone."""
    return _at(paths.consensus, paths.consensus.human_only)


def pooled(paths: Paths) -> RescaledScore:
    """Return DIAL's "Pooled": all judges as one, without order, rescaled to the votes."""
    return pooled_judges(paths.judges, paths.humans)


def anchored(paths: Paths) -> PathEstimate:
    """Return DIAL-Anc within the consensus."""
    return _at(paths.consensus, paths.consensus.anchored)


def adaptive(paths: Paths) -> PathEstimate:
    """Return DIAL-Ada within the consensus."""
    return _at(paths.consensus, paths.consensus.selected)


def adaptive_full(paths: Paths) -> PathEstimate:
    """Return DIAL-Ada(W), within consensus and disagreement."""
    return _at(paths.full, paths.full.selected)


def adaptive_without_position(paths: Paths) -> PathEstimate:
    """Return DIAL-noPos, the adaptive fit with every position effect at zero."""
    return _at(paths.without_position, paths.without_position.selected)


def aggregate_then_calibrate(paths: Paths) -> RescaledScore:
    """Return AtC: the consensus in the order of the votes."""
    return ordered_consensus(paths.consensus)


def _at(path: WeightPath, candidate: Candidate) -> PathEstimate:
    """Return the score of a candidate; raise where it may not be reported."""
    return PathEstimate(candidate.human_score.values, path, candidate.weight)


ESTIMATORS: dict[str, Callable[[Paths], PathEstimate | RescaledScore]] = {
    "Human": human_only,
    "Pooled": pooled,
    "DIAL-Anc": anchored,
    "DIAL-Ada": adaptive,
    "DIAL-Ada (W)": adaptive_full,
    "DIAL-noPos": adaptive_without_position,
    "AtC": aggregate_then_calibrate,
}
