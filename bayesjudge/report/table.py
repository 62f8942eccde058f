"""A pandas table that says what its numbers mean."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from html import escape
from textwrap import fill
from typing import Any

import pandas as pd

LINE = 88  # characters of a line


class Table(pd.DataFrame):
    """A DataFrame that shows what it holds and in which units.

    Values are never rounded; what is shown is, to three decimals unless it is a whole number.

    Parameters
    ----------
    data : anything that pandas.DataFrame takes
        Columns.
    *args, **kwargs
        As of pandas.DataFrame.
    caption : str
        What the table holds, and the level of its intervals.
    units : mapping of str to str, optional
        Unit of a column, where it has one.

    Attributes
    ----------
    caption : str
        As given.
    units : dict of str to str
        As given.

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
        """Write the caption and the units of the columns that are there.

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
        with _display():
            shown = super().__repr__()
        return f"{fill(self.legend(), LINE)}\n{shown}" if self.legend() else shown

    def _repr_html_(self) -> str | None:
        with _display():
            shown: str | None = super()._repr_html_()  # type: ignore[misc]
        if shown is None or not self.legend():
            return shown
        return f"<p>{escape(self.legend())}</p>\n{shown}"


def _display() -> AbstractContextManager[None]:
    return pd.option_context(
        "display.float_format", _rounded, "display.max_columns", None, "display.width", LINE
    )


def _rounded(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.3f}"


def _is_end(name: str, names: list[str]) -> bool:
    """Tell whether a column is the end of the interval of another, whose unit says enough."""
    return any(name == f"{other}{end}" for other in names for end in ("_lower", "_upper"))
