"""Two ways to read a column of verdicts: as slots, or as the winners' names."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bayesjudge.data.arrays import BoolArray, IntArray
from bayesjudge.data.labels import VOCABULARIES

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
    source_row : ndarray of int, shape (n_rows,)
        Row in the source.
    """

    labels: list[Label]
    label: IntArray
    decisive: BoolArray
    slot: IntArray
    named: IntArray
    source_row: IntArray

    def decisive_labels(self) -> list[Label]:
        """List the labels that some decisive row has."""
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
        """Give the first label that names neither item of its row, with the rows where so."""
        wrong = self.decisive & (self.named == UNDECIDED)
        first_wrong = int(np.argmax(wrong))
        label = self.label[first_wrong]
        return replace(
            self.labels[label],
            rows=int((wrong & (self.label == label)).sum()),
            first_row=int(self.source_row[first_wrong]),
        )
