"""What a simulation study is: settings, a draw with known truth, estimators and metrics."""

import hashlib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pickle import PicklingError
from typing import Any

import joblib
import numpy as np

from bayesjudge import __version__
from bayesjudge.errors import InvalidStudyError

Scalar = str | int | float | bool


Setting = Mapping[str, Scalar]


Row = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Study:
    """A design that draws data, estimators that fit them, metrics that compare with the truth.

    Attributes
    ----------
    name : str
        A few words for messages and progress.
    settings : sequence of mapping
        What is varied: one mapping a setting, all with the same names; values are words, numbers or
        booleans. See `grid`.
    draw : callable
        ``draw(setting, seed)`` gives one data set together with its truth, as any object.
    estimators : mapping of str to callable
        By name, ``estimator(drawn)`` gives an estimate, as any object.
    metrics : callable
        ``metrics(drawn, estimates)`` gives the rows of a tidy table, one mapping a number:
        ``{"estimator": ..., "metric": ..., "value": ...}``. ``estimates`` is a mapping that lacks
        the estimators that failed.

    Raises
    ------
    InvalidStudyError
        If there is no setting or estimator, if settings differ in their names or are equal (1, 1.0
        and True are one number), or if a part is not of its type.

    Examples
    --------
    >>> import numpy as np
    >>> study = Study(
    ...     name="mean or median",
    ...     settings=grid(size=[10, 40]),
    ...     draw=lambda setting, seed: np.random.default_rng(seed).normal(size=setting["size"]),
    ...     estimators={"mean": np.mean, "median": np.median},
    ...     metrics=lambda drawn, estimates: [
    ...         {"estimator": name, "metric": "squared error", "value": estimate**2}
    ...         for name, estimate in estimates.items()
    ...     ],
    ... )
    >>> len(study.settings)
    2
    """

    name: str
    settings: Sequence[Setting]
    draw: Callable[[Setting, int], Any]
    estimators: Mapping[str, Callable[[Any], Any]]
    metrics: Callable[[Any, Mapping[str, Any]], Iterable[Row]]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidStudyError(f"The study is named {self.name!r}; name it in a few words.")
        demand_settings(self.name, self.settings)
        _demand_estimators(self.name, self.estimators)
        for name, function in {"draw": self.draw, "metrics": self.metrics}.items():
            _demand_function(self.name, name, function)


def grid(**values: Iterable[Scalar]) -> list[dict[str, Scalar]]:
    """Give all combinations of values as settings.

    Parameters
    ----------
    **values : iterable
        The values of each name.

    Returns
    -------
    list of dict
        The last name varies fastest.

    Raises
    ------
    InvalidStudyError
        If a name has a single value where a list of them belongs.

    Examples
    --------
    >>> grid(size=[10, 40], noise=["normal"])
    [{'size': 10, 'noise': 'normal'}, {'size': 40, 'noise': 'normal'}]
    """
    for name, found in values.items():
        _demand_several(name, found)
    plain = [[_plain(each) for each in found] for found in values.values()]
    return [dict(zip(values, each, strict=True)) for each in product(*plain)]


def setting_key(setting: Setting) -> str:
    """Write a setting so that equal settings are written alike.

    Parameters
    ----------
    setting : mapping
        Names and values.

    Returns
    -------
    str
        JSON with sorted names.

    Examples
    --------
    >>> setting_key({"size": 10, "noise": "normal"})
    '{"noise": "normal", "size": 10}'
    """
    return json.dumps(dict(setting), sort_keys=True)


def definition(study: Study, seed: int) -> dict[str, Any]:
    """Describe what decides the numbers of a replication, apart from its setting.

    Parameters
    ----------
    study : Study
        The study.
    seed : int
        The seed of the run.

    Returns
    -------
    dict
        Name, seed, version of the package, and each function by its name and a digest of its
        source. Settings and the number of replications are left out, so that a run can be extended.

    Notes
    -----
    Functions that a study's functions call are not looked into.
    """
    return {
        "study": study.name,
        "seed": seed,
        "bayesjudge": __version__,
        "draw": _described(study.draw),
        "estimators": {name: _described(each) for name, each in study.estimators.items()},
        "metrics": _described(study.metrics),
    }


def _plain(value: Any) -> Any:  # noqa: ANN401
    return value.item() if isinstance(value, np.generic) else value


def _demand_several(name: str, values: object) -> None:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidStudyError(f"{name} is {values!r}; give a list of values, such as [10, 40].")


def _demand_estimators(study: str, estimators: object) -> None:
    if not isinstance(estimators, Mapping) or not estimators:
        raise InvalidStudyError(
            f"The study {study!r} needs at least one estimator by name; give a mapping such as "
            '{"mean": np.mean}.'
        )
    for name, function in estimators.items():
        if not isinstance(name, str) or not name:
            raise InvalidStudyError(
                f"An estimator of the study {study!r} is named {name!r}; name each by a word."
            )
        _demand_function(study, name, function)


def _demand_function(study: str, name: str, given: object) -> None:
    if not callable(given):
        raise InvalidStudyError(
            f"{name!r} of the study {study!r} is of type {type(given).__name__}; give a function."
        )


def _described(function: Callable[..., Any]) -> str:
    """Name a function and digest its source, what it closes over and what is bound to it."""
    if isinstance(function, partial):
        bound = [*map(_digest, function.args), *_named_digests(function.keywords)]
        return f"{_described(function.func)} with {' '.join(bound)}"
    name = getattr(function, "__qualname__", _without_addresses(repr(function)))
    parts = [_source(function), *map(_digest, _closure(function)), *_carried(function)]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{getattr(function, '__module__', '')}.{name} {digest[:16]}"


def _closure(function: Callable[..., Any]) -> list[Any]:
    return [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]


def _carried(function: Callable[..., Any]) -> list[str]:
    """Digests of what a function carries beside its closure: defaults, and what it is bound to."""
    defaults = getattr(function, "__defaults__", None) or ()
    keywords = getattr(function, "__kwdefaults__", None) or {}
    owner = getattr(function, "__self__", None if hasattr(function, "__name__") else function)
    state = getattr(owner, "__dict__", {})
    return [*map(_digest, defaults), *_named_digests(keywords), *_named_digests(state)]


def _named_digests(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}={_digest(value)}" for name, value in sorted(values.items())]


def _digest(value: Any) -> str:  # noqa: ANN401
    """Digest a value by its content, so that long arrays are told apart."""
    if callable(value):
        return _described(value)
    try:
        return str(joblib.hash(value))
    except (TypeError, ValueError, AttributeError, PicklingError):
        return _without_addresses(repr(value))


def _source(function: Callable[..., Any]) -> str:
    try:
        return inspect.getsource(function if hasattr(function, "__name__") else type(function))
    except (OSError, TypeError):  # compiled, or typed at a prompt
        code = getattr(function, "__code__", None)
        return "" if code is None else f"{code.co_code.hex()} {code.co_consts} {code.co_names}"


def _without_addresses(text: str) -> str:
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


RESERVED = ("replication", "estimator", "metric", "value")  # columns of every result


def demand_settings(study: str, settings: Sequence[Setting]) -> None:
    """Check the settings of a study.

    Parameters
    ----------
    study : str
        Name of the study.
    settings : sequence of mapping
        What the user gave.

    Raises
    ------
    InvalidStudyError
        If they are no sequence of mappings with the same names, if a value is not a word, a number
        or a boolean, or if two are equal.
    """
    if not isinstance(settings, Sequence) or not all(isinstance(x, Mapping) for x in settings):
        raise InvalidStudyError(
            f"The settings of the study {study!r} are of type {type(settings).__name__} and no "
            "list of mappings; give one mapping a setting, such as grid(size=[10, 40]) does."
        )
    if not settings:
        raise InvalidStudyError(
            f"The study {study!r} needs at least one setting; give one, such as grid(size=[10])."
        )
    for setting in settings:
        _demand_names(setting, tuple(settings[0]))
        _demand_values(setting)
    _demand_different(study, settings)


def _demand_names(setting: Setting, names: tuple[str, ...]) -> None:
    words = all(isinstance(name, str) for name in setting)
    if not setting or not words or set(setting) != set(names) or set(setting) & set(RESERVED):
        raise InvalidStudyError(
            f"A setting names {', '.join(map(str, setting)) or 'nothing'}; give every setting the "
            f"same names, as words, none of them {', '.join(RESERVED)}."
        )


def _demand_values(setting: Setting) -> None:
    if not all(isinstance(value, Scalar) for value in setting.values()):
        raise InvalidStudyError(
            f"The setting {dict(setting)} holds more than words, plain numbers and booleans; name "
            "the choice by a word and let draw(setting, seed) look it up."
        )
    absent = [name for name, value in setting.items() if value != value]
    if absent:
        raise InvalidStudyError(
            f"The setting {dict(setting)} gives no number for {absent[0]!r}, and tables could not "
            "show it; name the choice by a word."
        )


def _demand_different(study: str, settings: Sequence[Setting]) -> None:
    """Refuse settings that tables would merge: 1, 1.0 and True are one number to them."""
    known: dict[tuple[Scalar, ...], Setting] = {}
    for setting in settings:
        values = tuple(setting[name] for name in settings[0])
        if values in known:
            raise InvalidStudyError(
                f"The settings {dict(known[values])} and {dict(setting)} of the study {study!r} "
                "are equal; give each setting once, and tell choices apart by words."
            )
        known[values] = setting
