"""Which votes or verdicts to buy next: what one more would take off a variance."""

import numpy as np
import pandas as pd
from scipy.special import expit

from bayesjudge.anchor.placement import placement
from bayesjudge.core.arrays import FloatArray
from bayesjudge.designs.flat_cells import counted_rows, flat_cells
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.point import outcome_scores
from bayesjudge.engine.precision import in_float64
from bayesjudge.errors import NewItemError, UnknownFitError
from bayesjudge.fits.covariance import quantity_gradient
from bayesjudge.fits.mode import Mode


def next_comparisons(
    fit: Mode, item: str | None = None, against: str | None = None
) -> pd.DataFrame:
    """Say what one more vote or verdict of each kind would do for a new item.

    Parameters
    ----------
    fit : Mode
        The joint maximum: ``bj.mode(bj.models.new_item, ..., prior=False)``.
    item : str, optional
        The new item; not needed where there is one.
    against : str, optional
        Aim at the item's difference from this one; by default at its score.

    Returns
    -------
    pandas.DataFrame
        ``rater`` (a judge's name, or "people"), ``first`` and ``second`` (a pair, whatever its
        order), ``so_far`` (verdicts there are) and ``gain``: the share of the target's variance
        that one more takes off, largest first. Pairs that a judge has not seen have no features to
        reckon with and are left out; people may be asked about any pair.

    Raises
    ------
    NewItemError
        If `item` is not new, or `against` not an item or the same.
    UnknownFitError
        For another fit.

    Notes
    -----
    All variances are functions of the information, so that a verdict with expected information s
    g g' takes s (g'w)^2 / (1 + s g' I^-1 g) off, w = I^-1 l (ANCHOR Section 7; Sherman-Morrison).
    Features of more verdicts are taken to be like those so far.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> fit = bj.mode(bj.models.new_item, judges, seen, prior=False)
    >>> bj.next_comparisons(fit).iloc[0]["rater"]
    'people'
    """
    if not isinstance(fit, Mode):
        raise UnknownFitError(
            f"The joint maximum is wanted and this is of type {type(fit).__name__}; give what "
            "bj.mode(bj.models.new_item, judges, votes, prior=False) returned."
        )
    target = _target(fit, item, against)
    table = pd.concat([_votes(fit, target), _verdicts(fit, target)], ignore_index=True)
    return table.sort_values("gain", ascending=False, kind="stable").reset_index(drop=True)


def _target(fit: Mode, item: str | None, against: str | None) -> FloatArray:
    """Gradient of what is aimed at."""
    placed = placement(fit)
    names, new = list(placed.items), placed.new_items
    if (item is None and len(new) > 1) or (item is not None and item not in new):
        raise NewItemError(f"item is {item!r}; name one of the new items {', '.join(new)}.")
    if against is not None and against not in names:
        raise NewItemError(f"against is {against!r}; name one of the items {', '.join(names)}.")
    scores = quantity_gradient(fit, "human_score")
    aimed = item or new[0]
    if against == aimed:
        raise NewItemError(
            f"The new item and against are both {against!r}; name another item to compare it with."
        )
    aim = scores[names.index(aimed)]
    return aim if against is None else aim - scores[names.index(against)]


def _votes(fit: Mode, target: FloatArray) -> pd.DataFrame:
    names, scores = np.array(fit.designs[1].items), quantity_gradient(fit, "human_score")
    first, second = np.triu_indices(len(names), 1)
    value = fit.quantity("human_score").values
    share = expit(value[first] - value[second])
    gradient = np.sqrt(share * (1 - share))[:, None] * (scores[first] - scores[second])
    cells, votes = flat_cells(fit.designs[1]), counted_rows(fit.designs[1]).sum(axis=1)
    so_far = _by_pair(cells.contrast, votes, len(names))[first, second]
    return pd.DataFrame(
        {
            "rater": "people",
            "first": names[first],
            "second": names[second],
            "so_far": so_far,
            "gain": _gain(fit, target, gradient[:, None, :]),
        }
    )


@in_float64
def _verdicts(fit: Mode, target: FloatArray) -> pd.DataFrame:
    """Average the gain over the cells of each judge and pair."""
    judges = fit.designs[0]
    site, total = observed_site(judges.layout), counted_rows(judges).sum(axis=1)
    cells, names = flat_cells(judges), np.array(judges.items)
    used = total > 0
    probs = fit.program.compiled.outcome_probs(fit.phi, fit.layouts)[site]
    scores = outcome_scores(fit)[site].reshape(len(total), 3, -1)[used]
    gradient = np.sqrt(np.asarray(probs).reshape(-1, 3)[used])[..., None] * scores
    ends = np.sort(
        [cells.contrast[used].argmax(axis=1), cells.contrast[used].argmin(axis=1)], axis=0
    )
    frame = pd.DataFrame(
        {
            "rater": np.array(judges.data.judges)[cells.judge[used]],
            "first": names[ends[0]],
            "second": names[ends[1]],
            "so_far": total[used],
            "gain": total[used] * _gain(fit, target, gradient),
        }
    )
    found = frame.groupby(["rater", "first", "second"], as_index=False).sum()
    return found.assign(gain=found["gain"] / found["so_far"])


def _gain(fit: Mode, target: FloatArray, gradient: FloatArray) -> FloatArray:
    """Share of the target's variance that one more verdict takes off.

    `gradient` has shape (n, outcomes, size): scores times the roots of their probabilities.
    """
    bread = np.linalg.inv(fit.information)
    along = gradient @ (bread @ target)
    own = np.einsum("noi,ij,npj->nop", gradient, bread, gradient)
    solved = np.linalg.solve(own + np.eye(own.shape[1]), along[..., None])[..., 0]
    found: FloatArray = (along * solved).sum(axis=1) / (target @ bread @ target)
    return found


def _by_pair(contrast: FloatArray, votes: FloatArray, n_items: int) -> FloatArray:
    found = np.zeros((n_items, n_items))
    np.add.at(found, (contrast.argmax(axis=1), contrast.argmin(axis=1)), votes)
    return found + found.T
