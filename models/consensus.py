r"""Consensus and disagreement: judges' scores share a low-rank structure, freed of position.

.. math:: \operatorname{logit} P_k(\text{first beats second}) = S_{ka} - S_{kb} + b_k,
          \qquad S = \gamma \mu^\top + U V^\top

DIAL eq. (1) and Condition 3. Only what is identified is reported: ``consensus`` (mu, mean square
one), ``loading`` (gamma), ``disagreement`` (UV'), ``position`` (b) and ``judge_score`` (S); the
factors U and V are not, their rotation being a convention. The rank is that of the last argument,
``bj.calibration.structure(judges, rank=...)``; rank one if it is not given.
"""

from bayesjudge.designs.frames import Structure
from bayesjudge.designs.layouts import Layout
from bayesjudge.designs.structure import default_structure
from bayesjudge.models.about import says
from bayesjudge.models.judges import named_effects, pooled_effects, ridge_effects
from bayesjudge.models.low_rank import (
    DIRECTIONS,
    LowRank,
    chart_low_rank,
    pooled_chart_low_rank,
    pooled_low_rank,
    report_low_rank,
)
from bayesjudge.models.verdicts import observe_own_scores


@says(framing=default_structure, directions=DIRECTIONS)
def consensus(judges: Layout, structure: Structure) -> None:
    """Fit the structure in a chart without redundant coordinates; priors of fixed scale.

    The program of DIAL's LLM-only estimate (``bj.mode(..., prior=False)``).

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.
    structure : Structure
        Rank and base point.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> fit.quantity("consensus").idxmax().item()
    'maple'
    """
    observe_judges(judges, chart_low_rank(judges, structure))


@says(framing=default_structure, fixed_scale=consensus)
def consensus_pooled(judges: Layout, structure: Structure) -> None:
    """Fit the structure with learned spreads, in coordinates for weak or unknown disagreement.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.
    structure : Structure
        Says the rank.

    Examples
    --------
    ``bj.nuts(bj.models.consensus_pooled, judges, seed=1)`` draws, among others:

    >>> import bayesjudge as bj
    >>> judges = bj.example_panel()
    >>> data = bj.design(judges).layout, bj.calibration.structure(judges)
    >>> program = bj.program(bj.models.consensus_pooled, *data)
    >>> [quantity.name for quantity in program.sites.quantities][1:4]
    ['consensus', 'loading', 'disagreement']
    """
    observe_pooled_judges(judges, pooled_low_rank(judges, structure))


@says(framing=default_structure, fixed_scale=consensus, directions=DIRECTIONS)
def consensus_pooled_chart(judges: Layout, structure: Structure) -> None:
    """Fit the same posterior as `consensus_pooled`, in coordinates for strong disagreement.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.
    structure : Structure
        Rank and base point.

    Examples
    --------
    ``bj.nuts(bj.models.consensus_pooled_chart, judges, seed=1)`` draws, among others:

    >>> import bayesjudge as bj
    >>> judges = bj.example_panel()
    >>> data = bj.design(judges).layout, bj.calibration.structure(judges)
    >>> program = bj.program(bj.models.consensus_pooled_chart, *data)
    >>> [quantity.name for quantity in program.sites.quantities][1:4]
    ['consensus', 'loading', 'disagreement']
    """
    observe_pooled_judges(judges, pooled_chart_low_rank(judges, structure))


def observe_judges(judges: Layout, structured: LowRank) -> None:
    """Observe the judges' verdicts under a structure; effects of terms under a ridge."""
    report_low_rank(structured)
    bias = judges.bias(named_effects(judges, ridge_effects(judges)))
    observe_own_scores(judges, structured.judge_score, bias)


def observe_pooled_judges(judges: Layout, structured: LowRank) -> None:
    """Observe the judges' verdicts under a structure; effects of terms partially pooled."""
    report_low_rank(structured)
    bias = judges.bias(named_effects(judges, pooled_effects(judges)))
    observe_own_scores(judges, structured.judge_score, bias)
