"""The numbers that the OSCAR paper reports of its simulation, beside those of a run."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayesjudge.errors import InvalidStudyError
from bayesjudge.report.table import Table
from bayesjudge.studies.runner.results import StudyResult

PAPER_REPLICATIONS = 100
MINUS = " minus "  # between the estimators of a paired difference
VARIED = ("verdicts", "bias", "dependence")  # settings of `oscar_simulation`
MAIN = (1.0, 0.6)  # bias, dependence
NO_BIAS, NO_DEPENDENCE, NEITHER = (0.0, 0.6), (1.0, 0.0), (0.0, 0.0)  # Table G2
CLUSTER, MODEL_BASED = "coverage prompt-cluster", "coverage model-based"


@dataclass(frozen=True)
class Published:
    """One number of the paper, or the range that it gives over sample sizes.

    Attributes
    ----------
    verdicts : int
        N.
    control : tuple of float
        Bias multiplier c and dependence rho.
    estimator : str
        A model, or two with " minus " between them for a paired difference.
    metric : str
        A metric of `oscar_simulation`.
    lower, upper : float
        The range; one number twice if it is one.
    """

    verdicts: int
    control: tuple[float, float]
    estimator: str
    metric: str
    lower: float
    upper: float


def published() -> tuple[Published, ...]:
    """Return the numbers of the paper's text and of its Table G2."""
    return (*_of_points(), *_of_coverage(), *_of_controls())


def compare_published(result: StudyResult) -> Table:
    """Compare the numbers of a run with those of the paper.

    Parameters
    ----------
    result : StudyResult
        A run of `oscar_simulation`, with all its settings or some.

    Returns
    -------
    Table
        One row for each number of the paper whose setting and estimators were run: ``mean`` and
        ``mc_error`` of the run, ``lower`` and ``upper`` of the paper, and ``z``, the distance
        between them in Monte Carlo standard errors of their difference (zero inside a range). NaN
        where no replication gave the number.

    Raises
    ------
    InvalidStudyError
        If the result is of another study, or the paper has no number for any of its settings.

    Notes
    -----
    The paper's Monte Carlo errors are taken to be the run's, at the paper's 100 replications.
    """
    known = [number for number in published() if _was_run(number, _demand_simulation(result))]
    table = pd.DataFrame([_beside(number, result) for number in known])
    if not known or table["mean"].isna().all():
        raise InvalidStudyError(
            f"{result.name!r} gave none of the paper's numbers; run oscar_simulation() with at "
            "least one of its own settings."
        )
    return Table(table, caption=f"{result.name}: this run and the paper.")


def _demand_simulation(result: object) -> StudyResult:
    if isinstance(result, StudyResult) and set(result.settings[0]) == set(VARIED):
        return result
    shown = repr(result.name) if isinstance(result, StudyResult) else type(result).__name__
    raise InvalidStudyError(
        f"{shown} is not a run of the paper's simulation; give what "
        "run_study(oscar_simulation(), ...) returned."
    )


def _was_run(number: Published, result: StudyResult) -> bool:
    run = {tuple(setting[name] for name in VARIED) for setting in result.settings}
    fitted = set(number.estimator.split(MINUS)) <= set(result.estimators)
    return fitted and (number.verdicts, *number.control) in run


def _beside(number: Published, result: StudyResult) -> dict[str, object]:
    place = dict(zip(VARIED, (number.verdicts, *number.control), strict=True))
    row = _row(number, place, result)
    gap = row["mean"] - np.clip(row["mean"], number.lower, number.upper)
    error = row["mc_error"] * np.sqrt(1 + row["replications"] / PAPER_REPLICATIONS)
    with np.errstate(divide="ignore"):  # infinite where all replications gave one number
        z = float(np.divide(gap, error)) if gap else 0.0
    return {
        **place,
        "estimator": number.estimator,
        "metric": number.metric,
        "mean": row["mean"],
        "mc_error": row["mc_error"],
        "lower": number.lower,
        "upper": number.upper,
        "z": z,
    }


def _row(number: Published, place: dict[str, float], result: StudyResult) -> pd.Series:
    """Return the row of a run in the setting of a number; NaN if all replications failed."""
    table = _rows(number, result)
    own = table[(table[list(place)] == pd.Series(place)).all(axis=1)]
    if not len(own):
        return pd.Series({"mean": np.nan, "mc_error": np.nan, "replications": 0})
    return own.iloc[0]


def _rows(number: Published, result: StudyResult) -> pd.DataFrame:
    """Return the rows of a run, one for each setting, that correspond to a number of the paper."""
    if MINUS not in number.estimator:
        table = result.table()
        return table[(table["estimator"] == number.estimator) & (table["metric"] == number.metric)]
    try:
        return result.difference(number.metric, *number.estimator.split(MINUS))
    except InvalidStudyError:  # one of the two has no value in any setting
        return pd.DataFrame(columns=list(VARIED))


def _point(verdicts: int, estimator: str, metric: str, value: float) -> Published:
    return Published(verdicts, MAIN, estimator, metric, value, value)


def _of_points() -> list[Published]:
    return [
        _point(10_000, "OSCAR", "rmse_q", 0.0237),
        _point(10_000, "J", "rmse_q", 0.1158),
        _point(10_000, "J+L", "rmse_q", 0.0534),
        _point(1000, "OSCAR", "rmse_kappa", 0.1434),
        _point(10_000, "OSCAR", "rmse_kappa", 0.0381),
        _point(10_000, "J", "rmse_kappa", 0.1908),
        _point(10_000, "J+P", "rmse_kappa", 0.0457),
        _point(10_000, f"OSCAR{MINUS}J+P", "rmse_kappa", -0.0076),
        _point(1000, "OSCAR", "tau_b", 0.834),
        _point(10_000, "OSCAR", "tau_b", 0.988),
        _point(10_000, f"OSCAR{MINUS}J+L", "tau_b", 0.161),
        _point(10_000, "OSCAR", "best", 0.96),
        _point(10_000, "J+L", "best", 0.12),
    ]


def _of_coverage() -> list[Published]:
    sizes = (1000, 2500, 5000, 10_000)
    ranges = {CLUSTER: (0.944, 0.952), MODEL_BASED: (0.828, 0.841)}
    return [
        *(
            Published(size, MAIN, "OSCAR", metric, *ends)
            for metric, ends in ranges.items()
            for size in sizes
        ),
        _point(1000, "J", CLUSTER, 0.553),
        _point(10_000, "J", CLUSTER, 0.363),
    ]


def _of_controls() -> list[Published]:
    table = {
        NO_BIAS: (0.963, 0.836, 0.956),
        NO_DEPENDENCE: (0.954, 0.950, 0.381),
        NEITHER: (0.939, 0.939, 0.936),
    }
    columns = (("OSCAR", CLUSTER), ("OSCAR", MODEL_BASED), ("J", CLUSTER))
    return [
        Published(2500, control, *column, value, value)
        for control, row in table.items()
        for column, value in zip(columns, row, strict=True)
    ]
