"""How much each answer of a fit owes to the prior."""

import numpy as np
import pandas as pd
import xarray as xr

from bayesjudge.errors import UnknownQuantityError
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import Fit, Readable, method_label, quantities, readable
from bayesjudge.report.marks import MEANING, prior_words, value_marks
from bayesjudge.report.psense import is_scalable, power_scaling
from bayesjudge.report.table import Table

UNITS = {
    "shift": "standard errors per doubling of the prior's strength",
    "prior": "ArviZ's power-scaling sensitivity, 0.05 or more is sensitive",
    "likelihood": "the same for the likelihood, below 0.05 is weak",
    "mark": MEANING,
}


def prior_sensitivity(fit: Fit, quantity: str | None = None) -> Table:
    """Tabulate how much each answer of a fit owes to the prior.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        The fit. Standard errors of a mode, a path or a one-step estimate are clustered by prompt.
    quantity : str, optional
        One quantity; by default all with one value an item or a judge.

    Returns
    -------
    Table
        One row a value: ``quantity``, ``item`` or ``judge``, ``estimate``; ``shift``, how far
        doubling the prior's strength moves it, in standard errors (infinite where the verdicts
        alone set no bound); of a posterior also ``prior`` and ``likelihood``, ArviZ's power-scaling
        diagnostics; and ``mark``, as in `rank_table` and `judge_table`.

    Raises
    ------
    UnknownFitError, UnknownQuantityError
        If the fit or its quantity is not one that a report can read.

    Notes
    -----
    With the prior's log-density times lambda, a mode moves by
    ``d phi / d log lambda = -H^-1 grad(penalty)``; here per doubling, in the smaller of the fit's
    and the row sandwich's standard errors. From a quarter on a value is marked, from one on it has
    no interval and no rank. A posterior's shift is the covariance of the quantity with the
    log-prior of the top-level sites, in standard deviations per doubling; it is marked where
    ArviZ's diagnostic (Kallioinen et al., 2024) reaches 0.05. What a prior alone keeps finite is
    found by the linear separation of the verdicts, so that priors of groups do not hide it.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> table = bj.prior_sensitivity(fit, "position")
    >>> bool((table["shift"] < 0.25).all())
    True
    """
    fit = readable(fit)
    names = [quantity] if quantity else _quantities(fit)
    values = [evidence(fit, name) for name in names]
    rows = pd.concat([_rows(fit, one) for one in values], ignore_index=True)
    dims = [dim for dim in ("item", "judge") if dim in rows]
    rows[dims] = rows[dims].fillna("")
    numbers = [name for name in rows.columns if name not in ("quantity", *dims)]
    caption = f"What the answers owe to the prior ({method_label(fit)}).{prior_words(values)}"
    return Table(rows[["quantity", *dims, *numbers]], caption=caption, units=UNITS)


def _quantities(fit: Readable) -> list[str]:
    single = [name for name, dims in quantities(fit).items() if dims in (("item",), ("judge",))]
    if not single:
        raise UnknownQuantityError(
            "The fit has no quantity with one value an item or a judge; name a quantity of it."
        )
    return single


def _rows(fit: Readable, values: Evidence) -> pd.DataFrame:
    names = [values.names(dim) for dim in values.dims]
    frame = pd.MultiIndex.from_product(names, names=values.dims).to_frame(index=False)
    frame.insert(0, "quantity", values.quantity)
    frame["estimate"] = values.estimate.values.ravel()
    frame["shift"] = np.diag(values.shift)
    if isinstance(fit, xr.DataTree) and is_scalable(fit):
        frame["prior"] = power_scaling(fit, values.quantity, "prior")
        frame["likelihood"] = power_scaling(fit, values.quantity, "likelihood")
    return frame.assign(mark=value_marks(values))
