"""Each judge's sensitivity on scores that are held fixed, with and without its position effect."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit

from bayesjudge.core.arguments import demand_mapping, demand_numbers
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.errors import MissingEstimateError, NoQualityGapError
from bayesjudge.report.table import Table
from bayesjudge.studies.order.attenuation import attenuation_factor, net_first_preference

Values = Mapping[str, float] | pd.Series


REFIT_RIDGE = 0.05  # OSCAR, Appendix D.3


UNITS = {
    "net_first_preference": "difference of probabilities",
    "predicted_ratio": "1 - D^2",
    "sensitivity_without": "log-odds per standard deviation of scores",
    "sensitivity_with": "log-odds per standard deviation of scores",
    "ratio": "without over with position",
}


def standardised_scores(scores: Values) -> dict[str, float]:
    """Centre scores and divide them by their root mean square.

    Parameters
    ----------
    scores : mapping of str to float, or pandas.Series
        Scores by item.

    Returns
    -------
    dict of str to float
        With mean zero and root mean square one.

    Raises
    ------
    NoQualityGapError
        If all scores are equal.
    MissingEstimateError
        If there is no score, or one is not a finite number.
    NotMappingError
        If scores are not given by item.

    Notes
    -----
    OSCAR Section 6.2.

    Examples
    --------
    >>> standardised_scores({"x": 3.0, "y": 1.0})
    {'x': 1.0, 'y': -1.0}
    """
    scores = _by_name("scores", scores)
    value = _finite_scores(scores)
    value = value - value.mean()
    size = float(np.sqrt(np.mean(value**2)))
    if not size > 0:
        raise NoQualityGapError(
            "All scores are equal, and no sensitivity can be read off equal items; give scores of "
            "items that differ."
        )
    return dict(zip(scores, (value / size).tolist(), strict=True))


def fixed_score_sensitivity(
    gap: FloatArray,
    score: FloatArray,
    offset: FloatArray | float = 0.0,
    weight: FloatArray | float = 1.0,
) -> float:
    r"""Fit one judge's sensitivity to known quality gaps.

    Parameters
    ----------
    gap : ndarray of float, shape (n,)
        Score of the item shown first minus that of the other.
    score : ndarray of float, shape (n,)
        Win 1, tie 1/2, loss 0 of the item shown first.
    offset : float or ndarray, shape (n,)
        What else moves the judge, held fixed: its position effect, log-odds.
    weight : float or ndarray, shape (n,)
        Verdicts that each entry stands for.

    Returns
    -------
    float
        Not negative, log-odds a unit of the gap; zero where a judge goes against the gaps.

    Notes
    -----
    .. math:: \min_{\gamma \ge 0} \sum_t w_t \{\log(1 + e^{\eta_t}) - y_t \eta_t\}
              + \tfrac{0.05}{2} \gamma^2, \qquad \eta_t = \gamma d_t + \beta

    OSCAR eq. (11) and Appendix D.3. The derivative rises in gamma, and the ridge bounds its zero by
    the sum of the gaps' sizes over 0.05.

    Examples
    --------
    >>> import numpy as np
    >>> gap = np.array([1.0, -1.0])
    >>> round(fixed_score_sensitivity(gap, np.array([0.75, 0.25]), weight=1000.0), 3)
    1.098
    """
    pull = np.broadcast_to(weight, np.shape(gap)) * gap

    def slope(gamma: float) -> float:
        return float(np.sum(pull * (expit(gamma * gap + offset) - score))) + REFIT_RIDGE * gamma

    if slope(0.0) >= 0:
        return 0.0
    return float(brentq(slope, 0.0, float(np.abs(pull).sum()) / REFIT_RIDGE, xtol=1e-12))


def refit_table(data: Comparisons, scores: Values, positions: Values) -> Table:
    """Fit each judge's sensitivity on fixed scores, without and with its fixed position effect.

    Parameters
    ----------
    data : Comparisons
        Verdicts that neither scores nor position effects were estimated from.
    scores : mapping of str to float, or pandas.Series
        Scores by item, of other prompts; they are centred and divided by their root mean square.
    positions : mapping of str to float, or pandas.Series
        Position effect by judge in log-odds, of other prompts. NaN where it is not known, for
        example of a judge without swaps in `conditional_position`.

    Returns
    -------
    Table
        One row a judge, by name: ``net_first_preference`` (D), ``predicted_ratio`` (1 - D^2),
        ``sensitivity_without`` and ``sensitivity_with`` the position effect, their ``ratio`` (NaN
        where the latter is zero) and ``verdicts``. Of a judge whose position effect is NaN only
        ``sensitivity_without`` and ``verdicts`` are known.

    Raises
    ------
    MissingEstimateError
        If an item has no score or a judge no position effect, or one of them is infinite.
    NoQualityGapError
        If all scores are equal.
    NotComparisonsError, NotMappingError
        If the verdicts have not been read, or scores or effects are not given by name.

    Notes
    -----
    OSCAR eq. (11), Section 6.2.

    Examples
    --------
    The synthetic panel shows the more verbose answer first, so that its ratios need not be those
    of balanced orders:

    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fit = bj.mode(bj.models.sensitivity, data.select(data.prompt < 200))
    >>> scores = fit.quantity("score").to_series().to_dict()
    >>> positions = fit.quantity("position").to_series().to_dict()
    >>> held_out = data.select(data.prompt >= 200)
    >>> refit_table(held_out, scores, positions)[["judge", "predicted_ratio", "ratio"]].head(2)
    Sensitivity on fixed scores. predicted_ratio: 1 - D^2; ratio: without over with
    position.
         judge  predicted_ratio  ratio
    0  judge-1            0.805  1.089
    1  judge-2            0.929  0.728
    """
    data = demand_comparisons(data)
    held = _values(standardised_scores(scores), data.items, "score")
    effects = _values(_by_name("positions", positions), data.judges, "position effect")
    _demand_not_infinite(effects, data.judges)
    gap = held[data.first] - held[data.second]
    offset = effects[data.judge] * data.order_known
    rows = [_refits(data, judge, gap, offset) for judge in range(data.n_judges)]
    known = {
        "judge": data.judges,
        "net_first_preference": net_first_preference(effects),
        "predicted_ratio": attenuation_factor(effects),
    }
    table = pd.concat([pd.DataFrame(known), pd.DataFrame(rows)], axis=1)
    return Table(table, caption="Sensitivity on fixed scores.", units=UNITS)


def _by_name(what: str, given: Values) -> dict[str, float]:
    """Give a mapping, also where a Series holds the values."""
    if isinstance(given, pd.Series):
        _demand_one_each(what, given)
    named = given.to_dict() if isinstance(given, pd.Series) else given
    return dict(demand_mapping(what, named, "{'x': 0.5, 'y': -0.5}"))


def _demand_one_each(what: str, given: pd.Series) -> None:
    if not given.index.is_unique:
        twice = given.index[given.index.duplicated()][0]
        raise MissingEstimateError(f"{what} holds {twice!r} twice; give one value for each name.")


def _finite_scores(scores: Mapping[str, float]) -> FloatArray:
    if not scores:
        raise MissingEstimateError("scores is empty; give a score for every item.")
    value = demand_numbers("scores", list(scores.values()), MissingEstimateError)
    if value.ndim != 1 or not np.isfinite(value).all():
        odd = next(name for name, each in scores.items() if not np.all(np.isfinite(each)))
        raise MissingEstimateError(
            f"The score of {odd!r} is {scores[odd]!r}; give every item one finite score, or leave "
            "it and its verdicts out."
        )
    return value


def _demand_not_infinite(effects: FloatArray, judges: tuple[str, ...]) -> None:
    if np.isinf(effects).any():
        raise MissingEstimateError(
            f"The position effect of {judges[int(np.argmax(np.isinf(effects)))]!r} is infinite; "
            "give a finite one, such as that of conditional_position, or NaN where none is known."
        )


def _values(given: Mapping[str, float], names: tuple[str, ...], what: str) -> FloatArray:
    absent = [name for name in names if name not in given]
    if absent:
        raise MissingEstimateError(
            f"There is no {what} of {absent[0]!r} ({len(absent)} missing); give one for every item "
            "and judge of the verdicts, or leave its verdicts out."
        )
    found = [given[name] for name in names]
    return demand_numbers(f"The {what} of some name", found, MissingEstimateError)


def _refits(data: Comparisons, judge: int, gap: FloatArray, offset: FloatArray) -> dict[str, float]:
    own = data.judge == judge
    score, weight = 1 - data.verdict[own] / 2, data.weight[own]
    without = fixed_score_sensitivity(gap[own], score, 0.0, weight)
    with_position = float("nan")
    if not np.isnan(offset[own]).any():
        with_position = fixed_score_sensitivity(gap[own], score, offset[own], weight)
    return {
        "sensitivity_without": without,
        "sensitivity_with": with_position,
        "ratio": without / with_position if with_position > 0 else float("nan"),
        "verdicts": float(weight.sum()),
    }
