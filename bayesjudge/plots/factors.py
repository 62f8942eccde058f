"""A direction of disagreement: which items it favours, and where the judges stand on it."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from bayesjudge.core.intervals import demand_level, percent
from bayesjudge.plots.chart import (
    COLOURS,
    EDGE_ROOM,
    FAINT,
    GAP,
    LINE_HEIGHT,
    SOFT,
    Chart,
    style,
    text_width,
    wrapped,
)
from bayesjudge.report.factors import factors

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bayesjudge.report.fits import Fit


PANEL = 2.6  # inches, width of each panel


ROW = 0.1  # inches between names


BOTTOM, TOP = 0.65, 0.35  # inches


ITEMS = "direction V among items (mean square 1)"


JUDGES = "place U of judges (log-odds)"


def plot_factors(fit: "Fit", factor: int = 1, prob: float = 0.95) -> "Figure":
    """Draw one direction of disagreement: items on the left, judges on the right.

    A judge to the right of zero scores items to the right of zero higher than the consensus does. A
    direction's sign, and its rotation among several, are conventions.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        A fit with the quantity "disagreement".
    factor : int
        Which: the first carries the most.
    prob : float
        Level of the intervals.

    Returns
    -------
    matplotlib.figure.Figure
        It shows itself as the value of a notebook cell; ``savefig`` writes it.

    Raises
    ------
    RankError, UnknownQuantityError, UnknownOptionError
        If the fit has no such factor or the level is not one.

    Notes
    -----
    DIAL Section 3.2.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> len(bj.plot_factors(fit).axes)
    2
    """
    level, found = demand_level(prob), factors(fit, factor).sel(factor=factor)
    items, judges = _ranked(found, "direction", level), _ranked(found, "place", level)
    label = f"{{}}, {percent(level)} intervals"
    with style():
        chart, boxes = _canvas(items[0], judges[0])
        for box, panel, words in zip(boxes, (items, judges), (ITEMS, JUDGES), strict=True):
            _draw(chart.add_axes(box), *panel, label.format(words))
    return chart


Panel = tuple[list[str], NDArray[np.float64], NDArray[np.float64]]


def _ranked(found: "xr.Dataset", name: str, prob: float) -> Panel:
    """Names, estimates and interval ends, the highest first."""
    estimate, tail = found[f"{name}_estimate"], 0.5 - prob / 2
    order = np.argsort(-estimate.values)
    ends = np.quantile(found[name].values, [tail, 1 - tail], axis=0)
    names = [str(each) for each in estimate[estimate.dims[0]].values[order]]
    return names, estimate.values[order], ends[:, order]


def _canvas(
    items: list[str], judges: list[str]
) -> tuple[Chart, list[tuple[float, float, float, float]]]:
    widths = [text_width(wrapped(names)) + GAP + EDGE_ROOM for names in (items, judges)]
    rows = (len(wrapped(names)) * (LINE_HEIGHT + ROW) for names in (items, judges))
    height, width = max(rows), sum(widths) + 2 * PANEL + 2 * EDGE_ROOM
    full = height + BOTTOM + TOP
    chart, boxes, left = Chart(figsize=(width, full)), [], 0.0
    for room in widths:
        left += room
        boxes.append((left / width, BOTTOM / full, PANEL / width, height / full))
        left += PANEL
    return chart, boxes


def _draw(
    axes: Axes,
    names: list[str],
    estimate: NDArray[np.float64],
    ends: NDArray[np.float64],
    label: str,
) -> None:
    rows = np.arange(len(names))
    axes.hlines(rows, *ends, color=COLOURS[0], linewidth=1.1)
    axes.plot(estimate, rows, "o", color=COLOURS[0], markersize=5)
    axes.axvline(0, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.set_yticks(rows, wrapped(names))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
    axes.set_xlabel(label.replace(", ", ",\n", 1))
