"""The last step of reading: rows with names become an immutable table of indices."""

import numpy as np
import pandas as pd

from bayesjudge.data.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons, Dropped

_COVARIATE = "covariate:"


def assemble(
    rows: pd.DataFrame,
    *,
    graded: bool,
    dropped: tuple[Dropped, ...],
    notes: tuple[str, ...],
    source: str,
) -> Comparisons:
    """Index items, judges and prompts in the order of their names.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows with names, verdict codes and numbers.
    graded : bool
        Whether the labels as given say more than the verdict, and are kept.
    dropped : tuple of Dropped
        What was left out.
    notes : tuple of str
        What was decided.
    source : str
        Name of the source.

    Returns
    -------
    Comparisons
        The validated table.
    """
    both, items = number_names(pd.concat([rows["item_first"], rows["item_second"]]))
    judge, judges = number_names(rows["judge"])
    prompt, prompts = number_names(rows["prompt"])
    human = np.zeros(len(judges), dtype=bool)
    human[judge] = rows["human"].to_numpy()
    has_lengths = "length_first" in rows
    return Comparisons(
        items=items,
        judges=judges,
        prompts=prompts,
        first=both[: len(rows)],
        second=both[len(rows) :],
        verdict=rows["code"].to_numpy(),
        judge=judge,
        prompt=prompt,
        human=human,
        order_known=rows["order_known"].to_numpy(),
        weight=rows["weight"].to_numpy(),
        repeat=rows["repeat"].to_numpy(),
        source_row=rows["source_row"].to_numpy(),
        length_first=rows["length_first"].to_numpy() if has_lengths else None,
        length_second=rows["length_second"].to_numpy() if has_lengths else None,
        covariates=_covariates(rows),
        outcome_detail=_details(rows, graded),
        dropped=dropped,
        notes=notes,
        source=source,
    )


def number_names(names: pd.Series) -> tuple[IntArray, tuple[str, ...]]:
    """Index names in sorted order.

    Parameters
    ----------
    names : pandas.Series of str
        One name a row.

    Returns
    -------
    index : ndarray of int, shape (n_rows,)
        The number of each row's name.
    names : tuple of str
        The distinct names, sorted.
    """
    codes, unique = pd.factorize(names)
    distinct = [str(name) for name in unique.tolist()]
    order = sorted(range(len(distinct)), key=distinct.__getitem__)
    rank = np.empty(len(distinct), dtype=np.int64)
    rank[order] = np.arange(len(distinct))
    return rank[codes], tuple(distinct[i] for i in order)


def _covariates(rows: pd.DataFrame) -> tuple[tuple[str, np.ndarray], ...]:
    return tuple(
        (name.removeprefix(_COVARIATE), rows[name].to_numpy())
        for name in rows.columns
        if name.startswith(_COVARIATE)
    )


def _details(rows: pd.DataFrame, graded: bool) -> tuple[str, ...] | None:
    if "outcome_detail" in rows:
        return tuple(rows["outcome_detail"].fillna("").astype(str))
    return tuple(rows["label"]) if graded else None
