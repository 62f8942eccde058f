"""How much lower each judge's sensitivity is without a position term, and what theory predicts."""

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

KAPPA = "log-odds per standard deviation of scores"


UNITS = {
    "net_first_preference": "difference of probabilities",
    "predicted_ratio": "1 - D^2",
    "sensitivity_without": KAPPA,
    "sensitivity_with": KAPPA,
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
                "This part of the table leaves out the column 'discrepancy', and there is no "
                "median of it; ask the whole table."
            )
        return float(self["discrepancy"].abs().median())


def attenuation_table(data: Comparisons, reference_judge: str | None = None) -> AttenuationTable:
    r"""Fit J and J+P and set the ratio of their sensitivities beside the prediction 1 - D^2.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    reference_judge : str, optional
        The judge whose sensitivity is one; by default the judge with the most verdicts. It matters
        through the ridge alone.

    Returns
    -------
    AttenuationTable
        One row a judge, by name: ``net_first_preference`` (D, of J+P), ``predicted_ratio``
        (1 - D^2), ``sensitivity_without`` and ``sensitivity_with`` the position term (kappa, the
        sensitivity times the root mean square of scores), their ``ratio``, and ``discrepancy``
        (log ratio less log prediction). ``median_discrepancy`` is Table D1's summary. A judge
        that never leaves a slot has no discrepancy, and is not in the median: the likelihood puts
        its position effect at infinity, and the ridge alone says how far it gets. Nor has one whose
        sensitivity is zero. The caption names such judges.

    Raises
    ------
    UnknownJudgeError
        If the reference judge gave no verdict.
    NotComparisonsError
        If the verdicts have not been read.

    Notes
    -----
    OSCAR Section 6.2 and Appendix D.4:

    .. math:: \operatorname{median}_k \left| \log\frac{\hat\kappa_k^{J}}{\hat\kappa_k^{J+P}}
              - \log\{1 - (\hat D_k^{J+P})^2\} \right|

    The prediction is for orders that are balanced within each pair. A ratio far below one says that
    a low sensitivity without a position term is no evidence of an unreliable judge. A very small
    ``sensitivity_without`` is set by the ridge, not by the verdicts.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = attenuation_table(bj.example_panel())
    >>> table[["judge", "sensitivity_without", "sensitivity_with"]].head(2)
    Scaled sensitivity without a position term (J) and with one (J+P). sensitivity_without,
    sensitivity_with: log-odds per standard deviation of scores.
         judge  sensitivity_without  sensitivity_with
    0  judge-1                0.773             0.593
    1  judge-2                0.242             0.476

    The prediction is for balanced orders. This panel shows the more verbose answer first, and
    fails it:

    >>> round(table.median_discrepancy, 2)
    0.43
    """
    data = demand_comparisons(data)
    without, with_position = (
        mode(sensitivity, design(data, terms, reference_judge=reference_judge))
        for terms in ((), ("position",))
    )
    table = _compared(without, with_position, _never_leave_a_slot(data))
    return AttenuationTable(table, caption=CAPTION + _caution(table), units=UNITS)


def _never_leave_a_slot(data: Comparisons) -> BoolArray:
    """Judges all of whose verdicts of known order are for one slot, shape (n_judges,)."""
    known = data.order_known
    scores = np.zeros((data.n_judges, TIE + 2), dtype=bool)
    scores[data.judge[known], data.verdict[known]] = True
    return (scores.sum(axis=1) == 1) & ~scores[:, TIE]


def _caution(table: pd.DataFrame) -> str:
    lost = table["predicted_ratio"].notna() & table["discrepancy"].isna()
    if not lost.any():
        return ""
    return (
        f" No discrepancy of {listing(table['judge'][lost], 5)}: always the same slot, or no "
        "sensitivity to compare."
    )


def _compared(without: Mode, with_position: Mode, stuck: BoolArray) -> pd.DataFrame:
    preference = with_position.quantity("net_first_preference").values
    plain, adjusted = (
        fit.quantity("scaled_sensitivity").values for fit in (without, with_position)
    )
    known = _knows_position(with_position)
    preference = np.where(known, preference, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):  # sensitivities of zero: NaN below
        predicted, ratio = 1 - preference**2, np.where(known, plain / adjusted, np.nan)
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


def _knows_position(fit: Mode) -> BoolArray:
    """Judges whose position effect was estimated; of others nothing can be compared."""
    (kept,) = fit.designs[0].layout.retained
    return np.array(kept)
