r"""Where people would rank an item that they have never seen, from judges and an older ranking.

.. math:: \operatorname{logit} P_H = \theta_a - \theta_b, \qquad
          \operatorname{logit} P_m = c_m (\theta_a - \theta_b) + \psi_m' (x_a - x_b)

ANCHOR eq. (1)-(3). People voted on historical items; judges compared historical items with each
other and the new ones with historical items. A judge's bias is linear in contrasts of features of
the two answers, which are the terms of its design (`bayesjudge.features`, `bayesjudge.design`); its
sensitivity and bias are the same in both sets of verdicts. Historical scores sum to zero.
"""

import jax.numpy as jnp
import numpyro
from jax import Array
from numpyro.distributions import LogNormal, Normal

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.designs.layouts import Layout
from bayesjudge.designs.roster import Roster, default_roster
from bayesjudge.models.framing import framed_by
from bayesjudge.models.judges import named_effects, ridge_effects
from bayesjudge.models.quantities import by_item, by_judge
from bayesjudge.models.scores import RIDGE_SCALE
from bayesjudge.models.verdicts import observe_half_wins

HUMAN_SCALE = 0.7  # of the log ratio of judges' to people's scale


SENSITIVITY_SPREAD = 0.5  # of log sensitivities about their mean; too few judges to learn it


SCORE_SPREAD = (0.0, 0.5)  # log-normal


NEW_SPREAD = 1.5  # of a new score, in units of the historical spread


EFFECT_SPREAD = 1.0  # of a feature's effect, log-odds a unit


@framed_by(default_roster)
def new_item(judges: Layout, humans: Layout, roster: Roster) -> None:
    """Fit human scores of old and new items; priors of fixed scale, ties as half wins.

    Parameters
    ----------
    judges : Layout
        Verdicts on historical and new items, with features as terms.
    humans : Layout
        Votes.
    roster : Roster
        Which items are new; by default those without votes.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> fit = bj.mode(bj.models.new_item, judges, seen, prior=False)
    >>> fit.quantity("human_score").idxmax().item()
    'maple'
    """
    score = roster.basis @ _normal("score", roster.basis.shape[1], RIDGE_SCALE)
    score += roster.new @ _normal("new_score", roster.new.shape[1], RIDGE_SCALE)
    slope = jnp.exp(_normal("log_sensitivity", judges.n_judges, RIDGE_SCALE))
    _observe(judges, humans, score, slope, ridge_effects(judges))


@framed_by(default_roster)
def new_item_pooled(judges: Layout, humans: Layout, roster: Roster) -> None:
    """Fit human scores of old and new items with a learned spread, for sampling.

    One coordinate alone carries the scale that only human votes know: scores divided and
    sensitivities multiplied by it leave every judge's verdict as likely.

    Parameters
    ----------
    judges : Layout
        Verdicts on historical and new items, with features as terms.
    humans : Layout
        Votes.
    roster : Roster
        Which items are new; by default those without votes.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> bj.models.new_item_pooled.__name__
    'new_item_pooled'
    """
    spread = numpyro.sample("score_scale", LogNormal(*SCORE_SPREAD))
    log_scale = numpyro.sample("log_scale_coordinates", Normal(0.0, HUMAN_SCALE))
    score = roster.basis @ _normal("score", roster.basis.shape[1], spread)
    score += roster.new @ _normal("new_score", roster.new.shape[1], NEW_SPREAD * spread)
    numpyro.deterministic("new_score_spread", NEW_SPREAD * spread * jnp.exp(-log_scale))
    slope = jnp.exp(log_scale + _relative_log_sensitivity(judges.n_judges))
    _observe(judges, humans, jnp.exp(-log_scale) * score, slope, _effects(judges))


def _normal(name: str, size: int, spread: Array | float) -> Array:
    if not size:
        return jnp.zeros(0)
    law = Normal(0.0, spread).expand([size]).to_event(1)
    return numpyro.sample(f"{name}_coordinates", law)


def _relative_log_sensitivity(n_judges: int) -> Array:
    """Log sensitivities less their mean."""
    if n_judges == 1:
        return jnp.zeros(1)
    free = _normal("log_sensitivity", n_judges - 1, SENSITIVITY_SPREAD)
    return jnp.asarray(helmert_basis(n_judges)) @ free


def _effects(judges: Layout) -> Array:
    """Each judge's effect of each term, zero where the term is not retained."""
    columns = [jnp.zeros(judges.n_judges)] * len(judges.terms)
    for place, (term, kept) in enumerate(zip(judges.terms, judges.retained, strict=True)):
        if any(kept):
            at = jnp.array([judge for judge, free in enumerate(kept) if free])
            columns[place] = columns[place].at[at].set(_normal(term, sum(kept), EFFECT_SPREAD))
    return jnp.stack(columns, axis=1) if columns else jnp.zeros((judges.n_judges, 0))


def _observe(judges: Layout, humans: Layout, score: Array, slope: Array, effects: Array) -> None:
    by_item("human_score", score)
    by_judge("sensitivity", slope)
    bias = judges.bias(named_effects(judges, effects))
    observe_half_wins(judges, judges.by_judge(slope) * judges.contrast(score) + bias)
    observe_half_wins(humans, humans.contrast(score))
