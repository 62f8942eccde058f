"""Whether the human score lies in the judges' space: a likelihood-ratio test and AIC."""

from dataclasses import dataclass

from scipy.stats import chi2

from bayesjudge.dial.candidates import Candidate
from bayesjudge.dial.weight_path import WeightPath, demand_path
from bayesjudge.errors import NoAdmissibleFitError, RankError


@dataclass(frozen=True, repr=False)
class LikelihoodRatio:
    """A likelihood-ratio test of the calibration space.

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

    def __repr__(self) -> str:
        test = f"T = {self.statistic:.4g}, degrees = {self.degrees}, p = {self.p_value:.3g}"
        return f"LikelihoodRatio({test})"

    @property
    def anchoring_has_lower_aic(self) -> bool:
        """Whether AIC prefers the anchored fit to humans alone: T < 2 (N - 1 - d)."""
        return self.statistic < 2 * self.degrees


def likelihood_ratio_test(path: WeightPath) -> LikelihoodRatio:
    """Test whether the human score lies in the judges' space.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.calibration.weight_path` gave; its two ends are compared.

    Returns
    -------
    LikelihoodRatio
        A small p-value is evidence that the human score lies outside the judges' space.

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
    >>> path = bj.calibration.weight_path(
    ...     bj.models.calibrated, bj.example_panel(), bj.example_votes()
    ... )
    >>> likelihood_ratio_test(path).degrees
    6
    """
    degrees = _degrees(demand_path(path))
    for end in (path.human_only, path.anchored):
        _demand_fit(end)
    gain = path.anchored.human_loss - path.human_only.human_loss
    statistic = 2 * path.blocks.n_human_votes * gain
    return LikelihoodRatio(statistic, degrees, float(chi2.sf(statistic, degrees)))


def _degrees(path: WeightPath) -> int:
    n_items = len(path.blocks.designs[0].items)
    degrees = n_items - 1 - int(path.blocks.calibration.sum())
    if degrees == 0:
        raise RankError(
            f"The judges' space holds every score of {n_items} items, so that nothing is left to "
            "test; choose a lower rank with bj.calibration.structure, or models.calibrated."
        )
    return degrees


def _demand_fit(end: Candidate) -> None:
    if end.fault is not None:
        raise NoAdmissibleFitError(
            f"The test compares the path's two ends, and at weight {end.weight:g} there is no "
            f"fit that may be reported ({end.fault}); see the path's table()."
        )
