"""Attenuation of each judge's sensitivity without a position term, beside its prediction."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray
from bayesjudge.core.wording import listing
from bayesjudge.data.comparisons import TIE, Comparisons, demand_comparisons
from bayesjudge.designs.design import design
from bayesjudge.errors import MissingColumnError
from bayesjudge.fits.mode import Mode, mode
from bayesjudge.models import sensitivity
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of

UNITS = {
    "net_first_preference": unit_of("net_first_preference"),
    "predicted_ratio": "1 - D^2",
    "sensitivity_without": unit_of("scaled_sensitivity"),
    "sensitivity_with": unit_of("scaled_sensitivity"),
    "ratio": "without over with position",
    "discrepancy": "log of ratio over predicted ratio",
}

CAPTION = "Scaled sensitivity without a position term (J) and with one (J+P)."


class AttenuationTable(Table):
    """The table of `attenuation_table`, with the paper's summary of it."""

    @property
    def _constructor(self) -> Callable[..., "AttenuationTable"]:
        return AttenuationTable

    @property
    def median_discrepancy(self) -> float:
        """Median over judges of the absolute discrepancy, in logs (OSCAR, Table D1).

        Judges without a discrepancy are left out.
        """
        if "discrepancy" not in self:
            raise MissingColumnError(
                "This part of the table leaves out the column 'discrepancy', which the median is "
                "taken of; use the whole table."
            )
        return float(self["discrepancy"].abs().median())


def attenuation_table(data: Comparisons, reference_judge: str | None = None) -> AttenuationTable:
    r"""Compare each judge's ratio of sensitivities under J and J+P with the prediction 1 - D^2.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    reference_judge : str, optional
        The judge whose sensitivity is one; by default the judge with the most verdicts. It matters
        only through the ridge.

    Returns
    -------
    AttenuationTable
        One row for each judge, by name: ``net_first_preference`` (D, of J+P), ``predicted_ratio``
        (1 - D^2), ``sensitivity_without`` and ``sensitivity_with`` the position term (kappa, the
        sensitivity times the root mean square of scores), their ``ratio``, and ``discrepancy``
        (log ratio minus log prediction). ``median_discrepancy`` is the summary in Table D1. A judge
        that always prefers the same slot has no discrepancy and is not in the median: the
        likelihood has no finite position effect for it, and only the ridge bounds the estimate. Nor
        has a judge whose sensitivity is zero. The caption names such judges.

    Raises
    ------
    UnknownJudgeError
        If the reference judge has no verdict.
    NotComparisonsError
        If the verdicts have not been read.

    Notes
    -----
    OSCAR Section 6.2 and Appendix D.4:

    .. math:: \operatorname{median}_k \left| \log\frac{\hat\kappa_k^{J}}{\hat\kappa_k^{J+P}}
              - \log\{1 - (\hat D_k^{J+P})^2\} \right|

    The prediction is for orders that are balanced within each pair. Where the ratio is far below
    one, a low sensitivity without a position term is no evidence of an unreliable judge. A very
    small ``sensitivity_without`` is determined by the ridge, not by the verdicts.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = bj.studies.attenuation_table(bj.example_panel())
    >>> table[["judge", "sensitivity_without", "sensitivity_with"]].head(2)
    Scaled sensitivity without a position term (J) and with one (J+P). sensitivity_without,
    sensitivity_with: log-odds per standard deviation of scores.
         judge  sensitivity_without  sensitivity_with
    0  judge-1                0.773             0.593
    1  judge-2                0.242             0.476

    The prediction is for balanced orders. It fails in this panel, which shows the more verbose
    answer first:

    >>> round(table.median_discrepancy, 2)
    0.43
    """
    data = demand_comparisons(data)
    without, with_position = (
        mode(sensitivity, design(data, terms, reference_judge=reference_judge))
        for terms in ((), ("position",))
    )
    table = _compared(without, with_position, _always_same_slot(data))
    return AttenuationTable(table, caption=CAPTION + _caution(table), units=UNITS)


def _always_same_slot(data: Comparisons) -> BoolArray:
    """Return which judges' verdicts of known order are all for one slot, shape (n_judges,)."""
    known = data.order_known
    seen = np.zeros((data.n_judges, TIE + 2), dtype=bool)
    seen[data.judge[known], data.verdict[known]] = True
    return (seen.sum(axis=1) == 1) & ~seen[:, TIE]


def _caution(table: pd.DataFrame) -> str:
    lost = table["predicted_ratio"].notna() & table["discrepancy"].isna()
    if not lost.any():
        return ""
    return (
        f" No discrepancy of {listing(table['judge'][lost], 5)}: always the same slot, or no "
        "sensitivity to compare."
    )


def _compared(without: Mode, with_position: Mode, stuck: BoolArray) -> pd.DataFrame:
    plain, adjusted = (
        fit.quantity("scaled_sensitivity").values for fit in (without, with_position)
    )
    (estimated,) = with_position.designs[0].layout.retained  # judges with a position effect
    effect = with_position.quantity("net_first_preference").values
    preference = np.where(estimated, effect, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):  # sensitivities of zero: NaN below
        predicted, ratio = 1 - preference**2, np.where(estimated, plain / adjusted, np.nan)
        discrepancy = np.log(ratio) - np.log(predicted)
    discrepancy[stuck | ~np.isfinite(discrepancy)] = np.nan
    return pd.DataFrame(
        {
            "judge": without.designs[0].data.judges,
            "net_first_preference": preference,
            "predicted_ratio": predicted,
            "sensitivity_without": plain,
            "sensitivity_with": adjusted,
            "ratio": ratio,
            "discrepancy": discrepancy,
        }
    )
