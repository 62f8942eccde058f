"""Findings in sentences, and the ways to show them."""

import html
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from textwrap import shorten
from typing import Any, Literal

import pandas as pd

type Level = Literal["fine", "note", "warning", "problem"]
LEVELS: tuple[Level, ...] = ("problem", "warning", "note", "fine")

WIDTH = max(len(level) for level in LEVELS)
COLUMNS = ("about", "level", "topic", "sentence")
SHOWN = 120  # characters of a sentence in a repr


@dataclass(frozen=True, repr=False)
class Finding:
    """One statement about what the data or a fit allow.

    Attributes
    ----------
    topic : str
        What was checked, for example ``"components"``.
    level : {"fine", "note", "warning", "problem"}
        How much it matters.
    sentence : str
        The statement in words, with names.
    details : mapping
        The numbers and full lists of names behind the sentence.
    about : str
        The data set, or ``"all data together"``.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> finding = bj.diagnose(bj.example_panel()).on("components")[0]
    >>> finding
    Finding(fine, components: Comparisons link all items.)
    >>> print(finding)
    Comparisons link all items.
    """

    topic: str
    level: Level
    sentence: str
    details: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        sentence = shorten(self.sentence, SHOWN, placeholder=" ...")
        return f"Finding({self.level}, {self.topic}: {sentence})"

    def _repr_html_(self) -> str:
        return Diagnosis((self,))._repr_html_()


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """What data or a fit can and cannot identify, in words.

    Attributes
    ----------
    findings : tuple of Finding
        By data set; within one, by topic.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> diagnosis = bj.diagnose(bj.example_panel(), bj.example_votes())
    >>> diagnosis
    Diagnosis(problem: 0, warning: 1, note: 5, fine: ...)
    >>> diagnosis.about()[-1]
    'all data together'
    >>> print(diagnosis.on("shared items")[0])
    All 8 items occur in every data set.
    >>> diagnosis.to_frame().columns.tolist()
    ['about', 'level', 'topic', 'sentence']
    >>> list(diagnosis.to_dict()["findings"][0])
    ['about', 'topic', 'level', 'sentence', 'details']
    """

    findings: tuple[Finding, ...]

    def about(self) -> tuple[str, ...]:
        """List the data sets, in the order given.

        Returns
        -------
        tuple of str
            Names of the data sets, and ``"all data together"`` where there are several.
        """
        return tuple(dict.fromkeys(finding.about for finding in self.findings))

    def on(self, topic: str) -> tuple[Finding, ...]:
        """Return the findings on one topic.

        Parameters
        ----------
        topic : str
            For example ``"components"``.

        Returns
        -------
        tuple of Finding
            One or more for each data set; empty if the topic was not checked.
        """
        return tuple(finding for finding in self.findings if finding.topic == topic)

    def __repr__(self) -> str:
        counts = Counter(finding.level for finding in self.findings)
        return f"Diagnosis({', '.join(f'{level}: {counts[level]}' for level in LEVELS)})"

    def __str__(self) -> str:
        blocks = []
        for name, findings in groupby(self._gravest_first(), lambda finding: finding.about):
            lines = [f"  {finding.level:<{WIDTH}}  {finding.sentence}" for finding in findings]
            blocks.append("\n".join([name, *lines]))
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(finding.about)}</td><td>{finding.level}</td>"
            f"<td>{html.escape(finding.topic)}</td>"
            f'<td style="text-align:left">{html.escape(finding.sentence)}</td></tr>'
            for finding in self._gravest_first()
        )
        head = "<tr><th>data</th><th>level</th><th>topic</th><th>finding</th></tr>"
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def _gravest_first(self) -> list[Finding]:
        """Sort the findings by data set, then by level."""
        place = {name: number for number, name in enumerate(self.about())}
        return sorted(
            self.findings,
            key=lambda finding: (place[finding.about], LEVELS.index(finding.level)),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the findings as a table.

        Returns
        -------
        pandas.DataFrame
            Columns ``about``, ``level``, ``topic``, ``sentence``.
        """
        rows = [[getattr(finding, name) for name in COLUMNS] for finding in self.findings]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return the findings as plain lists and dicts, for JSON.

        Returns
        -------
        dict
            ``{"findings": [{"about": ..., "topic": ..., "level": ..., "sentence": ...,
            "details": {...}}, ...]}``.
        """
        return {
            "findings": [
                {
                    "about": finding.about,
                    "topic": finding.topic,
                    "level": finding.level,
                    "sentence": finding.sentence,
                    "details": {name: _finite(value) for name, value in finding.details.items()},
                }
                for finding in self.findings
            ]
        }


def _finite(value: Any) -> Any:  # noqa: ANN401
    """Return None for an infinite or missing number, which JSON cannot write."""
    if isinstance(value, Mapping):
        return {name: _finite(part) for name, part in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def judged(
    topic: str,
    failed: object,
    level: Level,
    bad: str,
    fine: str,
    details: Mapping[str, Any] | None = None,
) -> Finding:
    """Return the finding of a check: at its level where the check failed, else ``"fine"``."""
    return Finding(topic, level if failed else "fine", bad if failed else fine, details or {})


def labelled(about: str, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with the name of their data set."""
    return [replace(finding, about=about) for finding in findings]


def span(low: float, high: float, form: str) -> str:
    """Return a range in words, or one number where both ends read alike."""
    texts = dict.fromkeys((f"{low:{form}}", f"{high:{form}}"))
    return " to ".join(texts)
