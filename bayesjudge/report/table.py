"""A pandas table with a caption and units."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from html import escape
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import pandas as pd

from bayesjudge.report.shown_names import LONGEST, printable, shortened

LINE = 88  # characters of a line
TERMINAL = 120  # characters of a line of numbers, where there is no terminal
WITHOUT_END = 10_000
NAME_LENGTHS = (LONGEST, 44, 32, 20)  # tried in turn, so that rows stay on one line
SMALLEST = 0.001  # probability that is written as a number


class Table(pd.DataFrame):
    """A DataFrame with a caption and the units of its columns.

    Values are stored unrounded, and displayed to three decimals or as whole numbers.

    Parameters
    ----------
    data : anything that pandas.DataFrame takes
        Columns.
    *args, **kwargs
        As of pandas.DataFrame.
    caption : str
        Content of the table, and the level of its intervals.
    units : mapping of str to str, optional
        Unit of a column, where it has one.

    Attributes
    ----------
    caption : str
        The caption.
    units : dict of str to str
        The units by column.

    Examples
    --------
    >>> Table({"tie": [0.25]}, caption="Verdicts.", units={"tie": "share of all verdicts"})
    Verdicts. tie: share of all verdicts.
        tie
    0 0.250
    """

    _metadata = ["caption", "units"]  # noqa: RUF012 (pandas reads this name)

    def __init__(
        self,
        data: Any = None,  # noqa: ANN401
        *args: Any,  # noqa: ANN401
        caption: str = "",
        units: Mapping[str, str] | None = None,
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(data, *args, **kwargs)  # type: ignore[call-arg]
        self.caption = caption
        self.units = dict(units or {})

    @property
    def _constructor(self) -> Callable[..., "Table"]:
        return Table

    def legend(self) -> str:
        """Return the caption and the units of the table's columns.

        Returns
        -------
        str
            For example "Judges (NUTS), 95 % intervals. position: log-odds.".
        """
        names = [name for name in map(str, self.columns) if name in self.units]
        meanings = {name: self.units[name] for name in names if not _is_end(name, names)}
        grouped = [
            f"{', '.join(name for name in meanings if meanings[name] == unit)}: {unit}"
            for unit in dict.fromkeys(meanings.values())
        ]
        units = f"{'; '.join(grouped)}." if grouped else ""
        return f"{self.caption} {units}".strip()

    def __repr__(self) -> str:
        width = get_terminal_size((TERMINAL, 0)).columns
        tries = [_text(as_text(self, longest), WITHOUT_END) for longest in NAME_LENGTHS]
        shown = next((text for text in tries if _widest(text) <= width), None)
        shown = shown or _text(as_text(self, NAME_LENGTHS[-1]), width)
        legend = fill(printable(self.legend()), min(LINE, width))
        return f"{legend}\n{shown}" if legend else shown

    def _repr_html_(self) -> str | None:
        with _display(TERMINAL):
            shown: str | None = as_text(self)._repr_html_()  # type: ignore[operator]
        if shown is None or not self.legend():
            return shown
        return f"<p>{escape(printable(self.legend()))}</p>\n{shown}"


def as_text(table: Table, longest: int = LONGEST) -> pd.DataFrame:
    """Return the table with long names, control characters and probabilities made readable."""
    frame = pd.DataFrame(table)
    for place, name in enumerate(frame.columns):
        column = frame.iloc[:, place]
        if column.map(lambda value: isinstance(value, str)).any():
            frame = _replaced(frame, place, _names(column, longest))
        elif table.units.get(name, "").startswith("probability"):
            frame = _replaced(frame, place, column.map(_probability))
    return frame


def _replaced(frame: pd.DataFrame, place: int, column: pd.Series) -> pd.DataFrame:
    frame = frame.copy()
    frame.isetitem(place, list(column))
    return frame


def _names(column: pd.Series, longest: int) -> pd.Series:
    names = [name for name in column.unique() if isinstance(name, str)]
    shown = dict(zip(names, shortened(names, longest), strict=True))
    return column.map(lambda value: shown.get(value, value))


def _text(frame: pd.DataFrame, width: int) -> str:
    with _display(width):
        return repr(frame)


def _widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def _display(width: int) -> AbstractContextManager[None]:
    return pd.option_context(
        "display.float_format",
        _rounded,
        "display.max_columns",
        None,
        "display.max_colwidth",
        None,
        "display.width",
        width,
    )


def _rounded(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.3f}"


def _probability(value: float) -> str:
    """Write a probability, so that one which is possible never reads as impossible."""
    if pd.isna(value):
        return "NaN"
    if 0 < value < SMALLEST:
        return f"<{SMALLEST}"
    return f">{1 - SMALLEST}" if 1 - SMALLEST < value < 1 else _rounded(value)


def _is_end(name: str, names: list[str]) -> bool:
    """Whether a column is the end of the interval of another, which has the unit."""
    return any(name == f"{other}{end}" for other in names for end in ("_lower", "_upper"))
