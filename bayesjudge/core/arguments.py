"""Arguments of public functions, checked once and in the same words."""

from collections.abc import Mapping
from numbers import Real
from operator import index
from typing import Any

import numpy as np

from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import (
    BayesjudgeError,
    EmptyComparisonsError,
    FeatureError,
    NotMappingError,
    SamplerSettingError,
    UnknownOptionError,
)

LARGEST = 1e100  # sums of squares of larger numbers are not finite
LARGEST_SEED = 2**63 - 1


def wanted[T](kind: type[T], given: object, error: type[BayesjudgeError], sentence: str) -> T:
    """Return what is of a kind, else raise the sentence with ``{type}`` filled in."""
    if not isinstance(given, kind):
        raise error(sentence.replace("{type}", type(given).__name__))
    return given


def demand_mapping(what: str, given: object, example: str) -> Mapping[str, Any]:
    """Return a mapping whose keys are text."""
    mapping: Mapping[Any, Any] = wanted(
        Mapping,  # type: ignore[type-abstract]
        given,
        NotMappingError,
        f"{what} is of type {{type}}; give a mapping of names, such as {example}.",
    )
    odd = [name for name in mapping if not isinstance(name, str)]
    if odd:
        raise NotMappingError(
            f"{what} names something by {odd[0]!r}; use text for names, as in {example}."
        )
    return mapping


def demand_named(what: str, given: object, example: str) -> Mapping[str, Any]:
    """Return a mapping of names that is not empty."""
    named = demand_mapping(what, given, example)
    if not named:
        raise EmptyComparisonsError(
            f"{what} is empty, and there is nothing to compare; give a mapping such as {example}."
        )
    return named


def demand_item_names(given: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the judges' names of items by the people's; empty where all names are alike."""
    example = "{the people's name: the judges' name}"
    names = demand_mapping("item_names", {} if given is None else given, example)
    odd = [name for name in names.values() if not isinstance(name, str)]
    if odd:
        raise NotMappingError(
            f"item_names holds {odd[0]!r} of type {type(odd[0]).__name__}; give text, as in "
            f"{example}."
        )
    return names


def whole_number(name: str, value: int, least: int = 1) -> int:
    """Return a whole number that is large enough, as a Python number."""
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise SamplerSettingError(f"{name} is {value!r}; give a whole number of {least} or more.")
    return number


def demand_seed(seed: int) -> int:
    """Return a seed as a Python number."""
    number = whole_number("seed", seed, least=0)
    if number > LARGEST_SEED:
        raise SamplerSettingError(f"seed is {seed}; give a whole number below 2**63.")
    return number


def demand_count(
    what: str,
    given: int,
    advice: str,
    error: type[BayesjudgeError],
    *,
    least: int = 1,
    most: float = np.inf,
) -> int:
    """Return a number of things within its bounds."""
    try:
        number = whole_number(what, given, least)
    except SamplerSettingError:
        number = least - 1
    if not least <= number <= most:
        raise error(f"{what} is {given!r}; {advice}.")
    return number


def demand_amount(
    what: str,
    given: float,
    advice: str,
    error: type[BayesjudgeError],
    *,
    most: float = np.inf,
) -> float:
    """Return a number from zero to its bound."""
    number = real_numbers(given)
    if number is None or number.ndim or not 0 <= number <= most:
        raise error(f"{what} is {given!r}; {advice}.")
    return float(number)


def real_numbers(given: object) -> FloatArray | None:
    """Return real numbers as an array of floats; None for text, dates, gaps or uneven rows."""
    try:
        array = np.asarray(given)
        # NumPy would read the text "1" as a number, and a date.
        if array.dtype.kind in "biuf" or (array.dtype == object and _are_real(array)):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    return None


def _are_real(array: np.ndarray) -> bool:
    return array.ndim > 0 and all(isinstance(value, Real) for value in array.flat)


def demand_numbers(
    what: str, given: object, error: type[BayesjudgeError] = UnknownOptionError
) -> FloatArray:
    """Return numbers, finite or not, as an array."""
    numbers = real_numbers(given)
    if numbers is None:
        raise error(
            f"{what} holds something that is not a number; give numbers only, in one array."
        )
    return numbers


def demand_number(what: str, given: float) -> float:
    """Return a single number; infinity is one, NaN is not."""
    number = demand_numbers(what, given)
    if number.ndim or np.isnan(number):
        shown = f"an array of shape {number.shape}" if number.ndim else f"{given!r}"
        raise UnknownOptionError(f"{what} is {shown}; give a single number.")
    return float(number)


def demand_squares(name: str, values: FloatArray) -> None:
    """Raise where a feature's numbers are so large that sums of their squares overflow."""
    if (np.abs(values) > LARGEST).any():
        raise FeatureError(
            f"The feature {name!r} holds {np.abs(values).max():g}, whose square is too large a "
            "number; give it in a larger unit."
        )
