"""The win probabilities of all pairs of items as a heat map."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from bayesjudge.core.intervals import level_words
from bayesjudge.report.evidence import evidence
from bayesjudge.report.fits import rater, readable, score_name
from bayesjudge.report.prior_only import rests_on_prior
from bayesjudge.report.win_probability import pair_probabilities

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bayesjudge.report.fits import Fit


MOST_ITEMS, MOST_NUMBERED = 60, 40  # of a picture that can be read, and with numbers in it


def plot_win_probability(fit: "Fit", quantity: str | None = None, prob: float = 0.95) -> "Figure":
    """Draw the probability that an average judge prefers the row's item to the column's.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit. A mode stands for its sandwich by prompt.
    quantity : str, optional
        A score in log-odds with one value an item; by default "human_score" if the fit has one,
        else "score".
    prob : float
        Level of the interval that decides what is set in bold.

    Returns
    -------
    matplotlib.figure.Figure
        Items sorted by score: of more than 60 the best 60, of more than 40 without numbers. Bold
        where the interval excludes one half; hatched where the difference rests on the prior,
        without a number where a mode says nothing. It shows itself as the value of a notebook cell;
        ``savefig`` writes it.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If the fit, its quantity or the level is not one that a report can read.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> figure = bj.plot_win_probability(bj.mode(bj.models.sensitivity, bj.example_panel()))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()[:2]]
    ['maple', 'rowan']
    """
    from bayesjudge.plots.heat_map import Cells, heat_map

    fit = readable(fit)
    found = evidence(fit, score_name(fit, quantity))
    best = np.argsort(-found.estimate.values, kind="stable")[:MOST_ITEMS]
    unknown = rests_on_prior(fit, found.quantity)[np.ix_(best, best)]
    won = pair_probabilities(found.at(best), unknown, prob)
    lower, upper, prior_only = (won[name].values for name in ("lower", "upper", "rests_on_prior"))
    cells = Cells(
        names=[str(name) for name in won["item"].values],
        numbered=len(best) <= MOST_NUMBERED,
        probability=np.where(np.isnan(lower), np.nan, won["win_probability"].values),
        decided=(lower > 0.5) | (upper < 0.5),
        prior_only=prior_only,
        notes=_notes(won, rater(fit), found.estimate.size),
    )
    return heat_map(cells)


def _notes(won: xr.Dataset, rater: str, n_items: int) -> list[str]:
    notes = [
        f"Probability that an average {rater} without bias prefers the item of the row to that of "
        f"the column ({won.attrs['quantity']}, {won.attrs['method']})."
    ]
    if won.sizes["item"] <= MOST_NUMBERED:
        level = level_words(won.attrs["prob"]).removesuffix("s")
        notes.append(f"Bold: the {level} excludes one half.")
    if won.sizes["item"] < n_items:
        notes.append(f"The best {won.sizes['item']} of {n_items:,} items.")
    if won["rests_on_prior"].any():
        notes.append("Hatched: rests on the prior, no verdicts inform it.")
    return notes
