"""The arguments of `bayesjudge.read`, checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from bayesjudge.core.wording import listing
from bayesjudge.errors import UnknownOptionError

type JudgeKind = Literal["llm", "human"]
type RaiseOrDrop = Literal["raise", "drop"]
type MissingLength = Literal["raise", "keep", "drop"]
type BothBad = Literal["raise", "tie", "drop"]

_ALLOWED: dict[str, tuple[str | bool | None, ...]] = {
    "kind": (None, *get_args(JudgeKind.__value__)),
    "on_missing": get_args(RaiseOrDrop.__value__),
    "on_invalid": get_args(RaiseOrDrop.__value__),
    "on_self": get_args(RaiseOrDrop.__value__),
    "missing_length": get_args(MissingLength.__value__),
    "both_bad": get_args(BothBad.__value__),
    "order_known": (None, True, False),
}


@dataclass(frozen=True)
class ReadOptions:
    """Options as in `bayesjudge.read`; raises where one is not among its allowed values."""

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
                known = listing(map(repr, allowed)).replace(" and ", " or ")
                raise UnknownOptionError(f"{name}={value!r} is not known; give {known}.")
        for name in ("human_judges", "covariates"):
            if isinstance(getattr(self, name), str):
                raise UnknownOptionError(
                    f"{name}={getattr(self, name)!r} is one name; give a list of names."
                )
