"""The validated, immutable table of verdicts that everything else starts from."""

from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from bayesjudge.data.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.describe import describe_comparisons
from bayesjudge.data.dropped import Dropped
from bayesjudge.data.frame import comparisons_frame
from bayesjudge.data.names import counted
from bayesjudge.data.validate import validate_comparisons
from bayesjudge.errors import NotComparisonsError

FIRST, TIE, SECOND = 0, 1, 2

_ROW_TYPES = {
    "first": np.int64,
    "second": np.int64,
    "verdict": np.int64,
    "judge": np.int64,
    "prompt": np.int64,
    "order_known": np.bool_,
    "weight": np.float64,
    "repeat": np.int64,
    "source_row": np.int64,
}


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons:
    """One row for every time a judge was shown two items and said which is better.

    Built by `bayesjudge.read`; arrays cannot be written to, and names are sorted, so that no
    result can depend on the order of rows or columns in the file.

    Attributes
    ----------
    items, judges, prompts : tuple of str
        Names in sorted order.
    first, second : ndarray of int, shape (n_rows,)
        Index into `items` of the item shown first and of the item shown second.
    verdict : ndarray of int, shape (n_rows,)
        0 if the first item won, 1 for a tie, 2 if the second item won.
    judge, prompt : ndarray of int, shape (n_rows,)
        Index into `judges` and `prompts`.
    human : ndarray of bool, shape (n_judges,)
        Which judges are people.
    order_known : ndarray of bool, shape (n_rows,)
        Whether `first` really is the item that was shown first.
    weight : ndarray of float, shape (n_rows,)
        How many verdicts the row stands for; positive.
    repeat : ndarray of int, shape (n_rows,)
        Repetition index of the same question to the same judge, from 1.
    source_row : ndarray of int, shape (n_rows,)
        0-based row in what was read.
    length_first, length_second : ndarray of float, shape (n_rows,), or None
        Lengths of the two answers, in characters unless the source counts tokens. NaN only
        where read with ``missing_length="keep"``.
    covariates : tuple of (str, ndarray of float, shape (n_rows,))
        Further numeric columns that were asked for.
    outcome_detail : tuple of str, shape (n_rows,), or None
        The label as given, where it says more than the verdict (``"A>>B"``).
    dropped : tuple of Dropped
        Everything that was left out on request.
    notes : tuple of str
        Sentences about what reading decided.
    source : str
        File name, or ``"frame"``.

    Raises
    ------
    EmptyComparisonsError
        If there is no row.
    InvalidComparisonsError
        If the arrays do not fit together or an index is out of range.
    """

    items: tuple[str, ...]
    judges: tuple[str, ...]
    prompts: tuple[str, ...]
    first: IntArray
    second: IntArray
    verdict: IntArray
    judge: IntArray
    prompt: IntArray
    human: BoolArray
    order_known: BoolArray
    weight: FloatArray
    repeat: IntArray
    source_row: IntArray
    length_first: FloatArray | None = None
    length_second: FloatArray | None = None
    covariates: tuple[tuple[str, FloatArray], ...] = ()
    outcome_detail: tuple[str, ...] | None = None
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = "frame"

    def __post_init__(self) -> None:
        validate_comparisons(self)
        for name, dtype in {**_ROW_TYPES, "human": np.bool_}.items():
            object.__setattr__(self, name, _frozen_array(getattr(self, name), dtype))
        for name in ("length_first", "length_second"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _frozen_array(getattr(self, name), np.float64))
        covariates = tuple((name, _frozen_array(x, np.float64)) for name, x in self.covariates)
        object.__setattr__(self, "covariates", covariates)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.first)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.items)

    @property
    def n_judges(self) -> int:
        """Number of judges."""
        return len(self.judges)

    @property
    def n_prompts(self) -> int:
        """Number of prompts."""
        return len(self.prompts)

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        return (
            f"Comparisons({counted(self.n_rows, 'row')}, {counted(self.n_items, 'item')}, "
            f"{counted(self.n_judges, 'judge')}, {counted(self.n_prompts, 'prompt')}, "
            f"source={self.source!r})"
        )

    def describe(self) -> str:
        """Say in sentences what was read, so that wrong columns or a wrong frame show at once.

        Returns
        -------
        str
            Sizes, judges by kind, share of ties, both-order cells, what was dropped, notes, and
            three rows as sentences.

        Examples
        --------
        >>> import bayesjudge as bj
        >>> rows = [{"model_a": "x", "model_b": "y", "winner": "model_a", "judge": "j"}]
        >>> print(bj.read(rows).describe().splitlines()[-1])
        Row 0: x, shown first, beat y on prompt row-0 for judge j.
        """
        return describe_comparisons(self)

    def to_frame(self) -> pd.DataFrame:
        """Write the table with the names that `bayesjudge.read` reads back.

        Returns
        -------
        pandas.DataFrame
            One row per comparison: ``item_first``, ``item_second``, ``verdict`` (``"first"``,
            ``"tie"``, ``"second"``), ``judge``, ``judge_kind``, ``prompt``, lengths where there
            are any, ``weight``, ``repeat``, ``order_known``, labels as given where they say more
            than the verdict (``outcome_detail``), and the covariates.

        Examples
        --------
        >>> import bayesjudge as bj
        >>> data = bj.read({"left": ["x"], "right": ["y"], "winner": ["right"]})
        >>> data.to_frame().loc[0, ["item_first", "item_second", "verdict"]].tolist()
        ['x', 'y', 'second']
        """
        return comparisons_frame(self)

    def select(self, rows: BoolArray) -> "Comparisons":
        """Keep some rows, and the items, judges and prompts that still occur in them.

        Parameters
        ----------
        rows : ndarray of bool, shape (n_rows,)
            True for the rows to keep.

        Returns
        -------
        Comparisons
            A new table; this one is unchanged.

        Raises
        ------
        EmptyComparisonsError
            If no row is kept.

        Examples
        --------
        >>> import bayesjudge as bj
        >>> table = {"left": ["x", "y"], "right": ["y", "z"], "winner": ["left", "tie"]}
        >>> data = bj.read(table)
        >>> data.select(data.verdict != 1).items
        ('x', 'y')
        """
        kept = np.flatnonzero(np.asarray(rows, dtype=bool))
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values |= {name: values[name][kept] for name in _ROW_TYPES}
        for name in ("length_first", "length_second"):
            values[name] = None if values[name] is None else values[name][kept]
        values["covariates"] = tuple((name, x[kept]) for name, x in self.covariates)
        if self.outcome_detail is not None:
            values["outcome_detail"] = tuple(self.outcome_detail[row] for row in kept)
        return Comparisons(**_used_names_only(values))


def demand_comparisons(data: object) -> Comparisons:
    """Check that verdicts have been read.

    Parameters
    ----------
    data : object
        What a user gave.

    Returns
    -------
    Comparisons
        The same.

    Raises
    ------
    NotComparisonsError
        If it is a path, a data frame or anything else.
    """
    if not isinstance(data, Comparisons):
        raise NotComparisonsError(
            f"Verdicts are wanted and this is of type {type(data).__name__}; read them first with "
            "bj.read(...)."
        )
    return data


def _frozen_array(values: object, dtype: type) -> np.ndarray:
    array: np.ndarray = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def _used_names_only(values: dict) -> dict:
    """Drop items, judges and prompts that no row mentions, and renumber the rest."""
    used_items = np.unique(np.concatenate([values["first"], values["second"]]))
    used_judges, judge = np.unique(values["judge"], return_inverse=True)
    used_prompts, prompt = np.unique(values["prompt"], return_inverse=True)
    return values | {
        "items": tuple(values["items"][i] for i in used_items),
        "judges": tuple(values["judges"][j] for j in used_judges),
        "prompts": tuple(values["prompts"][p] for p in used_prompts),
        "first": np.searchsorted(used_items, values["first"]),
        "second": np.searchsorted(used_items, values["second"]),
        "judge": judge,
        "prompt": prompt,
        "human": values["human"][used_judges],
    }
