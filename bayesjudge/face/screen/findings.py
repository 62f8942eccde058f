"""Findings on the screen: problems, warnings, and how much is fine."""

from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from bayesjudge.core.wording import chosen_form, counted
from bayesjudge.face.screen.text import INDENT, heading, paragraph
from bayesjudge.face.spelling import as_options
from bayesjudge.report.shown_names import printable

if TYPE_CHECKING:
    from bayesjudge.diagnosis.findings import Diagnosis, Finding, Level


STYLES: "dict[Level, str]" = {
    "problem": "bold red",
    "warning": "yellow",
    "note": "",
    "fine": "dim",
}
DOUBTS: "tuple[Level, ...]" = ("problem", "warning")


def doubts_of(diagnosis: "Diagnosis") -> "list[Finding]":
    """Return the problems, then the warnings."""
    return [one for level in DOUBTS for one in diagnosis.findings if one.level == level]


def count_sentence(diagnosis: "Diagnosis", where: str = "below") -> str:
    """Count the problems and warnings; nothing where there are none."""
    counts = Counter(one.level for one in doubts_of(diagnosis))
    words = [counted(counts[level], level) for level in DOUBTS if counts[level]]
    return f"{' and '.join(words)} {where}." if words else ""


def show_findings(console: Console, diagnosis: "Diagnosis", verbose: bool, of: str = "") -> None:
    """List problems and warnings, and count the rest, or list it too."""
    rest: tuple[Level, ...] = ("note", "fine") if verbose else ()
    others = [one for level in rest for one in diagnosis.findings if one.level == level]
    heading(console, f"{of}{'Findings' if verbose else 'Problems and warnings'}")
    listed = [*doubts_of(diagnosis), *others]
    if listed:
        console.print(Padding(_findings(listed, diagnosis), (0, 0, 0, INDENT), expand=False))
    paragraph(console, _rest_sentence(diagnosis, verbose))


def _findings(findings: "list[Finding]", diagnosis: "Diagnosis") -> Grid:
    """Return findings as a grid, with the names of data sets where there are several."""
    several = len(diagnosis.about()) > 1
    grid = Grid.grid(padding=(0, 2))
    for finding in findings:
        level = Text(finding.level, style=STYLES[finding.level])
        start = f"{finding.about}: " if several else ""
        grid.add_row(level, printable(start + as_options(finding.sentence)))
    return grid


def _rest_sentence(diagnosis: "Diagnosis", verbose: bool) -> str:
    """Count what is fine, and the notes."""
    counts = Counter(one.level for one in diagnosis.findings)
    fine, notes = counts["fine"], counts["note"]
    words = [
        "" if doubts_of(diagnosis) else "No problem or warning; ",
        f"{counted(fine, 'check')} {chosen_form(fine, 'is', 'are')} fine",
        f", and there {chosen_form(notes, 'is', 'are')} {counted(notes, 'note')}" if notes else "",
        "" if verbose else " (--verbose lists them)",
    ]
    return f"{''.join(words)}."
