r"""Where people would rank an item that they have never seen, from judges and an older ranking.

.. math:: \operatorname{logit} P_H = \theta_a - \theta_b, \qquad
          \operatorname{logit} P_m = c_m (\theta_a - \theta_b) + \psi_m' (x_a - x_b)

ANCHOR eq. (1)-(3). People voted on historical items; judges compared historical items with each
other and the new ones with historical items. A judge's bias is linear in contrasts of features of
the two answers, which are the terms of its design (`bayesjudge.new_items.features`,
`bayesjudge.design`); its sensitivity and bias are the same in both sets of verdicts. Historical
scores sum to zero.
"""

import jax.numpy as jnp
import numpy as np
import numpyro
from jax import Array
from numpyro.distributions import LogNormal, Normal

from bayesjudge.core.algebra import helmert_basis
from bayesjudge.core.arrays import Array as AnyArray, BoolArray, FloatArray
from bayesjudge.designs.flat_cells import FlatCells
from bayesjudge.designs.layouts import Layout
from bayesjudge.designs.roster import Roster, default_roster
from bayesjudge.models.about import says
from bayesjudge.models.judges import named_effects, ridge_effects
from bayesjudge.models.quantities import by_item, by_judge
from bayesjudge.models.scores import RIDGE_SCALE, normal_site
from bayesjudge.models.verdicts import observe_half_wins

ARRIVAL = {"reads": ("judges", "humans"), "score": "human_score", "framing": default_roster}
HUMAN_SCALE = 0.7  # of the log ratio of judges' to people's scale
SENSITIVITY_SPREAD = 0.5  # of log sensitivities about their mean; too few judges to learn it
SCORE_SPREAD = (0.0, 0.5)  # log-normal
NEW_SPREAD = 1.5  # of a new score, in units of the historical spread
EFFECT_SPREAD = 1.0  # of a feature's effect, log-odds a unit


@says(**ARRIVAL)
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
    score = _scores(roster, RIDGE_SCALE, RIDGE_SCALE)
    sensitivity = jnp.exp(_log_sensitivity(judges.n_judges, RIDGE_SCALE))
    _observe(judges, humans, score, sensitivity, ridge_effects(judges))


@says(**ARRIVAL, fixed_scale=new_item)
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
    score = _scores(roster, spread, NEW_SPREAD * spread)
    numpyro.deterministic("new_score_spread", NEW_SPREAD * spread * jnp.exp(-log_scale))
    relative = _log_sensitivity(judges.n_judges - 1, SENSITIVITY_SPREAD)
    sensitivity = jnp.exp(log_scale + helmert_basis(judges.n_judges) @ relative)
    effects = ridge_effects(judges, EFFECT_SPREAD)
    _observe(judges, humans, jnp.exp(-log_scale) * score, sensitivity, effects)


def _scores(roster: Roster, historical: Array | float, new: Array | float) -> Array:
    """Sample scores with a prior spread for historical and for new items, shape (n_items,)."""
    score = roster.basis @ normal_site("score_coordinates", historical, (roster.basis.shape[1],))
    return score + roster.new @ normal_site("new_score_coordinates", new, (roster.new.shape[1],))


def _log_sensitivity(size: int, spread: float) -> Array:
    return normal_site("log_sensitivity_coordinates", spread, (size,), logarithmic=True)


def _observe(
    judges: Layout, humans: Layout, score: Array, sensitivity: Array, effects: Array
) -> None:
    by_item("human_score", score)
    by_judge("sensitivity", sensitivity)
    named_effects(judges, effects)
    observe_half_wins(judges, judge_log_odds(judges, score, sensitivity, effects))
    observe_half_wins(humans, humans.contrast(score))


def judge_log_odds(
    cells: Layout | FlatCells, score: AnyArray, sensitivity: AnyArray, effects: AnyArray
) -> AnyArray:
    """Return the log-odds of the judges' verdicts, ANCHOR eq. (2), for JAX and NumPy arrays."""
    return cells.by_judge(sensitivity) * cells.contrast(score) + cells.bias(effects)


def judge_gradient(
    cells: FlatCells,
    basis: FloatArray,
    score: FloatArray,
    sensitivity: FloatArray,
    retained: BoolArray,
) -> FloatArray:
    """Return the derivatives of `judge_log_odds`, shape (n_cells, size).

    By coordinates of the scores in a basis (n_items, k), log sensitivities, and the retained
    effects, term by term. The log-odds are linear in scores and effects, and proportional to a
    sensitivity, so that each derivative is a value of the same formula.
    """
    no_effects = np.zeros((len(sensitivity), len(retained)))
    judges = np.diag(sensitivity)
    by_score = judge_log_odds(cells, basis.T, sensitivity, no_effects)
    by_sensitivity = judge_log_odds(cells, score, judges, no_effects)
    units = np.zeros((int(retained.sum()), *no_effects.shape))
    term, judge = np.nonzero(retained)
    units[np.arange(len(units)), judge, term] = 1.0
    by_effect = cells.bias(units)
    return np.concatenate([by_score, by_sensitivity, by_effect]).T
