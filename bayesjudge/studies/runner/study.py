"""A simulation study: settings, a draw with known truth, estimators and metrics."""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import chain, product
from pickle import PicklingError
from typing import Any

import joblib
import numpy as np

from bayesjudge.core.arguments import wanted
from bayesjudge.core.wording import counted, listing
from bayesjudge.errors import InvalidStudyError

Scalar = str | int | float | bool
Setting = Mapping[str, Scalar]
Row = Mapping[str, Any]
RESERVED = ("replication", "estimator", "metric", "value")  # columns of every result


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """A design that draws data, estimators that fit them, metrics that compare with the truth.

    Attributes
    ----------
    name : str
        Title in messages and progress.
    settings : sequence of mapping
        What is varied: one mapping a setting, all with the same names; values are text, numbers or
        booleans. See `grid`.
    draw : callable
        ``draw(setting, seed)`` returns one data set together with its truth, as any object.
    estimators : mapping of str to callable
        By name, ``estimator(drawn)`` returns an estimate, as any object.
    metrics : callable
        ``metrics(drawn, estimates)`` returns the rows of a tidy table, one mapping a number:
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
    >>> study
    Study('mean or median', 2 settings, estimators mean and median)
    """

    name: str
    settings: Sequence[Setting]
    draw: Callable[[Setting, int], Any]
    estimators: Mapping[str, Callable[[Any], Any]]
    metrics: Callable[[Any, Mapping[str, Any]], Iterable[Row]]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidStudyError(f"The study is named {self.name!r}; give its name as text.")
        demand_settings(self.name, self.settings)
        _demand_estimators(self.name, self.estimators)
        parts = [*self.estimators.items(), ("draw", self.draw), ("metrics", self.metrics)]
        for name, function in parts:
            sentence = f"{name!r} of the study {self.name!r} is of type {{type}}; give a function."
            wanted(Callable, function, InvalidStudyError, sentence)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        settings = counted(len(self.settings), "setting")
        return f"Study({self.name!r}, {settings}, estimators {listing(self.estimators)})"


def grid(**values: Iterable[Scalar]) -> list[dict[str, Scalar]]:
    """Return all combinations of values as settings.

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
        If a name has a single value instead of a list.

    Examples
    --------
    >>> grid(size=[10, 40], noise=["normal"])
    [{'size': 10, 'noise': 'normal'}, {'size': 40, 'noise': 'normal'}]
    """
    for name, levels in values.items():
        if isinstance(levels, str) or not isinstance(levels, Iterable):
            raise InvalidStudyError(
                f"{name} is {levels!r}; give a list of values, such as [10, 40]."
            )
    plain = [
        [level.item() if isinstance(level, np.generic) else level for level in levels]
        for levels in values.values()
    ]
    return [dict(zip(values, setting, strict=True)) for setting in product(*plain)]


def setting_key(setting: Setting) -> str:
    """Return text that is the same for equal settings, whatever the order of their names."""
    return json.dumps(dict(setting), sort_keys=True)


def definition(study: Study, seed: int) -> dict[str, Any]:
    """Return what decides the numbers of a replication, apart from its setting.

    A function is described by its own source and bound values, not by the functions that it calls.
    """
    # Settings and the number of replications are left out, so that a run can be extended.
    return {
        "study": study.name,
        "seed": seed,
        "bayesjudge": version("bayesjudge"),
        "draw": _digest(study.draw),
        "estimators": {name: _digest(function) for name, function in study.estimators.items()},
        "metrics": _digest(study.metrics),
    }


def _digest(value: Any, within: tuple[Any, ...] = ()) -> str:  # noqa: ANN401
    """Hash a value by its content: a function by its source and by the values that it carries."""
    if any(value is outer for outer in within):  # a function that refers to itself
        return ""
    if callable(value):
        carried = [_digest(part, (*within, value)) for part in _carried(value)]
        return str(joblib.hash([_source(value), *carried]))
    try:
        return str(joblib.hash(value))
    except (TypeError, ValueError, AttributeError, PicklingError):
        return str(joblib.hash(_without_addresses(repr(value))))


def _carried(function: Any) -> list[Any]:  # noqa: ANN401
    """Return what a function is bound to: arguments, closure, defaults, or attributes."""
    if isinstance(function, partial):
        keywords = chain.from_iterable(sorted(function.keywords.items()))
        return [function.func, *function.args, *keywords]
    closure = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    defaults = getattr(function, "__defaults__", None) or ()
    is_instance = not hasattr(function, "__name__")
    owner = function.__self__ if inspect.ismethod(function) else function if is_instance else None
    named = {**(getattr(function, "__kwdefaults__", None) or {}), **getattr(owner, "__dict__", {})}
    return [*closure, *defaults, *chain.from_iterable(sorted(named.items()))]


def _source(function: Any) -> str:  # noqa: ANN401
    """Return the source, or the bytecode of what was typed at a prompt, or a compiled name."""
    try:
        return inspect.getsource(function if hasattr(function, "__name__") else type(function))
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        name = getattr(function, "__name__", type(function).__name__)
        parts = (name,) if code is None else (code.co_code.hex(), code.co_consts, code.co_names)
        return _without_addresses(str(parts))


def _without_addresses(text: str) -> str:
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def _demand_estimators(study: str, estimators: object) -> None:
    if not isinstance(estimators, Mapping) or not estimators:
        raise InvalidStudyError(
            f"The study {study!r} needs at least one named estimator; give a mapping such as "
            '{"mean": np.mean}.'
        )
    odd = [name for name in estimators if not isinstance(name, str) or not name]
    if odd:
        raise InvalidStudyError(
            f"An estimator of the study {study!r} is named {odd[0]!r}; use text that is not empty."
        )


def demand_settings(study: str, settings: Sequence[Setting]) -> None:
    """Raise unless there are settings, all with the same names and no two of them equal."""
    if not isinstance(settings, Sequence) or not all(isinstance(x, Mapping) for x in settings):
        raise InvalidStudyError(
            f"The settings of the study {study!r} are of type {type(settings).__name__}, not a "
            "list of mappings; give one mapping for each setting, such as grid(size=[10, 40])."
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
    text = all(isinstance(name, str) for name in setting)
    if not setting or not text or set(setting) != set(names) or set(setting) & set(RESERVED):
        raise InvalidStudyError(
            f"A setting names {', '.join(map(str, setting)) or 'nothing'}; give every setting the "
            f"same names, as text, none of them {', '.join(RESERVED)}."
        )


def _demand_values(setting: Setting) -> None:
    if not all(isinstance(value, Scalar) for value in setting.values()):
        raise InvalidStudyError(
            f"The setting {dict(setting)} holds values other than text, plain numbers and "
            "booleans; name the choice by text and let draw(setting, seed) look it up."
        )
    absent = [name for name, value in setting.items() if value != value]
    if absent:
        raise InvalidStudyError(
            f"The setting {dict(setting)} has NaN for {absent[0]!r}, which tables cannot group by; "
            "name the choice by text."
        )


def _demand_different(study: str, settings: Sequence[Setting]) -> None:
    """Refuse settings that tables would merge: 1, 1.0 and True are one number to them."""
    known: dict[tuple[Scalar, ...], Setting] = {}
    for setting in settings:
        values = tuple(setting[name] for name in settings[0])
        if values in known:
            raise InvalidStudyError(
                f"The settings {dict(known[values])} and {dict(setting)} of the study {study!r} "
                "are equal; give each setting once, and distinguish choices by text."
            )
        known[values] = setting
