"""The sentence that names the leading item of a ranking, or says why none is named."""

from typing import TYPE_CHECKING

import xarray as xr

from bayesjudge.core.wording import listing
from bayesjudge.fits.estimate import WIDER
from bayesjudge.report.shown_names import shortened

if TYPE_CHECKING:
    from bayesjudge.face.report import JudgesReport
    from bayesjudge.report.table import Table


def leader_sentences(report: "JudgesReport") -> list[str]:
    """Say for each method which item leads, or once why none does by any."""
    reasons = {method: doubts(report, method) for method in report.ranking}
    clauses = {
        method: leader_clause(table, report.win_probability[method], reasons[method])
        for method, table in report.ranking.items()
    }
    if all(reasons.values()) and len(set(clauses.values())) == 1:
        (clause,) = set(clauses.values())
        return [f"{clause[0].upper()}{clause[1:]}."]
    return [f"{method.capitalize()}: {clause}." for method, clause in clauses.items()]


def doubts(report: "JudgesReport", method: str) -> tuple[str, ...]:
    """Return why no item is named the best by a method; nothing where one may be.

    Each reason completes the sentence "no item is called the best, because ...".
    """
    from bayesjudge.report.marks import dependence_ratio, leader

    fits = report.fits
    reasons = list(leader(fits.by_method[method]).doubts)
    if fits.posterior is None:
        reasons.append("the posterior is missing")
    elif fits.robust is None and dependence_ratio(fits.posterior) > WIDER:
        reasons.append("it takes verdicts on a prompt as independent, and they are not")
    return tuple(reasons)


def leader_clause(table: "Table", won: xr.Dataset, reasons: tuple[str, ...]) -> str:
    """Name the first item and those whose intervals against it include 0.5, or give the reasons."""
    if reasons:
        return f"no item is called the best, because {listing(reasons)}"
    best = table.iloc[0]
    short = dict(zip(table["item"], shortened(list(table["item"])), strict=True))
    ahead = won.sel(item=best["item"]).drop_sel(opponent=best["item"])
    rivals = [short[str(name)] for name in ahead["opponent"].values[~(ahead["lower"] > 0.5).values]]
    against = (
        f"include 0.5 against {listing(rivals)}"
        if rivals
        else "exclude 0.5 against every other item"
    )
    return (
        f"{short[best['item']]} ranks first, with probability {_probability(best['p_best'])} of "
        f"being the best; the intervals of its win probabilities {against}"
    )


def _probability(value: float) -> str:
    if value < 0.005:
        return "below 0.01"
    if value > 0.995:
        return "above 0.99"
    return f"{value:.2f}"
