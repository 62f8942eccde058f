"""Replications of a comparison of log losses, with failures kept and counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import demand_count, demand_seed
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import demand_level, level_words
from bayesjudge.errors import BayesjudgeError, BootstrapError, UnknownModelError
from bayesjudge.report.table import Table
from bayesjudge.studies.prediction.losses import NATS, HeldOut, demand_pairs
from bayesjudge.studies.runner.runner import demand_workers, sending

type LossesOf = Callable[[np.random.Generator], Mapping[str, float]]


@dataclass(frozen=True)
class Resample:
    """One replication: its losses, or why there are none.

    Attributes
    ----------
    losses : mapping of str to float
        Pooled log loss by model, in nats a verdict; empty if the replication failed.
    failure : str
        The error's sentence; empty if there was none.
    seconds : float
        Time it took.
    """

    losses: Mapping[str, float]
    failure: str
    seconds: float


@dataclass(frozen=True, eq=False)
class LossBootstrap:
    """Log losses of several models, on the data and on resampled prompts.

    Attributes
    ----------
    point : HeldOut
        Predictions with each prompt counted once.
    replications : tuple of Replication
        Each with the same resample for all models, or the reason of its failure.
    """

    point: HeldOut
    replications: tuple[Resample, ...]

    @property
    def failures(self) -> tuple[str, ...]:
        """Reasons of the replications that failed."""
        return tuple(each.failure for each in self.replications if each.failure)

    @property
    def seconds(self) -> float:
        """Mean time of a replication."""
        return float(np.mean([each.seconds for each in self.replications]))

    def losses(self, model: str) -> FloatArray:
        """Give a model's log loss by replication.

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
        if not isinstance(model, str) or model not in self.point.models:
            known = ", ".join(self.point.models)
            raise UnknownModelError(f"There is no model {model!r}; choose from {known}.")
        found = [each.losses[model] for each in self.replications if not each.failure]
        if not found:
            raise BootstrapError(
                f"All {len(self.replications)} replications failed, the first because: "
                f"{self.failures[0]} See to the data, or compare models with fewer terms."
            )
        return np.array(found)

    def table(self, prob: float = 0.95) -> Table:
        """Tabulate the log loss of each model with percentile intervals.

        Parameters
        ----------
        prob : float
            Level of the intervals.

        Returns
        -------
        Table
            One row a model: ``log_loss``, ``lower`` and ``upper`` in nats a verdict, ``verdicts``.
        """
        point = self.point.log_loss
        rows = [(m, point[m], *percentiles(self.losses(m), prob)) for m in self.point.models]
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
            One row a pair: ``difference``, ``lower`` and ``upper`` in nats a verdict, ``verdicts``
            (OSCAR Table E2).

        Raises
        ------
        UnknownModelError
            If there is no model of a name, or a pair is not two of them.
        """
        demand_pairs(pairs)
        rows = [self._difference(*pair, prob) for pair in pairs]
        return self._labelled(rows, ["first", "second", "difference", "lower", "upper"], prob)

    def _difference(self, first: str, second: str, prob: float) -> tuple[str | float, ...]:
        gaps = self.losses(first) - self.losses(second)
        estimate = self.point.log_loss[first] - self.point.log_loss[second]
        return (first, second, estimate, *percentiles(gaps, prob))

    def _labelled(self, rows: list, names: list[str], prob: float) -> Table:
        failed = f"{len(self.failures)} of {len(self.replications)} replications failed"
        verdicts = self.point.table()["verdicts"].iloc[0]
        return Table(
            pd.DataFrame(rows, columns=names).assign(verdicts=verdicts),
            caption=f"Prompt bootstrap, percentile {level_words(prob)}, {failed}.",
            units=dict.fromkeys(["log_loss", "difference"], NATS),
        )


def resampled(
    losses_of: LossesOf, replications: int, seed: int, jobs: int = 1
) -> tuple[Resample, ...]:
    """Run replications, each with a generator of its own.

    Parameters
    ----------
    losses_of : callable
        From a generator to the log loss of each model on one resample.
    replications : int
        How many.
    seed : int
        Same seed, same resamples, however many run at once.
    jobs : int
        How many run at once, in threads, which share compiled code. For processes, call within
        ``joblib.parallel_config(backend="loky")``; each then compiles for itself.

    Returns
    -------
    tuple of Replication
        In order of their seeds.

    Raises
    ------
    BootstrapError
        If fewer than one replication is asked for.
    SamplerSettingError, UnknownOptionError
        If the seed or the number of workers is not of its type.
    WorkerError
        If processes are used and the programs cannot be sent to them.

    Notes
    -----
    A replication in which any model fails is a failure for all, so that differences stay paired.

    Examples
    --------
    >>> found = replicate(lambda generator: {"J": generator.random()}, 2, seed=1)
    >>> [round(each.losses["J"], 3) for each in found]
    [0.699, 0.476]
    """
    from joblib import Parallel, delayed

    demand_resamples(replications, seed, jobs)
    seeds = np.random.SeedSequence(seed).spawn(replications)
    run = Parallel(n_jobs=jobs, prefer="threads")
    with sending("the programs that are compared"):
        return tuple(run(delayed(_one)(losses_of, each) for each in seeds))


def demand_resamples(replications: int, seed: int, jobs: int) -> None:
    """Check how resamples are drawn and run, before the first fit takes its time.

    Parameters
    ----------
    replications, seed, jobs : int
        As of `replicate`.

    Raises
    ------
    BootstrapError, SamplerSettingError, UnknownOptionError
        As of `replicate`.
    """
    advice = "ask for a whole number, at least one, such as 200"
    demand_count("replications", replications, advice, BootstrapError)
    demand_seed(seed)
    demand_workers("jobs", jobs)


def _one(losses_of: LossesOf, seed: np.random.SeedSequence) -> Resample:
    start = perf_counter()
    try:
        losses, failure = losses_of(np.random.default_rng(seed)), ""
    except BayesjudgeError as error:
        losses, failure = {}, str(error)
    return Resample(losses, failure, perf_counter() - start)


def percentiles(values: FloatArray, prob: float) -> tuple[float, float]:
    """Give the equal-tailed interval of bootstrap results.

    Parameters
    ----------
    values : ndarray, shape (n,)
        One a replication.
    prob : float
        Level.

    Returns
    -------
    lower, upper : float
        Percentiles, interpolated linearly.

    Examples
    --------
    >>> percentiles(np.arange(5.0), 0.5)
    (1.0, 3.0)
    """
    tail = (1 - demand_level(prob)) / 2
    lower, upper = np.quantile(values, [tail, 1 - tail])
    return float(lower), float(upper)
