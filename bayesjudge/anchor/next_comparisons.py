"""Which votes or verdicts to collect next: how much one more would reduce a variance."""

import numpy as np
import pandas as pd

from bayesjudge.anchor.placement import placement
from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.logistic import verdict_variance
from bayesjudge.designs.flat_cells import FlatCells, flat_cells
from bayesjudge.errors import NewItemError, UnknownFitError
from bayesjudge.fits.mode import Mode


def next_comparisons(
    fit: Mode, item: str | None = None, against: str | None = None
) -> pd.DataFrame:
    """Return how much one more vote or verdict of each kind would reduce a new item's variance.

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
        that one more removes, largest first. Pairs that a judge has not seen are left out, because
        their features are unknown; people may be asked about any pair.

    Raises
    ------
    NewItemError
        If `item` is not new, or `against` not an item or the same.
    UnknownFitError
        For another fit.

    Notes
    -----
    All variances are functions of the information, so that a verdict with expected information s
    g g' removes s (g'w)^2 / (1 + s g' I^-1 g), w = I^-1 l (ANCHOR Section 7; Sherman-Morrison).
    Features of more verdicts are taken to be like those so far.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> fit = bj.mode(bj.models.new_item, judges, seen, prior=False)
    >>> bj.new_items.next_comparisons(fit).iloc[0]["rater"]
    'people'
    """
    fit = wanted(
        Mode,
        fit,
        UnknownFitError,
        "The joint maximum is wanted and this is of type {type}; give what "
        "bj.mode(bj.models.new_item, judges, votes, prior=False) returned.",
    )
    target = _target(fit, item, against)
    table = pd.concat([_votes(fit, target), _verdicts(fit, target)], ignore_index=True)
    return table.sort_values("gain", ascending=False, kind="stable").reset_index(drop=True)


def _target(fit: Mode, item: str | None, against: str | None) -> FloatArray:
    """Return the gradient (size,) of the score or difference that is aimed at."""
    placed = placement(fit, kind="model")  # refuses other fits
    names, new = list(placed.items), placed.new_items
    if (item is None and len(new) > 1) or (item is not None and item not in new):
        raise NewItemError(f"item is {item!r}; name one of the new items {', '.join(new)}.")
    if against is not None and against not in names:
        raise NewItemError(f"against is {against!r}; name one of the items {', '.join(names)}.")
    item = item or new[0]
    if against == item:
        raise NewItemError(
            f"The new item and against are both {against!r}; name another item to compare it with."
        )
    gradient = fit.gradient("human_score")
    score = gradient[names.index(item)]
    return score if against is None else score - gradient[names.index(against)]


def _votes(fit: Mode, target: FloatArray) -> pd.DataFrame:
    """Return the gain by one more vote on each pair of items."""
    humans = fit.designs[1]
    names, cells = np.array(humans.items), flat_cells(humans)
    first, second = np.triu_indices(len(names), 1)
    score, gradient = fit.quantity("human_score").values, fit.gradient("human_score")
    spread = np.sqrt(verdict_variance(score[first] - score[second]))
    by_vote = spread[:, None] * (gradient[first] - gradient[second])
    votes = np.zeros((len(names), len(names)))
    np.add.at(votes, _ends(cells), cells.total)
    return pd.DataFrame(
        {
            "rater": "people",
            "first": names[first],
            "second": names[second],
            "so_far": votes[first, second],
            "gain": _gain(fit, target, by_vote[:, None, :]),
        }
    )


def _verdicts(fit: Mode, target: FloatArray) -> pd.DataFrame:
    """Return the gain by one more verdict of each judge on each pair, a mean over its cells."""
    judges = fit.designs[0]
    cells, names = flat_cells(judges), np.array(judges.items)
    used = cells.total > 0
    probs, scores = fit.outcome_probs(judges)[used], fit.scores(judges).by_outcome[used]
    gain = _gain(fit, target, np.sqrt(probs)[..., None] * scores)
    seen = cells.at(used)
    first, second = _ends(seen)
    by_cell = pd.DataFrame(
        {
            "rater": np.array(judges.data.judges)[seen.judge],
            "first": names[first],
            "second": names[second],
            "so_far": seen.total,
            "gain": seen.total * gain,
        }
    )
    by_pair = by_cell.groupby(["rater", "first", "second"], as_index=False).sum()
    return by_pair.assign(gain=by_pair["gain"] / by_pair["so_far"])


def _ends(cells: FlatCells) -> tuple[IntArray, IntArray]:
    """Return the two items of each cell, in the order of the items, (n_cells,) each."""
    contrast = cells.pair_contrast
    first, second = contrast.argmax(axis=1), contrast.argmin(axis=1)
    return np.minimum(first, second), np.maximum(first, second)


def _gain(fit: Mode, target: FloatArray, gradient: FloatArray) -> FloatArray:
    """Return the share of the target's variance that one more verdict removes, (n,).

    The gradient (n, n_outcomes, size) holds scores times the roots of their probabilities.
    """
    bread = np.linalg.inv(fit.information)
    along = gradient @ (bread @ target)
    own = np.einsum("noi,ij,npj->nop", gradient, bread, gradient)
    solved = np.linalg.solve(own + np.eye(own.shape[1]), along[..., None])[..., 0]
    return np.asarray((along * solved).sum(axis=1) / (target @ bread @ target))
