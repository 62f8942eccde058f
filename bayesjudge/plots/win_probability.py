"""The win probabilities of all pairs of items as a heat map."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bayesjudge.core.intervals import level_words
from bayesjudge.plots.heat_map import Cells, heat_map
from bayesjudge.report.evidence import evidence
from bayesjudge.report.fits import Fit, rater, readable, score_name
from bayesjudge.report.marks import dependence_note
from bayesjudge.report.units import scorer_of
from bayesjudge.report.win_probability import pair_probabilities

MOST_ITEMS, MOST_NUMBERED = 60, 40  # of a picture that can be read, and with numbers in it


def plot_win_probability(fit: Fit, quantity: str | None = None, prob: float = 0.95) -> Figure:
    """Draw the probability that an average judge prefers the item of a row to that of a column.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        The fit. Standard errors of a mode, a path or a one-step estimate are clustered by prompt.
    quantity : str, optional
        A score in log-odds with one value an item; by default what the fit's program ranks items
        by.
    prob : float
        Level of the intervals; numbers are bold where the interval excludes one half.

    Returns
    -------
    matplotlib.figure.Figure
        Items sorted by score: of more than 60 the best 60, of more than 40 without numbers. Cells
        are hatched where the difference rests on the prior, without a number where there is no
        interval. It is displayed as the value of a notebook cell; ``savefig`` writes it.

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
    fit = readable(fit)
    scores = evidence(fit, score_name(fit, quantity))
    best = np.argsort(-scores.estimate.values, kind="stable")[:MOST_ITEMS]
    won = pair_probabilities(scores.at(best), prob)
    lower, upper = won["lower"].values, won["upper"].values
    cells = Cells(
        names=[str(name) for name in won["item"].values],
        numbered=len(best) <= MOST_NUMBERED,
        probability=np.where(np.isnan(lower), np.nan, won["win_probability"].values),
        decided=(lower > 0.5) | (upper < 0.5),
        marked=won["rests_on_prior"].values,
        notes=_notes(won, rater(fit), scores.estimate.size) + dependence_note(fit),
    )
    return heat_map(cells)


def _notes(won: xr.Dataset, rater: str, n_items: int) -> list[str]:
    quantity = str(won.attrs["quantity"])
    notes = [
        f"Probability that {scorer_of(quantity, rater)} prefers the item of the row to that of the "
        f"column, without any bias ({quantity.replace('_', ' ')}, {won.attrs['method']})."
    ]
    if won.sizes["item"] <= MOST_NUMBERED:
        level = level_words(won.attrs["prob"]).removesuffix("s")
        notes.append(f"Bold: the {level} excludes one half.")
    if won.sizes["item"] < n_items:
        notes.append(f"The best {won.sizes['item']} of {n_items:,} items.")
    if won["rests_on_prior"].any():
        notes.append("Hatched: rests on the prior.")
    return notes
