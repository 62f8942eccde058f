"""What each judge is like: how strongly it reads quality, and what else moves it."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import xarray as xr

from bayesjudge.core.intervals import demand_level, level_words
from bayesjudge.errors import UnknownQuantityError
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import caution_words, data_facts, method_label, quantities, readable
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of, whole_numbers

if TYPE_CHECKING:
    from bayesjudge.report.fits import Fit


LEADING = ("scaled_sensitivity", "position", "net_first_preference", "length", "family", "tie")


def judge_table(fit: "Fit", prob: float = 0.95) -> Table:
    """Describe the judges: sensitivity, position effect and what else the fit says of each.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit. A mode stands for its sandwich by prompt.
    prob : float
        Level of all intervals.

    Returns
    -------
    Table
        One row a judge, by name. For each quantity with one value a judge a column of its name and
        two of its interval, such as ``position``, ``position_lower``, ``position_upper``; NaN where
        the likelihood says nothing. First ``scaled_sensitivity`` (OSCAR's kappa, in log-odds per
        standard deviation of scores), ``position`` (log-odds) and ``net_first_preference`` (D, the
        probability of preferring the first of two equally good answers minus that of the
        second); last ``verdicts``, how many the judge gave.

    Raises
    ------
    UnknownFitError, UnknownOptionError
        If the fit or the level is not one that a report can read.
    UnknownQuantityError
        If the fit says nothing about judges.

    Notes
    -----
    OSCAR Sections 3.2 and 6.1. A low sensitivity alone is not evidence of an unreliable judge: a
    position effect that is left out lowers it by about 1 - D^2. The normal interval of D is made on
    the log-odds, so that it excludes zero exactly where that of ``position`` does.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> bj.judge_table(fit)[["judge", "position", "verdicts"]].head(2)
    Judges (sandwich by prompt), 95 % intervals. position: log-odds.
         judge  position  verdicts
    0  judge-1     0.837       400
    1  judge-2    -0.561       400
    """
    fit = readable(fit)
    found = [evidence(fit, name) for name in _judge_quantities(fit)]
    judges, verdicts = _judges(fit, found)
    columns: dict[str, object] = {"judge": judges}
    for each in found:
        columns |= _quantity_columns(each, demand_level(prob))
    if verdicts is not None:
        columns["verdicts"] = whole_numbers(verdicts.sel(judge=judges).values)
    caption = f"Judges ({method_label(fit)}), {level_words(prob)}.{caution_words(fit)}"
    units = _units([each.quantity for each in found])
    return Table(pd.DataFrame(columns), caption=caption, units=units)


def _judges(fit: "Fit", found: list[Evidence]) -> tuple[list[str], xr.DataArray | None]:
    """Names of the judges, and how many verdicts each gave if the fit says."""
    verdicts = data_facts(fit).get("verdicts_by_judge")
    if found:
        return found[0].names("judge"), verdicts
    if verdicts is not None:
        return [str(name) for name in verdicts["judge"].values], verdicts
    raise UnknownQuantityError(
        f"The fit ({method_label(fit)}) says nothing about judges; use a program with "
        "judge-specific terms, such as bj.models.sensitivity."
    )


def _judge_quantities(fit: "Fit") -> list[str]:
    """Quantities with one value a judge, the most asked for first."""
    held = [name for name, dims in quantities(fit).items() if dims == ("judge",)]
    if "scaled_sensitivity" in held:
        held = [name for name in held if name != "sensitivity"]  # the same, on another scale
    leading = [name for name in LEADING if name in held]
    return [*leading, *(name for name in held if name not in leading)]


def _quantity_columns(found: Evidence, prob: float) -> dict[str, object]:
    lower, upper = found.interval(prob).values
    name, value = found.quantity, np.asarray(found.estimate.values)
    return {name: value, f"{name}_lower": lower, f"{name}_upper": upper}


def _units(names: list[str]) -> dict[str, str]:
    ends = ("", "_lower", "_upper")
    return {f"{name}{end}": unit_of(name) for name in names for end in ends}
