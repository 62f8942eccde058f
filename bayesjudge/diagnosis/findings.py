"""What a diagnosis says: findings in sentences, and ways to show them."""

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

type Level = Literal["fine", "note", "warning", "problem"]


LEVELS: tuple[Level, ...] = ("problem", "warning", "note", "fine")


@dataclass(frozen=True)
class Finding:
    """One thing that the design does, or does not, allow.

    Attributes
    ----------
    topic : str
        What was looked at, for example ``"components"``.
    level : {"fine", "note", "warning", "problem"}
        How much it matters.
    sentence : str
        In words, with names.
    details : mapping
        The numbers and full lists of names behind the sentence.
    about : str
        The data set, or ``"all data together"``.
    """

    topic: str
    level: Level
    sentence: str
    details: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """What the data can and cannot identify, in words.

    Attributes
    ----------
    findings : tuple of Finding
        By data set; within one, by topic.
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
        """Pick the findings on one topic.

        Parameters
        ----------
        topic : str
            For example ``"components"``.

        Returns
        -------
        tuple of Finding
            One or more for each data set; empty if the topic was not looked at.
        """
        return tuple(finding for finding in self.findings if finding.topic == topic)

    def __str__(self) -> str:
        blocks = []
        for name in self.about():
            findings = _by_level([one for one in self.findings if one.about == name])
            width = max(len(level) for level in LEVELS)
            lines = [f"  {one.level:<{width}}  {one.sentence}" for one in findings]
            blocks.append("\n".join([name, *lines]))
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(one.about)}</td><td>{one.level}</td>"
            f"<td>{html.escape(one.topic)}</td>"
            f'<td style="text-align:left">{html.escape(one.sentence)}</td></tr>'
            for name in self.about()
            for one in _by_level([one for one in self.findings if one.about == name])
        )
        head = "<tr><th>data</th><th>level</th><th>topic</th><th>finding</th></tr>"
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def to_frame(self) -> pd.DataFrame:
        """Write the findings as a table.

        Returns
        -------
        pandas.DataFrame
            Columns ``about``, ``level``, ``topic``, ``sentence``.
        """
        columns = ("about", "level", "topic", "sentence")
        return pd.DataFrame(
            [[getattr(one, name) for name in columns] for one in self.findings],
            columns=list(columns),
        )

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Write the findings as plain lists and dicts, for JSON.

        Returns
        -------
        dict
            ``{"findings": [{"about": ..., "topic": ..., "level": ..., "sentence": ...,
            "details": {...}}, ...]}``.
        """
        return {
            "findings": [
                {
                    "about": one.about,
                    "topic": one.topic,
                    "level": one.level,
                    "sentence": one.sentence,
                    "details": {name: _finite(value) for name, value in one.details.items()},
                }
                for one in self.findings
            ]
        }


def _finite(value: Any) -> Any:  # noqa: ANN401
    """Give null for what JSON has no number for."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _by_level(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda one: LEVELS.index(one.level))
