"""The programs that the command line offers: a name, and what is fitted under it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bayesjudge.engine.sites import Model

# Plain aliases: Typer lists the values of a `Literal` in its help, but not those of a `type`.
ProgramName = Literal[
    "bradley_terry",
    "unit_sensitivity",
    "sensitivity",
    "positive_sensitivity",
    "order_effect",
    "consensus",
    "consensus_chart",
    "calibrated",
    "calibrated_chart",
    "calibrated_full",
    "misaligned",
    "misaligned_full",
]
TieRule = Literal["half", "davidson"]


@dataclass(frozen=True)
class Pair:
    """Names in `bayesjudge.models` of the two programs that are fitted.

    Attributes
    ----------
    plain : str or None
        The program whose mode and sandwich are computed, where there is one.
    pooled : str
        The program that is sampled.
    """

    plain: str | None
    pooled: str


@dataclass(frozen=True)
class Offer:
    """What stands behind one name.

    Attributes
    ----------
    half, davidson : Pair
        By the rule of ties; Davidson's only where the program has it.
    has_terms : bool
        Whether the program reads judge-specific terms.
    """

    half: Pair
    davidson: Pair | None = None
    has_terms: bool = True


PROGRAMS: dict[ProgramName, Offer] = {
    "bradley_terry": Offer(
        Pair("bradley_terry", "bradley_terry_pooled"),
        Pair("bradley_terry_davidson", "bradley_terry_davidson_pooled"),
        has_terms=False,
    ),
    "unit_sensitivity": Offer(  # it has no learned scales, and is sampled as it stands
        Pair("unit_sensitivity", "unit_sensitivity"),
        Pair("unit_sensitivity_davidson", "unit_sensitivity_davidson"),
    ),
    "sensitivity": Offer(
        Pair("signed_sensitivity", "sensitivity_pooled"),
        Pair("signed_sensitivity_davidson", "sensitivity_davidson_pooled"),
    ),
    "positive_sensitivity": Offer(  # the published form, which has no learned scales either
        Pair("sensitivity", "sensitivity"), Pair("sensitivity_davidson", "sensitivity_davidson")
    ),
    "order_effect": Offer(
        Pair("order_effect", "order_effect_pooled"),
        Pair("order_effect_davidson", "order_effect_davidson_pooled"),
    ),
    "consensus": Offer(Pair("consensus", "consensus_pooled")),
    "consensus_chart": Offer(Pair("consensus", "consensus_pooled_chart")),
    "calibrated": Offer(Pair("calibrated", "calibrated_pooled")),
    "calibrated_chart": Offer(Pair("calibrated", "calibrated_pooled_chart")),
    "calibrated_full": Offer(Pair("calibrated_full", "calibrated_full_pooled")),
    "misaligned": Offer(Pair(None, "misaligned_pooled")),
    "misaligned_full": Offer(Pair(None, "misaligned_full_pooled")),
}


def model(name: str) -> "Model":
    """Return a program by its name in `bayesjudge.models`."""
    from bayesjudge import models

    program: Model = getattr(models, name)
    return program


def reads_votes(pair: Pair) -> bool:
    """Whether the programs read human votes beside the judges' verdicts."""
    from bayesjudge.models.about import about

    return bool(about(model(pair.pooled)).reads)
