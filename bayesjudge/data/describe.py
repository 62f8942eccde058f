"""A table of comparisons in sentences."""

from typing import TYPE_CHECKING

import numpy as np

from bayesjudge.data.dropped import rows_by_reason
from bayesjudge.data.names import chosen_form, counted, listing
from bayesjudge.data.orders import both_order_cells

if TYPE_CHECKING:
    from bayesjudge.data.comparisons import Comparisons

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
    both, cells = both_order_cells(data)
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
