r"""Bradley-Terry: one score an item, all judges alike.

.. math:: \operatorname{logit} P(\text{first beats second}) = s_a - s_b

Four siblings: the paper's ridge or a learned spread of scores, ties as half wins or as Davidson's
third outcome.
"""

from jax import Array

from bayesjudge.designs.layouts import Layout
from bayesjudge.models.about import says
from bayesjudge.models.judges import TIE_MEAN, common_tie
from bayesjudge.models.quantities import by_item
from bayesjudge.models.scores import RIDGE_SCALE, pooled_score, ridge_score
from bayesjudge.models.verdicts import observe_davidson, observe_half_wins


@says(concave=True, judgeless=(0,))
def bradley_terry(judges: Layout) -> None:
    """Fit one score an item; ridge 0.05, ties as half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts; whatever judge-specific terms they carry are ignored.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.bradley_terry, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    observe_half_wins(judges, _log_odds(judges, ridge_score(judges.n_items)))


@says(judgeless=(0,), fixed_scale=bradley_terry)
def bradley_terry_pooled(judges: Layout) -> None:
    """Fit one score an item; learned spread of scores, ties as half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts; whatever judge-specific terms they carry are ignored.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> layout = bj.design(bj.example_panel()).layout
    >>> "score_scale" in bj.program(bj.models.bradley_terry_pooled, layout).sites.slices
    True
    """
    observe_half_wins(judges, _log_odds(judges, pooled_score(judges)))


@says(concave=True, judgeless=(0,))
def bradley_terry_davidson(judges: Layout) -> None:
    """Fit one score an item and one tie parameter; ridge 0.05.

    Parameters
    ----------
    judges : Layout
        The verdicts; whatever judge-specific terms they carry are ignored.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.bradley_terry_davidson, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    log_odds = _log_odds(judges, ridge_score(judges.n_items))
    observe_davidson(judges, log_odds, common_tie(RIDGE_SCALE))


@says(judgeless=(0,), fixed_scale=bradley_terry_davidson)
def bradley_terry_davidson_pooled(judges: Layout) -> None:
    """Fit one score an item and one tie parameter; learned spread of scores.

    Parameters
    ----------
    judges : Layout
        The verdicts; whatever judge-specific terms they carry are ignored.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> layout = bj.design(bj.example_panel()).layout
    >>> "score_scale" in bj.program(bj.models.bradley_terry_davidson_pooled, layout).sites.slices
    True
    """
    log_odds = _log_odds(judges, pooled_score(judges))
    observe_davidson(judges, log_odds, common_tie(TIE_MEAN))


def _log_odds(judges: Layout, score: Array) -> Array:
    return judges.contrast(by_item("score", score))
