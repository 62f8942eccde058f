"""Judge-specific bias terms: the columns of position, length and family contrasts."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
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
    """Check that terms are given as a sequence of names."""
    if isinstance(terms, str) or not isinstance(terms, Sequence):
        raise UnknownTermError(
            f"terms is {terms!r}; give a sequence of names, such as ('position', 'length')."
        )
    return tuple(terms)


def position_contrast(data: Comparisons) -> FloatArray:
    """Return one where the display order is known, zero where it is not.

    Shapes: -> (n_rows,).
    """
    return data.order_known.astype(np.float64)


def log_length_ratio(data: Comparisons) -> FloatArray:
    """Return the log ratio of the two answers' lengths, first over second.

    Shapes: -> (n_rows,).
    """
    first, second = data.length_first, data.length_second
    if first is None or second is None:
        raise MissingCovariateError(
            f"The length term needs the lengths of both answers and {data.source} has none; "
            "read them from columns such as length_a and length_b, or leave the term out."
        )
    missing = np.isnan(first) | np.isnan(second)
    if missing.any():
        raise MissingCovariateError(
            f"The length term needs every length, and one is missing in "
            f"{data.places.listing(missing)}; read again with missing_length='drop', or leave "
            "the term out."
        )
    return np.log((first + 1) / (second + 1))


def length_contrast(data: Comparisons) -> FloatArray:
    """Return the log length ratio in units of its standard deviation over the data set.

    Shapes: -> (n_rows,).
    """
    ratio = log_length_ratio(data)
    mean = np.average(ratio, weights=data.weight)
    spread = np.sqrt(np.average((ratio - mean) ** 2, weights=data.weight))
    # Where all ratios are alike there is no unit to measure them in, but rounding leaves a spread.
    return ratio / spread if spread > ROUNDING * np.abs(ratio).max() else ratio


def family_contrast(data: Comparisons, families: Mapping[str, str]) -> FloatArray:
    """Return one where only the first answer is of the judge's family, minus one for the second.

    Shapes: -> (n_rows,).
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
) -> FloatArray:
    """Return the columns of the judge-specific terms, in the order asked for.

    Shapes: -> (n_rows, n_terms).
    """
    column: dict[str, Callable[[], FloatArray]] = {
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


def _family_column(data: Comparisons, families: Mapping[str, str] | None) -> FloatArray:
    if families is None:
        return family_contrast(data, _default_families(data))
    wanted(
        Mapping,  # type: ignore[type-abstract]
        families,
        NotMappingError,
        "families is of type {type}; give a dict from the name of every item and judge to its "
        "family.",
    )
    return family_contrast(data, families)


def _default_families(data: Comparisons) -> dict[str, str]:
    families = organisation_families((*data.items, *data.judges))
    shared = {families[name] for name in data.items} & {families[name] for name in data.judges}
    # A name without a known organisation is a family of its own, here in lower case.
    if not shared and all(family == name.lower() for name, family in families.items()):
        raise MissingFamilyError(
            "The family term needs families and no name of an item or judge contains a known one; "
            "give families= with the family of each, or leave the term out."
        )
    return families


def retained_terms(judge: IntArray, columns: FloatArray, n_judges: int) -> BoolArray:
    """Mark, judge by judge, the terms whose column adds to the rank of those before it.

    Shapes: judge (n,); columns (n, n_terms) -> (n_judges, n_terms).
    """
    kept = np.zeros((n_judges, columns.shape[1]), dtype=bool)
    order = np.argsort(judge, kind="stable")
    bounds = np.searchsorted(judge[order], np.arange(n_judges + 1))
    for k in range(n_judges):
        kept[k] = _adds_rank(columns[order[bounds[k] : bounds[k + 1]]])
    return kept


def _adds_rank(columns: FloatArray) -> BoolArray:
    kept = np.zeros(columns.shape[1], dtype=bool)
    for term in range(columns.shape[1]):
        trial = kept.copy()
        trial[term] = True
        kept = trial if _rank(columns[:, trial]) > kept.sum() else kept
    return kept


def _rank(columns: FloatArray) -> int:
    return int((np.linalg.svd(columns, compute_uv=False) > RANK_TOLERANCE).sum())


# First match wins. The well-known derivatives belong to who made them: alpaca, vicuna or guanaco
# are not Meta's, gpt4all is not OpenAI's. A name with several makers needs families=.
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
    """Return the organisation behind each model, as far as its name contains it.

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
