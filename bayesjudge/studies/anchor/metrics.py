"""How near estimates of a new item's score come to the truth: error, coverage, rank."""

from collections.abc import Mapping
from dataclasses import dataclass

from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import normal_half_width
from bayesjudge.studies.anchor.baselines import two_step_score
from bayesjudge.studies.anchor.draw import DrawnArrival
from bayesjudge.studies.runner.study import Row

LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class ArrivalEstimate:
    """What a method says.

    Attributes
    ----------
    score : float
        Human score of the new item.
    error : float or None
        Its standard error.
    ranks : tuple of int or None
        Best and worst rank of the 95 % set.
    parts : mapping of str to float
        Further numbers of the method's own, by metric.
    """

    score: float
    error: float | None = None
    ranks: tuple[int, int] | None = None
    parts: Mapping[str, float] | None = None


def arrival_metrics(drawn: DrawnArrival, estimates: Mapping[str, ArrivalEstimate]) -> list[Row]:
    """Compare estimates with the truth they were drawn from.

    Parameters
    ----------
    drawn : DrawnArrival
        The truth.
    estimates : mapping of str to ArrivalEstimate
        By method.

    Returns
    -------
    list of mapping
        ``estimator``, ``metric`` and ``value``.
    """
    known = two_step_score(drawn.designs, drawn.roster)[:-1]
    return [
        {"estimator": name, "metric": metric, "value": value}
        for name, estimate in estimates.items()
        for metric, value in compared(drawn.score, known, estimate).items()
    ]


def compared(
    truth: FloatArray, historical: FloatArray, estimate: ArrivalEstimate
) -> dict[str, float]:
    """Measure one estimate.

    Parameters
    ----------
    truth : ndarray, shape (11,)
        True scores, the new item's last.
    historical : ndarray, shape (10,)
        Scores from votes alone, among which the new one is inserted.
    estimate : ArrivalEstimate
        What a method says.

    Returns
    -------
    dict of str to float
        By metric.
    """
    off = estimate.score - float(truth[-1])
    rank = 1 + int((truth[:-1] > truth[-1]).sum())
    found = 1 + int((historical > estimate.score).sum())
    values = {
        "error": off,
        "squared_error": off**2,
        "insertion_error": float(abs(found - rank)),
        "exact": float(found == rank),
    }
    if estimate.error is not None:
        half = normal_half_width(LEVEL) * estimate.error
        values |= {"coverage": float(abs(off) <= half), "width": 2 * half}
    if estimate.ranks is not None:
        best, worst = estimate.ranks
        values |= {
            "rank_coverage": float(best <= rank <= worst),
            "rank_set_size": float(worst - best + 1),
        }
    return values | dict(estimate.parts or {})
