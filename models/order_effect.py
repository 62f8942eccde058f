r"""Order effect: scores and a position effect of each judge's own.

.. math:: \operatorname{logit} P_k(\text{first beats second}) = s_{ka} - s_{kb} + b_k

DIAL eq. (1). The common score is the mean of the judges'. Four siblings: the ridge or partial
pooling of judges, ties as half wins or as Davidson's third outcome.
"""

from jax import Array

from bayesjudge.designs.layouts import Layout
from bayesjudge.models.about import says
from bayesjudge.models.judges import (
    named_effects,
    pooled_effects,
    pooled_tie,
    ridge_effects,
    ridge_tie,
)
from bayesjudge.models.quantities import by_item, by_judge, by_judge_and_item
from bayesjudge.models.scores import pooled_judge_score, ridge_judge_score
from bayesjudge.models.verdicts import observe_davidson, observe_half_wins


@says(concave=True)
def order_effect(judges: Layout) -> None:
    """Fit each judge by itself; ridge 0.05, ties as half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts, with a position term.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.order_effect, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    score = ridge_judge_score(judges.n_judges, judges.n_items)
    observe_half_wins(judges, _log_odds(judges, score, ridge_effects(judges)))


@says(fixed_scale=order_effect)
def order_effect_pooled(judges: Layout) -> None:
    """Fit judges that scatter about common scores and positions; ties as half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts, with a position term.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> layout = bj.design(bj.example_panel()).layout
    >>> "score_scale" in bj.program(bj.models.order_effect_pooled, layout).sites.slices
    True
    """
    score = pooled_judge_score(judges)
    observe_half_wins(judges, _log_odds(judges, score, pooled_effects(judges)))


@says(concave=True)
def order_effect_davidson(judges: Layout) -> None:
    """Fit each judge by itself, with a tie parameter each; ridge 0.05.

    Parameters
    ----------
    judges : Layout
        The verdicts, with a position term.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.order_effect_davidson, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    score = ridge_judge_score(judges.n_judges, judges.n_items)
    log_odds = _log_odds(judges, score, ridge_effects(judges))
    tie = by_judge("tie", ridge_tie(judges))
    observe_davidson(judges, log_odds, judges.by_judge(tie))


@says(fixed_scale=order_effect_davidson)
def order_effect_davidson_pooled(judges: Layout) -> None:
    """Fit judges that scatter about common scores, positions and tie parameters.

    Parameters
    ----------
    judges : Layout
        The verdicts, with a position term.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> layout = bj.design(bj.example_panel()).layout
    >>> "score_scale" in bj.program(bj.models.order_effect_davidson_pooled, layout).sites.slices
    True
    """
    score = pooled_judge_score(judges)
    log_odds = _log_odds(judges, score, pooled_effects(judges))
    tie = by_judge("tie", pooled_tie(judges))
    observe_davidson(judges, log_odds, judges.by_judge(tie))


def _log_odds(judges: Layout, judge_score: Array, effects: Array) -> Array:
    by_judge_and_item("judge_score", judge_score)
    by_item("score", judge_score.mean(axis=0))
    return judges.judge_contrast(judge_score) + judges.bias(named_effects(judges, effects))
