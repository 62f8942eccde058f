"""A forest: a point with two intervals for each name and fit, one row a name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from bayesjudge.plots.chart import (
    COLOURS,
    FAINT,
    GAP,
    LINE_HEIGHT,
    SMALL_SIZE,
    SOFT,
    Chart,
    literal,
    noted,
    style,
    text_height,
    text_width,
    wrapped,
)
from bayesjudge.plots.fonts import drawable
from bayesjudge.plots.forest_rows import ForestText, Lines

AXIS_WIDTH = 4.6  # inches
ROW_PADDING, FIT_HEIGHT = 0.11, 0.16  # inches
TOP, BOTTOM = 0.3, 0.45  # inches, for the header and the axis label
LEGEND_GAP = 0.05  # inches, between the names of fits
LEGEND_CHARACTERS = 60  # of a line of the legend, which may be as wide as the axes
BESIDE = 0.25  # inches, between the axes and the counts
EDGE = 0.1  # inches, round everything
MARKERS = "osD^v<>"
THIN, THICK, MARKER_SIZE = 1.1, 3.0, 5.5  # points


@dataclass(frozen=True)
class Room:
    """Where the axes are in the figure, in inches."""

    left: float
    right: float
    bottom: float
    top: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the figure."""
        return self.left + AXIS_WIDTH + self.right, self.bottom + self.height + self.top

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The axes as shares of the figure: left, bottom, width, height."""
        width, height = self.size
        return self.left / width, self.bottom / height, AXIS_WIDTH / width, self.height / height


def forest(lines: Sequence[Lines], order: Sequence[str], text: ForestText) -> Chart:
    """Draw a forest."""
    names = [*order, *(one.label for one in lines), *text.label.split("\n")]
    labels, legend, text = _drawable(names, len(order), len(lines), text)
    lines = [one.of(order) for one in lines]
    room = _room(legend, labels, text)
    with style(names):
        chart = Chart(figsize=room.size)
        axes = chart.add_axes(room.box)
        _rows(axes, labels)
        for place, one in enumerate(lines):
            _draw(axes, one, order, place, len(lines))
        _write(axes, text)
        _limit(axes, text)
        if len(lines) > 1:
            _legend(axes, legend)
        return noted(chart, names)


def _drawable(
    names: list[str], rows: int, fits: int, text: ForestText
) -> tuple[list[str], list[str], ForestText]:
    """Return the labels of rows and fits and the axis label, with one numbering for all of them."""
    shown = drawable(names)
    labels, legend, below = shown[:rows], shown[rows : rows + fits], shown[rows + fits :]
    return (
        wrapped(labels),
        wrapped(legend, LEGEND_CHARACTERS),
        replace(text, label="\n".join(below)),
    )


def _room(legend: list[str], labels: list[str], text: ForestText) -> Room:
    fits = FIT_HEIGHT * len(legend) if len(legend) > 1 else 0.0
    row = max(text_height(labels), fits) + ROW_PADDING
    rows = sum(text_height([label]) + LEGEND_GAP for label in legend)
    return Room(
        left=text_width(labels) + GAP + EDGE,
        right=_count_width(text) + BESIDE + 2 * EDGE,
        bottom=BOTTOM + LINE_HEIGHT * text.label.count("\n") + EDGE,
        top=TOP + (rows + GAP if len(legend) > 1 else 0.0),
        height=row * len(labels),
    )


def _count_width(text: ForestText) -> float:
    return text_width([text.counted, *text.counts], SMALL_SIZE) if text.counts else 0.0


def _rows(axes: Axes, labels: list[str]) -> None:
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0, pad=72 * GAP / 2)
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.axvline(0, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)


def _draw(axes: Axes, lines: Lines, order: Sequence[str], place: int, fits: int) -> None:
    colour = COLOURS[place % len(COLOURS)]
    row = {name: i for i, name in enumerate(order)}
    shift = (place - (fits - 1) / 2) / (fits + 1) if fits > 1 else 0.0
    y = np.array([row[name] + shift for name in lines.names])
    axes.hlines(y, *lines.outer, color=colour, linewidth=THIN, zorder=2)
    axes.hlines(y, *lines.inner, color=colour, linewidth=THICK, zorder=2)
    fill = np.where(lines.marked, "white", colour)
    marker = MARKERS[place % len(MARKERS)]
    axes.scatter(
        lines.estimate,
        y,
        s=MARKER_SIZE**2,
        c=fill,
        edgecolors=colour,
        linewidths=THIN,
        marker=marker,
        zorder=3,
    )


def _write(axes: Axes, text: ForestText) -> None:
    axes.set_xlabel(literal(text.label))
    small: dict[str, Any] = {"fontsize": SMALL_SIZE, "color": SOFT}
    above = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom", **small}
    beside = 1 + (BESIDE + _count_width(text)) / AXIS_WIDTH
    left, right = text.directions
    axes.annotate(left, (0, 1), (0, 5), ha="left", **above)
    axes.annotate(right, (1, 1), (0, 5), ha="right", **above)
    if text.counts:
        axes.annotate(text.counted, (beside, 1), (0, 5), ha="right", **above)
    transform = axes.get_yaxis_transform()
    for row, count in enumerate(text.counts):
        axes.text(beside, row, count, transform=transform, ha="right", va="center", **small)


def _limit(axes: Axes, text: ForestText) -> None:
    axes.margins(x=0.04)
    axes.autoscale_view(scaley=False)
    if text.symmetric:
        reach = max(abs(end) for end in axes.get_xlim())
        axes.set_xlim(-reach, reach)


def _legend(axes: Axes, labels: list[str]) -> None:
    handles = [
        Line2D([], [], color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)])
        for i in range(len(labels))
    ]
    above = 1 + TOP / (axes.bbox.height / axes.figure.dpi)
    axes.legend(
        handles,
        labels,
        loc="lower left",
        bbox_to_anchor=(0, above),
        borderaxespad=0,
        borderpad=0,
        labelspacing=0.35,
        frameon=False,
    )
