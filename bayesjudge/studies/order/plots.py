"""Figures of attenuation and of order averaging."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import demand_numbers, wanted
from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import MissingEstimateError, UnknownFitError, UnknownOptionError
from bayesjudge.studies.order.attenuation import (
    FIGURE_GAPS,
    attenuation_factor,
    population_sensitivity,
)
from bayesjudge.studies.order.order_averaging import averaged_log_odds, averaging_factor

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox


LARGEST_POSITION, STEPS = 4.0, 81  # log-odds; OSCAR, Figure 1(b)
WIDEST_GAP = 4.0  # log-odds
SIZE = (8.6, 3.9)  # inches
LEFT, RIGHT = (0.075, 0.14, 0.4, 0.76), (0.585, 0.14, 0.4, 0.76)  # shares of the figure
LABELS = 6  # names at most
MARKER_SIZE, LINE = 5.5, 1.6  # points
MARGIN = 1.25  # of the range of ratios, on either side
NAME_SIZE, BESIDE = 8, 5.0  # points: of a name, and between a point and its name
FACTOR = "1 \N{MINUS SIGN} D\N{SUPERSCRIPT TWO}"
RATIOS = ["predicted_ratio", "ratio"]
SOURCE = "give what attenuation_table or refit_table returned."

PLACES = (
    ((BESIDE, 0.0), "left", "center"),
    ((-BESIDE, 0.0), "right", "center"),
    ((0.0, BESIDE), "center", "bottom"),
    ((0.0, -BESIDE), "center", "top"),
)


def plot_attenuation(table: pd.DataFrame) -> "Figure":
    """Draw the attenuation of sensitivity by omitted position, in theory and for a panel.

    Parameters
    ----------
    table : DataFrame
        The result of `attenuation_table` or `refit_table`: columns ``judge``, ``predicted_ratio``
        and ``ratio``. Judges without a finite positive ratio are not drawn; the title gives their
        number.

    Returns
    -------
    matplotlib.figure.Figure
        Left, the population sensitivity of a fit without a position term against the position
        effect, for quality gaps between -1 and 1 and a true sensitivity of one; beside it 1 - D^2.
        Right, each judge's ratio of sensitivities without and with position against its prediction
        1 - D^2, on logarithmic axes; the judges farthest from one are named where there is room.
        A notebook shows the figure as the value of a cell; ``savefig`` writes it.

    Raises
    ------
    UnknownFitError
        If it is not a table with these columns, or has no judge with a finite positive ratio.

    Notes
    -----
    OSCAR, Figure 1(b) and (c).

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = bj.studies.attenuation_table(bj.example_panel())
    >>> figure = bj.studies.plot_attenuation(table)
    >>> figure.axes[0].get_xlabel()
    'position effect (log-odds)'
    """
    from bayesjudge.plots.chart import Chart, noted, style

    drawn = _drawable(table)
    names = [str(name).rsplit("/", 1)[-1] for name in drawn["judge"]]
    with style(names):
        chart = Chart(figsize=SIZE)
        _theory(chart.add_axes(LEFT))
        axes = chart.add_axes(RIGHT)
        _judges(axes, drawn, len(table) - len(drawn))
        _names(axes, drawn[RATIOS].to_numpy(), names)
        return noted(chart, names)


def _drawable(table: object) -> pd.DataFrame:
    """Return the judges with finite positive ratios."""
    frame = wanted(pd.DataFrame, table, UnknownFitError, f"table is of type {{type}}; {SOURCE}")
    needed = ["judge", *RATIOS]
    absent = [name for name in needed if name not in frame]
    if absent:
        raise UnknownFitError(f"The table has no column {absent[0]!r}; {SOURCE}")
    for name in RATIOS:
        demand_numbers(f"The column {name!r}", frame[name], UnknownFitError)
    finite = np.isfinite(frame["ratio"]) & (frame[RATIOS] > 0).all(axis=1)
    if not finite.any():
        raise UnknownFitError(
            "No judge has a finite positive ratio, and there is nothing to draw; look at the "
            "table itself."
        )
    return frame.loc[finite, needed]


def _theory(axes: "Axes") -> None:
    from bayesjudge.plots.chart import COLOURS, SOFT

    position = np.linspace(0.0, LARGEST_POSITION, STEPS)
    fitted = [population_sensitivity(FIGURE_GAPS, effect) for effect in position]
    axes.axhline(1.0, color=SOFT, linewidth=0.8, label="with position")
    axes.plot(position, fitted, color=COLOURS[0], linewidth=LINE, label="without position")
    axes.plot(
        position,
        attenuation_factor(position),
        color=COLOURS[1],
        linewidth=LINE,
        linestyle=(0, (4, 2.5)),
        label=FACTOR,
    )
    axes.set(xlim=(0, LARGEST_POSITION), ylim=(0, 1.05))
    axes.set(xlabel="position effect (log-odds)", ylabel="fitted sensitivity (the truth is 1)")
    axes.set_title("Population, both orders equally often", loc="left", fontsize=9)
    axes.spines["left"].set_visible(True)
    axes.legend(frameon=False, loc="center right")


def _judges(axes: "Axes", drawn: pd.DataFrame, left_out: int) -> None:
    from bayesjudge.plots.chart import COLOURS, SOFT

    x, y = drawn["predicted_ratio"].to_numpy(), drawn["ratio"].to_numpy()
    low, high = min(x.min(), y.min()) / MARGIN, max(1.0, x.max(), y.max()) * MARGIN
    axes.plot([low, high], [low, high], color=SOFT, linewidth=0.8, zorder=1)
    axes.plot(x, y, "o", color=COLOURS[0], markersize=MARKER_SIZE, alpha=0.85, zorder=2)
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
    _plain_ticks(axes, low, high)
    axes.set_xlabel(f"predicted ratio, {FACTOR}")
    axes.set_ylabel("ratio of sensitivities, without / with position")
    omitted = f", {left_out} without a ratio left out" if left_out else ""
    axes.set_title(f"{len(drawn)} judges{omitted}", loc="left", fontsize=9)
    axes.spines["left"].set_visible(True)


def _plain_ticks(axes: "Axes", low: float, high: float) -> None:
    """Label ratios as plain numbers: 0.1, 0.2, 0.5, 1."""
    from matplotlib.ticker import NullLocator

    every = [digit * 10.0**power for power in range(-6, 3) for digit in (1, 2, 5)]
    ticks = [tick for tick in every if low <= tick <= high]
    if len(ticks) > 7:
        ticks = [tick for tick in ticks if float(np.log10(tick)).is_integer()]
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.set_minor_locator(NullLocator())


def _names(axes: "Axes", ratios: FloatArray, names: list[str]) -> None:
    """Name the judges farthest from one, where a name overlaps no other name and no point."""
    from bayesjudge.plots.chart import wrapped

    labels, taken = wrapped(names), [_marker_box(axes, ratio) for ratio in ratios]
    order = np.argsort(-np.abs(np.log(ratios)).max(axis=1), kind="stable")
    for judge in order[:LABELS]:
        _write_where_free(axes, labels[judge], ratios[judge], taken)


def _write_where_free(axes: "Axes", name: str, ratio: FloatArray, taken: "list[Bbox]") -> None:
    """Write a name beside its point if a place is free, and mark the place as taken."""
    from matplotlib.patheffects import withStroke

    for (x, y), across, along in PLACES:
        text = axes.annotate(
            name,
            (ratio[0], ratio[1]),
            (x, y),
            textcoords="offset points",
            ha=across,
            va=along,
            fontsize=NAME_SIZE,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )
        box = text.get_window_extent()
        inside = axes.bbox.contains(box.x0, box.y0) and axes.bbox.contains(box.x1, box.y1)
        if inside and not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return
        text.remove()


def _marker_box(axes: "Axes", ratio: FloatArray) -> "Bbox":
    from matplotlib.transforms import Bbox

    x, y = axes.transData.transform(ratio)
    reach = MARKER_SIZE / 2 * axes.figure.dpi / 72
    return Bbox.from_extents(x - reach, y - reach, x + reach, y + reach)


def plot_order_averaging(positions: Sequence[float] = (0.0, 1.0, 2.0, 3.0)) -> "Figure":
    """Draw order-averaged log-odds and the averaging factor against the gap of scores.

    Parameters
    ----------
    positions : sequence of float
        Position effects, log-odds.

    Returns
    -------
    matplotlib.figure.Figure
        Left, the averaged log-odds, which are linear only without a position effect. Right, the
        factor by which averaging shrinks a probability's distance from one half. ``savefig``
        writes the figure.

    Raises
    ------
    MissingEstimateError
        If a position effect is NaN.
    UnknownOptionError
        If positions are not a list of at least one number.

    Notes
    -----
    DIAL B.2.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> len(bj.studies.plot_order_averaging().axes)
    2
    """
    from bayesjudge.plots.chart import COLOURS, Chart, style

    drawn = _demand_positions(positions)
    gap = np.linspace(-WIDEST_GAP, WIDEST_GAP, 201)
    with style():
        chart = Chart(figsize=(7.6, 3.4))
        left, right = chart.subplots(1, 2)
        for number, position in enumerate(drawn):
            colour = COLOURS[number % len(COLOURS)]
            left.plot(gap, averaged_log_odds(gap, position), color=colour, label=f"{position:g}")
            right.plot(gap, averaging_factor(gap, position), color=colour)
        _label(left, "log-odds of the average over both orders")
        _label(right, "factor of the preference")
        right.set_ylim(0, 1.05)
        left.legend(title="position effect,\nlog-odds", frameon=False, loc="upper left")
        chart.tight_layout()
    return chart


def _demand_positions(positions: Sequence[float]) -> FloatArray:
    effects = demand_numbers("positions", positions)
    if effects.ndim != 1 or not effects.size:
        raise UnknownOptionError(
            f"positions has shape {effects.shape}; give a list of position effects, such as "
            "[0.0, 1.0, 2.0]."
        )
    if np.isnan(effects).any():
        raise MissingEstimateError("positions holds NaN; leave missing numbers out.")
    return effects


def _label(axes: "Axes", label: str) -> None:
    from bayesjudge.plots.chart import FAINT, SOFT

    axes.set_xlabel("difference of scores, log-odds")
    axes.set_ylabel(label)
    axes.spines["left"].set_visible(True)
    axes.axvline(0, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
