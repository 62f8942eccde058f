"""Verdicts laid out with contrasts of the answers' features as judge-specific terms."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bayesjudge.core.arguments import demand_squares, real_numbers, wanted
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.wording import counted, row_listing
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.design import Design, design, laid_out
from bayesjudge.designs.terms import Term, term_columns
from bayesjudge.errors import FeatureError, NotComparisonsError, NotMappingError

# Quantities and dimensions of programs, which a contrast of that name would hide.
RESERVED = (
    "human_score",
    "score",
    "new_score",
    "score_scale",
    "new_score_spread",
    "sensitivity",
    "log_sensitivity",
    "log_scale",
    "item",
    "judge",
    "draw",
    "chain",
)

RESERVED_ENDINGS = ("_coordinates", "_verdicts")


def features(
    data: Comparisons,
    contrasts: Mapping[str, ArrayLike],
    terms: Sequence[Term] = (),
    *,
    items: Sequence[str] | None = None,
    families: Mapping[str, str] | None = None,
) -> Design:
    """Prepare verdicts for a program, with judge-specific terms of the user's own.

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
        If a contrast has a name that is no word or taken, a wrong length, or holds anything but
        finite numbers of a size whose squares are finite.
    NotComparisonsError, NotMappingError
        If `data` or `contrasts` is something else.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> panel = bj.example_panel()
    >>> ratio = np.log(panel.length_first / panel.length_second)
    >>> bj.new_items.features(panel, {"log_length": ratio, "square": ratio**2}).layout.terms
    ('log_length', 'square')
    """
    _demand_verdicts(data)
    demand_named_arrays("contrasts", contrasts)
    plain = design(data, terms, items=items, families=families)
    own = [
        _column(data, name, values, taken=plain.layout.terms) for name, values in contrasts.items()
    ]
    columns = np.column_stack([term_columns(data, tuple(terms), families), *own])
    layout = plain.layout
    return laid_out(
        data,
        plain.items,
        (*layout.terms, *contrasts),
        columns,
        layout.reference,
        layout.label,
        layout.power,
    )


def answer_contrasts(
    data: Comparisons, answers: pd.DataFrame, prompt: str = "prompt", item: str = "item"
) -> dict[str, FloatArray]:
    """Return contrasts of features that are known answer by answer.

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
        If `answers` is no DataFrame, a column is missing or holds anything but numbers, an answer
        occurs twice, or an answer of a verdict is not there or has no finite number.
    NotComparisonsError
        If `data` is something else.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.read({"left": ["x"], "right": ["y"], "winner": ["left"], "prompt": ["p"]})
    >>> answers = pd.DataFrame({"prompt": ["p", "p"], "item": ["x", "y"], "tone": [2.0, 0.5]})
    >>> answer_contrasts(data, answers)["tone"].tolist()
    [1.5]
    """
    _demand_verdicts(data)
    _demand_table(answers, prompt, item)
    table = answers.set_index([prompt, item])
    if not table.index.is_unique:
        raise FeatureError(
            f"The answer {table.index[table.index.duplicated()][0]!r} occurs twice in the table of "
            "answers; give one row for every prompt and item."
        )
    first, second = _places(data, table, data.first), _places(data, table, data.second)
    judged = np.zeros(len(table), dtype=bool)
    judged[first] = judged[second] = True
    columns = {str(name): _feature(table, name, judged) for name in table.columns}
    return {name: column[first] - column[second] for name, column in columns.items()}


def demand_named_arrays(name: str, given: object) -> None:
    """Raise unless arrays are given by name."""
    wanted(
        Mapping,  # type: ignore[type-abstract]
        given,
        NotMappingError,
        f"{name} is of type {{type}}; give a dict of an array by name, such as "
        '{"tone": ...}, which dict(table) makes of a DataFrame.',
    )


def contrast_numbers(name: str, values: object) -> FloatArray:
    """Return the numbers of a contrast, which need not be finite."""
    numbers = real_numbers(values)
    if numbers is None:
        raise FeatureError(
            f"The contrast {name!r} is of type {type(values).__name__} and not an array of real "
            "numbers; give one, such as numpy.array([...], dtype=float)."
        )
    return numbers


def demand_name(name: object, taken: Collection[str] = ()) -> None:
    """Raise unless a feature can have a name."""
    word = isinstance(name, str) and name.isidentifier()
    if not word or name in (*taken, *RESERVED) or str(name).endswith(RESERVED_ENDINGS):
        raise FeatureError(
            f"A contrast is named {name!r}; give each a name of its own of letters, digits and "
            f"underscores, none of {', '.join(RESERVED)}, and none that ends in "
            f"{' or '.join(RESERVED_ENDINGS)}."
        )


def _demand_verdicts(data: object) -> None:
    """Raise unless verdicts have been read and not laid out yet."""
    if isinstance(data, Design):
        raise NotComparisonsError(
            "The verdicts are laid out already, as a Design; give the Comparisons that "
            "bj.read(...) returned, and terms of bj.design as terms=."
        )
    demand_comparisons(data)


def _demand_table(answers: object, prompt: str, item: str) -> None:
    """Raise unless a table has columns of names, and columns of features with different names."""
    if not isinstance(answers, pd.DataFrame):
        raise FeatureError(
            f"The answers are of type {type(answers).__name__}; give a pandas DataFrame with one "
            "row for every prompt and item."
        )
    names = [str(name) for name in answers.columns]
    missing = [name for name in (prompt, item) if name not in list(answers.columns)]
    if missing:
        raise FeatureError(
            f"The table of answers has no column {missing[0]!r}; name the columns of prompts and "
            "items with prompt= and item=."
        )
    if len(set(names)) < len(names) or prompt == item:
        raise FeatureError(
            "Two columns of the table of answers have the same name, or prompt= and item= name the "
            "same one; give each a name of its own."
        )
    if not set(names) - {prompt, item}:
        raise FeatureError(
            "The table of answers has no features; give it a column of numbers besides "
            f"{prompt!r} and {item!r}."
        )


def _places(data: Comparisons, table: pd.DataFrame, item: IntArray) -> IntArray:
    """Row of the table that holds an answer of each verdict."""
    prompts, items = np.array(data.prompts, object), np.array(data.items, object)
    place = table.index.get_indexer(pd.MultiIndex.from_arrays([prompts[data.prompt], items[item]]))
    if (place < 0).any():
        row = int(np.flatnonzero(place < 0)[0])
        raise FeatureError(
            f"The table of answers lacks {(place < 0).sum()} answers that were judged (first: "
            f"{data.items[item[row]]!r} on {data.prompts[data.prompt[row]]!r}); add their rows, or "
            "select the verdicts whose answers are known."
        )
    return place


def _feature(table: pd.DataFrame, name: object, judged: BoolArray) -> FloatArray:
    """Numbers of one column, finite where answers were judged."""
    column = table[name]
    if getattr(column.dtype, "kind", "O") not in "iufb":
        raise FeatureError(
            f"The column {str(name)!r} of the table of answers holds values of type "
            f"{column.dtype}; turn it into real numbers, or leave it out."
        )
    values = column.to_numpy(np.float64, na_value=np.nan)
    wrong = judged & ~np.isfinite(values)
    if wrong.any():
        prompt, item = table.index[int(wrong.argmax())]
        raise FeatureError(
            f"The feature {str(name)!r} is not finite in {counted(int(wrong.sum()), 'answer')} "
            f"that judges saw (first: {item!r} on {prompt!r}); fill it in, or select the verdicts "
            "whose answers are known."
        )
    return values


def _column(data: Comparisons, name: str, values: ArrayLike, taken: tuple[str, ...]) -> FloatArray:
    demand_name(name, taken)
    column = contrast_numbers(name, values)
    if column.shape != (data.n_rows,):
        raise FeatureError(
            f"The contrast {name!r} has shape {column.shape} and must hold one finite number for "
            f"each of the {data.n_rows} verdicts; leave out the verdicts without one."
        )
    if not np.isfinite(column).all():
        raise FeatureError(
            f"The contrast {name!r} must hold one finite number for each verdict and does not in "
            f"{row_listing(~np.isfinite(column))}; leave out the verdicts without one."
        )
    demand_squares(name, column)
    return column
