"""Arguments of public functions, checked once and in the same words."""

from collections.abc import Mapping
from numbers import Real
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import (
    BayesjudgeError,
    EmptyComparisonsError,
    FeatureError,
    NotMappingError,
    SamplerSettingError,
    UnknownOptionError,
)

NUMBER_KINDS = "biuf"  # NumPy would read "1" as a number, and a date


def demand_mapping(what: str, given: object, example: str) -> Mapping[str, Any]:
    """Check that names are mapped to what they stand for.

    Parameters
    ----------
    what : str
        Name of the argument.
    given : object
        What the user gave.
    example : str
        A mapping, written out.

    Returns
    -------
    mapping of str
        The same.

    Raises
    ------
    NotMappingError
        If it is no mapping, or its names are not text.

    Examples
    --------
    >>> demand_mapping("item_names", {"GPT-4": "gpt-4"}, "{...}")
    {'GPT-4': 'gpt-4'}
    """
    if not isinstance(given, Mapping):
        raise NotMappingError(
            f"{what} is of type {type(given).__name__}; give a mapping of names, such as {example}."
        )
    odd = [name for name in given if not isinstance(name, str)]
    if odd:
        raise NotMappingError(
            f"{what} names something by {odd[0]!r}; use text for names, as in {example}."
        )
    return given


def demand_named(what: str, given: object, example: str) -> Mapping[str, Any]:
    """Check that there is at least one name with what it stands for.

    Parameters
    ----------
    what, given, example
        As of `demand_mapping`.

    Returns
    -------
    mapping of str
        The same.

    Raises
    ------
    NotMappingError
        If it is no mapping, or its names are not text.
    EmptyComparisonsError
        If it is empty.
    """
    named = demand_mapping(what, given, example)
    if not named:
        raise EmptyComparisonsError(
            f"{what} is empty, and there is nothing to compare; give a mapping such as {example}."
        )
    return named


def demand_item_names(given: Mapping[str, str] | None) -> Mapping[str, str]:
    """Check the judges' names of items by the people's.

    Parameters
    ----------
    given : mapping of str to str, or None
        What the user gave.

    Returns
    -------
    mapping of str to str
        Empty where nothing was given: all names are alike.

    Raises
    ------
    NotMappingError
        If names are not mapped to names.
    """
    example = "{the people's name: the judges' name}"
    names = demand_mapping("item_names", {} if given is None else given, example)
    odd = [name for name in names.values() if not isinstance(name, str)]
    if odd:
        raise NotMappingError(
            f"item_names holds {odd[0]!r} of type {type(odd[0]).__name__}; give text, as in "
            f"{example}."
        )
    return names


def demand_count(
    what: str,
    given: int,
    advice: str,
    error: type[BayesjudgeError],
    *,
    least: int = 1,
    most: float = np.inf,
) -> int:
    """Check a number of things.

    Parameters
    ----------
    what : str
        Name of the argument.
    given : int
        What the user gave; NumPy's integers are taken too.
    advice : str
        What to give instead.
    error : type
        Class of the error.
    least, most : int
        Smallest and largest allowed.

    Returns
    -------
    int
        As a Python number.

    Raises
    ------
    BayesjudgeError
        Of the class asked for, if it is not whole or out of its range.

    Examples
    --------
    >>> demand_count("folds", 3, "give two or more", UnknownOptionError)
    3
    """
    try:
        number = whole_number(what, given, least)
    except SamplerSettingError:
        number = least - 1
    if not least <= number <= most:
        raise error(f"{what} is {given!r}; {advice}.")
    return number


def demand_numbers(
    what: str, given: ArrayLike, error: type[BayesjudgeError] = UnknownOptionError
) -> FloatArray:
    """Check that an argument holds numbers, finite or not.

    Parameters
    ----------
    what : str
        Name of the argument.
    given : array_like
        What the user gave.
    error : type
        Class of the error.

    Returns
    -------
    ndarray of float, same shape
        The numbers.

    Raises
    ------
    BayesjudgeError
        Of the class asked for, if something is text, missing, or of uneven lengths.

    Examples
    --------
    >>> demand_numbers("gaps", [1, 2]).tolist()
    [1.0, 2.0]
    """
    try:
        array = np.asarray(given)
        if array.dtype.kind in NUMBER_KINDS:
            return array.astype(np.float64)
    except (TypeError, ValueError):  # rows of uneven lengths
        pass
    raise error(f"{what} holds something that is not a number; give numbers only, in one array.")


def demand_number(what: str, given: float) -> float:
    """Check that an argument is a single number.

    Parameters
    ----------
    what : str
        Name of the argument.
    given : float
        What the user gave; infinity is a number, NaN is not.

    Returns
    -------
    float
        The same.

    Raises
    ------
    UnknownOptionError
        If it is an array, text or NaN.

    Examples
    --------
    >>> demand_number("position", 1)
    1.0
    """
    number = demand_numbers(what, given)
    if number.ndim or np.isnan(number):
        shown = f"an array of shape {number.shape}" if number.ndim else f"{given!r}"
        raise UnknownOptionError(f"{what} is {shown}; give a single number.")
    return float(number)


LARGEST = 1e100  # sums of squares of larger numbers are not finite


def real_array(name: str, values: object) -> NDArray[np.float64]:
    """Give a user's numbers as an array.

    Parameters
    ----------
    name : str
        Of the feature, for the message.
    values : array
        Real numbers; not text that spells them.

    Returns
    -------
    ndarray
        Of any shape; numbers need not be finite.

    Raises
    ------
    FeatureError
        If they are something else.

    Examples
    --------
    >>> real_array("tone", [1, 2.5]).tolist()
    [1.0, 2.5]
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind in "iufb" or (array.dtype == object and _are_real(array)):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise FeatureError(
        f"The contrast {name!r} is of type {type(values).__name__} and not an array of real "
        "numbers; give one, such as numpy.array([...], dtype=float)."
    )


def demand_squares(name: str, values: NDArray[np.float64]) -> None:
    """Raise where numbers are so large that sums of their squares overflow.

    Parameters
    ----------
    name : str
        Of the feature, for the message.
    values : ndarray
        Its values.

    Raises
    ------
    FeatureError
        With the largest of them.
    """
    if (np.abs(values) > LARGEST).any():
        raise FeatureError(
            f"The feature {name!r} holds {np.abs(values).max():g}, whose square is too large a "
            "number; give it in a larger unit."
        )


def demand_named_arrays(name: str, given: object) -> None:
    """Raise unless arrays are given by name.

    Parameters
    ----------
    name : str
        Of the argument, for the message.
    given : object
        What a user gave.

    Raises
    ------
    NotMappingError
        If it is no mapping.
    """
    if not isinstance(given, Mapping):
        raise NotMappingError(
            f"{name} is of type {type(given).__name__}; give a dict of an array by name, such as "
            '{"tone": ...}, which dict(table) makes of a DataFrame.'
        )


def _are_real(array: NDArray[np.object_]) -> bool:
    return array.ndim > 0 and all(isinstance(value, Real) for value in array.flat)


LARGEST_SEED = 2**63 - 1


def whole_number(name: str, value: int, least: int = 1) -> int:
    """Check a whole number.

    Parameters
    ----------
    name : str
        What it is, for the message.
    value : int
        The number.
    least : int
        Smallest allowed.

    Returns
    -------
    int
        As a Python number.

    Raises
    ------
    SamplerSettingError
        If it is not whole or too small.

    Examples
    --------
    >>> whole_number("draws", 1000)
    1000
    """
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise SamplerSettingError(f"{name} is {value!r}; give a whole number of {least} or more.")
    return number


def demand_seed(seed: int) -> int:
    """Check a seed.

    Parameters
    ----------
    seed : int
        Whole, not negative; NumPy's integers are taken too.

    Returns
    -------
    int
        As a Python number.

    Raises
    ------
    SamplerSettingError
        If it is something else: a result that cannot be repeated is not given out.
    """
    number = whole_number("seed", seed, least=0)
    if number > LARGEST_SEED:
        raise SamplerSettingError(f"seed is {seed}; give a whole number below 2**63.")
    return number


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
