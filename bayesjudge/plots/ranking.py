"""The ranking as a forest of scores."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from bayesjudge.plots.forest import forest
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
from bayesjudge.report.fits import Fit, rater, score_name
from bayesjudge.report.units import unit_of


def plot_ranking(
    fit: Fit | Mapping[str, Fit], quantity: str | None = None, prob: float = 0.95
) -> Figure:
    """Draw the scores of all items with their intervals, the highest on top.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath, Orthogonal, Placement or mapping of str to these
        One fit, or several by name, which are drawn side by side in colours. Standard errors of a
        mode, a path or a one-step estimate are clustered by prompt.
    quantity : str, optional
        A quantity with one value an item; by default what each fit's program ranks items by.
    prob : float
        Level of the thin intervals; the thick ones are at 50 %.

    Returns
    -------
    matplotlib.figure.Figure
        With the number of verdicts of each item in the right margin; of more than 60 items the
        best 60. Hollow points rest on the prior. It is displayed as the value of a notebook cell;
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
    fits = named_fits(fit)
    scores = [score_name(one, quantity) for one in fits.values()]
    pairs = zip(fits.items(), scores, strict=True)
    lines = [fit_lines(name, one, score, prob) for (name, one), score in pairs]
    every = row_order(lines)
    order = every[:MOST_ROWS]
    meaning = _meaning(sorted(set(scores)), rater(*fits.values()))
    if all(one.centred for one in lines):
        meaning += " (0: the average item)"
    counted, counts = row_counts(list(fits.values()), order, "item")
    rows = left_out(order, every, "items, the highest")
    text = ForestText(axis_label(meaning, prob, lines, rows), counts, counted)
    return forest(lines, order, text)


def _meaning(quantities: list[str], rater: str) -> str:
    """Describe the horizontal axis: the scores and their unit."""
    names = " and ".join(name.replace("_", " ") for name in quantities)
    return f"{names}, {unit_of(quantities[0], rater) if len(quantities) == 1 else 'log-odds'}"
