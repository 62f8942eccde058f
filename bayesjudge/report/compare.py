"""Intervals of one quantity from several fits, side by side."""

from typing import TYPE_CHECKING

import pandas as pd

from bayesjudge.errors import UnknownFitError
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.intervals import demand_level, level_words
from bayesjudge.report.raters import rater
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of

if TYPE_CHECKING:
    from bayesjudge.inference.orthogonal import Orthogonal
    from bayesjudge.report.fits import Fit

NUMBERS = ["estimate", "lower", "upper", "width"]


def compare_intervals(
    quantity: str = "score", prob: float = 0.95, **fits: "Fit | Orthogonal"
) -> Table:
    """Set the intervals that several fits give for one quantity side by side.

    Parameters
    ----------
    quantity : str
        A quantity that all fits have, for example "score" or "position".
    prob : float
        Level of the intervals.
    **fits : DataTree, Mode, Covariance or Orthogonal
        The fits, by the name that they shall have in the table.

    Returns
    -------
    Table
        Long form, one row a fit and value: ``method`` (the keyword), ``kind`` ("NUTS", "Laplace",
        "sandwich by prompt", "model-based"), the quantity's dimensions (``item`` or ``judge``),
        ``estimate``, ``lower``, ``upper`` and ``width``, in the unit of the quantity.

    Raises
    ------
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If there is no fit, or a fit, its quantity or the level is not one that a report can read.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> table = bj.compare_intervals(sandwich=fit, model=fit.covariance("model"))
    >>> table.groupby("method")["width"].mean().round(2).to_dict()
    {'model': 0.37, 'sandwich': 0.57}
    """
    if not fits:
        raise UnknownFitError(
            "There is no fit to compare; give each with a name of its own, as in "
            "bj.compare_intervals(posterior=post, sandwich=mode)."
        )
    demand_level(prob)
    rows = [_rows(name, evidence(fit, quantity), prob) for name, fit in fits.items()]
    unit = unit_of(quantity, rater(*fits.values()))
    caption = f"{quantity} by several methods, {level_words(prob)}."
    table = pd.concat(rows, ignore_index=True)
    return Table(table, caption=caption, units=dict.fromkeys(NUMBERS, unit))


def _rows(method: str, found: Evidence, prob: float) -> pd.DataFrame:
    lower, upper = found.interval(prob).values
    index = pd.MultiIndex.from_product([found.names(dim) for dim in found.dims], names=found.dims)
    frame = index.to_frame(index=False)
    frame.insert(0, "method", method)
    frame.insert(1, "kind", found.label)
    numbers = [found.estimate.values, lower, upper, upper - lower]
    return frame.assign(**{k: v.ravel() for k, v in zip(NUMBERS, numbers, strict=True)})
