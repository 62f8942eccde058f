"""How far two rankings of the same items agree, and fits side by side."""

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.intervals import demand_level, equal_tailed, level_words
from bayesjudge.errors import TooFewSharedItemsError, UnknownFitError
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import (
    Fit,
    Readable,
    facts,
    rater,
    raters,
    readable,
    score_name,
    verdict_counts,
)
from bayesjudge.report.table import Table
from bayesjudge.report.units import unit_of, whole_numbers

PAIRING_SEED = 0
UNITS = dict.fromkeys(["estimate", "lower", "upper"], "correlation of ranks, from -1 to 1")
NUMBERS = ["estimate", "lower", "upper", "width"]


def agreement(
    judges_fit: Fit, humans_fit: Fit, quantity: str | None = None, prob: float = 0.95
) -> Table:
    """Compare two rankings of the items that both fits have.

    Parameters
    ----------
    judges_fit, humans_fit : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        Two fits of separate data. Standard errors of a mode, a path or a one-step estimate are
        clustered by prompt.
    quantity : str, optional
        A quantity with one value an item that both fits have; by default what each fit's program
        ranks items by.
    prob : float
        Level of the intervals.

    Returns
    -------
    Table
        Two rows, Kendall's tau-b and Spearman's rho: ``measure``, ``estimate`` (of the two
        estimated rankings), ``lower``, ``upper`` (equal-tailed interval over pairs of independent
        draws), ``items`` (how many are shared) and, where both fits say, ``verdicts`` (of both).
        Both measures lie between -1 and 1.

    Raises
    ------
    TooFewSharedItemsError
        If the fits share fewer than two items.
    UnknownFitError, UnknownQuantityError, UnknownOptionError
        If a fit, its quantity or the level is not one that a report can read.

    Notes
    -----
    Draws scatter about the estimates, so that the interval moves towards no agreement where scores
    are uncertain. It is an interval for the agreement of the *true* rankings.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> panels = [bj.synthetic_panel(400, seed=seed) for seed in (1, 2)]
    >>> fits = [bj.mode(bj.models.bradley_terry, panel) for panel in panels]
    >>> bj.agreement(*fits)[["measure", "estimate", "items"]]
    Agreement of judges (score, sandwich by prompt) and judges (score, sandwich by prompt),
    95 % intervals. estimate: correlation of ranks, from -1 to 1.
               measure  estimate  items
    0  Kendall's tau-b         1      8
    1   Spearman's rho         1      8
    """
    demand_level(prob)
    fits = [readable(fit) for fit in (judges_fit, humans_fit)]
    scores = [evidence(fit, score_name(fit, quantity)) for fit in fits]
    items = _shared_items(*scores)
    places = [_places(one, items) for one in scores]
    pairs = list(zip(scores, places, strict=True))
    values = [one.estimate.values[place][None] for one, place in pairs]
    draws = _paired_draws(*(_draws(*pair) for pair in pairs))
    rows = [
        {"measure": name, "estimate": measure(*values)[0], **_interval(measure(*draws), prob)}
        for name, measure in MEASURES.items()
    ]
    table = pd.DataFrame(rows).assign(items=len(items))
    totals = [facts(fit).get("verdicts", ()) for fit in fits]
    if all(totals):
        table["verdicts"] = whole_numbers(np.array([sum(sum(total) for total in totals)])).item()
    names = [_ranking_name(raters(fit), one) for fit, one in zip(fits, scores, strict=True)]
    caption = f"Agreement of {' and '.join(names)}, {level_words(prob)}."
    if any(one.rests_on_prior[np.ix_(place, place)].any() for one, place in pairs):
        caption += " Part of the order rests on the prior."
    return Table(table, caption=caption, units=UNITS)


def kendall_tau_b(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return Kendall's tau-b between the rows of two arrays: (n_draws, n) each -> (n_draws,)."""
    i, j = np.triu_indices(first.shape[1], 1)
    a, b = np.sign(first[:, i] - first[:, j]), np.sign(second[:, i] - second[:, j])
    return _ratio((a * b).sum(axis=1), (a**2).sum(axis=1) * (b**2).sum(axis=1))


def spearman_rho(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return Spearman's rho between the rows of two arrays: (n_draws, n) each -> (n_draws,)."""
    from scipy.stats import rankdata

    a, b = (rankdata(rows, axis=1) - (rows.shape[1] + 1) / 2 for rows in (first, second))
    return _ratio((a * b).sum(axis=1), (a**2).sum(axis=1) * (b**2).sum(axis=1))


MEASURES = {"Kendall's tau-b": kendall_tau_b, "Spearman's rho": spearman_rho}


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


def _places(scores: Evidence, items: list[str]) -> IntArray:
    place = {name: i for i, name in enumerate(scores.names("item"))}
    return np.array([place[name] for name in items])


def _draws(scores: Evidence, places: IntArray) -> FloatArray:
    """Return draws of some items, (n_draws, n); NaN where part of their order is not estimated."""
    draws = scores.draws[:, places]
    missing = scores.missing[np.ix_(places, places)].any()
    return np.full_like(draws, np.nan) if missing else draws


def _paired_draws(first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pair draws at random, so that equal seeds of the two fits do no harm."""
    rng = np.random.default_rng(PAIRING_SEED)
    size = min(len(first), len(second))
    return rng.permutation(first)[:size], rng.permutation(second)[:size]


def _interval(values: FloatArray, prob: float) -> dict[str, float]:
    lower, upper = equal_tailed(values, prob).tolist()
    return {"lower": lower, "upper": upper}


def _ranking_name(raters: str, scores: Evidence) -> str:
    """Return whose ranking it is, by which quantity and method."""
    if not raters:
        return f"{scores.quantity} ({scores.label})"
    return f"{raters} ({scores.quantity}, {scores.label})"


def compare_intervals(quantity: str | None = None, prob: float = 0.95, **fits: Fit) -> Table:
    """Compare the intervals of one quantity by several fits.

    Parameters
    ----------
    quantity : str, optional
        A quantity that all fits have, for example "score" or "position"; by default what the first
        fit's program ranks items by.
    prob : float
        Level of the intervals.
    **fits : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        The fits, by their names in the table. Standard errors of a mode, a path or a one-step
        estimate are clustered by prompt.

    Returns
    -------
    Table
        Long form, one row a fit and value: ``method`` (the keyword), ``kind`` ("NUTS", "Laplace",
        "sandwich by prompt", "model-based", "one step, 10 folds, sandwich by prompt"), the
        quantity's dimensions (``item`` or ``judge``), ``estimate``, ``lower``, ``upper`` and
        ``width``, in the unit of the quantity, and ``verdicts`` (of the item or judge) where the
        fits say.

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
    read = {name: readable(fit) for name, fit in fits.items()}
    first = next(iter(read.values()))
    quantity = quantity or score_name(first, None)
    rows = [_rows(name, fit, evidence(fit, quantity), prob) for name, fit in read.items()]
    units = dict.fromkeys(NUMBERS, unit_of(quantity, rater(*read.values())))
    caption = f"{quantity} by several methods, {level_words(prob)}."
    return Table(pd.concat(rows, ignore_index=True), caption=caption, units=units)


def _rows(method: str, fit: Readable, values: Evidence, prob: float) -> pd.DataFrame:
    lower, upper = values.interval(prob).values
    names = [values.names(dim) for dim in values.dims]
    frame = pd.MultiIndex.from_product(names, names=values.dims).to_frame(index=False)
    frame.insert(0, "method", method)
    frame.insert(1, "kind", values.label)
    numbers = [values.estimate.values, lower, upper, upper - lower]
    frame = frame.assign(**{k: v.ravel() for k, v in zip(NUMBERS, numbers, strict=True)})
    verdicts = verdict_counts(fit, values.dims[0], names[0]) if len(names) == 1 else None
    return frame if verdicts is None else frame.assign(verdicts=verdicts)
