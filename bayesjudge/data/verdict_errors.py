"""The sentences said about verdict labels that have no one meaning."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bayesjudge.data.labels import CODINGS, accepted_labels
from bayesjudge.data.names import listing
from bayesjudge.errors import (
    AmbiguousVerdictError,
    NumericVerdictError,
    UnknownOptionError,
    UnknownVerdictError,
)

if TYPE_CHECKING:
    from bayesjudge.data.verdict_readings import Label


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
