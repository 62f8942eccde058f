"""The content of a forest: points and intervals of each fit, the order of rows, and counts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import xarray as xr

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import demand_level, percent
from bayesjudge.errors import UnknownFitError
from bayesjudge.report.evidence import evidence
from bayesjudge.report.fits import Fit, Readable, data_facts, readable
from bayesjudge.report.marks import dependence_note

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
        Points; NaN where the prior, or too few verdicts, decide.
    outer, inner : ndarray, shape (2, n)
        Ends of the thin and the thick intervals; NaN where there is none.
    marked : ndarray of bool, shape (n,)
        Points that rest on the prior or on few verdicts, drawn hollow.
    centred : bool
        Whether zero is the average of the values.
    notes : tuple of str
        What to bear in mind where the fit is shown alone.
    """

    label: str
    names: list[str]
    estimate: FloatArray
    outer: FloatArray
    inner: FloatArray
    marked: BoolArray
    centred: bool
    notes: tuple[str, ...] = ()

    def of(self, names: Sequence[str]) -> "Lines":
        """Keep what there is of some names."""
        wanted = set(names)
        places = [i for i, name in enumerate(self.names) if name in wanted]
        return replace(
            self,
            names=[self.names[i] for i in places],
            estimate=self.estimate[places],
            outer=self.outer[:, places],
            inner=self.inner[:, places],
            marked=self.marked[places],
        )


@dataclass(frozen=True)
class ForestText:
    """Words and numbers around a forest.

    Attributes
    ----------
    label : str
        Of the horizontal axis, with the unit.
    counts : tuple of str
        One a row, in the right margin.
    counted : str
        Their header.
    directions : tuple of str
        Meanings of the left and the right side.
    symmetric : bool
        Whether zero is in the middle.
    """

    label: str
    counts: tuple[str, ...] = ()
    counted: str = ""
    directions: tuple[str, str] = ("", "")
    symmetric: bool = False


def named_fits(fits: Fit | Mapping[str, Fit]) -> dict[str, Readable]:
    """Return fits by name; a single fit has the name ""."""
    if isinstance(fits, xr.DataTree) or not isinstance(fits, Mapping):
        return {"": readable(fits)}
    if not fits:
        raise UnknownFitError("There is no fit to draw; give one, or several by name in a dict.")
    several = cast("Mapping[str, Fit]", fits)  # a DataTree is a mapping too, to a type checker
    return {str(name): readable(fit) for name, fit in several.items()}


def fit_lines(name: str, fit: Readable, quantity: str, prob: float) -> Lines:
    """Return what a forest shows of a fit's quantity with one dimension."""
    values = evidence(fit, quantity)
    decided_by_prior = np.diag(values.missing & ~np.isnan(values.shift))
    return Lines(
        label=_label(name, values.label),
        names=values.names(values.dims[0]),
        estimate=np.where(decided_by_prior, np.nan, values.estimate.values),
        outer=values.interval(demand_level(prob)).values,
        inner=values.interval(INNER).values,
        marked=np.diag(values.rests_on_prior) | values.few,
        centred=values.centred,
        notes=tuple(dependence_note(fit)),
    )


def row_order(lines: Sequence[Lines]) -> list[str]:
    """Order the rows: by the first fit's estimate, then names that only later fits have."""
    ranked = [one.names[i] for one in lines for i in np.argsort(-one.estimate, kind="stable")]
    return list(dict.fromkeys(ranked))


def farthest(order: Sequence[str], lines: Sequence[Lines], most: int = MOST_ROWS) -> list[str]:
    """Keep the rows farthest from zero, as many as a picture holds."""
    size: dict[str, float] = {}
    for one in lines:
        size = (
            dict(zip(one.names, np.nan_to_num(np.abs(one.estimate)).tolist(), strict=True)) | size
        )
    kept = set(sorted(order, key=size.__getitem__, reverse=True)[:most])
    return [name for name in order if name in kept]


def left_out(shown: Sequence[str], every: Sequence[str], what: str) -> str:
    """Write how many rows are shown, where some are left out."""
    return f"{len(shown)} of {len(every):,} {what}" if len(shown) < len(every) else ""


def row_counts(
    fits: Sequence[Readable], order: Sequence[str], dim: str
) -> tuple[str, tuple[str, ...]]:
    """Write the number of verdicts of each row, once for fits of equal numbers, with a header."""
    columns = list(dict.fromkeys(_counts(fit, order, dim) for fit in fits))
    if all(count == ABSENT for column in columns for count in column):
        return "", ()
    header = "verdicts" if len(columns) == 1 else "verdicts, by fit"
    return header, tuple(" / ".join(counts) for counts in zip(*columns, strict=True))


def axis_label(quantity: str, prob: float, lines: Sequence[Lines], rows: str = "") -> str:
    """Write the label of the horizontal axis."""
    method = f", {lines[0].label}" if len(lines) == 1 else ""
    parts = [quantity, f"thick {percent(INNER)}, thin {percent(prob)} intervals{method}"]
    if any(one.marked.any() for one in lines):
        parts.append("hollow: rests on the prior, or on few verdicts")
    if any(np.isnan(one.estimate).any() for one in lines):
        parts.append("without a point: the prior decides")
    parts += lines[0].notes if len(lines) == 1 else []
    return "\n".join([*parts, rows] if rows else parts)


def _label(name: str, method: str) -> str:
    """Name a fit by its method too, unless the method contains the name."""
    contained = re.search(rf"\b{re.escape(name)}\b", method, re.IGNORECASE)
    return method if contained else f"{name} ({method})"


def _counts(fit: Readable, order: Sequence[str], dim: str) -> tuple[str, ...]:
    counts = data_facts(fit).get(f"verdicts_by_{dim}")
    if counts is None:
        return (ABSENT,) * len(order)
    known = dict(zip(map(str, counts[dim].values), counts.values.tolist(), strict=True))
    return tuple(f"{known[name]:,.6g}" if name in known else ABSENT for name in order)
