"""What a reader may be asked to do with rows that are not plain verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bayesjudge.core.wording import listing
from bayesjudge.errors import UnknownOptionError

type JudgeKind = Literal["llm", "human"]


type RaiseOrDrop = Literal["raise", "drop"]


type MissingLength = Literal["raise", "keep", "drop"]


type BothBad = Literal["raise", "tie", "drop"]


_ALLOWED: dict[str, tuple[str | None, ...]] = {
    "kind": (None, "llm", "human"),
    "on_missing": ("raise", "drop"),
    "on_invalid": ("raise", "drop"),
    "on_self": ("raise", "drop"),
    "missing_length": ("raise", "keep", "drop"),
    "both_bad": ("raise", "tie", "drop"),
    "order_known": (None, True, False),  # type: ignore[dict-item]
}


@dataclass(frozen=True)
class ReadOptions:
    """The arguments of `bayesjudge.read`, checked.

    Attributes
    ----------
    kind, columns, verdicts, human_judges, covariates, order_known, on_missing, on_invalid
        As in `bayesjudge.read`.
    on_self, missing_length, both_bad
        As in `bayesjudge.read`.

    Raises
    ------
    UnknownOptionError
        If one of them is not among its allowed values.
    """

    kind: JudgeKind | None = None
    columns: Mapping[str, str | None] = field(default_factory=dict)
    verdicts: str | Mapping[Any, str] | None = None
    human_judges: tuple[str, ...] = ()
    covariates: tuple[str, ...] = ()
    order_known: bool | None = None
    on_missing: RaiseOrDrop = "raise"
    on_invalid: RaiseOrDrop = "raise"
    on_self: RaiseOrDrop = "raise"
    missing_length: MissingLength = "raise"
    both_bad: BothBad = "raise"

    def __post_init__(self) -> None:
        for name, allowed in _ALLOWED.items():
            value = getattr(self, name)
            if value not in allowed:
                raise UnknownOptionError(
                    f"{name}={value!r} is not known; give "
                    f"{listing([repr(one) for one in allowed]).replace(' and ', ' or ')}."
                )
        for name in ("human_judges", "covariates"):
            if isinstance(getattr(self, name), str):
                raise UnknownOptionError(
                    f"{name}={getattr(self, name)!r} is one name; give a list of names."
                )
