"""Names that no file and no terminal can hold."""

import re

import numpy as np
import pandas as pd

from bayesjudge.data.names import row_listing
from bayesjudge.errors import UnwritableNameError

# Control characters (tab and line feed among them), line and paragraph separators, and half
# surrogates, which UTF-8 cannot write.
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_AROUND = 30  # characters of a long name that a message shows before the character


def refuse_unwritable(names: pd.Series, source_row: np.ndarray, what: str) -> None:
    """Refuse names with control characters: files, figures and terminals cannot hold them.

    Parameters
    ----------
    names : pandas.Series of str or None, shape (n_rows,)
        One name a row.
    source_row : ndarray of int, shape (n_rows,)
        Numbers of the rows in the source.
    what : str
        What they name, for the message.

    Raises
    ------
    UnwritableNameError
        If there is such a name; it is written with escapes, and its rows are given.
    """
    found = next((name for name in pd.unique(names.dropna()) if _UNWRITABLE.search(name)), None)
    if found is None:
        return
    rows = np.unique(source_row[(names == found).to_numpy()])
    raise UnwritableNameError(
        f"The {what} {_excerpt(found)} holds a control character, a tab or a line break in "
        f"{row_listing(np.ones(len(rows)), rows)}; take it out of the name, because files and "
        "terminals cannot hold it."
    )


def _excerpt(name: str) -> str:
    """Write a name with escapes; of a long one, what stands around the character."""
    place = re.search(_UNWRITABLE, name)
    start = max(0, place.start() - _AROUND) if place else 0
    part = name[start : start + 2 * _AROUND]
    before, after = ("..." if cut else "" for cut in (start, start + len(part) < len(name)))
    return f"{before}{part!r}{after}"
