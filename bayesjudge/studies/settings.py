"""What a study varies: its settings, checked before anything runs."""

from collections.abc import Mapping, Sequence

from bayesjudge.errors import InvalidStudyError

Scalar = str | int | float | bool
Setting = Mapping[str, Scalar]

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
