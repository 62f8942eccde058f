"""Verdicts laid out with contrasts of the answers' features as judge-specific terms."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from bayesjudge.data.cells import count_cells
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import Design, design, shared_size
from bayesjudge.data.layouts import CellLayout
from bayesjudge.data.terms import Term, retained_terms, term_columns
from bayesjudge.errors import FeatureError

# Quantities of programs, which a contrast of that name would hide.
RESERVED = ("human_score", "score", "new_score", "sensitivity", "log_sensitivity", "log_scale")


def features(
    data: Comparisons,
    contrasts: Mapping[str, ArrayLike],
    terms: Sequence[Term] = (),
    *,
    items: Sequence[str] | None = None,
    families: Mapping[str, str] | None = None,
) -> Design:
    """Lay verdicts out with judge-specific terms of the user's own.

    A judge's bias is the sum of its effect times the contrast, term by term. Polynomials, splines
    and interactions with the prompt are contrasts like any other: take the difference of the basis
    function's values at the two answers.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    contrasts : mapping of str to array, shape (n_rows,)
        By name, the feature of the answer shown first less that of the other, row by row of
        `data`. `answer_contrasts` makes them from a table of answers.
    terms : sequence of {"position", "length", "family"}
        Terms of `bayesjudge.design` to have besides.
    items : sequence of str, optional
        Item names to index by, where several data sets share a fit; by default those of `data`.
    families : mapping of str to str, optional
        For the family term.

    Returns
    -------
    Design
        The terms first, then the contrasts, which programs name by their names.

    Raises
    ------
    FeatureError
        If a contrast has a name that is no word or taken, a wrong length, or is not finite.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> panel = bj.example_panel()
    >>> ratio = np.log(panel.length_first / panel.length_second)
    >>> bj.features(panel, {"log_length": ratio, "square": ratio**2}).layout.terms
    ('log_length', 'square')
    """
    plain = design(data, terms, items=items, families=families)
    own = [
        _column(data, name, values, taken=plain.layout.terms) for name, values in contrasts.items()
    ]
    columns = np.column_stack([term_columns(data, tuple(terms), families), *own])
    return _laid_out(plain, columns, (*plain.layout.terms, *contrasts))


def answer_contrasts(
    data: Comparisons, answers: pd.DataFrame, prompt: str = "prompt", item: str = "item"
) -> dict[str, NDArray[np.float64]]:
    """Give contrasts of features that are known answer by answer.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    answers : DataFrame
        One row for every prompt and item: their names, and numeric columns of features.
    prompt, item : str
        The columns that hold the names.

    Returns
    -------
    dict of str to ndarray, shape (n_rows,)
        By feature, first less second.

    Raises
    ------
    FeatureError
        If a column is missing, an answer occurs twice, or an answer of a verdict is not there.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.read({"left": ["x"], "right": ["y"], "winner": ["left"], "prompt": ["p"]})
    >>> answers = pd.DataFrame({"prompt": ["p", "p"], "item": ["x", "y"], "tone": [2.0, 0.5]})
    >>> answer_contrasts(data, answers)["tone"].tolist()
    [1.5]
    """
    missing = [name for name in (prompt, item) if name not in answers.columns]
    if missing:
        raise FeatureError(
            f"The table of answers has no column {missing[0]!r}; name the columns of prompts and "
            "items with prompt= and item=."
        )
    table = answers.set_index([prompt, item])
    if not table.index.is_unique:
        raise FeatureError(
            f"The answer {table.index[table.index.duplicated()][0]!r} occurs twice in the table of "
            "answers; give one row for every prompt and item."
        )
    found = _looked_up(data, table, data.first) - _looked_up(data, table, data.second)
    return {str(name): found[:, place] for place, name in enumerate(table.columns)}


def _looked_up(
    data: Comparisons, table: pd.DataFrame, item: NDArray[np.int64]
) -> NDArray[np.float64]:
    prompts, items = np.array(data.prompts, object), np.array(data.items, object)
    place = table.index.get_indexer(pd.MultiIndex.from_arrays([prompts[data.prompt], items[item]]))
    if (place < 0).any():
        row = int(np.flatnonzero(place < 0)[0])
        raise FeatureError(
            f"The table of answers lacks {(place < 0).sum()} answers that were judged (first: "
            f"{data.items[item[row]]!r} on {data.prompts[data.prompt[row]]!r}); add their rows, or "
            "select the verdicts whose answers are known."
        )
    values: NDArray[np.float64] = table.to_numpy(np.float64)[place]
    return values


def _column(
    data: Comparisons, name: str, values: ArrayLike, taken: tuple[str, ...]
) -> NDArray[np.float64]:
    column = np.asarray(values, dtype=np.float64)
    if not isinstance(name, str) or not name.isidentifier() or name in (*taken, *RESERVED):
        raise FeatureError(
            f"A contrast is named {name!r}; give each a name of its own of letters, digits and "
            f"underscores, none of {', '.join(RESERVED)}."
        )
    if column.shape != (data.n_rows,) or not np.isfinite(column).all():
        raise FeatureError(
            f"The contrast {name!r} has shape {column.shape} and must hold one finite number for "
            f"each of the {data.n_rows} verdicts; leave out the verdicts without one."
        )
    return column


def _laid_out(plain: Design, columns: NDArray[np.float64], terms: tuple[str, ...]) -> Design:
    """Count verdicts by judge, display order and columns."""
    data, layout = plain.data, plain.layout
    place = {name: index for index, name in enumerate(plain.items)}
    index = np.array([place[name] for name in data.items])
    cells, cell_of_row = count_cells(data, columns)
    kept = retained_terms(cells.judge, cells.columns, data.n_judges)
    arrays = {
        "counts": cells.counts,
        "judge": cells.judge,
        "first": index[cells.first],
        "second": index[cells.second],
        "columns": cells.columns,
    }
    size = shared_size(len(cells))
    made = CellLayout(
        **{name: _padded(array, size) for name, array in arrays.items()},
        judge_counts=_by_judge(cells.judge, cells.counts, data.n_judges),
        power=layout.power,
        n_items=layout.n_items,
        n_judges=layout.n_judges,
        reference=layout.reference,
        terms=terms,
        retained=tuple(tuple(map(bool, column)) for column in kept.T),
        label=layout.label,
    )
    return Design(data, plain.items, made, cell_of_row, data.weight)


def _by_judge(
    judge: NDArray[np.int64], counts: NDArray[np.float64], n_judges: int
) -> NDArray[np.float64]:
    return np.column_stack([np.bincount(judge, column, n_judges) for column in counts.T])


def _padded(array: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.concatenate([array, np.zeros((size - len(array), *array.shape[1:]), array.dtype)])
