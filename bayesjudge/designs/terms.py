"""Judge-specific bias terms: the columns of position, length and family contrasts."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.errors import (
    MissingCovariateError,
    MissingFamilyError,
    NotMappingError,
    UnknownOptionError,
    UnknownTermError,
)

Term = Literal["position", "length", "family"]


ROUNDING = 1e-12


RANK_TOLERANCE = 1e-10  # absolute singular values, OSCAR Appendix B.2


def demand_terms(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Check that terms are given as a sequence of names.

    Parameters
    ----------
    terms : sequence of str
        The terms.

    Returns
    -------
    tuple of str
        The same.

    Raises
    ------
    UnknownTermError
        For a bare string, or what is no sequence.
    """
    if isinstance(terms, str) or not isinstance(terms, Sequence):
        raise UnknownTermError(
            f"terms is {terms!r}; give a sequence of names, such as ('position', 'length')."
        )
    return tuple(terms)


def position_contrast(data: Comparisons) -> NDArray[np.float64]:
    """Give one where the display order is known, zero where it is not.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray, shape (n_rows,)
        The column that a judge's position effect multiplies.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.designs.terms import position_contrast
    >>> position_contrast(bj.example_panel())[:3]
    array([1., 1., 1.])
    """
    return data.order_known.astype(np.float64)


def log_length_ratio(data: Comparisons) -> NDArray[np.float64]:
    """Give the log ratio of the two answers' lengths, first over second.

    Parameters
    ----------
    data : Comparisons
        The verdicts, with lengths in Unicode characters.

    Returns
    -------
    ndarray, shape (n_rows,)
        ``log((length_first + 1) / (length_second + 1))``.

    Raises
    ------
    MissingCovariateError
        Where a length is missing.
    """
    first, second = data.length_first, data.length_second
    if first is None or second is None:
        raise MissingCovariateError(
            f"The length term needs the lengths of both answers and {data.source} has none; "
            "read them from columns such as length_a and length_b, or leave the term out."
        )
    missing = np.flatnonzero(np.isnan(first) | np.isnan(second))
    if missing.size:
        raise MissingCovariateError(
            f"The length term needs every length and {missing.size} rows lack one (first: row "
            f"{data.source_row[missing[0]]}); read again with missing_length='drop', or leave "
            "the term out."
        )
    return np.log((first + 1) / (second + 1))


def length_contrast(data: Comparisons) -> NDArray[np.float64]:
    """Give the log length ratio in units of its standard deviation over the data set.

    Parameters
    ----------
    data : Comparisons
        The verdicts, with lengths in Unicode characters.

    Returns
    -------
    ndarray, shape (n_rows,)
        L of OSCAR Section 3.2: zero at equal length, negated when the slots are exchanged.

    Raises
    ------
    MissingCovariateError
        Where a length is missing.
    """
    ratio = log_length_ratio(data)
    mean = np.average(ratio, weights=data.weight)
    spread = np.sqrt(np.average((ratio - mean) ** 2, weights=data.weight))
    # Where all ratios are alike there is no unit to measure them in, but rounding leaves a spread.
    return ratio / spread if spread > ROUNDING * np.abs(ratio).max() else ratio


def family_contrast(data: Comparisons, families: Mapping[str, str]) -> NDArray[np.float64]:
    """Give one where only the first answer is of the judge's family, minus one for the second.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    families : mapping of str to str
        The family of every item and every judge, by name.

    Returns
    -------
    ndarray, shape (n_rows,)
        F of OSCAR Section 3.2.

    Raises
    ------
    MissingFamilyError
        Where an item or a judge has no family.
    """
    named = {name for name, family in families.items() if isinstance(family, str)}
    absent = sorted({*data.items, *data.judges} - named)
    if absent:
        raise MissingFamilyError(
            f"The family term needs a family for every item and judge and {absent[0]!r} has none "
            f"({len(absent)} missing); add it to families=."
        )
    of_item = np.array([families[name] for name in data.items], dtype=object)
    of_judge = np.array([families[name] for name in data.judges], dtype=object)[data.judge]
    own_first = of_item[data.first] == of_judge
    own_second = of_item[data.second] == of_judge
    return own_first.astype(np.float64) - own_second.astype(np.float64)


def term_columns(
    data: Comparisons, terms: tuple[Term, ...], families: Mapping[str, str] | None = None
) -> NDArray[np.float64]:
    """Give the columns of the judge-specific terms, in the order asked for.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    terms : tuple of {"position", "length", "family"}
        The terms.
    families : mapping of str to str, optional
        The family of every item and judge, for the family term; by default by organisation.

    Returns
    -------
    ndarray, shape (n_rows, n_terms)
        One column a term.

    Raises
    ------
    UnknownTermError
        For a term that does not exist.
    MissingFamilyError
        Where an item or a judge has no family, or, by default, no name speaks of one.
    NotMappingError
        If families do not come by name.
    """
    column: dict[str, Callable[[], NDArray[np.float64]]] = {
        "position": lambda: position_contrast(data),
        "length": lambda: length_contrast(data),
        "family": lambda: _family_column(data, families),
    }
    for term in terms:
        if not isinstance(term, str) or term not in column:
            raise UnknownTermError(f"There is no term {term!r}; choose from {', '.join(column)}.")
    if len(set(terms)) < len(terms):
        raise UnknownTermError(f"A term is named twice in {terms!r}; name each once.")
    values = [column[term]() for term in terms]
    return np.column_stack(values) if values else np.empty((data.n_rows, 0))


def _family_column(data: Comparisons, families: Mapping[str, str] | None) -> NDArray[np.float64]:
    if families is None:
        return family_contrast(data, _default_families(data))
    if not isinstance(families, Mapping):
        raise NotMappingError(
            f"families is of type {type(families).__name__}; give a dict from the name of every "
            "item and judge to its family."
        )
    return family_contrast(data, families)


def _default_families(data: Comparisons) -> dict[str, str]:
    found = organisation_families((*data.items, *data.judges))
    shared = {found[name] for name in data.items} & {found[name] for name in data.judges}
    # A name that speaks of no organisation is a family of its own, here in lower case.
    if not shared and all(family == name.lower() for name, family in found.items()):
        raise MissingFamilyError(
            "The family term needs families and no name of an item or a judge speaks of one; give "
            "families= with the family of each, or leave the term out."
        )
    return found


def retained_terms(
    judge: NDArray[np.intp], columns: NDArray[np.float64], n_judges: int
) -> NDArray[np.bool_]:
    """Mark, judge by judge, the terms whose column adds to the rank of those before it.

    Parameters
    ----------
    judge : ndarray, shape (n,)
        The judge of each cell (or row).
    columns : ndarray, shape (n, n_terms)
        The terms' columns.
    n_judges : int
        Number of judges.

    Returns
    -------
    ndarray of bool, shape (n_judges, n_terms)
        False where the coefficient is fixed at zero (OSCAR, Appendix B.2).
    """
    kept = np.zeros((n_judges, columns.shape[1]), dtype=bool)
    order = np.argsort(judge, kind="stable")
    bounds = np.searchsorted(judge[order], np.arange(n_judges + 1))
    for k in range(n_judges):
        kept[k] = _adds_rank(columns[order[bounds[k] : bounds[k + 1]]])
    return kept


def _adds_rank(columns: NDArray[np.float64]) -> NDArray[np.bool_]:
    kept = np.zeros(columns.shape[1], dtype=bool)
    for term in range(columns.shape[1]):
        trial = kept.copy()
        trial[term] = True
        kept = trial if _rank(columns[:, trial]) > kept.sum() else kept
    return kept


def _rank(columns: NDArray[np.float64]) -> int:
    return int((np.linalg.svd(columns, compute_uv=False) > RANK_TOLERANCE).sum())


# First match wins. The well-known derivatives belong to who made them: alpaca, vicuna or guanaco
# are not Meta's, gpt4all is not OpenAI's. A name that speaks of several makers needs families=.
ORGANISATIONS: tuple[tuple[str, str], ...] = (
    ("nomic", r"gpt4all"),
    ("deepcogito", r"cogito"),
    ("deepseek", r"deepseek"),
    ("anthropic", r"claude"),
    ("openai", r"openai|gpt-?[345]|gpt-oss|chatgpt|davinci|\bo[134]\b"),
    ("google", r"google|gemma|gemini|bard|\bpalm|flan"),
    ("alibaba", r"qwen"),
    ("mistral", r"mistral|mixtral|ministral"),
    ("moonshot", r"moonshot|kimi"),
    ("zhipu", r"glm|zai-org"),
    ("mosaic", r"\bmpt\b"),
    ("tii", r"falcon"),
    ("eleuther", r"^pythia|eleuther"),
    ("stability", r"stablelm|stability"),
    ("databricks", r"dolly|dbrx"),
    ("lmsys", r"vicuna|fastchat"),
    ("stanford", r"alpaca"),
    ("berkeley", r"koala"),
    ("openassistant", r"oasst|open-?assistant"),
    ("wizardlm", r"wizard"),
    ("guanaco", r"guanaco"),
    ("meta", r"meta-llama|^llama|facebook|\bmeta\b"),
)


def organisation_families(names: Iterable[str]) -> dict[str, str]:
    """Give each model the organisation that its name speaks of.

    Parameters
    ----------
    names : iterable of str
        Names of items and judges, with organisation prefixes where they have any.

    Returns
    -------
    dict of str to str
        A known organisation, else the prefix before a slash, else the name itself: a model of
        unknown making is a family of its own.

    Raises
    ------
    UnknownOptionError
        If it is a single name, or holds something that is not text.

    Notes
    -----
    OSCAR, Appendix B.2: rules apply to lower-cased names with prefixes retained. Look at what comes
    out before you use it, and give ``families=`` where you know better.

    Examples
    --------
    >>> organisation_families(["openai/gpt-oss-20b", "gpt-4", "vicuna-13b", "judge-7"])
    {'openai/gpt-oss-20b': 'openai', 'gpt-4': 'openai', 'vicuna-13b': 'lmsys', 'judge-7': 'judge-7'}
    """
    return {name: _organisation(name.lower()) for name in _demand_names(names)}


def _demand_names(names: Iterable[str]) -> list[str]:
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise UnknownOptionError(
            f"names is {names!r} and no list of names; put a single name into one, [name]."
        )
    known = list(names)
    odd = [name for name in known if not isinstance(name, str)]
    if odd:
        raise UnknownOptionError(f"names holds {odd[0]!r}, which is no text; give names as text.")
    return known


def _organisation(name: str) -> str:
    for organisation, pattern in ORGANISATIONS:
        if re.search(pattern, name):
            return organisation
    return name.split("/", 1)[0]
