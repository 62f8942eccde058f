"""Baselines of DIAL: pooled judges, and a consensus rearranged in the order of the votes."""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons, refuse_exchanged
from bayesjudge.designs.design import Design, designs
from bayesjudge.designs.frames import Space
from bayesjudge.dial.candidates import consensus_fault
from bayesjudge.dial.weight_path import WeightPath
from bayesjudge.errors import NoAdmissibleFitError, WeightError
from bayesjudge.fits.mode import mode
from bayesjudge.models import bradley_terry
from bayesjudge.models.calibrated import within_space

FLAT = 1e-9  # log-odds; scores that differ by less are equal


@dataclass(frozen=True, eq=False, repr=False)
class RescaledScore:
    """A score of the judges, rescaled to the votes.

    Attributes
    ----------
    shape : ndarray, shape (n_items,)
        The judges' score; sums to zero.
    scale : float
        Factor estimated from the votes; zero where the judges' scores are all equal.
    """

    shape: FloatArray
    scale: float

    @property
    def human_score(self) -> FloatArray:
        """The estimate of the human score, log-odds."""
        return self.scale * self.shape

    def __repr__(self) -> str:
        return f"RescaledScore({len(self.shape)} items, scale {self.scale:.4g})"


def pooled_judges(judges: Comparisons | Design, humans: Comparisons | Design) -> RescaledScore:
    """Rank by all judges' verdicts as if one judge had given them, and rescale to the votes.

    Parameters
    ----------
    judges, humans : Comparisons or Design
        Verdicts and votes.

    Returns
    -------
    RescaledScore
        DIAL's "Pooled", which ignores judge and order of display.

    Raises
    ------
    NoFiniteMaximumError, UnidentifiedError
        If the verdicts or votes have no finite estimate.
    NotComparisonsError, JudgeKindError
        If verdicts have not been read, or judges and people are exchanged.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> pooled_judges(bj.example_panel(), bj.example_votes()).human_score.shape
    (8,)
    """
    prepared = designs(judges, humans)
    refuse_exchanged(prepared[0].data, prepared[1].data)
    score = mode(bradley_terry, prepared[0], prior=False).quantity("score").values
    return _rescaled(score, prepared[1])


def ordered_consensus(path: WeightPath) -> RescaledScore:
    """Rearrange the judges' consensus in the order of the votes, and rescale it to them.

    Parameters
    ----------
    path : WeightPath
        As returned by `bayesjudge.calibration.weight_path`.

    Returns
    -------
    RescaledScore
        DIAL's "AtC" (aggregate, then calibrate): isotonic regression of the consensus on the order
        of the votes' Bradley-Terry scores. Where the consensus contradicts that order, the
        regression is constant, and the estimate is zero for all items.

    Raises
    ------
    WeightError
        If `path` is not a weight path.
    NoAdmissibleFitError
        If the votes alone have no finite estimate, or the judges do not identify the consensus.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> path = bj.calibration.weight_path(
    ...     bj.models.calibrated, bj.example_panel(), bj.example_votes()
    ... )
    >>> bool(ordered_consensus(path).scale > 0)
    True
    """
    from sklearn.isotonic import isotonic_regression

    path = _demand_order(path)
    order = np.argsort(path.human_only.human_score.values)
    consensus = path.anchored.admissible().values["consensus"]
    shape = np.empty_like(consensus)
    shape[order] = isotonic_regression(consensus[order])
    return _rescaled(shape - shape.mean(), path.blocks.designs[1])


def _demand_order(path: object) -> WeightPath:
    path = wanted(
        WeightPath,
        path,
        WeightError,
        "A weight path is needed and this is of type {type}; give what "
        "bj.calibration.weight_path(bj.models.calibrated, judges, humans) returned.",
    )
    if path.human_only.fault is not None:
        raise NoAdmissibleFitError(
            f"The votes alone have no finite estimate ({path.human_only.fault}) and so no order "
            "that the consensus could follow; collect more votes."
        )
    fault = consensus_fault(path.blocks, path.staged, path.anchored)
    if fault is not None:
        raise NoAdmissibleFitError(
            f"There is no consensus to rearrange in the order of the votes ({fault}); leave out "
            "the judges in question, or give bj.calibration.structure(judges, rank=0)."
        )
    return path


def _rescaled(score: FloatArray, votes: Design) -> RescaledScore:
    """Return the score with the scale that fits the votes best."""
    if np.ptp(score) < FLAT:  # any scale gives zero
        return RescaledScore(np.zeros_like(score), 0.0)
    fit = mode(within_space, votes, Space(score[:, None]), prior=False)
    return RescaledScore(score, float(fit.phi[0]))
