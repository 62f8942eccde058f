"""How far two rankings of the same items agree, and fits side by side."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import demand_level, level_words
from bayesjudge.errors import TooFewSharedItemsError, UnknownFitError
from bayesjudge.report.evidence import Evidence, NormalEvidence, evidence
from bayesjudge.report.fits import rater, raters, readable, score_name
from bayesjudge.report.prior_only import rests_on_prior
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of

if TYPE_CHECKING:
    from bayesjudge.anchor.orthogonal import Orthogonal
    from bayesjudge.report.fits import Fit


PAIRING_SEED = 0


UNITS = dict.fromkeys(["estimate", "lower", "upper"], "correlation of ranks, from -1 to 1")


@dataclass(frozen=True, eq=False)
class Ranking:
    """What one fit says about the order of its items.

    Attributes
    ----------
    found : Evidence
        Scores of the items.
    prior_only : ndarray of bool, shape (n_items, n_items)
        Differences that rest on the prior alone.
    raters : str
        Those who gave the verdicts: "judges", "humans", or nothing where the fit does not say.
    """

    found: Evidence
    prior_only: BoolArray
    raters: str

    @property
    def name(self) -> str:
        """Whose ranking it is, by which quantity and method."""
        quantity, method = self.found.quantity, self.found.label
        return f"{self.raters} ({quantity}, {method})" if self.raters else f"{quantity} ({method})"

    def places(self, items: list[str]) -> list[int]:
        """Give the places of items among the fit's own."""
        place = {name: i for i, name in enumerate(self.found.names("item"))}
        return [place[name] for name in items]

    def rests_on_prior(self, items: list[str]) -> bool:
        """Tell whether the order of some of these items rests on the prior alone."""
        places = self.places(items)
        return bool(self.prior_only[np.ix_(places, places)].any())

    def draws_of(self, items: list[str]) -> FloatArray:
        """Give draws of these items' scores, shape (S, n); NaN where no draw means anything."""
        draws = self.found.draws[:, self.places(items)]
        silent = isinstance(self.found, NormalEvidence) and self.rests_on_prior(items)
        return np.full_like(draws, np.nan) if silent else draws


def agreement(
    judges_fit: "Fit", humans_fit: "Fit", quantity: str | None = None, prob: float = 0.95
) -> Table:
    """Compare two rankings of the items that both fits have.

    Parameters
    ----------
    judges_fit, humans_fit : DataTree, Mode or Covariance
        Two fits of separate data. A mode stands for its sandwich by prompt.
    quantity : str, optional
        A quantity with one value an item that both fits have; by default "human_score" if a fit has
        one, else "score".
    prob : float
        Level of the intervals.

    Returns
    -------
    Table
        Two rows, Kendall's tau-b and Spearman's rho: ``measure``, ``estimate`` (of the two
        estimated rankings), ``lower``, ``upper`` (equal-tailed interval over pairs of independent
        draws), ``items`` (how many are shared). Both measures lie between -1 and 1.

    Raises
    ------
    TooFewSharedItemsError
        If the fits share fewer than two items.
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If a fit, its quantity or the level is not one that a report can read.

    Notes
    -----
    Draws scatter about the estimates, so that the interval leans towards no agreement where scores
    are uncertain: it says how well the *true* rankings are known to agree.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fits = [bj.mode(bj.models.bradley_terry, bj.synthetic_panel(400, seed)) for seed in (1, 2)]
    >>> bj.agreement(*fits)[["measure", "estimate", "items"]]
    Agreement of judges (score, sandwich by prompt) and judges (score, sandwich by prompt),
    95 % intervals. estimate: correlation of ranks, from -1 to 1.
               measure  estimate  items
    0  Kendall's tau-b         1      8
    1   Spearman's rho         1      8
    """
    demand_level(prob)
    rankings = [_ranking(fit, quantity) for fit in (judges_fit, humans_fit)]
    shared = _shared_items(*(each.found for each in rankings))
    values = [each.found.estimate.sel(item=shared).values[None] for each in rankings]
    draws = _paired_draws(*(each.draws_of(shared) for each in rankings))
    rows = [
        {"measure": name, "estimate": measure(*values)[0], **_interval(measure(*draws), prob)}
        for name, measure in MEASURES.items()
    ]
    table = pd.DataFrame(rows).assign(items=len(shared))
    return Table(table, caption=_caption(rankings, shared, prob), units=UNITS)


def kendall_tau_b(first: FloatArray, second: FloatArray) -> FloatArray:
    """Give Kendall's tau-b between the rows of two arrays.

    Parameters
    ----------
    first, second : ndarray, shape (S, n)
        Scores.

    Returns
    -------
    ndarray, shape (S,)
        From -1 to 1; NaN where all scores of a row are equal.

    Examples
    --------
    >>> kendall_tau_b(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]])).round(4)
    array([0.3333])
    """
    i, j = np.triu_indices(first.shape[1], 1)
    a, b = np.sign(first[:, i] - first[:, j]), np.sign(second[:, i] - second[:, j])
    return _ratio((a * b).sum(1), (a**2).sum(1) * (b**2).sum(1))


def spearman_rho(first: FloatArray, second: FloatArray) -> FloatArray:
    """Give Spearman's rho between the rows of two arrays.

    Parameters
    ----------
    first, second : ndarray, shape (S, n)
        Scores.

    Returns
    -------
    ndarray, shape (S,)
        From -1 to 1; NaN where all scores of a row are equal.

    Examples
    --------
    >>> spearman_rho(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]]))
    array([0.5])
    """
    from scipy.stats import rankdata

    a, b = (rankdata(each, axis=1) - (each.shape[1] + 1) / 2 for each in (first, second))
    return _ratio((a * b).sum(1), (a**2).sum(1) * (b**2).sum(1))


MEASURES = {"Kendall's tau-b": kendall_tau_b, "Spearman's rho": spearman_rho}


def _ranking(fit: "Fit", quantity: str | None) -> Ranking:
    fit = readable(fit)
    found = evidence(fit, score_name(fit, quantity))
    return Ranking(found, rests_on_prior(fit, found.quantity), raters(fit))


def _ratio(product: FloatArray, squares: FloatArray) -> FloatArray:
    size = np.sqrt(squares)
    return np.divide(product, size, out=np.full_like(size, np.nan), where=size > 0)


def _shared_items(first: Evidence, second: Evidence) -> list[str]:
    shared = sorted(set(first.names("item")) & set(second.names("item")))
    if len(shared) < 2:
        raise TooFewSharedItemsError(
            f"The fits share {len(shared)} of {first.estimate.size} and {second.estimate.size} "
            "items, and an agreement of rankings needs two; give the items the same names in both "
            "data sets."
        )
    return shared


def _paired_draws(first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pair draws at random, so that equal seeds of the two fits do no harm."""
    rng = np.random.default_rng(PAIRING_SEED)
    size = min(len(first), len(second))
    return rng.permutation(first)[:size], rng.permutation(second)[:size]


def _interval(values: FloatArray, prob: float) -> dict[str, float]:
    tail = (1 - prob) / 2
    lower, upper = np.quantile(values, [tail, 1 - tail])
    return {"lower": float(lower), "upper": float(upper)}


def _caption(rankings: list[Ranking], shared: list[str], prob: float) -> str:
    first, second = (each.name for each in rankings)
    head = f"Agreement of {first} and {second}, {level_words(prob)}."
    if any(each.rests_on_prior(shared) for each in rankings):
        return f"{head} Part of the order rests on the prior, no verdicts inform it."
    return head


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
