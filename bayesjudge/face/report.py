"""All tables of a ranking, made once and then shown, written and encoded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import xarray as xr

import bayesjudge as bj
from bayesjudge.face.fits import Fits

if TYPE_CHECKING:
    from bayesjudge.report.table import Table


LEVEL = 0.95  # of all intervals


@dataclass(frozen=True, eq=False)
class JudgesReport:
    """Tables of the judges' fits, each by method.

    Attributes
    ----------
    fits : Fits
        Posterior and sandwich.
    ranking, judges : dict of str to Table
        Items and judges.
    win_probability : dict of str to Dataset
        Pairs of items.
    """

    fits: Fits
    ranking: "dict[str, Table]"
    judges: "dict[str, Table]"
    win_probability: dict[str, xr.Dataset]


@dataclass(frozen=True, eq=False)
class HumansReport:
    """Tables of the humans' fit.

    Attributes
    ----------
    fits : Fits
        The posterior, or the sandwich in its place.
    ranking : Table
        Items by human verdicts alone.
    agreement : Table
        Rank correlations with the judges' first ranking.
    """

    fits: Fits
    ranking: "Table"
    agreement: "Table"


def report_judges(fits: Fits) -> JudgesReport:
    """Return the tables of a ranking by judges."""
    methods = fits.by_method.items()
    return JudgesReport(
        fits=fits,
        ranking={name: bj.rank_table(fit, prob=LEVEL) for name, fit in methods},
        judges={name: bj.judge_table(fit, prob=LEVEL) for name, fit in methods},
        win_probability={name: bj.win_probability(fit, prob=LEVEL) for name, fit in methods},
    )


def report_humans(fits: Fits, judges: Fits) -> HumansReport:
    """Return the ranking by humans alone, and its agreement with the judges' ranking."""
    _, fit = fits.first
    agreement = bj.agreement(judges.first[1], fit, prob=LEVEL)
    return HumansReport(fits, bj.rank_table(fit, prob=LEVEL), agreement)
