"""What a forest shows: points and intervals of each fit, the order of rows, counts beside them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np
import xarray as xr

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import demand_level, percent
from bayesjudge.errors import UnknownFitError
from bayesjudge.report.evidence import NormalEvidence, evidence
from bayesjudge.report.fits import data_facts, readable
from bayesjudge.report.prior_only import rests_on_prior

if TYPE_CHECKING:
    from bayesjudge.report.fits import Fit


MOST_ROWS = 60  # of a picture that can be read


INNER = 0.5  # level of the thick intervals


ABSENT = "–"


@dataclass(frozen=True, eq=False)
class Lines:
    """Points and intervals of one fit.

    Attributes
    ----------
    label : str
        For the legend.
    names : list of str
        Items or judges.
    estimate : ndarray, shape (n,)
        Points.
    outer, inner : ndarray, shape (2, n)
        Ends of the thin and the thick intervals; NaN where there is none.
    prior_only : ndarray of bool, shape (n,)
        Points that rest on the prior, drawn hollow.
    """

    label: str
    names: list[str]
    estimate: FloatArray
    outer: FloatArray
    inner: FloatArray
    prior_only: BoolArray

    def of(self, names: Sequence[str]) -> "Lines":
        """Keep what there is of some names."""
        wanted = set(names)
        places = [i for i, name in enumerate(self.names) if name in wanted]
        return Lines(
            label=self.label,
            names=[self.names[i] for i in places],
            estimate=self.estimate[places],
            outer=self.outer[:, places],
            inner=self.inner[:, places],
            prior_only=self.prior_only[places],
        )


@dataclass(frozen=True)
class ForestText:
    """What is written about a forest.

    Attributes
    ----------
    label : str
        Of the horizontal axis, with the unit.
    counts : tuple of str
        One a row, in the right margin.
    counted : str
        Their header.
    directions : tuple of str
        What the left and the right side mean.
    symmetric : bool
        Whether zero is in the middle.
    """

    label: str
    counts: tuple[str, ...] = ()
    counted: str = ""
    directions: tuple[str, str] = field(default=("", ""))
    symmetric: bool = False


def named_fits(fits: "Fit | Mapping[str, Fit]") -> dict[str, "Fit"]:
    """Give fits by name; a single fit has the name "".

    Parameters
    ----------
    fits : DataTree, Mode, Covariance, or mapping of str to these
        One fit, or several by name.

    Returns
    -------
    dict of str to DataTree, Mode or Covariance
        In the order given; a mode as its default covariance.

    Raises
    ------
    UnknownFitError
        For an empty mapping.
    """
    if isinstance(fits, xr.DataTree) or not isinstance(fits, Mapping):
        return {"": readable(fits)}
    if not fits:
        raise UnknownFitError("There is no fit to draw; give one, or several by name in a dict.")
    several = cast("Mapping[str, Fit]", fits)  # a DataTree is a mapping too, to a type checker
    return {name: readable(fit) for name, fit in several.items()}


def fit_lines(name: str, fit: "Fit", quantity: str, prob: float) -> Lines:
    """Read off a fit what a forest draws of a quantity with one dimension.

    Parameters
    ----------
    name : str
        Of the fit.
    fit : DataTree, Mode or Covariance
        The fit.
    quantity : str
        Its name.
    prob : float
        Level of the thin intervals.

    Returns
    -------
    Lines
        With the method in the label.
    """
    found = evidence(fit, quantity)
    if found.dims == ("item",):
        prior_only = rests_on_prior(fit, quantity).any(axis=1)
    else:
        unknown = isinstance(found, NormalEvidence) and np.isnan(found.standard_error)
        prior_only = np.broadcast_to(unknown, found.estimate.shape)
    return Lines(
        label=_label(name, found.label),
        names=found.names(found.dims[0]),
        estimate=found.estimate.values,
        outer=found.interval(demand_level(prob)).values,
        inner=found.interval(INNER).values,
        prior_only=prior_only,
    )


def row_order(lines: Sequence[Lines]) -> list[str]:
    """Order the rows: by the first fit's estimate, then names that only later fits have.

    Parameters
    ----------
    lines : sequence of Lines
        One a fit.

    Returns
    -------
    list of str
        The highest estimate first.
    """
    names: list[str] = []
    for each in lines:
        ranked = [each.names[i] for i in np.argsort(-each.estimate, kind="stable")]
        names += [name for name in ranked if name not in names]
    return names


def farthest(order: Sequence[str], lines: Sequence[Lines], most: int = MOST_ROWS) -> list[str]:
    """Keep the rows farthest from zero, as many as a picture holds.

    Parameters
    ----------
    order : sequence of str
        Names of the rows.
    lines : sequence of Lines
        One a fit; the first that has a name decides.
    most : int
        How many to keep.

    Returns
    -------
    list of str
        In the same order.
    """
    size: dict[str, float] = {}
    for each in lines:
        found = dict(zip(each.names, np.abs(each.estimate).tolist(), strict=True))
        size = found | size
    kept = set(sorted(order, key=size.__getitem__, reverse=True)[:most])
    return [name for name in order if name in kept]


def left_out(shown: Sequence[str], every: Sequence[str], what: str) -> str:
    """Say that rows are left out.

    Parameters
    ----------
    shown, every : sequence of str
        Names of the rows that are drawn, and of all.
    what : str
        What is shown, after the numbers.

    Returns
    -------
    str
        Nothing where all are drawn.
    """
    return f"{len(shown)} of {len(every):,} {what}" if len(shown) < len(every) else ""


def row_counts(fits: Sequence["Fit"], order: Sequence[str], dim: str) -> tuple[str, ...]:
    """Write how many verdicts stand behind each row.

    Parameters
    ----------
    fits : sequence of DataTree, Mode or Covariance
        The fits; where they differ, the counts stand side by side.
    order : sequence of str
        Names of the rows.
    dim : str
        "item" or "judge".

    Returns
    -------
    tuple of str
        One a row; empty where no fit says.
    """
    columns = [_counts(fit, order, dim) for fit in fits]
    distinct = [column for i, column in enumerate(columns) if column not in columns[:i]]
    if all(count == ABSENT for column in distinct for count in column):
        return ()
    return tuple(" / ".join(each) for each in zip(*distinct, strict=True))


def axis_label(quantity: str, prob: float, lines: Sequence[Lines], rows: str = "") -> str:
    """Write the label of the horizontal axis.

    Parameters
    ----------
    quantity : str
        What is drawn, with its unit.
    prob : float
        Level of the thin intervals.
    lines : sequence of Lines
        One a fit; a single one is named here, several in the legend.
    rows : str
        Which rows are drawn, where some are not.

    Returns
    -------
    str
        Two lines, and more where points are hollow or rows left out.
    """
    method = f", {lines[0].label}" if len(lines) == 1 else ""
    levels = f"thick {percent(INNER)}, thin {percent(prob)} intervals{method}"
    parts = [quantity, levels]
    if any(each.prior_only.any() for each in lines):
        parts.append("hollow: rests on the prior, no verdicts inform it")
    return "\n".join([*parts, rows] if rows else parts)


def _label(name: str, method: str) -> str:
    """Name a fit by its method too, unless the method says the name."""
    said = re.search(rf"\b{re.escape(name)}\b", method, re.IGNORECASE)
    return method if said else f"{name} ({method})"


def _counts(fit: "Fit", order: Sequence[str], dim: str) -> list[str]:
    found = data_facts(fit).get(f"verdicts_by_{dim}")
    if found is None:
        return [ABSENT] * len(order)
    known = dict(zip(map(str, found[dim].values), found.values.tolist(), strict=True))
    return [f"{known[name]:,.6g}" if name in known else ABSENT for name in order]
