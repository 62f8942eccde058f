"""Text and lists on the screen: the data read and the files written."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from textwrap import fill

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from bayesjudge.core.wording import listing
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.spelling import as_options
from bayesjudge.report.shown_names import broken, printable

INDENT = 2


def screen(*, quiet: bool = False) -> Console:
    """Return the console for results."""
    return _console(quiet=quiet)


def announce(step: str) -> None:
    """Print on standard error what is done next."""
    _console(stderr=True).print(printable(step), style="dim")


def warn(sentence: str) -> None:
    """Print on standard error what is missing from the results."""
    _console(stderr=True).print(printable(sentence), style="yellow")


def _console(*, quiet: bool = False, stderr: bool = False) -> Console:
    """Return a console that shows names as they are, never as markup."""
    return Console(quiet=quiet, stderr=stderr, markup=False, highlight=False, emoji=False)


def heading(console: Console, text: str) -> None:
    """Print the heading of a section."""
    console.print()
    console.print(printable(text), style="bold")


def paragraph(console: Console, text: str) -> None:
    """Print an indented paragraph."""
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
    """Describe the tables, with some rows as sentences, so that a misread table is noticed."""
    for name, table in inputs.tables.items():
        heading(console, f"What was read: {name}")
        for line in table.describe().splitlines():
            paragraph(console, as_options(line))


def show_files(console: Console, folder: Path, files: Mapping[str, str]) -> None:
    """List the files of a folder, and the names of those in each folder in it."""
    heading(console, "Files")
    console.print(f"{' ' * INDENT}{printable(str(folder))}", soft_wrap=True)
    grid = Grid.grid(padding=(0, 2))
    inner: dict[str, list[str]] = {}
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.name == name:
            grid.add_row(name, content)
        else:
            inner.setdefault(f"{path.parent}/", []).append(path.name)
    for name, names in inner.items():
        grid.add_row(printable(name), listing(names, len(names)))
    console.print(Padding(grid, (0, 0, 0, 2 * INDENT), expand=False))


NARROWEST = 8  # characters that a column of names keeps on a narrow screen


@dataclass(frozen=True)
class NameCell:
    """A printable name that Rich breaks into lines at its joints."""

    name: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the name."""
        for line in broken(self.name, options.max_width, cell_len):
            yield Text(line, no_wrap=True, overflow="crop")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the narrowest and the widest column that suits the name."""
        width = cell_len(self.name)
        return Measurement(min(width, NARROWEST), width)
