r"""Judge sensitivity: one score an item, which each judge reads with a slope of its own.

.. math:: \operatorname{logit} P_k(\text{first beats second})
          = \gamma_k (s_a - s_b) + \beta_{\text{pos},k} + \beta_{\text{len},k} L
          + \beta_{\text{fam},k} F

OSCAR eq. (2). Which judge-specific terms there are is a matter of the design (`bayesjudge.design`):
none gives the paper's J, position its J+P, all three OSCAR. The quantity ``score`` is on the scale
of the average judge, in log-odds, in every sibling, so that differences of scores are the paper's
invariant h_ij (eq. 3); the paper's s_i, on the reference judge's scale, is ``reference_score``.

The paper's form has positive sensitivities, one of them fixed at one. Where a judge is no better
than chance, or worse, its sensitivity is then pressed to zero and the scores are biased, or belong
to whichever judge is the reference. The signed siblings have real sensitivities, zero and negative
ones among them, and no reference judge.
"""

from jax import Array

from bayesjudge.designs.layouts import Layout
from bayesjudge.models.about import says
from bayesjudge.models.judges import (
    log_sensitivity,
    mean_one_sensitivity,
    named_effects,
    pooled_effects,
    pooled_tie,
    ridge_effects,
    ridge_tie,
    signed_sensitivity_slope,
)
from bayesjudge.models.quantities import by_item, by_judge, root_mean_square
from bayesjudge.models.scores import pooled_score, ridge_score
from bayesjudge.models.verdicts import observe_davidson, observe_half_wins


def sensitivity(judges: Layout) -> None:
    """Fit the paper's form: log sensitivities, reference judge at one, ridge 0.05, half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    observe_half_wins(judges, _ridge_log_odds(judges))


@says(fixed_scale=sensitivity)
def sensitivity_pooled(judges: Layout) -> None:
    """Fit real sensitivities with mean one and partial pooling; ties as half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> layout = bj.design(bj.example_panel()).layout
    >>> "score_scale" in bj.program(bj.models.sensitivity_pooled, layout).sites.slices
    True
    """
    observe_half_wins(judges, _pooled_log_odds(judges))


def sensitivity_davidson(judges: Layout) -> None:
    """Fit the paper's form with each judge's tie parameter (Davidson) instead of half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity_davidson, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    tie = by_judge("tie", ridge_tie(judges))
    observe_davidson(judges, _ridge_log_odds(judges), judges.by_judge(tie))


@says(fixed_scale=sensitivity_davidson)
def sensitivity_davidson_pooled(judges: Layout) -> None:
    """Fit real sensitivities with mean one, partial pooling and Davidson ties.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> layout = bj.design(bj.example_panel()).layout
    >>> "score_scale" in bj.program(bj.models.sensitivity_davidson_pooled, layout).sites.slices
    True
    """
    tie = by_judge("tie", pooled_tie(judges))
    observe_davidson(judges, _pooled_log_odds(judges), judges.by_judge(tie))


def signed_sensitivity(judges: Layout) -> None:
    """Fit real sensitivities, zero and negative ones allowed; ridge, ties as half wins.

    No judge is a reference. The mean of the sensitivities is one; a judge counts in it by its
    effective number of verdicts, 4 w l / n with w and l its half-win counts of the two slots, up to
    a hundred. Judges with fewer than ten, or who always pick one slot, do not count: their verdicts
    determine no sensitivity. ``score`` is on the scale of this average judge, so that a judge with
    three verdicts cannot move it. The ridge is the paper's 0.05, and a hundredth of it for the
    sensitivities, which are relative: among many judges at chance an able one has many times the
    mean.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.signed_sensitivity, bj.example_panel())
    >>> round(fit.quantity("sensitivity").mean().item(), 12)
    1.0
    """
    observe_half_wins(judges, _signed_log_odds(judges))


def signed_sensitivity_davidson(judges: Layout) -> None:
    """Fit real sensitivities as `signed_sensitivity`, with Davidson ties instead of half wins.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.signed_sensitivity_davidson, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    tie = by_judge("tie", ridge_tie(judges))
    observe_davidson(judges, _signed_log_odds(judges), judges.by_judge(tie))


@says(concave=True)
def unit_sensitivity(judges: Layout) -> None:
    """Fit sensitivities fixed at one, with judge-specific terms: the paper's BT+PLF.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.unit_sensitivity, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    observe_half_wins(judges, _unit_log_odds(judges))


@says(concave=True)
def unit_sensitivity_davidson(judges: Layout) -> None:
    """Fit sensitivities fixed at one, with terms and tie parameters: the paper's Davidson+PLF.

    Parameters
    ----------
    judges : Layout
        The verdicts, with their judge-specific terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.unit_sensitivity_davidson, bj.example_panel())
    >>> fit.quantity("score").idxmax().item()
    'maple'
    """
    log_odds = _unit_log_odds(judges)
    tie = by_judge("tie", ridge_tie(judges))
    observe_davidson(judges, log_odds, judges.by_judge(tie))


def _ridge_log_odds(judges: Layout) -> Array:
    score, slope = ridge_score(judges.n_items), log_sensitivity(judges)
    by_item("reference_score", score)
    return _log_odds(judges, score, slope, slope.mean(), ridge_effects(judges))


def _signed_log_odds(judges: Layout) -> Array:
    score, slope = ridge_score(judges.n_items), signed_sensitivity_slope(judges)
    return _log_odds(judges, score, slope, 1.0, ridge_effects(judges))


def _pooled_log_odds(judges: Layout) -> Array:
    score, slope = pooled_score(judges), mean_one_sensitivity(judges)
    return _log_odds(judges, score, slope, slope.mean(), pooled_effects(judges))


def _log_odds(
    judges: Layout, score: Array, slope: Array, average: Array | float, effects: Array
) -> Array:
    by_item("score", average * score)
    by_judge("sensitivity", slope)
    by_judge("scaled_sensitivity", slope * root_mean_square(score))
    bias = judges.bias(named_effects(judges, effects))
    return judges.by_judge(slope) * judges.contrast(score) + bias


def _unit_log_odds(judges: Layout) -> Array:
    score, effects = by_item("score", ridge_score(judges.n_items)), ridge_effects(judges)
    return judges.contrast(score) + judges.bias(named_effects(judges, effects))
