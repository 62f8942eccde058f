"""A name in a table on the screen, broken at its joints where the column is narrow."""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from bayesjudge.report.shown_names import broken

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
