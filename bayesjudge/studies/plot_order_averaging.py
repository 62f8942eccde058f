"""How averaging over orders bends and flattens preferences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesjudge.data.arrays import FloatArray
from bayesjudge.errors import MissingEstimateError, UnknownOptionError
from bayesjudge.studies.arguments import demand_numbers
from bayesjudge.studies.order_averaging import averaged_log_odds, averaging_factor

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDEST = 4.0  # log-odds


def plot_order_averaging(positions: Sequence[float] = (0.0, 1.0, 2.0, 3.0)) -> "Figure":
    """Draw averaged log-odds, and what they keep of a preference, over the gap of scores.

    Parameters
    ----------
    positions : sequence of float
        Position effects, log-odds.

    Returns
    -------
    matplotlib.figure.Figure
        Left: the averaged log-odds; a straight line for position zero alone. Right: the factor by
        which averaging shrinks a probability's distance from one half. ``savefig`` writes it.

    Raises
    ------
    MissingEstimateError
        For a position that is NaN.
    UnknownOptionError
        If positions are no list of numbers, or an empty one.

    Notes
    -----
    DIAL B.2.

    Examples
    --------
    >>> len(plot_order_averaging().axes)
    2
    """
    from bayesjudge.report.chart import COLOURS, Chart, style

    drawn = _demand_positions(positions)
    gap = np.linspace(-WIDEST, WIDEST, 201)
    with style():
        chart = Chart(figsize=(7.6, 3.4))
        left, right = chart.subplots(1, 2)
        for number, position in enumerate(drawn):
            colour = COLOURS[number % len(COLOURS)]
            left.plot(gap, averaged_log_odds(gap, position), color=colour, label=f"{position:g}")
            right.plot(gap, averaging_factor(gap, position), color=colour)
        _write(left, "log-odds of the average of both orders")
        _write(right, "share of the preference that is left")
        right.set_ylim(0, 1.05)
        left.legend(title="position effect,\nlog-odds", frameon=False, loc="upper left")
        chart.tight_layout()
    return chart


def _demand_positions(positions: Sequence[float]) -> FloatArray:
    found = demand_numbers("positions", positions)
    if found.ndim != 1 or not found.size:
        raise UnknownOptionError(
            f"positions has shape {found.shape}; give a list of position effects, such as "
            "[0.0, 1.0, 2.0]."
        )
    if np.isnan(found).any():
        raise MissingEstimateError("positions holds NaN; leave missing numbers out.")
    return found


def _write(axes: "Axes", label: str) -> None:
    from bayesjudge.report.chart import FAINT, SOFT

    axes.set_xlabel("difference of scores, log-odds")
    axes.set_ylabel(label)
    axes.spines["left"].set_visible(True)
    axes.axvline(0, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
