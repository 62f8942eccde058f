"""Each judge's sensitivity on fixed scores, with and without its position effect."""

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
from bayesjudge.studies.order.attenuation_table import UNITS

Values = Mapping[str, float] | pd.Series
REFIT_RIDGE = 0.05  # OSCAR, Appendix D.3


def standardised_scores(scores: Values) -> dict[str, float]:
    """Centre scores and divide them by their root mean square.

    Parameters
    ----------
    scores : mapping of str to float, or pandas.Series
        Scores by item.

    Returns
    -------
    dict of str to float
        The scores with mean zero and root mean square one.

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
    >>> import bayesjudge as bj
    >>> bj.studies.standardised_scores({"x": 3.0, "y": 1.0})
    {'x': 1.0, 'y': -1.0}
    """
    scores = _by_name("scores", scores)
    value = _finite_scores(scores)
    value = value - value.mean()
    size = float(np.sqrt(np.mean(value**2)))
    if not size > 0:
        raise NoQualityGapError(
            "All scores are equal, and equal items do not identify a sensitivity; give scores of "
            "items that differ."
        )
    return dict(zip(scores, (value / size).tolist(), strict=True))


def fixed_score_sensitivity(
    gap: FloatArray,
    score: FloatArray,
    offset: FloatArray | float = 0.0,
    weight: FloatArray | float = 1.0,
) -> float:
    r"""Fit one judge's sensitivity, not negative, to known quality gaps, all arrays (n,).

    The score is win 1, tie 1/2, loss 0 of the item shown first, and the offset the position effect:

    .. math:: \min_{\gamma \ge 0} \sum_t w_t \{\log(1 + e^{\eta_t}) - y_t \eta_t\}
              + \tfrac{0.05}{2} \gamma^2, \qquad \eta_t = \gamma d_t + \beta

    (OSCAR eq. 11 and Appendix D.3). The derivative increases in gamma, and the ridge bounds its
    zero by the sum of the gaps' sizes over 0.05.
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
        Verdicts from which neither scores nor position effects were estimated.
    scores : mapping of str to float, or pandas.Series
        Scores by item, from other prompts; they are centred and divided by their root mean square.
    positions : mapping of str to float, or pandas.Series
        Position effect by judge in log-odds, from other prompts. NaN where it is not known, for
        example for a judge without swaps in `conditional_position`.

    Returns
    -------
    Table
        One row for each judge, by name: ``net_first_preference`` (D), ``predicted_ratio``
        (1 - D^2), ``sensitivity_without`` and ``sensitivity_with`` the position effect, their
        ``ratio`` (NaN where the latter is zero) and ``verdicts``. For a judge whose position effect
        is NaN only ``sensitivity_without`` and ``verdicts`` are known.

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
    The synthetic panel shows the more verbose answer first, so that the prediction for balanced
    orders need not hold:

    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fit = bj.mode(bj.models.sensitivity, data.select(data.prompt < 200))
    >>> scores, positions = (fit.quantity(name).to_series() for name in ("score", "position"))
    >>> held_out = data.select(data.prompt >= 200)
    >>> table = bj.studies.refit_table(held_out, scores, positions)
    >>> table[["judge", "predicted_ratio", "ratio"]].head(2)
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
    rows = pd.DataFrame(_refits(data, judge, gap, offset) for judge in range(data.n_judges))
    known = {
        "judge": data.judges,
        "net_first_preference": net_first_preference(effects),
        "predicted_ratio": attenuation_factor(effects),
    }
    table = pd.concat([pd.DataFrame(known), rows], axis=1)
    return Table(table, caption="Sensitivity on fixed scores.", units=UNITS)


def _by_name(what: str, values: Values) -> dict[str, float]:
    """Return values by name as a dictionary."""
    if isinstance(values, pd.Series):
        repeated = values.index[values.index.duplicated()]
        if len(repeated):
            raise MissingEstimateError(
                f"{what} holds {repeated[0]!r} twice; give one value for each name."
            )
    named = values.to_dict() if isinstance(values, pd.Series) else values
    return dict(demand_mapping(what, named, "{'x': 0.5, 'y': -0.5}"))


def _finite_scores(scores: Mapping[str, float]) -> FloatArray:
    if not scores:
        raise MissingEstimateError("scores is empty; give a score for every item.")
    value = demand_numbers("scores", list(scores.values()), MissingEstimateError)
    if value.ndim != 1 or not np.isfinite(value).all():
        odd = next(name for name, score in scores.items() if not np.all(np.isfinite(score)))
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


def _values(named: Mapping[str, float], names: tuple[str, ...], what: str) -> FloatArray:
    absent = [name for name in names if name not in named]
    if absent:
        raise MissingEstimateError(
            f"There is no {what} of {absent[0]!r} ({len(absent)} missing); give one for every item "
            "and judge of the verdicts, or leave its verdicts out."
        )
    values = [named[name] for name in names]
    return demand_numbers(f"The {what} of some name", values, MissingEstimateError)


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
