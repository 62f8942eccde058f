"""Properties of each judge: sensitivity, position effect and other effects."""

import numpy as np
import pandas as pd

from bayesjudge.core.intervals import demand_level, level_words
from bayesjudge.errors import UnknownQuantityError
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import (
    Fit,
    Readable,
    caution_words,
    data_facts,
    method_label,
    quantities,
    readable,
    verdict_counts,
)
from bayesjudge.report.marks import FEW, MEANING, joined, prior_words, value_marks
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of

LEADING = ("scaled_sensitivity", "position", "net_first_preference", "length", "family", "tie")


def judge_table(fit: Fit, prob: float = 0.95) -> Table:
    """Tabulate the judges: sensitivity, position effect and the other quantities of the fit.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        The fit. Standard errors of a mode, a path or a one-step estimate are clustered by prompt.
    prob : float
        Level of all intervals.

    Returns
    -------
    Table
        One row a judge, by name. For each quantity with one value a judge a column of its name and
        two of its interval, such as ``position``, ``position_lower``, ``position_upper``; NaN where
        no verdicts inform them. First ``scaled_sensitivity`` (OSCAR's kappa, in log-odds per
        standard deviation of scores), ``position`` (log-odds) and ``net_first_preference`` (D, the
        probability of preferring the first of two equally good answers minus that of the
        second); then ``verdicts``, how many the judge gave, and, where something is to be said,
        ``mark``: what the row rests on, as in `rank_table`, by quantity, "fixed" for a value that
        is not estimated (a coefficient at zero, whose term does not vary), and "few verdicts" for a
        judge with fewer than ten, which determine no estimate of its own. A value that the prior
        sets, that nothing bounds, or of such a judge has no interval (NaN), except in a posterior.

    Raises
    ------
    UnknownFitError, UnknownOptionError
        If the fit or the level is not one that a report can read.
    UnknownQuantityError
        If the fit has no quantity by judge.

    Notes
    -----
    OSCAR Sections 3.2 and 6.1. A low sensitivity alone is not evidence of an unreliable judge: an
    omitted position effect multiplies it by about 1 - D^2. The normal interval of D is computed on
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
    effects = [evidence(fit, name) for name in _judge_quantities(fit)]
    judges = effects[0].names("judge") if effects else _counted_judges(fit)
    columns: dict[str, object] = {"judge": judges}
    for effect in effects:
        columns |= _quantity_columns(effect, demand_level(prob))
    verdicts = verdict_counts(fit, "judge", judges)
    if verdicts is not None:
        columns["verdicts"] = verdicts
    marks = _marks(effects)
    if any(marks):
        columns["mark"] = marks
    head = f"Judges ({method_label(fit)}), {level_words(prob)}.{prior_words(effects)}"
    caption = head + caution_words(fit)
    units = {name: unit_of(effect.quantity) for effect in effects for name in _column_names(effect)}
    units["mark"] = MEANING
    return Table(pd.DataFrame(columns), caption=caption, units=units)


def _marks(effects: list[Evidence]) -> list[str]:
    """Return the marks of each judge, with the quantities that they are about."""
    by_effect = [value_marks(effect) for effect in effects]
    return [
        joined([mark if mark in ("", FEW) else f"{effect.quantity} {mark}" for effect, mark in row])
        for row in ([*zip(effects, marks, strict=True)] for marks in zip(*by_effect, strict=True))
    ]


def _judge_quantities(fit: Readable) -> list[str]:
    """Return the quantities with one value a judge, the most important first."""
    held = [name for name, dims in quantities(fit).items() if dims == ("judge",)]
    if "scaled_sensitivity" in held:
        held = [name for name in held if name != "sensitivity"]  # the same, on another scale
    leading = [name for name in LEADING if name in held]
    return [*leading, *(name for name in held if name not in leading)]


def _counted_judges(fit: Readable) -> list[str]:
    """Return the judges of a fit that has no quantity by judge."""
    counts = data_facts(fit)
    if "judge" not in counts:
        raise UnknownQuantityError(
            f"The fit ({method_label(fit)}) says nothing about judges; use a program with "
            "judge-specific terms, such as bj.models.sensitivity."
        )
    return [str(name) for name in counts["judge"].values]


def _column_names(effect: Evidence) -> list[str]:
    return [f"{effect.quantity}{end}" for end in ("", "_lower", "_upper")]


def _quantity_columns(effect: Evidence, prob: float) -> dict[str, object]:
    values = [np.asarray(effect.estimate.values), *effect.interval(prob).values]
    return dict(zip(_column_names(effect), values, strict=True))
