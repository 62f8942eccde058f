"""Known verdict labels and numeric codings, and the errors about labels of unclear meaning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bayesjudge.core.wording import listing
from bayesjudge.errors import (
    AmbiguousVerdictError,
    NumericVerdictError,
    UnknownOptionError,
    UnknownVerdictError,
)

FIRST_WORD, TIE_WORD, SECOND_WORD = "first", "tie", "second"


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


# Ties of a special sort: the user says what they are.
SPECIAL_TIES = frozenset(
    {"tie (bothbad)", "tie (both bad)", "both_bad", "bothbad", "both bad", "bothbad_vote"}
    | {"tie (inconsistent)"}
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
    """Trim and casefold a label; leave out spaces and double brackets around arrows."""
    text = str(label).strip().casefold()
    if any(arrow in text for arrow in "<>="):
        return text.replace(" ", "").removeprefix("[[").removesuffix("]]")
    return text


def label_number(label: object) -> float | None:
    """Read a label as a number, whether it is one or spells one; None if it does not."""
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def accepted_labels() -> str:
    """List the accepted labels in words, for messages."""
    letters = "a, b, c"
    arrows = "a>b, a>>b, a=b, b>a, b>>a"
    slots = [name for name in VOCABULARIES if name not in ("letters", "arrows")]
    return "; ".join([letters, *slots, arrows]) + f"; for ties {', '.join(sorted(TIES))}"


def _where(label: "Label") -> str:
    rows = "1 row" if label.rows == 1 else f"{label.rows:,} rows"
    return f"The verdict {label.given!r} ({rows}, first in row {label.first_row} counting from 0)"


def unknown_label(label: "Label", accepted: Sequence[str]) -> UnknownVerdictError:
    """Say which label is not known, how often and where, and which are accepted."""
    known = listing(list(accepted), 30) if accepted else accepted_labels()
    return UnknownVerdictError(
        f"{_where(label)} is not a label of this column, where {known} would be accepted; correct "
        f"it, or say what every label means with verdicts={{{label.given!r}: 'first', ...}}."
    )


def numeric_verdict(label: "Label") -> NumericVerdictError:
    """Say that numbers have opposite meanings in the wild, and how to declare them."""
    return NumericVerdictError(
        f"{_where(label)} is a number, and numbers mean opposite things in different sources; "
        "say what they mean, for example verdicts={1: 'first', 0: 'second', 0.5: 'tie'}, or name "
        f"the source: verdicts= one of {listing(list(CODINGS), 20)}; if the numbers are the "
        "winners' names, verdicts='winner'."
    )


def ambiguous_winner(label: "Label") -> AmbiguousVerdictError:
    """Say that labels are slots as well as names of items."""
    return AmbiguousVerdictError(
        f"{_where(label)} can be read as a slot and as the name of an item, with different "
        "winners; say which with verdicts='slot' or verdicts='winner'."
    )


def ambiguous_tie(label: "Label") -> AmbiguousVerdictError:
    """Say that an item bears the name of a tie or of a failed verdict."""
    return AmbiguousVerdictError(
        f"{_where(label)} stands in a column of winners' names and is also an item of its row; "
        "rename that item, because the word means a tie or a failed verdict."
    )


def special_tie(label: "Label") -> AmbiguousVerdictError:
    """Say that a tie of a special sort must be declared."""
    return AmbiguousVerdictError(
        f"{_where(label)} is a tie of a special sort; say what it is with both_bad='tie' or "
        "both_bad='drop'."
    )


def unknown_coding(coding: str) -> UnknownOptionError:
    """Say which codings of verdicts have a name."""
    return UnknownOptionError(
        f"verdicts={coding!r} is not known; give 'slot', 'winner', one of "
        f"{listing(list(CODINGS), 20)}, or a dict from label to 'first', 'second' or 'tie'."
    )


def unknown_target(target: object) -> UnknownOptionError:
    """Say what a dict of verdicts may map to."""
    return UnknownOptionError(
        f"`verdicts` maps a label to {target!r}; map to 'first', 'second' or 'tie'."
    )


UNDECIDED = -4  # not a verdict code, nor one of the codes of missing and failed verdicts


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
        How often it occurs, and where first.
    """

    given: Any
    text: str
    number: float | None
    rows: int
    first_row: int
