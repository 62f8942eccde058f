"""DIAL: the judges' consensus, calibrated by human votes."""

from bayesjudge.designs.frames import Space, Structure
from bayesjudge.designs.structure import structure
from bayesjudge.diagnosis.calibration_findings import identify
from bayesjudge.dial.effective_dimension import local_information
from bayesjudge.dial.leave_one_vote_out import leave_one_vote_out
from bayesjudge.dial.likelihood_ratio import likelihood_ratio_test
from bayesjudge.dial.rank_selection import select_rank
from bayesjudge.dial.two_sample_covariance import two_sample_covariance
from bayesjudge.dial.weight_path import WeightPath, weight_path
from bayesjudge.plots.factors import plot_factors
from bayesjudge.plots.weight_path import plot_weight_path
from bayesjudge.report.factors import factors
from bayesjudge.report.position_tests import position_tests, shared_position_tests

__all__ = [
    "Space",
    "Structure",
    "WeightPath",
    "factors",
    "identify",
    "leave_one_vote_out",
    "likelihood_ratio_test",
    "local_information",
    "plot_factors",
    "plot_weight_path",
    "position_tests",
    "select_rank",
    "shared_position_tests",
    "structure",
    "two_sample_covariance",
    "weight_path",
]


def __dir__() -> list[str]:
    return __all__
