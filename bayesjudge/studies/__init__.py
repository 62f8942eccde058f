"""Studies of models: omitted order, held-out prediction, simulations, baselines."""

from bayesjudge.studies.anchor.insertion import anchor_insertion
from bayesjudge.studies.anchor.leave_one_item_out import leave_one_item_out
from bayesjudge.studies.anchor.simulation import anchor_grid, anchor_precision, anchor_simulation
from bayesjudge.studies.dial.baselines import ordered_consensus, pooled_judges
from bayesjudge.studies.dial.panel import DialSettings, dial_panel
from bayesjudge.studies.dial.protocol import dial_protocol
from bayesjudge.studies.dial.record_splits import split_records
from bayesjudge.studies.dial.simulation import dial_simulation
from bayesjudge.studies.dial.tradeoff import (
    anchoring_tradeoff,
    approximation_error,
    comparison_laplacian,
)
from bayesjudge.studies.order.attenuation import attenuation_factor, population_sensitivity
from bayesjudge.studies.order.attenuation_table import attenuation_table
from bayesjudge.studies.order.conditional_position import conditional_position
from bayesjudge.studies.order.first_order_shift import (
    first_order_shift,
    population_mode,
    position_columns,
)
from bayesjudge.studies.order.order_averaging import (
    averaged_log_odds,
    averaged_probability,
    averaging_factor,
    cycle_defect,
)
from bayesjudge.studies.order.oscar_published import compare_published
from bayesjudge.studies.order.oscar_simulation import oscar_simulation
from bayesjudge.studies.order.plots import plot_attenuation, plot_order_averaging
from bayesjudge.studies.order.refits import refit_table, standardised_scores
from bayesjudge.studies.order.screening import screening
from bayesjudge.studies.order.swaps import swap_average, swap_groups, swap_table
from bayesjudge.studies.prediction.folds import prompt_folds
from bayesjudge.studies.prediction.held_out import held_out, held_out_posterior
from bayesjudge.studies.prediction.human_votes import human_scores, human_vote_prediction
from bayesjudge.studies.prediction.resamples import human_vote_bootstrap, refit_bootstrap
from bayesjudge.studies.runner.results import StudyResult
from bayesjudge.studies.runner.runner import run_study
from bayesjudge.studies.runner.study import Study, grid

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
    "refit_bootstrap",
    "refit_table",
    "run_study",
    "screening",
    "split_records",
    "standardised_scores",
    "swap_average",
    "swap_groups",
    "swap_table",
]


def __dir__() -> list[str]:
    return __all__
