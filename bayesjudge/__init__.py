"""Rankings of language models from pairwise verdicts, with intervals that can be trusted.

Names are loaded when they are first used, so that reading a file does not wait for JAX.
"""

from typing import TYPE_CHECKING

from bayesjudge.lazy import lazy_getattr

if TYPE_CHECKING:
    from bayesjudge.anchor.cut_posterior import cut_posterior
    from bayesjudge.anchor.history import History, fit_history, load_history
    from bayesjudge.anchor.neural_basis import NeuralBasis, neural_basis
    from bayesjudge.anchor.next_comparisons import next_comparisons
    from bayesjudge.anchor.orthogonal import Orthogonal, orthogonal
    from bayesjudge.anchor.place import place
    from bayesjudge.anchor.placement import Placement, placement
    from bayesjudge.anchor.rank_sets import RankSet, rank_set
    from bayesjudge.data.comparisons import Comparisons
    from bayesjudge.data.synthetic import (
        example_panel,
        example_votes,
        panel_families,
        panel_truth,
        synthetic_panel,
        synthetic_votes,
    )
    from bayesjudge.designs.design import Design, design, tempered
    from bayesjudge.designs.features import answer_contrasts, features
    from bayesjudge.designs.frames import Space, Structure
    from bayesjudge.designs.roster import Roster, roster
    from bayesjudge.designs.structure import structure
    from bayesjudge.designs.terms import organisation_families
    from bayesjudge.designs.variants import reweighted
    from bayesjudge.diagnosis.calibration_findings import identify
    from bayesjudge.diagnosis.diagnose import diagnose
    from bayesjudge.diagnosis.mode_findings import check
    from bayesjudge.diagnosis.new_item_findings import check_new_item, identify_new_item
    from bayesjudge.dial.effective_dimension import local_information
    from bayesjudge.dial.leave_one_vote_out import leave_one_vote_out
    from bayesjudge.dial.likelihood_ratio import calibration_test
    from bayesjudge.dial.rank_selection import select_rank
    from bayesjudge.dial.two_sample_covariance import two_sample_covariance
    from bayesjudge.dial.weight_path import WeightPath, weight_path
    from bayesjudge.engine.program import program
    from bayesjudge.fits.covariance import Covariance, curvature_covariance
    from bayesjudge.fits.laplace import laplace
    from bayesjudge.fits.mode import Mode, mode
    from bayesjudge.fits.nuts import nuts
    from bayesjudge.plots.factors import plot_factors
    from bayesjudge.plots.position import plot_position
    from bayesjudge.plots.ranking import plot_ranking
    from bayesjudge.plots.weight_path import plot_weight_path
    from bayesjudge.plots.win_probability import plot_win_probability
    from bayesjudge.reading.read import read
    from bayesjudge.report.agreement import agreement, compare_intervals
    from bayesjudge.report.factors import factors
    from bayesjudge.report.files import load, save
    from bayesjudge.report.judges import judge_table
    from bayesjudge.report.position_tests import position_tests, shared_position_tests
    from bayesjudge.report.ranking import rank_table
    from bayesjudge.report.win_probability import win_probability


__version__ = "0.1.0"


_PLACES = {
    "Comparisons": "data.comparisons",
    "Covariance": "fits.covariance",
    "Design": "designs.design",
    "History": "anchor.history",
    "Mode": "fits.mode",
    "NeuralBasis": "anchor.neural_basis",
    "Orthogonal": "anchor.orthogonal",
    "Placement": "anchor.placement",
    "RankSet": "anchor.rank_sets",
    "Roster": "designs.roster",
    "Space": "designs.frames",
    "Structure": "designs.frames",
    "WeightPath": "dial.weight_path",
    "agreement": "report.agreement",
    "answer_contrasts": "designs.features",
    "calibration_test": "dial.likelihood_ratio",
    "check": "diagnosis.mode_findings",
    "check_new_item": "diagnosis.new_item_findings",
    "compare_intervals": "report.agreement",
    "curvature_covariance": "fits.covariance",
    "cut_posterior": "anchor.cut_posterior",
    "design": "designs.design",
    "diagnose": "diagnosis.diagnose",
    "example_panel": "data.synthetic",
    "example_votes": "data.synthetic",
    "factors": "report.factors",
    "features": "designs.features",
    "fit_history": "anchor.history",
    "identify": "diagnosis.calibration_findings",
    "identify_new_item": "diagnosis.new_item_findings",
    "judge_table": "report.judges",
    "laplace": "fits.laplace",
    "leave_one_vote_out": "dial.leave_one_vote_out",
    "load": "report.files",
    "load_history": "anchor.history",
    "local_information": "dial.effective_dimension",
    "mode": "fits.mode",
    "neural_basis": "anchor.neural_basis",
    "next_comparisons": "anchor.next_comparisons",
    "nuts": "fits.nuts",
    "organisation_families": "designs.terms",
    "orthogonal": "anchor.orthogonal",
    "panel_families": "data.synthetic",
    "panel_truth": "data.synthetic",
    "place": "anchor.place",
    "placement": "anchor.placement",
    "plot_factors": "plots.factors",
    "plot_position": "plots.position",
    "plot_ranking": "plots.ranking",
    "plot_weight_path": "plots.weight_path",
    "plot_win_probability": "plots.win_probability",
    "position_tests": "report.position_tests",
    "program": "engine.program",
    "rank_set": "anchor.rank_sets",
    "rank_table": "report.ranking",
    "read": "reading.read",
    "reweighted": "designs.variants",
    "roster": "designs.roster",
    "save": "report.files",
    "select_rank": "dial.rank_selection",
    "shared_position_tests": "report.position_tests",
    "studies": "studies",
    "structure": "designs.structure",
    "synthetic_panel": "data.synthetic",
    "synthetic_votes": "data.synthetic",
    "tempered": "designs.design",
    "two_sample_covariance": "dial.two_sample_covariance",
    "weight_path": "dial.weight_path",
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
