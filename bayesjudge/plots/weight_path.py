"""How the weight of the judges changes the estimated loss of a vote, and the human scores."""

from itertools import cycle, islice
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.optimize import isotonic_regression

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import listing
from bayesjudge.dial.candidates import Candidate
from bayesjudge.dial.weight_path import WeightPath
from bayesjudge.errors import NoAdmissibleFitError
from bayesjudge.plots.chart import (
    COLOURS,
    FAINT,
    GAP,
    INK,
    NAME_SIZE,
    SMALL_SIZE,
    SOFT,
    Chart,
    noted,
    on_one_line,
    style,
    text_width,
)

HEIGHT, PANEL = 3.4, 3.3  # inches
LEFT, BETWEEN, BOTTOM, TOP = 0.8, 0.75, 1.1, 0.35
NAME_STEP = 0.17  # inches between names at the right edge
DRAWN = 1.05  # width of a text on the grid of pixels, of its outline's, at most
LEADER = 0.45  # inches, of the lines that lead from the axes to the names
DASHES = ("-", "--", ":", "-.")  # of items beyond the number of colours


def plot_weight_path(path: WeightPath) -> Figure:
    """Draw GACV and the human scores over the weight of the judges.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.calibration.weight_path` returned.

    Returns
    -------
    matplotlib.figure.Figure
        Left: the estimated loss of a new vote (GACV) and the loss of the observed votes, in nats;
        right: the items' human scores, in log-odds. Each panel runs from humans alone on the left
        to the anchored fit on the right; a dashed line marks the selected weight. Inadmissible fits
        are left out, and named above the scores. The figure is displayed as the value of a notebook
        cell; ``savefig`` writes it.

    Raises
    ------
    NoAdmissibleFitError
        If no fit of the path is admissible.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> path = bj.calibration.weight_path(bj.models.calibrated, judges, votes)
    >>> len(bj.calibration.plot_weight_path(path).axes)
    2
    """
    shown = [one for one in reversed(path.candidates) if one.fault is None]
    if not shown:
        raise NoAdmissibleFitError(
            "No weight of the path gives a fit that may be shown; see path.table() for the reasons."
        )
    items = path.blocks.designs[0].items
    names, note = on_one_line(items), _left_out(path)
    beside = max(PANEL + LEADER + text_width(names) * DRAWN, text_width([note], SMALL_SIZE) * DRAWN)
    width = LEFT + PANEL + BETWEEN + beside + 2 * GAP
    height = max(HEIGHT, NAME_STEP * len(names))
    full = height + BOTTOM + TOP
    with style(items):
        chart = Chart(figsize=(width, full))
        starts = (LEFT, LEFT + PANEL + BETWEEN)
        loss, score = (
            chart.add_axes((x / width, BOTTOM / full, PANEL / width, height / full)) for x in starts
        )
        _losses(loss, shown)
        _scores(score, shown, names, height)
        for axes in (loss, score):
            _weights(axes, shown, path)
        score.text(0, 1.02, note, transform=score.transAxes, fontsize=SMALL_SIZE, color=SOFT)
        return noted(chart, items)


def _left_out(path: WeightPath) -> str:
    words = [_word(one.weight, path) for one in path.candidates if one.fault is not None]
    return f"not shown: {listing(words, 3)} (path.table() says why)" if words else ""


def _losses(axes: Axes, shown: list[Candidate]) -> None:
    place = np.arange(len(shown))
    axes.plot(place, [one.gacv for one in shown], "o-", color=COLOURS[0], markersize=4)
    axes.plot(place, [one.human_loss for one in shown], "s--", color=COLOURS[1], markersize=3.5)
    words = ((0.0, "new vote (GACV)", COLOURS[0]), (0.55, "observed votes", COLOURS[1]))
    for x, word, colour in words:
        axes.text(x, 1.02, word, transform=axes.transAxes, color=colour, va="bottom")
    axes.set_ylabel("mean loss of a vote, nats")
    axes.margins(y=0.15)


def _scores(axes: Axes, shown: list[Candidate], names: list[str], height: float) -> None:
    scores = np.array([one.human_score.values for one in shown])
    lone = "o" if len(shown) == 1 else None  # a line through one fit would not be seen
    lines = axes.plot(scores, linewidth=1.2, marker=lone, markersize=3.5)
    for line, (dash, colour) in zip(lines, _line_styles(len(lines)), strict=True):
        line.set(linestyle=dash, color=colour)
    axes.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
    axes.set_ylabel("human score, log-odds")
    axes.margins(y=0.05)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    order = np.argsort(scores[-1])
    step = NAME_STEP * (high - low) / height
    places = _apart(scores[-1][order], step, low + step / 2, high - step / 2)
    for item, place in zip(order, places, strict=True):
        end, colour = (len(shown) - 1, scores[-1][item]), lines[item].get_color()
        _name(axes, names[item], end, place, colour)


def _line_styles(number: int) -> list[tuple[str, str]]:
    """Return different dashes and colours for a number of lines, as far as they go."""
    different = [(dash, colour) for dash in DASHES for colour in COLOURS]
    return list(islice(cycle(different), number))


def _name(axes: Axes, name: str, end: tuple[float, float], place: float, colour: Any) -> None:  # noqa: ANN401
    """Write a name beside the axes, joined to the end of its line in its colour."""
    axes.annotate(
        name,
        end,
        (1 + LEADER / PANEL, place),
        textcoords=axes.get_yaxis_transform(),
        annotation_clip=False,
        va="center",
        fontsize=NAME_SIZE,
        color=INK,
        arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6},
    )


def _apart(values: FloatArray, step: float, low: float, high: float) -> FloatArray:
    """Move ascending values as little as sets them a step apart within limits."""
    rungs = step * np.arange(len(values))
    closest = isotonic_regression(values - rungs).x
    return np.clip(closest, low, max(low, high - rungs[-1])) + rungs


def _weights(axes: Axes, shown: list[Candidate], path: WeightPath) -> None:
    labels = [_word(one.weight, path) for one in shown]
    selected = [one.weight for one in shown].index(path.selected.weight)
    axes.set_xticks(range(len(shown)), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.axvline(selected, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.spines["left"].set_visible(True)
    axes.set_xlabel("weight of the judges, relative to the joint model\n(dashed line: selected)")


def _word(weight: float, path: WeightPath) -> str:
    if weight == 0:
        return "humans"
    joint = path.blocks.n_judge_verdicts / path.blocks.n_human_votes
    return "anchored" if np.isinf(weight) else f"{weight / joint:.2g}"
