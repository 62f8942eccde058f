"""How many workers there are, and what can be sent to them."""

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pickle import PicklingError

from joblib import Parallel
from joblib.externals.loky.process_executor import TerminatedWorkerError

from bayesjudge.errors import SamplerSettingError, UnknownOptionError, WorkerError
from bayesjudge.inference.settings import whole_number


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
