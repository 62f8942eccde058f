r"""Consensus and disagreement: judges' scores share a low-rank structure, freed of position.

.. math:: \operatorname{logit} P_k(\text{first beats second}) = S_{ka} - S_{kb} + b_k,
          \qquad S = \gamma \mu^\top + U V^\top

DIAL eq. (1) and Condition 3. Only what is identified is reported: ``consensus`` (mu, mean square
one), ``loading`` (gamma), ``disagreement`` (UV'), ``position`` (b) and ``judge_score`` (S); the
factors U and V are not, their rotation being a convention. The rank is that of the last argument,
``bj.structure(judges, rank=...)``; rank one if it is not given.
"""

from bayesjudge.designs.frames import Structure
from bayesjudge.designs.layouts import Layout
from bayesjudge.designs.structure import default_structure
from bayesjudge.models.framing import framed_by
from bayesjudge.models.judges import named_effects, pooled_effects, ridge_effects
from bayesjudge.models.low_rank import (
    LowRank,
    chart_low_rank,
    pooled_chart_low_rank,
    pooled_low_rank,
    report_low_rank,
)
from bayesjudge.models.verdicts import observe_own_scores


@framed_by(default_structure)
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


@framed_by(default_structure)
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
    >>> data = bj.design(judges).layout, bj.structure(judges)
    >>> found = bj.program(bj.models.consensus_pooled, *data).sites.quantities
    >>> [each.name for each in found][1:4]
    ['consensus', 'loading', 'disagreement']
    """
    observe_pooled_judges(judges, pooled_low_rank(judges, structure))


@framed_by(default_structure)
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
    >>> data = bj.design(judges).layout, bj.structure(judges)
    >>> found = bj.program(bj.models.consensus_pooled_chart, *data).sites.quantities
    >>> [each.name for each in found][1:4]
    ['consensus', 'loading', 'disagreement']
    """
    observe_pooled_judges(judges, pooled_chart_low_rank(judges, structure))


def observe_judges(judges: Layout, found: LowRank) -> None:
    """Observe the judges' verdicts under a structure; effects of terms under a ridge.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.
    found : LowRank
        The structure.
    """
    report_low_rank(found)
    bias = judges.bias(named_effects(judges, ridge_effects(judges)))
    observe_own_scores(judges, found.judge_score, bias)


def observe_pooled_judges(judges: Layout, found: LowRank) -> None:
    """Observe the judges' verdicts under a structure; effects of terms partially pooled.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.
    found : LowRank
        The structure.
    """
    report_low_rank(found)
    bias = judges.bias(named_effects(judges, pooled_effects(judges)))
    observe_own_scores(judges, found.judge_score, bias)
