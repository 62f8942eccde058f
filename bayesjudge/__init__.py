"""Rankings of language models from pairwise verdicts, with intervals that can be trusted.

Names are loaded when they are first used, so that reading a file does not wait for JAX.
"""

from typing import TYPE_CHECKING

from bayesjudge.lazy import lazy_names

if TYPE_CHECKING:
    from bayesjudge import (
        calibration as calibration,
        errors as errors,
        models as models,
        new_items as new_items,
        studies as studies,
    )
    from bayesjudge.data.comparisons import Comparisons as Comparisons
    from bayesjudge.data.synthetic import (
        example_panel as example_panel,
        example_votes as example_votes,
        panel_families as panel_families,
        panel_truth as panel_truth,
        synthetic_panel as synthetic_panel,
        synthetic_votes as synthetic_votes,
    )
    from bayesjudge.designs.design import Design as Design, design as design
    from bayesjudge.designs.terms import organisation_families as organisation_families
    from bayesjudge.designs.variants import reweighted as reweighted
    from bayesjudge.diagnosis.diagnose import diagnose as diagnose
    from bayesjudge.diagnosis.mode_findings import check as check
    from bayesjudge.engine.program import program as program
    from bayesjudge.fits.covariance import Covariance as Covariance
    from bayesjudge.fits.laplace import laplace as laplace
    from bayesjudge.fits.mode import Mode as Mode, mode as mode
    from bayesjudge.fits.nuts import nuts as nuts
    from bayesjudge.plots.position import plot_position as plot_position
    from bayesjudge.plots.ranking import plot_ranking as plot_ranking
    from bayesjudge.plots.win_probability import plot_win_probability as plot_win_probability
    from bayesjudge.reading.read import read as read
    from bayesjudge.report.agreement import (
        agreement as agreement,
        compare_intervals as compare_intervals,
    )
    from bayesjudge.report.files import load as load, save as save
    from bayesjudge.report.judges import judge_table as judge_table
    from bayesjudge.report.prior_sensitivity import prior_sensitivity as prior_sensitivity
    from bayesjudge.report.ranking import rank_table as rank_table
    from bayesjudge.report.win_probability import win_probability as win_probability

__version__ = "0.1.0"

_NAMES = {
    "": ("calibration", "errors", "models", "new_items", "studies"),
    "data.comparisons": ("Comparisons",),
    "data.synthetic": (
        "example_panel",
        "example_votes",
        "panel_families",
        "panel_truth",
        "synthetic_panel",
        "synthetic_votes",
    ),
    "designs.design": ("Design", "design"),
    "designs.terms": ("organisation_families",),
    "designs.variants": ("reweighted",),
    "diagnosis.diagnose": ("diagnose",),
    "diagnosis.mode_findings": ("check",),
    "engine.program": ("program",),
    "fits.covariance": ("Covariance",),
    "fits.laplace": ("laplace",),
    "fits.mode": ("Mode", "mode"),
    "fits.nuts": ("nuts",),
    "plots.position": ("plot_position",),
    "plots.ranking": ("plot_ranking",),
    "plots.win_probability": ("plot_win_probability",),
    "reading.read": ("read",),
    "report.agreement": ("agreement", "compare_intervals"),
    "report.files": ("load", "save"),
    "report.judges": ("judge_table",),
    "report.prior_sensitivity": ("prior_sensitivity",),
    "report.ranking": ("rank_table",),
    "report.win_probability": ("win_probability",),
}
_MOVED = {
    "History": "new_items.History",
    "NeuralBasis": "new_items.NeuralBasis",
    "Orthogonal": "new_items.Orthogonal",
    "Placement": "new_items.Placement",
    "RankSet": "new_items.RankSet",
    "Roster": "new_items.Roster",
    "Space": "calibration.Space",
    "Structure": "calibration.Structure",
    "WeightPath": "calibration.WeightPath",
    "answer_contrasts": "new_items.answer_contrasts",
    "calibration_test": "calibration.likelihood_ratio_test",
    "check_new_item": "new_items.check",
    "curvature_covariance": 'mode(...).covariance("curvature")',
    "cut_posterior": "new_items.cut_posterior",
    "factors": "calibration.factors",
    "features": "new_items.features",
    "fit_history": "new_items.fit_history",
    "identify": "calibration.identify",
    "identify_new_item": "new_items.identify",
    "leave_one_vote_out": "calibration.leave_one_vote_out",
    "likelihood_ratio_test": "calibration.likelihood_ratio_test",
    "load_history": "new_items.load_history",
    "local_information": "calibration.local_information",
    "neural_basis": "new_items.neural_basis",
    "next_comparisons": "new_items.next_comparisons",
    "orthogonal": "new_items.orthogonal",
    "place": "new_items.place",
    "placement": "new_items.placement",
    "plot_factors": "calibration.plot_factors",
    "plot_weight_path": "calibration.plot_weight_path",
    "position_tests": "calibration.position_tests",
    "rank_set": "new_items.rank_set",
    "roster": "new_items.roster",
    "select_rank": "calibration.select_rank",
    "shared_position_tests": "calibration.shared_position_tests",
    "structure": "calibration.structure",
    "tempered": "design(..., power=...)",
    "two_sample_covariance": "calibration.two_sample_covariance",
    "weight_path": "calibration.weight_path",
}
__all__ = sorted(name for names in _NAMES.values() for name in names)
__getattr__ = lazy_names(__name__, _NAMES, _MOVED)


def __dir__() -> list[str]:
    return __all__
