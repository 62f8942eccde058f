"""A direction of disagreement: which items it favours, and the judges' places on it."""

from dataclasses import dataclass, replace

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import demand_level, equal_tailed, level_words
from bayesjudge.plots.chart import (
    COLOURS,
    EDGE_ROOM,
    FAINT,
    GAP,
    SOFT,
    Chart,
    noted,
    style,
    text_height,
    text_width,
    wrapped,
)
from bayesjudge.plots.fonts import drawable
from bayesjudge.report.factors import factors
from bayesjudge.report.fits import Fit, method_label, readable

PANEL = 2.6  # inches, width of each panel
ROW = 0.1  # inches between names
BOTTOM, TOP = 0.8, 0.35  # inches
PANELS = {
    "direction": "direction V among items (mean square 1)",
    "place": "place U of judges (log-odds)",
}


@dataclass(frozen=True, eq=False)
class Column:
    """One panel: labels from top to bottom, estimates (n,) and interval ends (2, n)."""

    labels: list[str]
    estimate: FloatArray
    ends: FloatArray


def plot_factors(fit: Fit, factor: int = 1, prob: float = 0.95) -> Figure:
    """Draw one direction of disagreement: items on the left, judges on the right.

    A judge to the right of zero scores items to the right of zero higher than the consensus does.
    The sign of a direction, and its rotation among several, are conventions.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance or WeightPath
        A fit with the quantity "disagreement".
    factor : int
        Its number; the first explains the most variation.
    prob : float
        Level of the intervals.

    Returns
    -------
    matplotlib.figure.Figure
        It is displayed as the value of a notebook cell; ``savefig`` writes it.

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
    >>> len(bj.calibration.plot_factors(fit).axes)
    2
    """
    fit = readable(fit)
    chosen = factors(fit, factor).sel(factor=factor)
    columns = [_column(chosen, name, demand_level(prob)) for name in PANELS]
    names = [name for column in columns for name in column.labels]
    columns = _labelled(columns, dict(zip(names, drawable(names), strict=True)))
    below = f"factor {factor}, {level_words(prob)},\n{method_label(fit)}"
    with style(names):
        chart, boxes = _canvas(columns)
        for box, column, words in zip(boxes, columns, PANELS.values(), strict=True):
            _draw(chart.add_axes(box), column, f"{words}\n{below}")
        return noted(chart, names)


def _column(chosen: xr.Dataset, name: str, prob: float) -> Column:
    """Return the content of a panel, the highest estimate on top."""
    estimate = chosen[f"{name}_estimate"]
    order = np.argsort(-estimate.values)
    names = [str(label) for label in estimate[estimate.dims[0]].values[order]]
    ends = equal_tailed(chosen[name].values, prob)
    return Column(names, estimate.values[order], ends[:, order])


def _labelled(columns: list[Column], shown: dict[str, str]) -> list[Column]:
    """Return panels with labels that a font can draw, on as many lines as they need."""
    return [
        replace(column, labels=wrapped([shown[name] for name in column.labels]))
        for column in columns
    ]


def _canvas(columns: list[Column]) -> tuple[Chart, list[tuple[float, float, float, float]]]:
    """Return a figure and the boxes of its panels, with room for names."""
    widths = [text_width(column.labels) + GAP + EDGE_ROOM for column in columns]
    height = max(len(column.labels) * (text_height(column.labels) + ROW) for column in columns)
    width, full = sum(widths) + 2 * PANEL + 2 * EDGE_ROOM, height + BOTTOM + TOP
    chart, boxes, left = Chart(figsize=(width, full)), [], 0.0
    for room in widths:
        left += room
        boxes.append((left / width, BOTTOM / full, PANEL / width, height / full))
        left += PANEL
    return chart, boxes


def _draw(axes: Axes, column: Column, label: str) -> None:
    rows = np.arange(len(column.labels))
    axes.hlines(rows, *column.ends, color=COLOURS[0], linewidth=1.1)
    axes.plot(column.estimate, rows, "o", color=COLOURS[0], markersize=5)
    axes.axvline(0, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.set_yticks(rows, column.labels)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
    axes.set_xlabel(label)
