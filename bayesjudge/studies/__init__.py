"""Studies of what a model does: omitted order, held-out prediction, simulations, baselines."""

from bayesjudge.studies.anchor_insertion import anchor_insertion
from bayesjudge.studies.anchor_simulation import anchor_grid, anchor_precision, anchor_simulation
from bayesjudge.studies.anchoring_tradeoff import (
    anchoring_tradeoff,
    approximation_error,
    comparison_laplacian,
)
from bayesjudge.studies.attenuation import attenuation_factor, population_sensitivity
from bayesjudge.studies.attenuation_table import attenuation_table
from bayesjudge.studies.calibration_baselines import ordered_consensus, pooled_judges
from bayesjudge.studies.conditional_position import conditional_position
from bayesjudge.studies.dial_panel import DialSettings, dial_panel
from bayesjudge.studies.dial_real import dial_protocol
from bayesjudge.studies.dial_study import dial_simulation
from bayesjudge.studies.first_order_shift import (
    first_order_shift,
    population_mode,
    position_columns,
)
from bayesjudge.studies.folds import prompt_folds
from bayesjudge.studies.held_out import held_out
from bayesjudge.studies.held_out_posterior import held_out_posterior
from bayesjudge.studies.human_agreement import human_scores, ranking_agreement
from bayesjudge.studies.human_vote_bootstrap import human_vote_bootstrap
from bayesjudge.studies.human_votes import human_vote_prediction
from bayesjudge.studies.leave_one_item_out import leave_one_item_out
from bayesjudge.studies.order_averaging import (
    averaged_log_odds,
    averaged_probability,
    averaging_factor,
    cycle_defect,
    debiased_probability,
)
from bayesjudge.studies.oscar_published import compare_published
from bayesjudge.studies.oscar_simulation import oscar_simulation
from bayesjudge.studies.plot_attenuation import plot_attenuation
from bayesjudge.studies.plot_order_averaging import plot_order_averaging
from bayesjudge.studies.record_splits import split_records
from bayesjudge.studies.refit_bootstrap import refit_bootstrap
from bayesjudge.studies.refits import refit_table, standardised_scores
from bayesjudge.studies.results import StudyResult
from bayesjudge.studies.runner import run_study
from bayesjudge.studies.screening import screening_table
from bayesjudge.studies.study import Study, grid
from bayesjudge.studies.swap_average import swap_average
from bayesjudge.studies.swap_groups import swap_groups
from bayesjudge.studies.swap_table import swap_table

__all__ = [
    "DialSettings",
    "Study",
    "StudyResult",
    "anchor_grid",
    "anchor_insertion",
    "anchor_precision",
    "anchor_simulation",
    "anchoring_tradeoff",
    "approximation_error",
    "attenuation_factor",
    "attenuation_table",
    "averaged_log_odds",
    "averaged_probability",
    "averaging_factor",
    "compare_published",
    "comparison_laplacian",
    "conditional_position",
    "cycle_defect",
    "debiased_probability",
    "dial_panel",
    "dial_protocol",
    "dial_simulation",
    "first_order_shift",
    "grid",
    "held_out",
    "held_out_posterior",
    "human_scores",
    "human_vote_bootstrap",
    "human_vote_prediction",
    "leave_one_item_out",
    "ordered_consensus",
    "oscar_simulation",
    "plot_attenuation",
    "plot_order_averaging",
    "pooled_judges",
    "population_mode",
    "population_sensitivity",
    "position_columns",
    "prompt_folds",
    "ranking_agreement",
    "refit_bootstrap",
    "refit_table",
    "run_study",
    "screening_table",
    "split_records",
    "standardised_scores",
    "swap_average",
    "swap_groups",
    "swap_table",
]
