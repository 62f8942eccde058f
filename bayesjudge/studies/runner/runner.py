"""Running a study: many replications on many workers, with the same numbers on any of them."""

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from itertools import batched
from pathlib import Path
from pickle import PicklingError

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from bayesjudge.core.arguments import demand_count, demand_seed, wanted, whole_number
from bayesjudge.errors import (
    InvalidStudyError,
    SamplerSettingError,
    StudyFailedError,
    UnknownOptionError,
    WorkerError,
)
from bayesjudge.studies.runner.records import append, folder_path, open_folder
from bayesjudge.studies.runner.replication import Replication, replicate
from bayesjudge.studies.runner.results import StudyResult, study_result
from bayesjudge.studies.runner.study import Setting, Study, setting_key

BATCH = 5  # replications of a task; workers keep compiled code, so that larger ones gain nothing
NOT_A_STUDY = "study is of type {type}; build one with bj.studies.Study(...)."
Report = Callable[[int], None]


def run_study(
    study: Study,
    replications: int,
    *,
    seed: int,
    n_jobs: int | None = None,
    folder: str | Path | None = None,
    progress: bool = True,
) -> StudyResult:
    """Run every setting of a study many times.

    Parameters
    ----------
    study : Study
        The study.
    replications : int
        How often each setting is drawn.
    seed : int
        Same seed, same numbers, whatever the workers, their number and the order of the settings.
        A later run with more replications keeps the first ones.
    n_jobs : int, optional
        Workers, as joblib counts them: None for one (or what ``joblib.parallel_config`` says), -1
        for all cores. Choose threads, processes or Dask with ``joblib.parallel_config``.
    folder : str or Path, optional
        Where each finished replication is appended. A later call with the same folder runs only
        what is missing.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    StudyResult
        Every number and every failure, with a table of means.

    Raises
    ------
    InvalidStudyError
        If `study` is not a `Study`, the number of replications is not positive, or the metrics
        return malformed rows.
    SamplerSettingError
        If the seed is not a whole number.
    UnknownOptionError
        If the number of workers is zero or not a whole number, or the folder is not a path.
    ForeignFolderError, DamagedRecordError, UnwritableFolderError
        If the folder belongs to another study, or cannot be read or written to.
    WorkerError
        If the study's functions cannot be sent to another process, or a process died.
    StudyFailedError
        If no replication gave a number; the message quotes the first failure.

    Notes
    -----
    Threads share compiled JAX code and processes compile it once each. Avoid joblib's
    "multiprocessing" backend for studies that use JAX: it forks, and JAX may hang after a fork.

    Examples
    --------
    >>> import numpy as np
    >>> import bayesjudge as bj
    >>> study = bj.studies.Study(
    ...     name="mean",
    ...     settings=bj.studies.grid(size=[25, 100]),
    ...     draw=lambda setting, seed: np.random.default_rng(seed).normal(size=setting["size"]),
    ...     estimators={"mean": np.mean},
    ...     metrics=lambda drawn, estimates: [
    ...         {"estimator": "mean", "metric": "squared error", "value": estimates["mean"] ** 2}
    ...     ],
    ... )
    >>> result = bj.studies.run_study(study, replications=200, seed=1, progress=False)
    >>> result
    StudyResult('mean', 2 settings, 200 replications of each, 0 failures)
    >>> table = result.table()
    >>> ((table["mean"] - 1 / table["size"]).abs() < 4 * table["mc_error"]).all().item()
    True
    """
    wanted(Study, study, InvalidStudyError, NOT_A_STUDY)
    advice = "ask for a whole number, one or more"
    replications = demand_count("replications", replications, advice, InvalidStudyError)
    seed, n_jobs = demand_seed(seed), demand_workers(n_jobs)
    place = None if folder is None else folder_path(folder)
    finished = _keyed([] if place is None else open_folder(place, study, seed))
    tasks = [(setting, number) for setting in study.settings for number in range(replications)]
    missing = [task for task in tasks if _key(*task) not in finished]
    with _progress(progress, study.name, len(tasks), len(tasks) - len(missing)) as report:
        for batch in _run(study, missing, seed, n_jobs):
            if place is not None:
                append(place, batch)
            finished |= _keyed(batch)
            report(len(batch))
    return _demand_numbers(study_result(study, seed, [finished[_key(*task)] for task in tasks]))


def _run(
    study: Study, missing: list[tuple[Setting, int]], seed: int, n_jobs: int | None
) -> Iterator[list[Replication]]:
    """Yield finished batches as they arrive in this process, which alone writes to the folder."""
    workers = _streaming_workers(n_jobs)
    with sending(f"the study {study.name!r}"):
        yield from workers(delayed(_batch)(study, tasks, seed) for tasks in batched(missing, BATCH))


def _batch(study: Study, tasks: tuple[tuple[Setting, int], ...], seed: int) -> list[Replication]:
    return [replicate(study, setting, number, seed) for setting, number in tasks]


def _key(setting: Setting, replication: int) -> tuple[str, int]:
    return setting_key(setting), replication


def _keyed(finished: list[Replication]) -> dict[tuple[str, int], Replication]:
    return {_key(run.setting, run.replication): run for run in finished}


def _demand_numbers(result: StudyResult) -> StudyResult:
    if len(result.rows):
        return result
    if len(result.failures):
        raise StudyFailedError(
            f"None of the {len(result.settings) * result.replications} replications of "
            f"{result.name!r} gave a number; the first failure is "
            f"{result.failures['message'].iloc[0]!r}."
        )
    raise StudyFailedError(
        f"The metrics of {result.name!r} gave no row; return one mapping for each number."
    )


@contextmanager
def _progress(shown: bool, name: str, total: int, done: int) -> Iterator[Report]:
    if not shown:
        yield lambda number: None
        return
    from rich.progress import Progress

    with Progress(transient=True) as bar:
        task = bar.add_task(name, total=total, completed=done)
        yield lambda number: bar.advance(task, number)


def demand_workers(n_jobs: int | None) -> int | None:
    """Return a number of workers as joblib counts them."""
    if n_jobs is None:
        return None
    try:
        number = whole_number("n_jobs", n_jobs, least=-(2**31))
    except SamplerSettingError:
        number = 0
    if number == 0:
        raise UnknownOptionError(
            f"n_jobs is {n_jobs!r}; give how many run at once, one or more, or -1 for all cores."
        )
    return number


def _streaming_workers(n_jobs: int | None) -> Parallel:
    """Return workers whose results arrive as they finish."""
    try:
        return Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError as error:
        raise UnknownOptionError(
            "The workers that joblib.parallel_config chose cannot return results as they finish; "
            "choose 'threading', 'loky' or 'dask'."
        ) from error


@contextmanager
def sending(what: str) -> Iterator[None]:
    """Raise in words where something could not be sent to workers, or a worker died."""
    try:
        yield
    except TerminatedWorkerError as error:
        raise WorkerError(
            f"A worker process died while running {what}, often for lack of memory; use fewer "
            'workers, or threads, with joblib.parallel_config("threading").'
        ) from error
    except (PicklingError, BrokenExecutor) as error:
        raise WorkerError(
            f"Something in {what} cannot be sent to another process; define functions in a module "
            "that workers can import, without locks, open files or generators, or use threads, "
            'with joblib.parallel_config("threading").'
        ) from error
