r"""Human calibration: the human score lies in the space that the judges' structure spans.

.. math:: s_h = M c, \qquad M = \mu \ \text{ or } \ M = [\mu, V]

DIAL eq. (3), (4). The programs without suffix are calibrated within the consensus, ``_full`` within
consensus and disagreement. How much the judges' verdicts count is the ``power`` of their design
(``bj.design(judges, power=...)``): one is the ordinary joint model, DIAL's weight n_l / n_h.
"""

import jax.numpy as jnp
import numpyro
from jax import Array
from numpyro.distributions import HalfCauchy, Normal

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.designs.frames import Space, Structure
from bayesjudge.designs.layouts import Layout
from bayesjudge.designs.structure import default_structure
from bayesjudge.models.about import says
from bayesjudge.models.consensus import observe_judges, observe_pooled_judges
from bayesjudge.models.low_rank import (
    DIRECTIONS,
    LowRank,
    chart_low_rank,
    pooled_chart_low_rank,
    pooled_low_rank,
)
from bayesjudge.models.quantities import by_item
from bayesjudge.models.verdicts import observe_half_wins

CALIBRATION = "calibration_coordinates"
JOINT = {
    "reads": ("judges", "humans"),
    "judgeless": (1,),
    "score": "human_score",
    "framing": default_structure,
}
CONSENSUS_SPREAD, DIRECTION_SPREAD = 2.0, 1.0  # of the human score's coordinates in the space
MISALIGNMENT = 0.1  # half-Cauchy: humans may leave the space, a little or a lot


@says(**JOINT, directions=DIRECTIONS, calibration=CALIBRATION)
def calibrated(judges: Layout, humans: Layout, structure: Structure) -> None:
    """Fit a human score along the judges' consensus; priors of fixed scale.

    Parameters
    ----------
    judges, humans : Layout
        The verdicts.
    structure : Structure
        Rank and base point.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, humans = bj.example_panel(), bj.example_votes()
    >>> fit = bj.mode(bj.models.calibrated, judges, humans, prior=False)
    >>> fit.quantity("human_score").idxmax().item()
    'maple'
    """
    structured = chart_low_rank(judges, structure)
    observe_judges(judges, structured)
    _observe_humans(humans, _along_consensus(structured))


@says(**JOINT, directions=DIRECTIONS, calibration=CALIBRATION)
def calibrated_full(judges: Layout, humans: Layout, structure: Structure) -> None:
    """Fit a human score along consensus and disagreement; priors of fixed scale.

    Parameters
    ----------
    judges, humans : Layout
        The verdicts.
    structure : Structure
        Rank and base point.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, humans = bj.example_panel(), bj.example_votes()
    >>> fit = bj.mode(bj.models.calibrated_full, judges, humans, prior=False)
    >>> fit.quantity("human_score").idxmax().item()
    'maple'
    """
    structured = chart_low_rank(judges, structure)
    observe_judges(judges, structured)
    _observe_humans(humans, _along_all(structured))


@says(**JOINT, fixed_scale=calibrated)
def calibrated_pooled(judges: Layout, humans: Layout, structure: Structure) -> None:
    """Fit a human score along the judges' consensus; learned spreads.

    Parameters
    ----------
    judges, humans : Layout
        The verdicts.
    structure : Structure
        Says the rank.

    Examples
    --------
    ``bj.nuts(bj.models.calibrated_pooled, judges, humans, seed=1)`` draws, among others:

    >>> import bayesjudge as bj
    >>> judges, humans = bj.example_panel(), bj.example_votes()
    >>> data = bj.design(judges).layout, bj.design(humans).layout, bj.calibration.structure(judges)
    >>> program = bj.program(bj.models.calibrated_pooled, *data)
    >>> [quantity.name for quantity in program.sites.quantities][-2:]
    ['net_first_preference', 'human_score']
    """
    structured = pooled_low_rank(judges, structure)
    observe_pooled_judges(judges, structured)
    _observe_humans(humans, _along_consensus(structured))


@says(**JOINT, fixed_scale=calibrated_full)
def calibrated_full_pooled(judges: Layout, humans: Layout, structure: Structure) -> None:
    """Fit a human score along consensus and disagreement; learned spreads.

    Parameters
    ----------
    judges, humans : Layout
        The verdicts.
    structure : Structure
        Says the rank.

    Examples
    --------
    ``bj.nuts(bj.models.calibrated_full_pooled, judges, humans, seed=1)`` draws, among others:

    >>> import bayesjudge as bj
    >>> judges, humans = bj.example_panel(), bj.example_votes()
    >>> data = bj.design(judges).layout, bj.design(humans).layout, bj.calibration.structure(judges)
    >>> program = bj.program(bj.models.calibrated_full_pooled, *data)
    >>> [quantity.name for quantity in program.sites.quantities][-2:]
    ['net_first_preference', 'human_score']
    """
    structured = pooled_low_rank(judges, structure)
    observe_pooled_judges(judges, structured)
    _observe_humans(humans, _along_all(structured))


@says(**JOINT, fixed_scale=calibrated, directions=DIRECTIONS)
def calibrated_pooled_chart(judges: Layout, humans: Layout, structure: Structure) -> None:
    """Fit the same posterior as `calibrated_pooled`, in coordinates for strong disagreement.

    Parameters
    ----------
    judges, humans : Layout
        The verdicts.
    structure : Structure
        Rank and base point.

    Examples
    --------
    ``bj.nuts(bj.models.calibrated_pooled_chart, judges, humans, seed=1)`` draws, among others:

    >>> import bayesjudge as bj
    >>> judges, humans = bj.example_panel(), bj.example_votes()
    >>> data = bj.design(judges).layout, bj.design(humans).layout, bj.calibration.structure(judges)
    >>> program = bj.program(bj.models.calibrated_pooled_chart, *data)
    >>> [quantity.name for quantity in program.sites.quantities][-2:]
    ['net_first_preference', 'human_score']
    """
    structured = pooled_chart_low_rank(judges, structure)
    observe_pooled_judges(judges, structured)
    _observe_humans(humans, _along_consensus(structured))


@says(**JOINT)
def misaligned_pooled(judges: Layout, humans: Layout, structure: Structure) -> None:
    """Fit a human score that may leave the judges' consensus, by an amount that is learned.

    The Bayesian counterpart of an adaptive weight: where humans agree with the consensus the
    misalignment shrinks to nothing, where they do not it gives way.

    Parameters
    ----------
    judges, humans : Layout
        The verdicts.
    structure : Structure
        Says the rank.

    Examples
    --------
    ``bj.nuts(bj.models.misaligned_pooled, judges, humans, seed=1)`` draws, among others:

    >>> import bayesjudge as bj
    >>> judges, humans = bj.example_panel(), bj.example_votes()
    >>> data = bj.design(judges).layout, bj.design(humans).layout, bj.calibration.structure(judges)
    >>> program = bj.program(bj.models.misaligned_pooled, *data)
    >>> [quantity.name for quantity in program.sites.quantities][-2:]
    ['misalignment', 'human_score']
    """
    structured = pooled_low_rank(judges, structure)
    observe_pooled_judges(judges, structured)
    _observe_humans(
        humans, _misaligned(_along_consensus(structured), structured.consensus[:, None])
    )


@says(**JOINT)
def misaligned_full_pooled(judges: Layout, humans: Layout, structure: Structure) -> None:
    """Fit a human score that may leave consensus and disagreement, by an amount that is learned.

    Parameters
    ----------
    judges, humans : Layout
        The verdicts.
    structure : Structure
        Says the rank.

    Examples
    --------
    ``bj.nuts(bj.models.misaligned_full_pooled, judges, humans, seed=1)`` draws, among others:

    >>> import bayesjudge as bj
    >>> judges, humans = bj.example_panel(), bj.example_votes()
    >>> data = bj.design(judges).layout, bj.design(humans).layout, bj.calibration.structure(judges)
    >>> program = bj.program(bj.models.misaligned_full_pooled, *data)
    >>> [quantity.name for quantity in program.sites.quantities][-2:]
    ['misalignment', 'human_score']
    """
    structured = pooled_low_rank(judges, structure)
    observe_pooled_judges(judges, structured)
    space = jnp.column_stack([structured.consensus, structured.directions])
    _observe_humans(humans, _misaligned(_along_all(structured), space))


@says(judgeless=(0,), score="human_score", calibration=CALIBRATION)
def within_space(humans: Layout, space: Space) -> None:
    """Fit a human score in a fixed linear space: DIAL's anchored calibration (12).

    Parameters
    ----------
    humans : Layout
        The votes.
    space : Space
        Independent columns that sum to zero; rows are the items in sorted order.

    Examples
    --------
    A line on which items stand evenly, in the order of their names:

    >>> import bayesjudge as bj
    >>> import numpy as np
    >>> votes = bj.example_votes()
    >>> place = np.arange(votes.n_items, dtype=float)
    >>> line = bj.calibration.Space((place - place.mean())[:, None])
    >>> fit = bj.mode(bj.models.within_space, votes, line, prior=False)
    >>> fit.quantity("human_score").sizes["item"]
    8
    """
    size = space.basis.shape[1]
    law = Normal(0.0, CONSENSUS_SPREAD).expand([size]).to_event(1)
    _observe_humans(humans, space.basis @ numpyro.sample(CALIBRATION, law))


def _along_consensus(structured: LowRank) -> Array:
    law = Normal(0.0, CONSENSUS_SPREAD).expand([1]).to_event(1)
    return structured.consensus * numpyro.sample(CALIBRATION, law)


def _along_all(structured: LowRank) -> Array:
    rank = structured.directions.shape[1]
    spread = jnp.array([CONSENSUS_SPREAD, *[DIRECTION_SPREAD] * rank])
    c = numpyro.sample(CALIBRATION, Normal(0.0, spread).to_event(1))
    return structured.consensus * c[0] + structured.directions @ c[1:]


def _misaligned(score: Array, space: Array) -> Array:
    """Add a deviation outside the space, whose columns are orthogonal with mean square one."""
    n_items = len(score)
    tau = numpyro.deterministic("misalignment", numpyro.sample("tau", HalfCauchy(MISALIGNMENT)))
    law = Normal().expand([n_items - 1]).to_event(1)
    free = helmert_basis(n_items) @ numpyro.sample("deviation_coordinates", law)
    return score + tau * (free - space @ (space.T @ free) / n_items)


def _observe_humans(humans: Layout, score: Array) -> None:
    observe_half_wins(humans, humans.contrast(by_item("human_score", score)))
