"""The verdict labels that are known, by vocabulary, and the numeric codings by source."""

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
