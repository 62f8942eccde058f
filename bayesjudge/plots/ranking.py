"""The ranking as a forest of scores."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bayesjudge.plots.forest_rows import (
    MOST_ROWS,
    ForestText,
    axis_label,
    fit_lines,
    left_out,
    named_fits,
    row_counts,
    row_order,
)
from bayesjudge.report.fits import rater, score_name
from bayesjudge.report.units import unit_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bayesjudge.report.fits import Fit


def plot_ranking(
    fit: "Fit | Mapping[str, Fit]", quantity: str | None = None, prob: float = 0.95
) -> "Figure":
    """Draw the scores of all items with their intervals, the highest on top.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance, or mapping of str to these
        One fit, or several by name, which stand in colours beside each other. A mode stands for its
        sandwich by prompt.
    quantity : str, optional
        A quantity with one value an item; by default "human_score" if a fit has one, else "score".
    prob : float
        Level of the thin intervals; the thick ones are at 50 %.

    Returns
    -------
    matplotlib.figure.Figure
        With the number of verdicts of each item in the right margin; of more than 60 items the
        first 60. Hollow points rest on the prior. It shows itself as the value of a notebook cell;
        ``savefig`` writes it.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If a fit, its quantity or the level is not one that a report can read.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> figure = bj.plot_ranking({"robust": fit, "model": fit.covariance("model")})
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()[:2]]
    ['maple', 'rowan']
    """
    from bayesjudge.plots.forest import forest

    fits = named_fits(fit)
    names = {name: score_name(each, quantity) for name, each in fits.items()}
    lines = [fit_lines(name, each, names[name], prob) for name, each in fits.items()]
    every = row_order(lines)
    order = every[:MOST_ROWS]
    described = _described(sorted(set(names.values())), rater(*fits.values()))
    text = ForestText(
        label=axis_label(described, prob, lines, left_out(order, every, "items, the highest")),
        counts=row_counts(list(fits.values()), order, "item"),
        counted="verdicts",
    )
    return forest(lines, order, text)


def _described(quantities: list[str], rater: str) -> str:
    if len(quantities) > 1:
        return f"{' and '.join(quantities)}, in log-odds (0: the average item)"
    return f"{quantities[0]}: {unit_of(quantities[0], rater)} (0: the average item)"
