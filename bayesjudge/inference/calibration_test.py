"""Do people's scores lie in the space of the judges? A likelihood-ratio test and AIC."""

from dataclasses import dataclass

from scipy.stats import chi2

from bayesjudge.errors import NoAdmissibleFitError
from bayesjudge.inference.weight_path import WeightPath


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
    ends = path.human_only, path.anchored
    for end in ends:
        if end.fault is not None:
            raise NoAdmissibleFitError(
                f"The test compares the path's two ends, and at weight {end.weight:g} there is no "
                f"fit ({end.fault}); collect more votes."
            )
    free, held = ends
    statistic = 2 * path.blocks.n_human_votes * (held.human_loss - free.human_loss)
    dimension = int(path.blocks.calibration.sum())
    degrees = len(path.blocks.designs[0].items) - 1 - dimension
    return CalibrationTest(statistic, degrees, float(chi2.sf(statistic, degrees)))
