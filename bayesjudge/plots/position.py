"""Net preference of each judge for the answer shown first."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from bayesjudge.plots.forest import forest
from bayesjudge.plots.forest_rows import (
    ForestText,
    axis_label,
    farthest,
    fit_lines,
    left_out,
    named_fits,
    row_counts,
    row_order,
)
from bayesjudge.report.fits import Fit

QUANTITY = "net_first_preference"
MEANING = "D: P(prefers first) \N{MINUS SIGN} P(prefers second), for two equally good answers"
DIRECTIONS = ("\N{LEFTWARDS ARROW} prefers second", "prefers first \N{RIGHTWARDS ARROW}")


def plot_position(fit: Fit | Mapping[str, Fit], prob: float = 0.95) -> Figure:
    """Draw each judge's net preference for the answer shown first.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath or Orthogonal, or mapping of str to these
        One fit with a position term, or several by name. Standard errors of a mode, a path or a
        one-step estimate are clustered by prompt.
    prob : float
        Level of the thin intervals; the thick ones are at 50 %.

    Returns
    -------
    matplotlib.figure.Figure
        Judges sorted by D = tanh(position / 2), between -1 and 1, with the number of their verdicts
        in the right margin; of more than 60 judges those farthest from zero. It is displayed as the
        value of a notebook cell; ``savefig`` writes it.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If a fit has no position term, or it or the level is not one that a report can read.

    Notes
    -----
    OSCAR Section 3.2.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> figure = bj.plot_position(bj.mode(bj.models.sensitivity, bj.example_panel()))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['judge-4', 'judge-1', 'judge-3', 'judge-5', 'judge-2']
    """
    fits = named_fits(fit)
    lines = [fit_lines(name, one, QUANTITY, prob) for name, one in fits.items()]
    every = row_order(lines)
    order = farthest(every, lines)
    rows = left_out(order, every, "judges, the farthest from 0")
    counted, counts = row_counts(list(fits.values()), order, "judge")
    text = ForestText(
        label=axis_label(MEANING, prob, lines, rows),
        counts=counts,
        counted=counted,
        directions=DIRECTIONS,
        symmetric=True,
    )
    return forest(lines, order, text)
