"""Do people's scores lie in the space of the judges? A likelihood-ratio test and AIC."""

from dataclasses import dataclass

from scipy.stats import chi2

from bayesjudge.dial.candidates import Candidate
from bayesjudge.dial.weight_path import WeightPath, demand_path
from bayesjudge.errors import NoAdmissibleFitError, RankError


@dataclass(frozen=True)
class CalibrationTest:
    """Test of the calibration space.

    Attributes
    ----------
    statistic : float
        T, twice the difference of the votes' log-likelihoods.
    degrees : int
        N - 1 - d.
    p_value : float
        Chi-squared, for judges' verdicts much more numerous than votes.
    """

    statistic: float
    degrees: int
    p_value: float

    @property
    def anchoring_has_lower_aic(self) -> bool:
        """Whether AIC prefers the anchored fit to humans alone: T < 2 (N - 1 - d)."""
        return self.statistic < 2 * self.degrees


def calibration_test(path: WeightPath) -> CalibrationTest:
    """Test whether the human score lies in the judges' space.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.weight_path` gave; its two ends are compared.

    Returns
    -------
    CalibrationTest
        A small p-value says that people mean something else than the space holds.

    Raises
    ------
    NoAdmissibleFitError
        If votes alone have no finite estimate, or the anchored fit none.
    RankError
        If the judges' space holds every score there is.

    Notes
    -----
    DIAL Proposition D.10, which lets n_h / n_l vanish: with 800 votes and 20,000 verdicts the test
    of nominal size 5 % rejects in about 7.5 %.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> path = bj.weight_path(bj.models.calibrated, bj.example_panel(), bj.example_votes())
    >>> calibration_test(path).degrees
    6
    """
    degrees = _degrees(demand_path(path))
    free, held = path.human_only, path.anchored
    for end in (free, held):
        _demand_fit(end)
    statistic = 2 * path.blocks.n_human_votes * (held.human_loss - free.human_loss)
    return CalibrationTest(statistic, degrees, float(chi2.sf(statistic, degrees)))


def _demand_fit(end: Candidate) -> None:
    if end.fault is not None:
        raise NoAdmissibleFitError(
            f"The test compares the path's two ends, and at weight {end.weight:g} there is no "
            f"fit that may be reported ({end.fault}); see the path's table()."
        )


def _degrees(path: WeightPath) -> int:
    n_items = len(path.blocks.designs[0].items)
    degrees = n_items - 1 - int(path.blocks.calibration.sum())
    if degrees == 0:
        raise RankError(
            f"The judges' space holds every score of {n_items} items, so that nothing is left to "
            "test; choose a lower rank with bj.structure, or models.calibrated."
        )
    return degrees
