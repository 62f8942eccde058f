"""Running a study: many replications on many workers, with the same numbers on any of them."""

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from itertools import batched
from pathlib import Path
from pickle import PicklingError

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from bayesjudge.core.arguments import demand_count, demand_seed, whole_number
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


Report = Callable[[int], None]


def run_study(
    study: Study,
    replications: int,
    seed: int,
    *,
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
        More replications later keep those before.
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
        Every number, every failure, and tables of both.

    Raises
    ------
    InvalidStudyError
        If `study` is none, the number of replications is not positive, or the metrics give
        malformed rows.
    SamplerSettingError, UnknownOptionError
        If the seed, the number of workers or the folder is not of its type.
    ForeignFolderError, DamagedRecordError, UnwritableFolderError
        If the folder belongs to another study, or cannot be read or written to.
    WorkerError
        If the study's functions cannot be sent to another process, or a process died.
    StudyFailedError
        If not one replication gave a number; the message quotes the first failure.

    Notes
    -----
    Threads share compiled JAX code and processes compile it once each. Avoid joblib's
    "multiprocessing" backend for studies that use JAX: it forks, and JAX may hang after a fork.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesjudge.studies.runner.study import Study, grid
    >>> study = Study(
    ...     name="mean",
    ...     settings=grid(size=[25, 100]),
    ...     draw=lambda setting, seed: np.random.default_rng(seed).normal(size=setting["size"]),
    ...     estimators={"mean": np.mean},
    ...     metrics=lambda drawn, estimates: [
    ...         {"estimator": "mean", "metric": "squared error", "value": estimates["mean"] ** 2}
    ...     ],
    ... )
    >>> result = run_study(study, replications=200, seed=1, progress=False)
    >>> table = result.table()
    >>> ((table["mean"] - 1 / table["size"]).abs() < 4 * table["mc_error"]).all().item()
    True
    """
    _demand_study(study)
    advice = "ask for a whole number, one or more"
    replications = demand_count("replications", replications, advice, InvalidStudyError)
    seed, n_jobs = demand_seed(seed), demand_workers("n_jobs", n_jobs)
    place = None if folder is None else folder_path(folder)
    finished = _keyed([] if place is None else open_folder(place, study, seed))
    wanted = [(each, number) for each in study.settings for number in range(replications)]
    missing = [each for each in wanted if _key(*each) not in finished]
    with _progress(progress, study.name, len(wanted), len(wanted) - len(missing)) as report:
        for batch in _run(study, missing, seed, n_jobs):
            if place is not None:
                append(place, batch)
            finished |= _keyed(batch)
            report(len(batch))
    return _demand_numbers(study_result(study, seed, [finished[_key(*each)] for each in wanted]))


def _demand_study(study: object) -> None:
    if not isinstance(study, Study):
        raise InvalidStudyError(
            f"A study is wanted and this is of type {type(study).__name__}; build one with "
            "bj.studies.Study(...)."
        )


def _run(
    study: Study, missing: list[tuple[Setting, int]], seed: int, n_jobs: int | None
) -> Iterator[list[Replication]]:
    """Give finished batches as they come; results arrive here, so only this process writes."""
    workers = streaming_workers(n_jobs)
    with sending(f"the study {study.name!r}"):
        yield from workers(delayed(_batch)(study, each, seed) for each in batched(missing, BATCH))


def _batch(study: Study, tasks: tuple[tuple[Setting, int], ...], seed: int) -> list[Replication]:
    return [replicate(study, setting, number, seed) for setting, number in tasks]


def _key(setting: Setting, replication: int) -> tuple[str, int]:
    return setting_key(setting), replication


def _keyed(found: list[Replication]) -> dict[tuple[str, int], Replication]:
    return {_key(each.setting, each.replication): each for each in found}


def _demand_numbers(result: StudyResult) -> StudyResult:
    if len(result.rows):
        return result
    if len(result.failures):
        raise StudyFailedError(
            f"Not one of {len(result.settings) * result.replications} replications of "
            f"{result.name!r} gave a number; the first says {result.failures['message'].iloc[0]!r}."
        )
    raise StudyFailedError(
        f"The metrics of {result.name!r} gave no row; give one mapping a number."
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


def demand_workers(what: str, given: int | None) -> int | None:
    """Check a number of workers as joblib counts them.

    Parameters
    ----------
    what : str
        Name of the argument.
    given : int or None
        What the user gave.

    Returns
    -------
    int or None
        As a Python number.

    Raises
    ------
    UnknownOptionError
        If it is zero, or no whole number.

    Examples
    --------
    >>> demand_workers("n_jobs", -1)
    -1
    """
    if given is None:
        return None
    try:
        number = whole_number(what, given, least=-(2**31))
    except SamplerSettingError:
        number = 0
    if number == 0:
        raise UnknownOptionError(
            f"{what} is {given!r}; give how many run at once, one or more, or -1 for all cores."
        )
    return number


def streaming_workers(n_jobs: int | None) -> Parallel:
    """Give workers whose results arrive as they finish.

    Parameters
    ----------
    n_jobs : int, optional
        How many.

    Returns
    -------
    joblib.Parallel
        Of the kind that ``joblib.parallel_config`` says.

    Raises
    ------
    UnknownOptionError
        If workers of that kind hold their results back.
    """
    try:
        return Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError as error:
        raise UnknownOptionError(
            "The workers that joblib.parallel_config chose cannot give results as they finish; "
            "choose 'threading', 'loky' or 'dask'."
        ) from error


@contextmanager
def sending(what: str) -> Iterator[None]:
    """Say in words that workers could not be given something, or died over it.

    Parameters
    ----------
    what : str
        What they are given.

    Raises
    ------
    WorkerError
        If it cannot be sent to another process, or the process ended.
    """
    try:
        yield
    except TerminatedWorkerError as error:
        raise WorkerError(
            f"A worker process died over {what}, often for want of memory; use fewer workers, or "
            'threads, with joblib.parallel_config("threading").'
        ) from error
    except (PicklingError, BrokenExecutor) as error:
        raise WorkerError(
            f"Something in {what} cannot be sent to another process; define functions in a module "
            "that workers can import and let them hold no locks, files or generators, or use "
            'threads, with joblib.parallel_config("threading").'
        ) from error
