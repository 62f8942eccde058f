"""Words and lists on the screen: what was read, what was found, where files lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from bayesjudge.core.wording import counted
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.spelling import as_options
from bayesjudge.report.shown_names import broken, printable

if TYPE_CHECKING:
    from bayesjudge.diagnosis.findings import Diagnosis, Finding, Level


ALL_LEVELS: "tuple[Level, ...]" = ("problem", "warning", "note", "fine")


STYLES = {"problem": "bold red", "warning": "yellow", "note": "", "fine": "dim"}


INDENT = 2


def screen(*, quiet: bool = False) -> Console:
    """Open the terminal for results; names are shown as they are, never read as markup.

    Parameters
    ----------
    quiet : bool
        Show nothing, where the output is one JSON document.

    Returns
    -------
    rich.console.Console
        Writes to standard output.
    """
    return Console(quiet=quiet, markup=False, highlight=False, emoji=False)


def tell(step: str) -> None:
    """Say on standard error what is being done."""
    _on_stderr(step, "dim")


def warn(sentence: str) -> None:
    """Say on standard error what is missing from the results."""
    _on_stderr(sentence, "yellow")


def _on_stderr(text: str, style: str) -> None:
    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    console.print(printable(text), style=style)


def heading(console: Console, text: str) -> None:
    """Begin a part."""
    console.print()
    console.print(printable(text), style="bold")


def paragraph(console: Console, text: str) -> None:
    """Write an indented paragraph."""
    margin = " " * INDENT
    lines = fill(
        printable(text),
        console.width,
        initial_indent=margin,
        subsequent_indent=margin,
        break_on_hyphens=False,
        break_long_words=False,
    )
    console.print(lines, soft_wrap=True)


def show_inputs(console: Console, inputs: Inputs) -> None:
    """Tell what was read, with rows as sentences, so that a wrong frame shows at once.

    Parameters
    ----------
    console : rich.console.Console
        Where to.
    inputs : Inputs
        The tables.
    """
    for name, table in inputs.tables.items():
        heading(console, f"What was read: {name}")
        for line in table.describe().splitlines():
            paragraph(console, as_options(line))


def show_findings(
    console: Console, diagnosis: "Diagnosis", levels: "Sequence[Level]" = ALL_LEVELS
) -> None:
    """List the findings of some levels by data set, the gravest first.

    Parameters
    ----------
    console : rich.console.Console
        Where to.
    diagnosis : Diagnosis
        The findings.
    levels : sequence of str
        Which levels to list; of the others the number is told.
    """
    for about in diagnosis.about():
        here = [one for one in diagnosis.findings if one.about == about]
        listed = [one for level in levels for one in here if one.level == level]
        heading(console, f"What can be identified: {about}")
        if listed:
            console.print(Padding(_findings_grid(listed), (0, 0, 0, INDENT), expand=False))
        if len(listed) < len(here):
            rest = counted(len(here) - len(listed), "finding")
            start = "And" if listed else f"No {' or '.join(levels)};"
            paragraph(console, f"{start} {rest} of less weight: see bayesjudge diagnose.")


def _findings_grid(findings: "list[Finding]") -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for one in findings:
        grid.add_row(Text(one.level, style=STYLES[one.level]), printable(as_options(one.sentence)))
    return grid


def show_files(console: Console, folder: Path, files: dict[str, str]) -> None:
    """Tell what lies where.

    Parameters
    ----------
    console : rich.console.Console
        Where to.
    folder : pathlib.Path
        The folder.
    files : dict of str to str
        What lies in each file.
    """
    heading(console, "Files")
    console.print(f"{' ' * INDENT}{printable(str(folder))}", soft_wrap=True)
    grid = Grid.grid(padding=(0, 2))
    for name, content in files.items():
        grid.add_row(name, content)
    console.print(Padding(grid, (0, 0, 0, 2 * INDENT), expand=False))


NARROWEST = 8  # characters that a column of names keeps on a narrow screen


@dataclass(frozen=True)
class NameCell:
    """A name that Rich lays out.

    Attributes
    ----------
    name : str
        Printable.
    """

    name: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Give the lines of the name."""
        for line in broken(self.name, options.max_width, cell_len):
            yield Text(line, no_wrap=True, overflow="crop")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Give the narrowest and the widest column that suits the name."""
        width = cell_len(self.name)
        return Measurement(min(width, NARROWEST), width)
