"""A square of probabilities with a number in every cell."""

from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.patches import Rectangle

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.plots.chart import (
    CHARACTERS_PER_INCH,
    GAP,
    INK,
    LINE_HEIGHT,
    SMALL_SIZE,
    SOFT,
    Chart,
    noted,
    on_one_line,
    style,
    text_height,
    text_width,
    wrapped,
)

PALETTE = "RdBu"  # red and blue differ for every reader; white is one half
LARGEST_CELL, SMALLEST_CELL, GRID_WIDTH = 0.75, 0.38, 4.4  # inches
LARGEST_WIDTH = 14.0  # inches, for names and square together
LEAST_NUMBERED, LEAST_CELL = 0.28, 0.17  # inches, of a cell with a number and without
NUMBER_SIZE, ROOMY = 8, 0.33  # points of a number, and inches of a cell that holds it
CELL_PADDING = 0.08  # inches
BAR_WIDTH, BAR_HEIGHT, BAR_ROOM = 0.14, 1.6, 0.95  # inches, with the bar's label
EDGE = 0.1  # inches
DARK = 0.213  # luminance below which white has more contrast than ink (as WCAG 2 counts it)
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of red, green and blue
EMPTY, HATCH = "#ececec", "#9a9a9a"
NARROWEST = 3.6  # inches, so that the notes have room


@dataclass(frozen=True, eq=False)
class Cells:
    """Content of the square, row item against column item.

    Attributes
    ----------
    names : list of str
        From top to bottom and from left to right.
    numbered : bool
        Whether cells have numbers.
    probability : ndarray, shape (n, n)
        Number and colour of a cell; NaN for neither.
    decided : ndarray of bool, shape (n, n)
        Set in bold.
    marked : ndarray of bool, shape (n, n)
        Hatched.
    notes : list of str
        Sentences under the square.
    """

    names: list[str]
    numbered: bool
    probability: FloatArray
    decided: BoolArray
    marked: BoolArray
    notes: list[str]


@dataclass(frozen=True)
class Room:
    """Sizes in inches, and whether names above the square stand upright."""

    cell: float
    grid: float
    left: float
    top: float
    bottom: float
    upright: bool

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the figure."""
        tall = max(self.grid, BAR_HEIGHT)
        return self.left + self.grid + BAR_ROOM + EDGE, self.bottom + tall + self.top

    def share(self, left: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Return a box below the top of the square, as shares of the figure."""
        whole, tall = self.size
        return left / whole, (tall - self.top - height) / tall, width / whole, height / tall


def heat_map(cells: Cells) -> Chart:
    """Draw a square of probabilities."""
    labels = _labels(cells.names)
    room, notes = _room(labels, cells)
    with style(cells.names):
        chart = Chart(figsize=room.size)
        axes = chart.add_axes(room.share(room.left, room.grid, room.grid))
        mesh = _square(axes, cells.probability)
        _names(axes, labels, room.upright)
        if cells.numbered:
            _numbers(axes, cells, NUMBER_SIZE * min(1.0, room.cell / ROOMY))
        _hatching(axes, cells.marked)
        place = room.share(room.left + room.grid + 1.5 * GAP, BAR_WIDTH, BAR_HEIGHT)
        bar = chart.colorbar(mesh, cax=chart.add_axes(place), ticks=[0, 0.25, 0.5, 0.75, 1])
        bar.set_label("probability")
        bar.outline.set_visible(False)
        chart.text(EDGE / room.size[0], EDGE / room.size[1], notes, color=SOFT, fontsize=SMALL_SIZE)
        return noted(chart, cells.names)


def _labels(names: list[str]) -> list[str]:
    """Break long names into lines, or shorten them where lines would make the square too large."""
    labels = wrapped(names)
    fits = text_height(labels) + CELL_PADDING <= _widest_cell(labels)
    return labels if fits else on_one_line(names)


def _widest_cell(labels: list[str]) -> float:
    return (LARGEST_WIDTH - text_width(labels) - GAP - EDGE - BAR_ROOM) / len(labels)


def _cell(labels: list[str], cells: Cells) -> float:
    spread = float(np.clip(GRID_WIDTH / len(labels), SMALLEST_CELL, LARGEST_CELL))
    least = LEAST_NUMBERED if cells.numbered else LEAST_CELL
    return min(max(spread, text_height(labels) + CELL_PADDING), max(_widest_cell(labels), least))


def _room(labels: list[str], cells: Cells) -> tuple[Room, str]:
    cell = _cell(labels, cells)
    grid, names = cell * len(labels), max(text_width(labels), LINE_HEIGHT) + GAP
    upright = text_width(labels) + CELL_PADDING <= cell
    top = (text_height(labels) + GAP if upright else names) + EDGE
    left = max(names + EDGE, NARROWEST - grid - BAR_ROOM)
    width = int((left + grid + BAR_ROOM) * CHARACTERS_PER_INCH)
    written = "\n".join(fill(note, width) for note in cells.notes)
    bottom = LINE_HEIGHT * (written.count("\n") + 1) + 2 * EDGE
    return Room(cell, grid, left, top, bottom, upright), written


def _square(axes: Axes, probability: FloatArray) -> QuadMesh:
    shown = np.ma.masked_invalid(probability)
    np.fill_diagonal(shown, np.ma.masked)
    axes.set_facecolor(EMPTY)
    mesh = axes.pcolormesh(
        shown, cmap=colormaps[PALETTE], vmin=0, vmax=1, edgecolors="white", linewidth=0.8
    )
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)
    return mesh


def _names(axes: Axes, labels: list[str], upright: bool) -> None:
    middle = np.arange(len(labels)) + 0.5
    axes.set_yticks(middle, labels)
    axes.set_xticks(middle, labels, rotation=0 if upright else 90)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=72 * GAP / 2)


def _numbers(axes: Axes, cells: Cells, size: float) -> None:
    off_diagonal = ~np.eye(len(cells.names), dtype=bool)
    for row, column in np.argwhere(off_diagonal & ~np.isnan(cells.probability)):
        value, decided = cells.probability[row, column], cells.decided[row, column]
        axes.text(
            column + 0.5,
            row + 0.5,
            _written(value),
            ha="center",
            va="center",
            color=_ink(value),
            fontsize=size,
            fontweight="bold" if decided else "normal",
            bbox=_ground(value) if cells.marked[row, column] else None,
        )


def _written(value: float) -> str:
    if value > 0.995:
        return ">.99"
    return "<.01" if value < 0.005 else f"{value:.2f}".removeprefix("0")


def _ink(value: float) -> str:
    """Return white or black by the number as it is written, so that equal numbers look alike."""
    written = float(np.clip(round(value, 2), 0.01, 0.99))
    ground = np.array(colormaps[PALETTE](written)[:3])
    linear = np.where(ground <= 0.04045, ground / 12.92, ((ground + 0.055) / 1.055) ** 2.4)
    return "white" if linear @ LUMINANCE < DARK else INK


def _ground(value: float) -> dict[str, Any]:
    """Return the box of a number in a hatched cell, in the colour of the cell."""
    return {"facecolor": colormaps[PALETTE](value), "edgecolor": "none", "pad": 1.5}


def _hatching(axes: Axes, marked: BoolArray) -> None:
    for row, column in np.argwhere(marked):
        axes.add_patch(
            Rectangle((column, row), 1, 1, fill=False, hatch="////", edgecolor=HATCH, linewidth=0)
        )
