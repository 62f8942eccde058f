"""Arguments of DIAL's studies, checked before anything is drawn or fitted."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesjudge.data.names import counted, listing
from bayesjudge.errors import (
    BayesjudgeError,
    InvalidFoldsError,
    InvalidStudyError,
    RankError,
    UnknownOptionError,
)
from bayesjudge.studies.arguments import demand_count, demand_number

LARGEST_COUNT = 10**15  # verdicts or judges; larger ones could not be counted exactly
PROTOCOL_NAMES = ("votes", "verdicts", "swapped", "position_judges", "opposed_judges")
LEAST = {"votes": 1, "verdicts": 0, "position_judges": 0, "opposed_judges": 0}


def demand_amount(
    what: str,
    given: float,
    advice: str,
    error: type[BayesjudgeError],
    *,
    most: float = np.inf,
) -> float:
    """Check a number that is not negative.

    Parameters
    ----------
    what : str
        Name of the argument.
    given : float
        What the user gave.
    advice : str
        What to give instead.
    error : type
        Class of the error.
    most : float
        Largest allowed.

    Returns
    -------
    float
        The same.

    Raises
    ------
    BayesjudgeError
        Of the class asked for, if it is no single number, NaN, or out of its range.

    Examples
    --------
    >>> demand_amount("swapped", 0.5, "give a share", UnknownOptionError, most=1.0)
    0.5
    """
    try:
        number = demand_number(what, given)
    except UnknownOptionError:
        number = -1.0
    if not 0 <= number <= most:
        raise error(f"{what} is {given!r}; {advice}.")
    return number


def demand_rank_of(rank: int, n_judges: int, n_items: int) -> int:
    """Check the rank of disagreement in a panel that is yet to be drawn.

    Parameters
    ----------
    rank : int
        What the user gave.
    n_judges, n_items : int
        Sizes of the panel.

    Returns
    -------
    int
        As a Python number.

    Raises
    ------
    RankError
        If it is no whole number from 0 to ``min(n_judges - 1, n_items - 2)`` (DIAL Condition 3).

    Examples
    --------
    >>> demand_rank_of(2, n_judges=4, n_items=10)
    2
    """
    highest = max(0, min(n_judges - 1, n_items - 2))
    sizes = f"{counted(n_judges, 'judge')} and {counted(n_items, 'item')}"
    allowed = f"a whole number from 0 to {highest}" if highest else "rank=0"
    advice = f"with {sizes} give {allowed}"
    if isinstance(rank, bool):
        raise RankError(f"rank is {rank!r}; {advice}.")
    return demand_count("rank", rank, advice, RankError, least=0, most=highest)


def demand_share(test_share: float) -> float:
    """Check the share of records that is kept back.

    Parameters
    ----------
    test_share : float
        What the user gave.

    Returns
    -------
    float
        The same.

    Raises
    ------
    InvalidFoldsError
        If it is no number between 0 and 1.
    """
    advice = "give a share between 0 and 1, as any other leaves one side without votes"
    share = demand_amount("test_share", test_share, advice, InvalidFoldsError)
    if not 0 < share < 1:
        raise InvalidFoldsError(f"test_share is {test_share!r}; {advice}.")
    return share


def demand_protocol_setting(setting: Mapping[str, Any]) -> None:
    """Check what one setting of DIAL's protocol on real data asks for.

    Parameters
    ----------
    setting : mapping
        Names and values.

    Raises
    ------
    InvalidStudyError
        If a name is missing or unknown, or a value is out of its range.
    """
    if set(setting) != set(PROTOCOL_NAMES):
        raise InvalidStudyError(
            f"A setting of the protocol names {listing(setting)}; give each of "
            f"{listing(PROTOCOL_NAMES)} and nothing else."
        )
    advice = "give a share from 0 to 1 of the swapped displays that is kept"
    demand_amount("swapped", setting["swapped"], advice, InvalidStudyError, most=1.0)
    for name, least in LEAST.items():
        advice = f"give a whole number of {least} or more"
        demand_count(
            name, setting[name], advice, InvalidStudyError, least=least, most=LARGEST_COUNT
        )
