"""Rankings of language models from pairwise verdicts, with intervals that can be trusted.

Names are loaded when they are first used, so that reading a file does not wait for JAX.
"""

from typing import TYPE_CHECKING

from bayesjudge.lazy import lazy_getattr

if TYPE_CHECKING:
    from bayesjudge import errors, models, studies
    from bayesjudge.data.arrivals import Roster, roster
    from bayesjudge.data.calibration_findings import identify
    from bayesjudge.data.comparisons import Comparisons
    from bayesjudge.data.design import Design, design, tempered
    from bayesjudge.data.diagnose import diagnose
    from bayesjudge.data.families import organisation_families
    from bayesjudge.data.features import answer_contrasts, features
    from bayesjudge.data.frames import Space, Structure
    from bayesjudge.data.judge_structure import structure
    from bayesjudge.data.read import read
    from bayesjudge.data.reweight import reweighted
    from bayesjudge.data.synthetic import (
        example_panel,
        panel_families,
        panel_truth,
        synthetic_panel,
    )
    from bayesjudge.data.synthetic_votes import example_votes, synthetic_votes
    from bayesjudge.inference.arrival_findings import identify_new_item
    from bayesjudge.inference.arriving import place
    from bayesjudge.inference.calibration_test import calibration_test
    from bayesjudge.inference.checks import check
    from bayesjudge.inference.covariance import Covariance, curvature_covariance
    from bayesjudge.inference.cut_posterior import cut_posterior
    from bayesjudge.inference.effective_dimension import local_information
    from bayesjudge.inference.history import History, fit_history, load_history
    from bayesjudge.inference.laplace import laplace
    from bayesjudge.inference.leave_one_vote_out import leave_one_vote_out
    from bayesjudge.inference.mode import Mode, mode
    from bayesjudge.inference.neural_basis import NeuralBasis, neural_basis
    from bayesjudge.inference.next_comparisons import next_comparisons
    from bayesjudge.inference.nuts import nuts
    from bayesjudge.inference.orthogonal import Orthogonal, orthogonal
    from bayesjudge.inference.placement import Placement, placement
    from bayesjudge.inference.placement_findings import check_new_item
    from bayesjudge.inference.program import program
    from bayesjudge.inference.rank_selection import select_rank
    from bayesjudge.inference.rank_sets import RankSet, rank_set
    from bayesjudge.inference.two_sample_covariance import two_sample_covariance
    from bayesjudge.inference.weight_path import WeightPath, weight_path
    from bayesjudge.report.agreement import agreement
    from bayesjudge.report.compare import compare_intervals
    from bayesjudge.report.factors import factors
    from bayesjudge.report.files import load, save
    from bayesjudge.report.judges import judge_table
    from bayesjudge.report.plot_factors import plot_factors
    from bayesjudge.report.plot_position import plot_position
    from bayesjudge.report.plot_ranking import plot_ranking
    from bayesjudge.report.plot_weight_path import plot_weight_path
    from bayesjudge.report.plot_win_probability import plot_win_probability
    from bayesjudge.report.position_tests import position_tests, shared_position_tests
    from bayesjudge.report.ranking import rank_table
    from bayesjudge.report.win_probability import win_probability

__version__ = "0.1.0"

_PLACES = {
    "cut_posterior": "inference.cut_posterior",
    "identify_new_item": "inference.arrival_findings",
    "check_new_item": "inference.placement_findings",
    "NeuralBasis": "inference.neural_basis",
    "neural_basis": "inference.neural_basis",
    "next_comparisons": "inference.next_comparisons",
    "place": "inference.arriving",
    "History": "inference.history",
    "fit_history": "inference.history",
    "load_history": "inference.history",
    "Placement": "inference.placement",
    "placement": "inference.placement",
    "RankSet": "inference.rank_sets",
    "rank_set": "inference.rank_sets",
    "Orthogonal": "inference.orthogonal",
    "orthogonal": "inference.orthogonal",
    "answer_contrasts": "data.features",
    "features": "data.features",
    "Roster": "data.arrivals",
    "roster": "data.arrivals",
    "identify": "data.calibration_findings",
    "shared_position_tests": "report.position_tests",
    "position_tests": "report.position_tests",
    "select_rank": "inference.rank_selection",
    "calibration_test": "inference.calibration_test",
    "local_information": "inference.effective_dimension",
    "leave_one_vote_out": "inference.leave_one_vote_out",
    "plot_weight_path": "report.plot_weight_path",
    "plot_factors": "report.plot_factors",
    "factors": "report.factors",
    "WeightPath": "inference.weight_path",
    "two_sample_covariance": "inference.two_sample_covariance",
    "curvature_covariance": "inference.covariance",
    "weight_path": "inference.weight_path",
    "tempered": "data.design",
    "synthetic_votes": "data.synthetic_votes",
    "example_votes": "data.synthetic_votes",
    "Space": "data.frames",
    "Structure": "data.frames",
    "structure": "data.judge_structure",
    "Comparisons": "data.comparisons",
    "Covariance": "inference.covariance",
    "Design": "data.design",
    "Mode": "inference.mode",
    "agreement": "report.agreement",
    "check": "inference.checks",
    "compare_intervals": "report.compare",
    "design": "data.design",
    "diagnose": "data.diagnose",
    "errors": "errors",
    "example_panel": "data.synthetic",
    "judge_table": "report.judges",
    "laplace": "inference.laplace",
    "load": "report.files",
    "mode": "inference.mode",
    "models": "models",
    "nuts": "inference.nuts",
    "organisation_families": "data.families",
    "panel_families": "data.synthetic",
    "panel_truth": "data.synthetic",
    "plot_position": "report.plot_position",
    "plot_ranking": "report.plot_ranking",
    "plot_win_probability": "report.plot_win_probability",
    "program": "inference.program",
    "rank_table": "report.ranking",
    "read": "data.read",
    "reweighted": "data.reweight",
    "save": "report.files",
    "studies": "studies",
    "synthetic_panel": "data.synthetic",
    "win_probability": "report.win_probability",
}
__all__ = [
    "Comparisons",
    "Covariance",
    "Design",
    "History",
    "Mode",
    "NeuralBasis",
    "Orthogonal",
    "Placement",
    "RankSet",
    "Roster",
    "Space",
    "Structure",
    "WeightPath",
    "agreement",
    "answer_contrasts",
    "calibration_test",
    "check",
    "check_new_item",
    "compare_intervals",
    "curvature_covariance",
    "cut_posterior",
    "design",
    "diagnose",
    "errors",
    "example_panel",
    "example_votes",
    "factors",
    "features",
    "fit_history",
    "identify",
    "identify_new_item",
    "judge_table",
    "laplace",
    "leave_one_vote_out",
    "load",
    "load_history",
    "local_information",
    "mode",
    "models",
    "neural_basis",
    "next_comparisons",
    "nuts",
    "organisation_families",
    "orthogonal",
    "panel_families",
    "panel_truth",
    "place",
    "placement",
    "plot_factors",
    "plot_position",
    "plot_ranking",
    "plot_weight_path",
    "plot_win_probability",
    "position_tests",
    "program",
    "rank_set",
    "rank_table",
    "read",
    "reweighted",
    "roster",
    "save",
    "select_rank",
    "shared_position_tests",
    "structure",
    "studies",
    "synthetic_panel",
    "synthetic_votes",
    "tempered",
    "two_sample_covariance",
    "weight_path",
    "win_probability",
]


__getattr__ = lazy_getattr("bayesjudge", _PLACES)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
