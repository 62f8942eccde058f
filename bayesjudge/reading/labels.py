"""Known verdict labels and numeric codings, and the errors about labels of unclear meaning."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from bayesjudge.core.wording import counted, listing
from bayesjudge.data.places import Places
from bayesjudge.errors import (
    AmbiguousVerdictError,
    NumericVerdictError,
    UnknownOptionError,
    UnknownVerdictError,
)

# One column uses one vocabulary. Keys are trimmed, casefolded and without spaces around arrows.
VOCABULARIES: dict[str, dict[str, str]] = {
    "letters": {
        **{"a": "first", "[[a]]": "first", "[a]": "first"},
        **{"b": "second", "[[b]]": "second", "[b]": "second"},
        **{"c": "tie", "[[c]]": "tie", "[c]": "tie"},
    },
    "model_a, model_b": {"model_a": "first", "model_b": "second"},
    "model_1, model_2": {"model_1": "first", "model_2": "second"},
    "item_a, item_b": {"item_a": "first", "item_b": "second"},
    "slot_a, slot_b": {"slot_a": "first", "slot_b": "second"},
    "left, right": {"left": "first", "right": "second"},
    "first, second": {"first": "first", "second": "second"},
    "arrows": {
        **{"a>b": "first", "a>>b": "first", "b<a": "first", "b<<a": "first"},
        **{"b>a": "second", "b>>a": "second", "a<b": "second", "a<<b": "second"},
        **{"a=b": "tie", "b=a": "tie"},
    },
}

# A tie in every vocabulary.
TIES = frozenset({"tie", "tied", "draw", "equal", "both_equal"})

# A tie because the two orders of display, merged into one row, had different winners.
INCONSISTENT_TIE = "tie (inconsistent)"

# Ties of a special sort: the user says what they are.
SPECIAL_TIES = frozenset(
    {"tie (bothbad)", "tie (both bad)", "both_bad", "bothbad", "both bad", "bothbad_vote"}
    | {INCONSISTENT_TIE}
)

# Labels by which sources mark a judgment that failed.
FAILED = frozenset(
    {"error", "unknown", "garbage", "null", "none", "nan", "na", "n/a", "invalid", "failed", "-1"}
)

# Numbers, by source: the same numbers mean different things.
CODINGS: dict[str, dict[float, str]] = {
    "arena-rank": {1.0: "first", 0.0: "second", 0.5: "tie"},
    "oscar": {1.0: "first", 0.0: "second", 0.5: "tie"},
    "evaluatorq": {1.0: "first", 0.0: "second", 0.5: "tie"},
    "judgearena": {0.0: "first", 1.0: "second", 0.5: "tie"},
    "spanlens": {0.0: "first", 1.0: "second", 0.5: "tie"},
    "alpaca-eval": {1.0: "first", 2.0: "second", 0.0: "tie", 1.5: "tie"},
    "pandalm": {1.0: "first", 2.0: "second", 0.0: "tie"},
    "llmbar": {1.0: "first", 2.0: "second"},
    "bpcs": {0.0: "first", 1.0: "second", 2.0: "tie"},
    "judge-anything": {0.0: "first", 2.0: "second", 1.0: "tie"},
}


def normal_label(label: object) -> str:
    """Return a label trimmed and casefolded, arrows without spaces and double brackets."""
    text = str(label).strip().casefold()
    if any(arrow in text for arrow in "<>="):
        return text.replace(" ", "").removeprefix("[[").removesuffix("]]")
    return text


_TRUTH_NUMBERS = {"true": 1.0, "false": 0.0}


def label_number(label: object) -> float | None:
    """Return the number that a label is or spells, or None; truth values are 1 and 0."""
    try:
        number = float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return _TRUTH_NUMBERS.get(normal_label(label))
    return None if isnan(number) else number


@dataclass(frozen=True)
class Label:
    """One distinct verdict label.

    Attributes
    ----------
    given : object
        As in the table.
    text : str
        Trimmed and casefolded.
    number : float or None
        Its number, if it is or spells one.
    rows, first_row : int
        How often it occurs, and the index of the row where first.
    places : Places
        Where rows stand in their source.
    """

    given: Any
    text: str
    number: float | None
    rows: int
    first_row: int
    places: Places

    def __str__(self) -> str:
        rows = f"{counted(self.rows, 'row')}, first in {self.places.counted(self.first_row)}"
        return f"The verdict {self.given!r} ({rows})"


def unknown_label(label: Label, accepted: Sequence[str]) -> UnknownVerdictError:
    """Return the error for a label that is none of the accepted ones."""
    known = listing(accepted, 30) if accepted else _accepted_labels()
    return UnknownVerdictError(
        f"{label} is not a label of this column, where {known} would be accepted; correct "
        f"it, or say what every label means with verdicts={{{label.given!r}: 'first', ...}}."
    )


def _accepted_labels() -> str:
    slots = [name for name in VOCABULARIES if name not in ("letters", "arrows")]
    words = ["a, b, c", *slots, "a>b, a>>b, a=b, b>a, b>>a"]
    return "; ".join(words) + f"; for ties {', '.join(sorted(TIES))}"


def numeric_verdict(label: Label) -> NumericVerdictError:
    """Return the error for numbers, which have opposite meanings in different sources."""
    truth = label.text in _TRUTH_NUMBERS
    kind, example = "a number, and numbers", "{1: 'first', 0: 'second', 0.5: 'tie'}"
    if truth:
        kind, example = "a truth value, and these", "{True: 'first', False: 'second'}"
    return NumericVerdictError(
        f"{label} is {kind} mean opposite things in different sources; "
        f"say what they mean, for example verdicts={example}, or name "
        f"the source: verdicts= one of {listing(CODINGS, 20)}; if they are the "
        "winners' names, verdicts='winner'."
    )


def ambiguous_winner(label: Label) -> AmbiguousVerdictError:
    """Return the error for labels that are slots as well as names of items."""
    return AmbiguousVerdictError(
        f"{label} can be read as a slot and as the name of an item, with different "
        "winners; say which with verdicts='slot' or verdicts='winner'."
    )


def ambiguous_tie(label: Label) -> AmbiguousVerdictError:
    """Return the error for an item with the name of a tie or of a failed verdict."""
    return AmbiguousVerdictError(
        f"{label} stands in a column of winners' names and is also an item of its row; "
        "rename that item, because the word means a tie or a failed verdict."
    )


def special_tie(label: Label) -> AmbiguousVerdictError:
    """Return the error for a tie of a special sort whose meaning the user has not stated."""
    return AmbiguousVerdictError(
        f"{label} is a tie of a special sort; say what it is with both_bad='tie' or "
        "both_bad='drop'."
    )


def unknown_coding(coding: object) -> UnknownOptionError:
    """Return the error for a coding of verdicts that has no such name."""
    return UnknownOptionError(
        f"verdicts={coding!r} is not known; give 'slot', 'winner', one of "
        f"{listing(CODINGS, 20)}, or a dict from label to 'first', 'second' or 'tie'."
    )


def unknown_target(target: object) -> UnknownOptionError:
    """Return the error for a mapping of labels to something that is no verdict."""
    return UnknownOptionError(
        f"`verdicts` maps a label to {target!r}; map to 'first', 'second' or 'tie'."
    )
