"""What the weight of the judges changes: the estimated loss of a vote, and the human scores."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from bayesjudge.errors import NoAdmissibleFitError
from bayesjudge.inference.weight_path import Candidate, WeightPath
from bayesjudge.report.chart import (
    COLOURS,
    FAINT,
    GAP,
    INK,
    NAME_SIZE,
    SOFT,
    Chart,
    style,
    text_width,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT, PANEL = 3.4, 3.3  # inches
LEFT, BETWEEN, BOTTOM, TOP = 0.8, 0.75, 0.95, 0.35
NAME_STEP = 0.17  # inches between names at the right edge


def plot_weight_path(path: WeightPath) -> "Figure":
    """Draw GACV and the human scores over the weight of the judges.

    Parameters
    ----------
    path : WeightPath
        What `bayesjudge.weight_path` gave.

    Returns
    -------
    matplotlib.figure.Figure
        Left: the estimated loss of a new vote (GACV) and the loss of the votes at hand, in nats;
        right: the items' human scores, in log-odds. From humans alone on the left of each panel to
        the anchored fit on its right; the dashed line is the selected weight. It shows itself as
        the value of a notebook cell; ``savefig`` writes it.

    Raises
    ------
    NoAdmissibleFitError
        If no fit of the path may be reported.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> path = bj.weight_path(bj.models.calibrated, bj.example_panel(), bj.example_votes())
    >>> len(bj.plot_weight_path(path).axes)
    2
    """
    shown = [each for each in reversed(path.candidates) if each.fault is None]
    if not shown:
        raise NoAdmissibleFitError(
            "No weight of the path gives a fit that may be shown; see path.table() for the reasons."
        )
    names = wrapped(list(path.blocks.designs[0].items))
    width = LEFT + 2 * PANEL + BETWEEN + text_width(names) + 2 * GAP
    height = max(HEIGHT, NAME_STEP * len(names))
    full = height + BOTTOM + TOP
    with style():
        chart = Chart(figsize=(width, full))
        starts = (LEFT, LEFT + PANEL + BETWEEN)
        loss, score = (
            chart.add_axes((x / width, BOTTOM / full, PANEL / width, height / full)) for x in starts
        )
        _losses(loss, shown, path)
        _scores(score, shown, path, names, height)
    return chart


def _losses(axes: Axes, shown: list[Candidate], path: WeightPath) -> None:
    place = np.arange(len(shown))
    axes.plot(place, [each.gacv for each in shown], "o-", color=COLOURS[0], markersize=4)
    axes.plot(place, [each.human_loss for each in shown], "s--", color=COLOURS[1], markersize=3.5)
    words = ((0.0, "new vote (GACV)", COLOURS[0]), (0.55, "votes at hand", COLOURS[1]))
    for x, word, colour in words:
        axes.text(x, 1.02, word, transform=axes.transAxes, color=colour, va="bottom")
    axes.set_ylabel("loss of a vote, nats")
    axes.margins(y=0.15)
    _weights(axes, shown, path)


def _scores(
    axes: Axes, shown: list[Candidate], path: WeightPath, names: list[str], height: float
) -> None:
    scores = np.array([each.human_score.values for each in shown])
    axes.plot(scores, color=SOFT, linewidth=1.2)
    axes.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
    axes.set_ylabel("human score, log-odds")
    axes.margins(y=0.05)
    _weights(axes, shown, path)
    low, high = axes.get_ylim()
    order = np.argsort(scores[-1])
    text = _apart(scores[-1][order], NAME_STEP * (high - low) / height, low, high)
    end = len(shown) - 1
    for item, where in zip(order, text, strict=True):
        axes.annotate(
            names[item].replace("\n", " "),
            (end, scores[-1][item]),
            (end + 0.45, where),
            annotation_clip=False,
            va="center",
            fontsize=NAME_SIZE,
            color=INK,
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.6},
        )


def _apart(
    values: NDArray[np.float64], step: float, low: float, high: float
) -> NDArray[np.float64]:
    """Move ascending values apart by a least step, within limits where there is room."""
    placed = values.copy()
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + step)
    placed -= max(0.0, placed[-1] - max(high, low + step * len(placed)))
    for i in range(len(placed) - 2, -1, -1):
        placed[i] = min(placed[i], placed[i + 1] - step)
    return placed


def _weights(axes: Axes, shown: list[Candidate], path: WeightPath) -> None:
    joint = path.blocks.n_judge_verdicts / path.blocks.n_human_votes
    labels = [_word(each.weight, joint) for each in shown]
    axes.set_xticks(range(len(shown)), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.axvline(
        [each.weight for each in shown].index(path.selected.weight),
        color=SOFT,
        linewidth=0.8,
        linestyle=(0, (4, 3)),
        zorder=1,
    )
    axes.spines["left"].set_visible(True)
    axes.set_xlabel("weight of the judges, multiples of the joint model's")


def _word(weight: float, joint: float) -> str:
    if weight == 0:
        return "humans"
    return "anchored" if np.isinf(weight) else f"{weight / joint:.2g}"
