"""Results of a study: every number in a tidy frame, means with their Monte Carlo errors."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from bayesjudge.core.wording import counted
from bayesjudge.errors import InvalidStudyError
from bayesjudge.report.table import Table
from bayesjudge.studies.runner.replication import Replication
from bayesjudge.studies.runner.study import Setting, Study

SUMMARY = ["mean", "mc_error", "replications", "failures"]
ROW_COLUMNS = ["replication", "estimator", "metric", "value"]
FAILURE_COLUMNS = ["replication", "estimator", "metric", "message"]


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult:
    """Every number of a study, and every failure.

    Attributes
    ----------
    name : str
        Name of the study.
    seed : int
        Seed of the run.
    settings : tuple of mapping
        What was varied.
    estimators : tuple of str
        Names of the estimators.
    replications : int
        Replications of each setting.
    rows : DataFrame
        One row a number: the setting's columns, ``replication``, ``estimator``, ``metric``,
        ``value``.
    failures : DataFrame
        One row a failure: the setting's columns, ``replication``, ``estimator`` (empty if the whole
        replication failed), ``metric`` (empty if the estimate failed), ``message``.
    """

    name: str
    seed: int
    settings: tuple[Setting, ...]
    estimators: tuple[str, ...]
    replications: int
    rows: pd.DataFrame
    failures: pd.DataFrame

    def __repr__(self) -> str:
        settings = counted(len(self.settings), "setting")
        runs = f"{settings}, {counted(self.replications, 'replication')} of each"
        return f"StudyResult({self.name!r}, {runs}, {counted(len(self.failures), 'failure')})"

    def _repr_html_(self) -> str | None:
        return self.table()._repr_html_()

    def table(self) -> Table:
        """Average the replications that did not fail.

        Returns
        -------
        Table
            One row for each setting, estimator and metric: ``mean``, ``mc_error`` (standard
            deviation over replications divided by the root of their number; NaN with one
            replication), ``replications`` (how many were averaged) and ``failures`` (how many gave
            no value). An estimator that failed in every replication of a setting has a row without
            a metric.

        Notes
        -----
        OSCAR, Appendix G.3.
        """
        keys = [*self.settings[0], "estimator", "metric"]
        grouped = self.rows.groupby(keys, sort=False)["value"].agg(["mean", "sem", "count"])
        known = grouped.reset_index().rename(columns={"sem": "mc_error", "count": "replications"})
        table = pd.DataFrame([*known.to_dict("records"), *self._never_fitted(known)])
        table["failures"] = [self._failures_of(row) for _, row in table.iterrows()]
        table = table[(table["replications"] > 0) | (table["failures"] > 0)]
        caption = f"{self.name}: mean over replications, with its Monte Carlo standard error."
        return Table(table[[*keys, *SUMMARY]].reset_index(drop=True), caption=caption)

    def difference(self, metric: str, estimator: str, other: str) -> Table:
        """Average the paired differences of two estimators on the same data.

        Parameters
        ----------
        metric : str
            The metric.
        estimator, other : str
            The difference is `estimator` minus `other`.

        Returns
        -------
        Table
            One row for each setting: ``mean``, ``mc_error`` and ``replications`` (how many gave
            both).

        Raises
        ------
        InvalidStudyError
            If one of them has no value of the metric, or a name is not text.

        Notes
        -----
        OSCAR, Appendix G.3.
        """
        _demand_text(metric, estimator, other)
        names = list(self.settings[0])
        rows = self.rows[self.rows["metric"] == metric]
        wide = rows.pivot_table("value", [*names, "replication"], "estimator", sort=False)
        if absent := [name for name in (estimator, other) if name not in wide.columns]:
            raise InvalidStudyError(
                f"{absent[0]!r} has no value of {metric!r}; choose from the rows of table()."
            )
        gap = (wide[estimator] - wide[other]).dropna().groupby(names, sort=False)
        table = gap.agg(["mean", "sem", "count"]).reset_index()
        table = table.rename(columns={"sem": "mc_error", "count": "replications"})
        return Table(table, caption=f"{self.name}: {metric}, {estimator} minus {other}.")

    def _failures_of(self, row: pd.Series) -> int:
        """Count the replications that failed to give the number behind a row of the table."""
        failed = self.failures
        for name in self.settings[0]:
            failed = failed[failed[name] == row[name]]
        failed = failed[failed["estimator"].isin(["", row["estimator"]])]
        if pd.notna(row["metric"]):
            failed = failed[failed["metric"].isin(["", row["metric"]])]
        return int(failed["replication"].nunique())

    def _never_fitted(self, known: pd.DataFrame) -> list[dict[str, Any]]:
        """Return a row for each setting and estimator without any number."""
        fitted = set(known[[*self.settings[0], "estimator"]].itertuples(index=False, name=None))
        return [
            {**setting, "estimator": name, "replications": 0}
            for setting in self.settings
            for name in self.estimators
            if (*setting.values(), name) not in fitted
        ]


def _demand_text(*names: object) -> None:
    odd = [name for name in names if not isinstance(name, str)]
    if odd:
        raise InvalidStudyError(
            f"{odd[0]!r} is neither a metric nor an estimator; give the names of a metric and of "
            "two estimators."
        )


def study_result(study: Study, seed: int, finished: Sequence[Replication]) -> StudyResult:
    """Collect finished replications."""
    names = list(study.settings[0])
    rows, failures = [], []
    for replication in finished:
        place = {**replication.setting, "replication": replication.replication}
        rows += [place | dict(row) for row in replication.rows]
        failures += [place | asdict(failure) for failure in replication.failures]
    settings = tuple(study.settings)
    return StudyResult(
        study.name,
        seed,
        settings,
        tuple(study.estimators),
        len(finished) // len(settings),
        pd.DataFrame(rows, columns=[*names, *ROW_COLUMNS]),
        pd.DataFrame(failures, columns=[*names, *FAILURE_COLUMNS]),
    )
