"""Programs: plain NumPyro functions of verdicts, one file a model, variants as siblings.

Each name has up to four siblings: plain (the papers' fixed-scale priors, for modes and published
procedures), ``_pooled`` (learned spreads, for sampling), ``_davidson`` (ties as an outcome of their
own instead of half wins) and ``_davidson_pooled``.
"""

from jax.tree_util import register_dataclass

from bayesjudge.designs.frames import SPACE_ARRAYS, STRUCTURE_ARRAYS, Space, Structure
from bayesjudge.designs.layouts import CELL_ARRAYS, GRID_ARRAYS, SETTINGS, CellLayout, GridLayout
from bayesjudge.designs.roster import ROSTER_ARRAYS, Roster
from bayesjudge.models.bradley_terry import (
    bradley_terry,
    bradley_terry_davidson,
    bradley_terry_davidson_pooled,
    bradley_terry_pooled,
)
from bayesjudge.models.calibrated import (
    calibrated,
    calibrated_full,
    calibrated_full_pooled,
    calibrated_pooled,
    calibrated_pooled_chart,
    misaligned_full_pooled,
    misaligned_pooled,
    within_space,
)
from bayesjudge.models.consensus import consensus, consensus_pooled, consensus_pooled_chart
from bayesjudge.models.new_item import new_item, new_item_pooled
from bayesjudge.models.order_effect import (
    order_effect,
    order_effect_davidson,
    order_effect_davidson_pooled,
    order_effect_pooled,
)
from bayesjudge.models.sensitivity import (
    sensitivity,
    sensitivity_davidson,
    sensitivity_davidson_pooled,
    sensitivity_pooled,
    signed_sensitivity,
    signed_sensitivity_davidson,
    unit_sensitivity,
    unit_sensitivity_davidson,
)

# A program's data travel through JAX as arrays; sizes and terms are part of the program's shape.
register_dataclass(GridLayout, data_fields=list(GRID_ARRAYS), meta_fields=list(SETTINGS))
register_dataclass(CellLayout, data_fields=list(CELL_ARRAYS), meta_fields=list(SETTINGS))
register_dataclass(Structure, data_fields=list(STRUCTURE_ARRAYS), meta_fields=[])
register_dataclass(Roster, data_fields=list(ROSTER_ARRAYS), meta_fields=[])
register_dataclass(Space, data_fields=list(SPACE_ARRAYS), meta_fields=[])


__all__ = [
    "bradley_terry",
    "bradley_terry_davidson",
    "bradley_terry_davidson_pooled",
    "bradley_terry_pooled",
    "calibrated",
    "calibrated_full",
    "calibrated_full_pooled",
    "calibrated_pooled",
    "calibrated_pooled_chart",
    "consensus",
    "consensus_pooled",
    "consensus_pooled_chart",
    "misaligned_full_pooled",
    "misaligned_pooled",
    "new_item",
    "new_item_pooled",
    "order_effect",
    "order_effect_davidson",
    "order_effect_davidson_pooled",
    "order_effect_pooled",
    "sensitivity",
    "sensitivity_davidson",
    "sensitivity_davidson_pooled",
    "sensitivity_pooled",
    "signed_sensitivity",
    "signed_sensitivity_davidson",
    "unit_sensitivity",
    "unit_sensitivity_davidson",
    "within_space",
]


def __dir__() -> list[str]:
    return __all__
