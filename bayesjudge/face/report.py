"""All tables of a ranking, made once and then shown, written and encoded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import xarray as xr

import bayesjudge as bj
from bayesjudge.face.fits import Choice, Fits, Tell, fit_humans

if TYPE_CHECKING:
    from bayesjudge.report.table import Table


@dataclass(frozen=True, eq=False)
class JudgesReport:
    """What the judges' verdicts say.

    Attributes
    ----------
    fits : Fits
        Posterior and sandwich.
    ranking, judges : dict of str to Table
        By method.
    win_probability : dict of str to Dataset
        By method.
    """

    fits: Fits
    ranking: "dict[str, Table]"
    judges: "dict[str, Table]"
    win_probability: "dict[str, xr.Dataset]"


@dataclass(frozen=True, eq=False)
class HumansReport:
    """What the humans' verdicts say, and how far the judges agree with them.

    Attributes
    ----------
    program : str
        The program that was sampled.
    fits : Fits
        Its posterior, or the sandwich in its place.
    ranking, agreement : Table
        The humans' own ranking, and rank correlations with the judges'.
    """

    program: str
    fits: Fits
    ranking: "Table"
    agreement: "Table"


def report_judges(fits: Fits) -> JudgesReport:
    """Make the tables of a ranking.

    Parameters
    ----------
    fits : Fits
        Posterior and sandwich.

    Returns
    -------
    JudgesReport
        With a table for each method.
    """
    methods = fits.by_method.items()
    return JudgesReport(
        fits=fits,
        ranking={name: bj.rank_table(fit) for name, fit in methods},
        judges={name: bj.judge_table(fit) for name, fit in methods},
        win_probability={name: bj.win_probability(fit) for name, fit in methods},
    )


def report_humans(data: "bj.Comparisons", judges: Fits, choice: Choice, tell: Tell) -> HumansReport:
    """Rank by the humans alone and compare.

    Parameters
    ----------
    data : Comparisons
        The humans' verdicts.
    judges : Fits
        The judges' fits.
    choice : Choice
        Ties and settings of the sampler.
    tell : callable
        Told of the step.

    Returns
    -------
    HumansReport
        Ranking and agreement.

    Raises
    ------
    TooFewSharedItemsError
        If humans and judges share fewer than two items.
    """
    fits = fit_humans(data, choice, tell)
    _, fit = fits.first
    return HumansReport(
        program=Choice("bradley_terry", choice.ties).pooled,
        fits=fits,
        ranking=bj.rank_table(fit),
        agreement=bj.agreement(judges.first[1], fit),
    )
