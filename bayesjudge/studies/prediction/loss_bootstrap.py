"""Log losses on resampled prompts, with failures kept and counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import demand_count, demand_seed
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import demand_level, equal_tailed, level_words
from bayesjudge.errors import BayesjudgeError, BootstrapError
from bayesjudge.report.table import Table
from bayesjudge.studies.prediction.losses import NATS, HeldOut, demand_model, demand_pairs
from bayesjudge.studies.runner.runner import demand_workers, sending

type LossesOf = Callable[[np.random.Generator], Mapping[str, float]]


@dataclass(frozen=True)
class Resample:
    """The losses on one resample of prompts, or the reason why there are none.

    Attributes
    ----------
    losses : mapping of str to float
        Pooled log loss by model, in nats a verdict; empty if a fit failed.
    failure : str
        The error's sentence; empty if there was none.
    seconds : float
        Time it took.
    """

    losses: Mapping[str, float]
    failure: str
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class LossBootstrap:
    """Log losses of several models, on the data and on resampled prompts.

    Attributes
    ----------
    point : HeldOut
        Predictions with each prompt counted once.
    replications : tuple of Resample
        Each with the same prompts for all models, or the reason of its failure.
    """

    point: HeldOut
    replications: tuple[Resample, ...]

    def __repr__(self) -> str:
        return f"LossBootstrap({self._failed()}, of {self.point!r})"

    def _repr_html_(self) -> str | None:
        succeeded = len(self.failures) < len(self.replications)
        return self.table()._repr_html_() if succeeded else None

    @property
    def failures(self) -> tuple[str, ...]:
        """Reasons of the replications that failed."""
        return tuple(resample.failure for resample in self.replications if resample.failure)

    @property
    def seconds(self) -> float:
        """Mean time of a replication."""
        return float(np.mean([resample.seconds for resample in self.replications]))

    def losses(self, model: str) -> FloatArray:
        """Return a model's log loss by replication.

        Parameters
        ----------
        model : str
            Its name.

        Returns
        -------
        ndarray, shape (n_succeeded,)
            In nats a verdict; replications that failed are left out, for all models alike.

        Raises
        ------
        UnknownModelError
            If there is no such model.
        BootstrapError
            If all replications failed.
        """
        demand_model(model, self.point.models)
        losses = [resample.losses[model] for resample in self.replications if not resample.failure]
        if not losses:
            raise BootstrapError(
                f"All {len(self.replications)} replications failed, the first because: "
                f"{self.failures[0]} Check the data, or compare models with fewer terms."
            )
        return np.array(losses)

    def table(self, prob: float = 0.95) -> Table:
        """Tabulate the log loss of each model with percentile intervals.

        Parameters
        ----------
        prob : float
            Level of the intervals.

        Returns
        -------
        Table
            One row for each model: ``log_loss``, ``lower`` and ``upper`` in nats a verdict,
            ``verdicts``.

        Raises
        ------
        BootstrapError
            If all replications failed.
        UnknownOptionError
            If the level is not a probability.
        """
        demand_level(prob)
        point = self.point.log_loss
        rows = [(m, point[m], *equal_tailed(self.losses(m), prob)) for m in self.point.models]
        return self._labelled(rows, ["model", "log_loss", "lower", "upper"], prob)

    def difference_table(self, *pairs: tuple[str, str], prob: float = 0.95) -> Table:
        """Tabulate paired differences of log loss with percentile intervals.

        Parameters
        ----------
        *pairs : (str, str)
            Names of two models; a positive difference favours the second.
        prob : float
            Level of the intervals.

        Returns
        -------
        Table
            One row for each pair: ``difference``, ``lower`` and ``upper`` in nats a verdict,
            ``verdicts`` (OSCAR Table E2).

        Raises
        ------
        UnknownModelError
            If there is no model of a name, or a pair is not two names.
        BootstrapError, UnknownOptionError
            As for `table`.
        """
        demand_pairs(pairs)
        demand_level(prob)
        rows = [self._difference(*pair, prob) for pair in pairs]
        return self._labelled(rows, ["first", "second", "difference", "lower", "upper"], prob)

    def _difference(self, first: str, second: str, prob: float) -> tuple[str | float, ...]:
        gaps = self.losses(first) - self.losses(second)
        estimate = self.point.log_loss[first] - self.point.log_loss[second]
        return (first, second, estimate, *equal_tailed(gaps, prob))

    def _labelled(self, rows: list, names: list[str], prob: float) -> Table:
        verdicts = self.point.table()["verdicts"].iloc[0]
        return Table(
            pd.DataFrame(rows, columns=names).assign(verdicts=verdicts),
            caption=f"Prompt bootstrap, percentile {level_words(prob)}, {self._failed()}.",
            units=dict.fromkeys(["log_loss", "difference"], NATS),
        )

    def _failed(self) -> str:
        return f"{len(self.failures)} of {len(self.replications)} replications failed"


def resampled(
    losses_of: LossesOf, replications: int, seed: int, n_jobs: int | None = None
) -> tuple[Resample, ...]:
    """Run replications, each with a generator of its own.

    A replication in which any model fails is a failure for all, so that differences stay paired.
    """
    from joblib import Parallel, delayed

    demand_resamples(replications, seed, n_jobs)
    seeds = np.random.SeedSequence(seed).spawn(replications)
    run = Parallel(n_jobs=n_jobs, prefer="threads")
    with sending("the programs that are compared"):
        return tuple(run(delayed(_one)(losses_of, child) for child in seeds))


def demand_resamples(replications: int, seed: int, n_jobs: int | None) -> None:
    """Check how resamples are drawn and run, before the first fit takes its time."""
    advice = "ask for a whole number, at least one, such as 200"
    demand_count("replications", replications, advice, BootstrapError)
    demand_seed(seed)
    demand_workers(n_jobs)


def _one(losses_of: LossesOf, seed: np.random.SeedSequence) -> Resample:
    start = perf_counter()
    try:
        losses, failure = losses_of(np.random.default_rng(seed)), ""
    except BayesjudgeError as error:
        losses, failure = {}, str(error)
    return Resample(losses, failure, perf_counter() - start)
