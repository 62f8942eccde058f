"""From verdict labels to first / tie / second, refusing what could be read in two ways."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, IntArray
from bayesjudge.core.wording import chosen_form, counted
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.data.odd_names import whole_number
from bayesjudge.data.places import Places
from bayesjudge.reading.cell_values import denied, identifier_text
from bayesjudge.reading.labels import (
    CODINGS,
    FAILED,
    INCONSISTENT_TIE,
    SPECIAL_TIES,
    TIES,
    VOCABULARIES,
    Label,
    ambiguous_tie,
    ambiguous_winner,
    label_number,
    normal_label,
    numeric_verdict,
    special_tie,
    unknown_coding,
    unknown_label,
    unknown_target,
)

MISSING, FAILED_VERDICT, SPECIAL_TIE, UNDECIDED = -1, -2, -3, -4  # beside the verdicts' codes
_CODES = {"first": FIRST, "tie": TIE, "second": SECOND}


@dataclass(frozen=True, eq=False)
class Readings:
    """Both ways to read decisive labels: as slots, or as the winner's name.

    Attributes
    ----------
    labels : list of Label
        The distinct labels.
    label : ndarray of int, shape (n_rows,)
        Which of them each row has; -1 where missing.
    decisive : ndarray of bool, shape (n_rows,)
        Rows whose label is neither missing, failed nor a tie in every vocabulary.
    slot, named : ndarray of int, shape (n_rows,)
        Code under each reading, or `UNDECIDED`.
    places : Places
        Where the rows stand in their source.
    """

    labels: list[Label]
    label: IntArray
    decisive: BoolArray
    slot: IntArray
    named: IntArray
    places: Places

    def decisive_labels(self) -> list[Label]:
        """Return the labels of decisive rows."""
        return [self.labels[i] for i in np.unique(self.label[self.decisive])]

    def vocabulary_rows(self) -> dict[str, int]:
        """Count the decisive rows that each vocabulary covers, where there are any."""
        labels = self.decisive_labels()
        rows = {
            name: sum(label.rows for label in labels if label.text in known)
            for name, known in VOCABULARIES.items()
        }
        return {name: count for name, count in rows.items() if count}

    def slots_fit(self) -> bool:
        """Whether one vocabulary covers all decisive rows."""
        return list(self.vocabulary_rows().values()) == [int(self.decisive.sum())]

    def names_fit(self) -> bool:
        """Whether every decisive label names one of its row's items, and there are any."""
        named = self.named[self.decisive] != UNDECIDED
        return bool(named.any() and named.all())

    def differ(self) -> bool:
        """Whether the readings disagree on some decisive row."""
        return bool((self.slot != self.named)[self.decisive].any())

    def misnamed(self) -> Label:
        """Return the first label that names neither item of its row, with the rows where so."""
        wrong = self.decisive & (self.named == UNDECIDED)
        first_wrong = int(np.argmax(wrong))
        label = self.label[first_wrong]
        return replace(
            self.labels[label],
            rows=int((wrong & (self.label == label)).sum()),
            first_row=first_wrong,
        )


@dataclass(frozen=True, eq=False)
class Decoded:
    """Verdicts row by row.

    Attributes
    ----------
    code : ndarray of int, shape (n_rows,)
        0, 1, 2 for first, tie, second; `MISSING`, `FAILED_VERDICT` or `SPECIAL_TIE` otherwise.
    text : ndarray of object, shape (n_rows,)
        The label as given, as text; None where missing.
    graded : bool
        Whether labels say more than the verdict (strength, or the sort of a tie).
    """

    code: IntArray
    text: np.ndarray
    graded: bool


def decode_verdicts(
    rows: pd.DataFrame, coding: str | Mapping[Any, str] | None, both_bad: str, places: Places
) -> Decoded:
    """Decode a column of verdicts."""
    codes, distinct = distinct_labels(rows["verdict"], places)
    mapping = explicit_mapping(coding)
    common = np.array([_common_meaning(label, mapping) for label in distinct], dtype=np.int64)
    verdict = _lookup(common, codes, MISSING)
    text = _label_text(distinct, codes)
    readings = _both_readings(distinct, codes, verdict == UNDECIDED, rows, places)
    if _choose_reading(readings, coding) == "winner":
        _refuse_items_called_tie(readings, verdict)
        verdict = np.where(readings.decisive, readings.named, verdict)
    else:
        verdict = np.where(readings.decisive, readings.slot, verdict)
    graded = any(">>" in label.text or "<<" in label.text for label in distinct)
    decoded = _settle_special_ties(Decoded(verdict, text, graded), distinct, both_bad)
    return _settle_contradictions(decoded, rows, both_bad)


def distinct_labels(labels: pd.Series, places: Places) -> tuple[IntArray, list[Label]]:
    """Index the distinct labels; missing and blank ones get -1."""
    codes, unique = pd.factorize(labels)
    kept = np.array([not (isinstance(x, str) and not x.strip()) for x in unique], dtype=bool)
    codes = _lookup(np.where(kept, np.cumsum(kept) - 1, MISSING), codes, MISSING)
    rows = np.bincount(codes[codes >= 0], minlength=int(kept.sum()))
    first_row = np.full(len(rows), np.iinfo(np.int64).max)
    np.minimum.at(first_row, codes[codes >= 0], np.flatnonzero(codes >= 0))
    about = zip(unique[kept], rows.tolist(), first_row.tolist(), strict=True)
    distinct = [
        Label(given, normal_label(given), label_number(given), count, first, places)
        for given, count, first in about
    ]
    return codes, distinct


def explicit_mapping(coding: str | Mapping[Any, str] | None) -> dict[object, int] | None:
    """Return what each label means, by its number or normal text; None where it is to be found."""
    if coding is None or (isinstance(coding, str) and coding in ("slot", "winner")):
        return None
    if isinstance(coding, str):
        if coding.casefold() not in CODINGS:
            raise unknown_coding(coding)
        coding = CODINGS[coding.casefold()]
    if not isinstance(coding, Mapping):
        raise unknown_coding(coding)
    wrong = [target for target in coding.values() if target not in _CODES]
    if wrong:
        raise unknown_target(wrong[0])
    return {_key(label): _CODES[target] for label, target in coding.items()}


def _key(label: object) -> object:
    number = label_number(label)
    return normal_label(label) if number is None else number


def _common_meaning(label: Label, mapping: dict[object, int] | None) -> int:
    """Return the meaning that does not depend on the vocabulary, or `UNDECIDED`."""
    key = _key(label.given)
    if mapping is not None and key in mapping:
        return mapping[key]
    if label.text in TIES:
        return TIE
    if label.text in SPECIAL_TIES:
        return SPECIAL_TIE
    if label.text in FAILED or label.number == -1:
        return FAILED_VERDICT
    if mapping is not None:
        raise unknown_label(label, [str(given) for given in mapping])
    return UNDECIDED


def _lookup(table: IntArray, codes: IntArray, missing: int) -> IntArray:
    return np.append(table, missing)[codes]


def _label_text(distinct: list[Label], codes: IntArray) -> np.ndarray:
    texts = [identifier_text(label.given) for label in distinct]
    return np.array([*texts, None], dtype=object)[codes]


def _names_item(distinct: list[Label], codes: IntArray, items: np.ndarray) -> BoolArray:
    """Return which rows' labels name the item of their row, whole numbers however written."""
    texts = [identifier_text(label.given) for label in distinct]
    plain = [whole_number(text) or text for text in texts]
    named = [np.array([*names, None], dtype=object)[codes] == items for names in (texts, plain)]
    return named[0] | named[1]


def _both_readings(
    distinct: list[Label],
    codes: IntArray,
    decisive: BoolArray,
    rows: pd.DataFrame,
    places: Places,
) -> Readings:
    known = {label: word for words in VOCABULARIES.values() for label, word in words.items()}
    slot = [_CODES.get(known.get(label.text, ""), UNDECIDED) for label in distinct]
    is_first, is_second = (
        _names_item(distinct, codes, rows[role].to_numpy())
        for role in ("item_first", "item_second")
    )
    return Readings(
        labels=distinct,
        label=codes,
        decisive=decisive,
        slot=_lookup(np.array(slot, dtype=np.int64), codes, UNDECIDED),
        named=np.where(is_first, FIRST, np.where(is_second, SECOND, UNDECIDED)),
        places=places,
    )


def _choose_reading(readings: Readings, coding: object) -> str:
    """Choose between slots and names; raise where neither fits, or both do and differ."""
    labels = readings.decisive_labels()
    numeric = [label for label in labels if label.number is not None]
    if numeric and coding is None:
        raise numeric_verdict(numeric[0])
    slots_fit = coding != "winner" and readings.slots_fit()
    names_fit = coding != "slot" and readings.names_fit()
    if slots_fit and names_fit and readings.differ():
        raise ambiguous_winner(labels[0])
    if slots_fit or not labels:
        return "slot"
    if names_fit:
        return "winner"
    raise _no_reading(readings, coding)


def _no_reading(readings: Readings, coding: object) -> Exception:
    """Return the error for the label that does not fit the reading of most rows."""
    covered = readings.vocabulary_rows()
    best = max(covered, key=lambda name: covered[name], default=None)
    named_rows = int((readings.named[readings.decisive] != UNDECIDED).sum())
    if coding == "winner" or (coding is None and named_rows > covered.get(best or "", 0)):
        return unknown_label(readings.misnamed(), ["the names of the row's two items"])
    accepted = [*VOCABULARIES[best], *sorted(TIES)] if best else []
    outside = [label for label in readings.decisive_labels() if label.text not in accepted]
    return unknown_label(max(outside, key=lambda label: label.rows), accepted)


def _refuse_items_called_tie(readings: Readings, verdict: IntArray) -> None:
    """Raise where a column of winners' names has "tie" (or "unknown"), an item of its row."""
    double = (readings.named != UNDECIDED) & ~readings.decisive & (verdict != MISSING)
    if double.any():
        raise ambiguous_tie(readings.labels[readings.label[np.argmax(double)]])


def _settle_special_ties(decoded: Decoded, distinct: list[Label], both_bad: str) -> Decoded:
    special = decoded.code == SPECIAL_TIE
    if not special.any() or both_bad == "drop":
        return decoded
    if both_bad == "raise":
        raise special_tie(next(label for label in distinct if label.text in SPECIAL_TIES))
    return Decoded(np.where(special, TIE, decoded.code), decoded.text, graded=True)


def contradictions(rows: pd.DataFrame, code: IntArray) -> BoolArray:
    """Return which ties stand for two games with different winners: -> (n_rows,)."""
    if "consistent" not in rows:
        return np.zeros(len(rows), dtype=bool)
    merged = ~rows["order_known"].to_numpy(dtype=bool)
    return (code == TIE) & merged & denied(rows["consistent"])


def _settle_contradictions(decoded: Decoded, rows: pd.DataFrame, both_bad: str) -> Decoded:
    """Label ties that stand for two contradicting games as such, or leave them out on request."""
    found = contradictions(rows, decoded.code)
    if not found.any():
        return decoded
    code = np.where(found, SPECIAL_TIE, decoded.code) if both_bad == "drop" else decoded.code
    return Decoded(code, np.where(found, INCONSISTENT_TIE, decoded.text), graded=True)


def contradiction_notes(rows: pd.DataFrame, column: str | None) -> tuple[str, ...]:
    """Tell how many verdicts stand for two games with different winners."""
    code = rows["code"].to_numpy()
    ties = contradictions(rows, code)
    if column is None or not ties.any():
        return ()
    number, all_ties = int(ties.sum()), int((code == TIE).sum())
    return (
        f"{number:,} of {counted(all_ties, 'tie')} {chosen_form(number, 'stands', 'stand')} for "
        f"two games that contradict each other (column {column!r} says false): the winner changed "
        "with the order of display, which does not show that the items are equal; leave such rows "
        "out with both_bad='drop'.",
    )
