"""The validated, immutable table of verdicts that everything else starts from."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import both_orders_by_group, combined_key
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.validate import validate_comparisons
from bayesjudge.errors import JudgeKindError, NotComparisonsError


@dataclass(frozen=True)
class Dropped:
    """Rows left out on request, all for one reason and with one judge and display order.

    Attributes
    ----------
    reason : str
        Why the rows were left out, for example ``"no verdict"``.
    judge, first, second : str
        Names as read; an empty string where the row did not say.
    rows : int
        Number of rows.
    """

    reason: str
    judge: str
    first: str
    second: str
    rows: int


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
        validate_comparisons({each.name: getattr(self, each.name) for each in fields(self)})
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

    @property
    def pair(self) -> IntArray:
        """Index of the unordered pair of items of each row, shape (n_rows,)."""
        return np.minimum(self.first, self.second) * self.n_items + np.maximum(
            self.first, self.second
        )

    @property
    def swapped(self) -> BoolArray:
        """Whether a row shows its pair against the order of the names, shape (n_rows,)."""
        return self.first > self.second

    def both_order_cells(self) -> tuple[int, int]:
        """Count the cells (judge, prompt, pair) shown in both orders, and all cells.

        Returns
        -------
        both, cells : int
            Rows of unknown order are left aside; zero of zero where no order is known.
        """
        known = self.order_known
        if not known.any():
            return 0, 0
        cell = combined_key(self.judge[known], self.prompt[known], self.pair[known])
        both = both_orders_by_group(cell, self.swapped[known])
        return int(both.sum()), len(both)

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


_ONE_LINE = str.maketrans("\t\n\r", "   ")  # a prompt's name may be its text


def describe_comparisons(data: "Comparisons") -> str:
    """Say in sentences what was read.

    Parameters
    ----------
    data : Comparisons
        The table.

    Returns
    -------
    str
        One sentence a line; the last lines tell single verdicts.
    """
    lines = [
        _sizes(data),
        f"Items: {listing(data.items)}.",
        _kinds(data),
        _ties(data),
        _orders(data),
        _left_out(data),
        *data.notes,
        *(verdict_sentence(data, row) for row in _example_rows(data)),
    ]
    return "\n".join(lines)


def _sizes(data: "Comparisons") -> str:
    weights = ""
    if (data.weight != 1).any():
        weights = f" (standing for {data.weight.sum():,g} by their weights)"
    return (
        f"{counted(data.n_rows, 'verdict')}{weights} from {data.source}: "
        f"{counted(data.n_items, 'item')}, {counted(data.n_judges, 'judge')}, "
        f"{counted(data.n_prompts, 'prompt')}."
    )


def _kinds(data: "Comparisons") -> str:
    judges = np.array(data.judges, dtype=object)
    parts = [
        f"{len(names):,} {word} ({listing(list(names), 4)})"
        for names, word in ((judges[~data.human], "LLM"), (judges[data.human], "human"))
        if len(names)
    ]
    return f"Judges: {', '.join(parts)}."


def _ties(data: "Comparisons") -> str:
    share = data.weight[data.verdict == 1].sum() / data.weight.sum()
    return f"Ties: {share:.1%} of the verdicts."


def _orders(data: "Comparisons") -> str:
    if not data.order_known.any():
        return "Order of display: unknown."
    unknown = int((~data.order_known).sum())
    rest = f"; it is unknown in {counted(unknown, 'row')}" if unknown else ""
    both, cells = data.both_order_cells()
    return (
        f"Order of display: {both:,} of {cells:,} cells (judge, prompt, pair) "
        f"{chosen_form(both, 'was', 'were')} shown in both orders{rest}."
    )


def _left_out(data: "Comparisons") -> str:
    if not data.dropped:
        return "Left out: nothing."
    totals = rows_by_reason(data.dropped)
    parts = [f"{counted(rows, 'row')} ({reason})" for reason, rows in totals.items()]
    return f"Left out: {listing(parts)} of {data.n_rows + sum(totals.values()):,} rows."


def _example_rows(data: "Comparisons") -> list[int]:
    """Take the first row of each verdict, then further rows from the top, three in all."""
    firsts = [int(np.argmax(data.verdict == code)) for code in np.unique(data.verdict)]
    rest = [row for row in range(min(data.n_rows, 3)) if row not in firsts]
    return sorted([*firsts, *rest][:3])


def verdict_sentence(data: "Comparisons", row: int) -> str:
    """Tell one verdict as a sentence, so that a wrong frame shows.

    Parameters
    ----------
    data : Comparisons
        The table.
    row : int
        Row of the table.

    Returns
    -------
    str
        For example ``"Row 0: gpt-4, shown first, beat claude-v1 on prompt 81 for judge X."``
    """
    first, second = data.items[data.first[row]], data.items[data.second[row]]
    subject, other, slot = (first, second, "first")
    if data.verdict[row] == 2:
        subject, other, slot = (second, first, "second")
    verb = "tied with" if data.verdict[row] == 1 else "beat"
    shown = f", shown {slot}," if data.order_known[row] else " (order of display unknown)"
    prompt = data.prompts[data.prompt[row]].translate(_ONE_LINE)
    return (
        f"Row {data.source_row[row]}: {subject}{shown} {verb} {other} on prompt "
        f"{prompt} for judge {data.judges[data.judge[row]]}."
    )


def rows_by_reason(dropped: Iterable[Dropped]) -> dict[str, int]:
    """Add up the rows left out for each reason.

    Parameters
    ----------
    dropped : iterable of Dropped
        What was left out.

    Returns
    -------
    dict of str to int
        Reasons in the order of their first mention.

    Examples
    --------
    >>> rows_by_reason([Dropped("no verdict", "j", "a", "b", 3)])
    {'no verdict': 3}
    """
    totals: dict[str, int] = {}
    for one in dropped:
        totals[one.reason] = totals.get(one.reason, 0) + one.rows
    return totals


def comparisons_frame(data: "Comparisons") -> pd.DataFrame:
    """Write comparisons under the names that `bayesjudge.read` reads back.

    Parameters
    ----------
    data : Comparisons
        The table.

    Returns
    -------
    pandas.DataFrame
        One row per comparison.
    """
    items = np.array(data.items, dtype=object)
    columns: dict[str, object] = {
        "item_first": items[data.first],
        "item_second": items[data.second],
        "verdict": np.array(["first", "tie", "second"], dtype=object)[data.verdict],
        "judge": np.array(data.judges, dtype=object)[data.judge],
        "judge_kind": np.where(data.human, "human", "llm")[data.judge],
        "prompt": np.array(data.prompts, dtype=object)[data.prompt],
    }
    if data.length_first is not None and data.length_second is not None:
        columns |= {"length_first": data.length_first, "length_second": data.length_second}
    columns |= {"weight": data.weight, "repeat": data.repeat, "order_known": data.order_known}
    if data.outcome_detail is not None:
        columns["outcome_detail"] = list(data.outcome_detail)
    return pd.DataFrame(columns | dict(data.covariates))


def refuse_exchanged(judges: Comparisons, humans: Comparisons) -> None:
    """Refuse people given for judges, and judges for people.

    Parameters
    ----------
    judges, humans : Comparisons
        Verdicts and votes.

    Raises
    ------
    JudgeKindError
        If the first table is of people and the second of LLMs.
    """
    if judges.human.all() and not humans.human.any():
        raise JudgeKindError(
            f"The first table ({judges.source}) holds verdicts of people and the second "
            f"({humans.source}) of LLMs; give the judges first, then the people."
        )
