"""The validated, immutable table of verdicts that everything else starts from."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import both_orders_by_group, combined_key
from bayesjudge.core.wording import chosen_form, counted, listing
from bayesjudge.data.dropped import Dropped, left_out_sentence
from bayesjudge.data.places import Places, Source, columns_sentences
from bayesjudge.data.validate import ROW_TYPES, validate_comparisons
from bayesjudge.errors import JudgeKindError, NotComparisonsError

FIRST, TIE, SECOND = 0, 1, 2

_LENGTHS = ("length_first", "length_second")


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
        Position of the row in the source, counting from 0; `places` names it as a reader counts.
    length_first, length_second : ndarray of float, shape (n_rows,), or None
        Lengths of the two answers, in characters unless the source counts tokens. NaN only
        where read with ``missing_length="keep"``.
    covariates : tuple of (str, ndarray of float, shape (n_rows,))
        Further numeric columns that were asked for.
    outcome_detail : tuple of str, shape (n_rows,), or None
        The label as given, where it says more than the verdict (``"A>>B"``).
    dropped : tuple of Dropped
        The rows that were left out on request.
    notes : tuple of str
        Sentences about the decisions made in reading.
    source : str
        File name, or ``"frame"``; several are joined.
    sources : tuple of Source
        The files or frames, each with the columns that are used and those that are not.
    kinds_stated : bool
        Whether ``kind=`` or a column said which judges are people. If not, a judge not named in
        ``human_judges=`` is an LLM by default.
    prompts_stated : bool
        Whether the source named the prompts. If not, its rows were numbered, and none of these
        prompts is a prompt of another table, whatever the names.

    Raises
    ------
    EmptyComparisonsError
        If there is no row.
    InvalidComparisonsError
        If the arrays do not fit together or an index is out of range.
    InvalidWeightError, SelfComparisonError
        If a weight is not positive, or a row compares an item with itself.
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
    sources: tuple[Source, ...] = ()
    kinds_stated: bool = True
    prompts_stated: bool = True

    def __post_init__(self) -> None:
        validate_comparisons(vars(self))
        types = ROW_TYPES | {"human": np.bool_} | dict.fromkeys(_LENGTHS, np.float64)
        for name, dtype in types.items():
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _frozen_array(getattr(self, name), dtype))
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
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return low * self.n_items + high

    @property
    def swapped(self) -> BoolArray:
        """Whether the item shown first has the later name, shape (n_rows,)."""
        return self.first > self.second

    @property
    def places(self) -> Places:
        """Where the rows stand in their files, by lines, or in their frames, by positions."""
        return Places(self.sources or (Source(self.source),), self.source_row)

    def both_order_cells(self) -> tuple[int, int]:
        """Count the cells (judge, prompt, pair) shown in both orders, and all cells.

        Returns
        -------
        both, cells : int
            Only rows of known order count; both are zero where no order is known.
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
        """Describe in sentences what was read, so that misread columns or labels show at once.

        Returns
        -------
        str
            Sizes, judges by kind, share of ties, both-order cells, what was left out, the columns
            that are used and those that are not, notes, and three rows as sentences.

        Examples
        --------
        >>> import bayesjudge as bj
        >>> rows = [{"model_a": "x", "model_b": "y", "winner": "model_a", "judge": "j"}]
        >>> print(bj.read(rows).describe().splitlines()[-1])
        Row 0: x, shown first, beat y on prompt row-0 for judge j.
        """
        ties = self.weight[self.verdict == TIE].sum() / self.weight.sum()
        lines = [
            _sizes(self),
            f"Items: {listing(self.items)}.",
            _kinds(self),
            f"Ties: {ties:.1%} of the verdicts.",
            _orders(self),
            left_out_sentence(self.dropped, self.n_rows),
            *columns_sentences(self.sources),
            *self.notes,
            *(verdict_sentence(self, row) for row in _example_rows(self)),
        ]
        return "\n".join(lines)

    def to_frame(self) -> pd.DataFrame:
        """Return the table under the column names that `bayesjudge.read` reads back.

        Returns
        -------
        pandas.DataFrame
            One row per comparison: ``item_first``, ``item_second``, ``verdict`` (``"first"``,
            ``"tie"``, ``"second"``), ``judge``, ``judge_kind``, ``prompt``, lengths where there
            are any, ``weight``, ``repeat``, ``order_known``, labels as given where they say more
            than the verdict (``outcome_detail``), and the covariates. Made-up prompts are written
            like stated ones.

        Examples
        --------
        >>> import bayesjudge as bj
        >>> data = bj.read({"left": ["x"], "right": ["y"], "winner": ["right"]})
        >>> data.to_frame().loc[0, ["item_first", "item_second", "verdict"]].tolist()
        ['x', 'y', 'second']
        """
        items = np.array(self.items, dtype=object)
        columns: dict[str, object] = {
            "item_first": items[self.first],
            "item_second": items[self.second],
            "verdict": np.array(["first", "tie", "second"], dtype=object)[self.verdict],
            "judge": np.array(self.judges, dtype=object)[self.judge],
            "judge_kind": np.where(self.human, "human", "llm")[self.judge],
            "prompt": np.array(self.prompts, dtype=object)[self.prompt],
        }
        if self.length_first is not None and self.length_second is not None:
            columns |= {name: getattr(self, name) for name in _LENGTHS}
        columns |= {name: getattr(self, name) for name in ("weight", "repeat", "order_known")}
        if self.outcome_detail is not None:
            columns["outcome_detail"] = list(self.outcome_detail)
        return pd.DataFrame(columns | dict(self.covariates))

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
        by_row = [*ROW_TYPES, *(name for name in _LENGTHS if getattr(self, name) is not None)]
        values = vars(self) | {name: getattr(self, name)[kept] for name in by_row}
        values["covariates"] = tuple((name, x[kept]) for name, x in self.covariates)
        if self.outcome_detail is not None:
            values["outcome_detail"] = tuple(self.outcome_detail[row] for row in kept)
        return Comparisons(**_used_names_only(values))


def demand_comparisons(data: object) -> Comparisons:
    """Check that an argument is a table of verdicts that `bayesjudge.read` made."""
    return wanted(
        Comparisons,
        data,
        NotComparisonsError,
        "Verdicts are wanted and this is of type {type}; read them first with bj.read(...).",
    )


def refuse_exchanged(judges: Comparisons, humans: Comparisons) -> None:
    """Raise where people are given for judges, and judges for people."""
    if judges.human.all() and not humans.human.any():
        raise JudgeKindError(
            f"The first table ({judges.source}) holds verdicts of people and the second "
            f"({humans.source}) of LLMs; give the judges first, then the people."
        )


def _frozen_array(values: object, dtype: type) -> np.ndarray:
    array: np.ndarray = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def _used_names_only(values: dict[str, Any]) -> dict[str, Any]:
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


def _sizes(data: Comparisons) -> str:
    weighted = (data.weight != 1).any()
    weights = f" (total weight {data.weight.sum():,g})" if weighted else ""
    return (
        f"{counted(data.n_rows, 'verdict')}{weights} from {data.source}: "
        f"{counted(data.n_items, 'item')}, {counted(data.n_judges, 'judge')}, "
        f"{counted(data.n_prompts, 'prompt')}."
    )


def _kinds(data: Comparisons) -> str:
    judges = np.array(data.judges, dtype=object)
    kinds = {"LLM": judges[~data.human], "human": judges[data.human]}
    parts = [f"{counted(len(x), kind)} ({listing(x, 4)})" for kind, x in kinds.items() if len(x)]
    return f"Judges: {', '.join(parts)}."


def _orders(data: Comparisons) -> str:
    if not data.order_known.any():
        return "Order of display: unknown."
    unknown = int((~data.order_known).sum())
    rest = f"; it is unknown in {counted(unknown, 'row')}" if unknown else ""
    both, cells = data.both_order_cells()
    return (
        f"Order of display: {both:,} of {cells:,} cells (judge, prompt, pair) "
        f"{chosen_form(both, 'was', 'were')} shown in both orders{rest}."
    )


def _example_rows(data: Comparisons) -> list[int]:
    """Return the first row of each verdict, then further rows from the top, three in all."""
    firsts = [int(np.argmax(data.verdict == code)) for code in np.unique(data.verdict)]
    rest = [row for row in range(min(data.n_rows, 3)) if row not in firsts]
    return sorted([*firsts, *rest][:3])


_ONE_LINE = str.maketrans("\t\n\r", "   ")  # a prompt's name may be its text


def verdict_sentence(data: Comparisons, row: int) -> str:
    """Write one verdict as a sentence, so that exchanged slots or winners show."""
    first, second = data.items[data.first[row]], data.items[data.second[row]]
    second_won = data.verdict[row] == SECOND
    subject, other, slot = (second, first, "second") if second_won else (first, second, "first")
    verb = "tied with" if data.verdict[row] == TIE else "beat"
    shown = f", shown {slot}," if data.order_known[row] else " (order of display unknown)"
    prompt, judge = data.prompts[data.prompt[row]], data.judges[data.judge[row]]
    place = data.places.of(row)
    return (
        f"{place[:1].upper()}{place[1:]}: {subject}{shown} {verb} {other} on prompt "
        f"{prompt.translate(_ONE_LINE)} for judge {judge}."
    )
