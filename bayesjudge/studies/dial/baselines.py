"""What DIAL is compared with: pooled judges, and a consensus made to follow the votes' order."""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons, refuse_exchanged
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.frames import Space
from bayesjudge.dial.weight_path import WeightPath
from bayesjudge.errors import NoAdmissibleFitError, WeightError
from bayesjudge.fits.mode import mode
from bayesjudge.models import bradley_terry
from bayesjudge.models.calibrated import within_space

FLAT = 1e-9  # log-odds; scores that differ by less are equal


@dataclass(frozen=True, eq=False)
class RescaledScore:
    """A score of the judges, stretched to the votes.

    Attributes
    ----------
    shape : ndarray, shape (n_items,)
        The judges' score; sums to zero.
    scale : float
        What the votes multiply it with; zero where the judges' scores are all equal.
    """

    shape: FloatArray
    scale: float

    @property
    def human_score(self) -> FloatArray:
        """The estimate of the human score, log-odds."""
        return self.scale * self.shape


def pooled_judges(judges: Comparisons | Design, humans: Comparisons | Design) -> RescaledScore:
    """Rank by all judges' verdicts as if one judge had given them, and stretch to the votes.

    Parameters
    ----------
    judges, humans : Comparisons or Design
        Verdicts and votes.

    Returns
    -------
    RescaledScore
        DIAL's "Pooled": judge and order of display are ignored.

    Raises
    ------
    NoFiniteMaximumError, UnidentifiedError
        If the verdicts or votes have no finite estimate.
    NotComparisonsError, JudgeKindError
        If verdicts have not been read, or people are given for judges, and judges for people.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> found = pooled_judges(bj.example_panel(), bj.example_votes())
    >>> found.human_score.shape
    (8,)
    """
    prepared = designs(judges, humans)
    refuse_exchanged(prepared[0].data, prepared[1].data)
    score = mode(bradley_terry, prepared[0], prior=False).quantity("score").values
    return _stretched(score, prepared[1])


def ordered_consensus(path: WeightPath) -> RescaledScore:
    """Make the judges' consensus follow the order of the votes, and stretch it to them.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.weight_path` gave.

    Returns
    -------
    RescaledScore
        DIAL's "AtC" (aggregate, then calibrate): isotonic regression of the consensus on the order
        of the votes' Bradley-Terry scores. Where the consensus runs against the votes' order, the
        regression gives all items one value, and the estimate is zero for all.

    Raises
    ------
    WeightError
        If something else than a path is given.
    NoAdmissibleFitError
        If the votes alone have no finite estimate.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> path = bj.weight_path(bj.models.calibrated, bj.example_panel(), bj.example_votes())
    >>> bool(ordered_consensus(path).scale > 0)
    True
    """
    from sklearn.isotonic import isotonic_regression

    _demand_order(path)
    order = np.argsort(path.human_only.human_score.values)
    consensus = path.joint_fit(np.inf).values["consensus"]
    shape = np.empty_like(consensus)
    shape[order] = isotonic_regression(consensus[order])
    return _stretched(shape - shape.mean(), path.blocks.designs[1])


def _demand_order(path: object) -> None:
    if not isinstance(path, WeightPath):
        raise WeightError(
            f"A path of weights is wanted and this is of type {type(path).__name__}; give what "
            "bj.weight_path(bj.models.calibrated, judges, humans) returned."
        )
    if path.human_only.fault is not None:
        raise NoAdmissibleFitError(
            f"The votes alone have no finite estimate ({path.human_only.fault}), so that they have "
            "no order to follow; collect more votes."
        )


def _stretched(score: FloatArray, votes: Design) -> RescaledScore:
    if np.ptp(score) < FLAT:  # nothing to stretch: zero is the only score of this shape
        return RescaledScore(np.zeros_like(score), 0.0)
    fit = mode(within_space, votes, Space(score[:, None]), prior=False)
    return RescaledScore(score, float(fit.phi[0]))
