"""The win probabilities of all pairs of items as a heat map."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from bayesjudge.report.evidence import evidence
from bayesjudge.report.fits import readable, score_name
from bayesjudge.report.intervals import level_words
from bayesjudge.report.win_probability import win_probability

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bayesjudge.report.fits import Fit


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
        Items sorted by score. Bold where the interval excludes one half; hatched where the
        difference rests on the prior, without a number where a mode says nothing. It shows
        itself as the value of a notebook cell; ``savefig`` writes it.

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
    from bayesjudge.report.heat_map import Cells, heat_map

    fit = readable(fit)
    won = _sorted(win_probability(fit, quantity, prob), fit)
    lower, upper, prior_only = (won[name].values for name in ("lower", "upper", "rests_on_prior"))
    cells = Cells(
        names=[str(name) for name in won["item"].values],
        probability=np.where(np.isnan(lower), np.nan, won["win_probability"].values),
        decided=(lower > 0.5) | (upper < 0.5),
        prior_only=prior_only,
        notes=_notes(won, prob),
    )
    return heat_map(cells)


def _sorted(won: xr.Dataset, fit: "Fit") -> xr.Dataset:
    found = evidence(fit, score_name(fit, won.attrs["quantity"]))
    order = np.argsort(-found.estimate.values, kind="stable")
    return won.isel(item=order, opponent=order)


def _notes(won: xr.Dataset, prob: float) -> list[str]:
    notes = [
        "Probability that an average judge without bias prefers the item of the row to that of the "
        f"column ({won.attrs['quantity']}, {won.attrs['method']}).",
        f"Bold: the {level_words(prob).removesuffix('s')} excludes one half.",
    ]
    if won["rests_on_prior"].any():
        notes.append("Hatched: rests on the prior, no verdicts inform it.")
    return notes
