"""Figures that a notebook displays once, with room for every name."""

import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager
from io import BytesIO
from textwrap import fill
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from bayesjudge.plots.fonts import drawable, families, font_note
from bayesjudge.report.shown_names import broken, shortened

NAME_SIZE, SMALL_SIZE = 9, 8  # points
NAME_CHARACTERS = 40  # a longer name goes on over several lines
LINE_HEIGHT = 0.16  # inches, of a line of names
GAP = 0.12  # inches, between a name and the axes
EDGE_ROOM = 0.15  # inches, round a figure of several panels
INK, SOFT, FAINT = "#222222", "#6b6b6b", "#d9d9d9"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
SCREEN_DPI = 96
CHARACTERS_PER_INCH = 13  # of small text

STYLE: Any = {
    "font.size": NAME_SIZE,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.labelsize": NAME_SIZE,
    "axes.linewidth": 0.8,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": SCREEN_DPI,
    "figure.facecolor": "white",
    "hatch.linewidth": 0.6,
    "savefig.dpi": 2 * SCREEN_DPI,
    "text.color": INK,
    "xtick.color": SOFT,
    "xtick.labelcolor": INK,
    "xtick.labelsize": NAME_SIZE,
    "ytick.color": SOFT,
    "ytick.labelcolor": INK,
    "ytick.labelsize": NAME_SIZE,
}


class Chart(Figure):
    """A Matplotlib figure outside pyplot, so that a notebook displays it once, as its PNG form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        FigureCanvasAgg(self)

    def draw(self, renderer: Any) -> None:  # noqa: ANN401
        """Draw, without a warning where a font has changed since names were made drawable."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"Glyph \d+ ", UserWarning)
            super().draw(renderer)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=2 * SCREEN_DPI)
        width, height = (round(SCREEN_DPI * inches) for inches in self.get_size_inches())
        return buffer.getvalue(), {"width": width, "height": height}


def style(names: Sequence[str] = ()) -> AbstractContextManager[None]:
    """Return the context in which figures with names are made; outside it nothing changes."""
    return rc_context(STYLE | {"font.family": families(names)})


def noted(chart: Chart, names: Sequence[str]) -> Chart:
    """Write under a figure what it draws instead of characters that no font has, if any."""
    note = font_note(names)
    if not note:
        return chart
    width, height = map(float, chart.get_size_inches())
    written = fill(note, int((width - 2 * GAP) * CHARACTERS_PER_INCH))
    room = LINE_HEIGHT * (written.count("\n") + 1) + GAP
    full = height + room
    for axes in chart.axes:
        left, bottom, across, up = axes.get_position().bounds
        axes.set_position((left, (bottom * height + room) / full, across, up * height / full))
    for text in chart.texts:
        text.set_y((text.get_position()[1] * height + room) / full)
    chart.set_size_inches(width, full)
    chart.text(GAP / width, GAP / full, written, color=SOFT, fontsize=SMALL_SIZE)
    return chart


def wrapped(names: Sequence[str], width: int = NAME_CHARACTERS) -> list[str]:
    r"""Write names on as many lines as they need, without the middle of long ones.

    >>> wrapped(["gpt-4", "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8"])
    ['gpt-4', 'meta-llama/Llama-4-Maverick-\n17B-128E-Instruct-FP8']
    """
    return [literal("\n".join(_lines(name, width))) for name in shortened(drawable(names))]


def on_one_line(names: Sequence[str]) -> list[str]:
    """Write names on one line each, for figures with little room."""
    return [literal(name) for name in shortened(drawable(names), NAME_CHARACTERS)]


def literal(text: str) -> str:
    """Escape the dollar signs of a text, which Matplotlib would read as mathematics."""
    return text.replace("$", r"\$")


def text_width(texts: Sequence[str], size: float = NAME_SIZE) -> float:
    """Return the width of the widest of several texts, in inches."""
    font = FontProperties(family=families(texts), size=size)
    lines = [line for text in texts for line in text.split("\n") if line.strip()]
    paths = (TextPath((0, 0), line, prop=font) for line in lines)
    return max((float(path.get_extents().x1) for path in paths), default=0.0) / 72


def text_height(texts: Sequence[str]) -> float:
    """Return the height of the tallest of several texts, in inches."""
    return LINE_HEIGHT * max((text.count("\n") + 1 for text in texts), default=1)


def _lines(name: str, width: int) -> list[str]:
    """Break a name into lines of about equal length, no wider than a width."""
    number = len(broken(name, width))
    tries = (broken(name, narrow) for narrow in range(1, width + 1))
    return next(lines for lines in tries if len(lines) <= number)
