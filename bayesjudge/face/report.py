"""All tables of a ranking, made once and then shown, written and encoded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import xarray as xr

import bayesjudge as bj
from bayesjudge.face.choice import Choice, fit_data
from bayesjudge.face.fits import Fits, fit_humans, fit_judges
from bayesjudge.face.inputs import Inputs
from bayesjudge.report.fits import rater, score_name
from bayesjudge.report.units import scorer_of

if TYPE_CHECKING:
    from bayesjudge.diagnosis.findings import Diagnosis
    from bayesjudge.report.fits import Readable
    from bayesjudge.report.table import Table


LEVEL = 0.95  # of all intervals


@dataclass(frozen=True, eq=False)
class JudgesReport:
    """Tables of the fits that a ranking rests on, each by method.

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
        Rank correlations with the judges' ranking by the leading method.
    """

    fits: Fits
    ranking: "Table"
    agreement: "Table"


@dataclass(frozen=True, eq=False)
class Ranking:
    """One ranking: its data, what they can identify, and its tables.

    Attributes
    ----------
    inputs : Inputs
        The verdicts.
    diagnosis : Diagnosis
        What they can identify.
    judges : JudgesReport
        The ranking itself.
    humans : HumansReport or None
        Human verdicts apart from the judges', where there are any and the program reads none.
    """

    inputs: Inputs
    diagnosis: "Diagnosis"
    judges: JudgesReport
    humans: HumansReport | None

    @property
    def unsampled(self) -> list[str]:
        """Why a posterior is missing, by the fits that lack one."""
        parts = [part for part in (self.judges, self.humans) if part is not None]
        return [part.fits.notes[0] for part in parts if part.fits.posterior is None]


@dataclass(frozen=True, eq=False)
class CategoryRankings:
    """Rankings by the values of a column.

    Attributes
    ----------
    column : str
        The column.
    rankings : dict of str to Ranking
        By value.
    folders : dict of str to str
        Names of the folders of the values.
    left_out : dict of str to str
        Why other values have no ranking.
    without_value : int
        Verdicts whose row has no value.
    """

    column: str
    rankings: dict[str, Ranking]
    folders: dict[str, str]
    left_out: dict[str, str]
    without_value: int


def report_ranking(inputs: Inputs, diagnosis: "Diagnosis", choice: Choice) -> Ranking:
    """Fit the verdicts and return the tables of their ranking."""
    fits = fit_judges(choice, *fit_data(inputs, choice))
    judges, humans = report_judges(fits), None
    if inputs.humans is not None and not choice.with_votes:
        humans = report_humans(fit_humans(choice, inputs.humans), fits)
    return Ranking(inputs, diagnosis, judges, humans)


def report_judges(fits: Fits) -> JudgesReport:
    """Return the tables of a ranking."""
    methods = fits.by_method.items()
    return JudgesReport(
        fits=fits,
        ranking={name: bj.rank_table(fit, prob=LEVEL) for name, fit in methods},
        judges={name: bj.judge_table(fit, prob=LEVEL) for name, fit in methods},
        win_probability={name: bj.win_probability(fit, prob=LEVEL) for name, fit in methods},
    )


def report_humans(fits: Fits, judges: Fits) -> HumansReport:
    """Return the ranking by humans alone, and its agreement with the judges' ranking."""
    agreement = bj.agreement(judges.leading, fits.leading, prob=LEVEL)
    return HumansReport(fits, bj.rank_table(fits.leading, prob=LEVEL), agreement)


def scorer(fit: "Readable") -> str:
    """Name the rater whose log-odds a fit's scores are."""
    return scorer_of(score_name(fit, None), rater(fit))
