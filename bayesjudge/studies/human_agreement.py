"""Whether rankings by judges agree with the ranking by people."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import design
from bayesjudge.errors import TooFewSharedItemsError, UnknownItemsError, UnrankedItemsError
from bayesjudge.inference.mode import mode
from bayesjudge.report.table import Table
from bayesjudge.studies.arguments import demand_named, demand_numbers


def human_scores(votes: Comparisons) -> pd.Series:
    """Score items by a Bradley-Terry model of human votes.

    Parameters
    ----------
    votes : Comparisons
        Votes of people.

    Returns
    -------
    pandas.Series
        Log-odds by item, adding up to zero; ridge 0.05, a tie is half a win.

    Raises
    ------
    NotComparisonsError
        If the votes have not been read.

    Notes
    -----
    OSCAR, Appendix F.2: neither annotators nor the order of display have terms.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> votes = bj.read({"left": list("xxy"), "right": list("yzz"), "winner": ["left"] * 3})
    >>> list(human_scores(votes).sort_values(ascending=False).index)
    ['x', 'y', 'z']
    """
    from bayesjudge.models import bradley_terry

    return mode(bradley_terry, design(votes, terms=())).quantity("score").to_series()


def ranking_agreement(
    scores: Mapping[str, pd.Series], human_scores: pd.Series, verdicts: float | None = None
) -> Table:
    """Compare rankings by judges with the ranking by people.

    Parameters
    ----------
    scores : mapping of str to pandas.Series
        Scores by item, by model; ``fit.quantity("score").to_series()`` gives them.
    human_scores : pandas.Series
        Scores by item, as `human_scores` gives them.
    verdicts : float, optional
        Number of votes behind the human scores, to be shown.

    Returns
    -------
    Table
        One row a model: ``spearman`` and ``kendall`` (tau-b), from -1 to 1, the item placed
        ``first``, whether the order is the ``same`` as the people's, and the number of ``items``.

    Raises
    ------
    UnknownItemsError
        If a model's items are not the people's.
    TooFewSharedItemsError
        With fewer than two items.
    UnrankedItemsError
        If scores are missing or all alike, are no Series of numbers, or an item has two of them.
    NotMappingError, EmptyComparisonsError
        If scores are not given by model.

    Notes
    -----
    OSCAR Section 6.4 and Appendix F.2. Scores are estimates: `bayesjudge.agreement` gives the
    interval of the correlation.

    Examples
    --------
    >>> people = pd.Series({"x": 1.0, "y": 0.0, "z": -1.0})
    >>> swapped = pd.Series({"x": 0.1, "y": 0.2, "z": -0.3})
    >>> ranking_agreement({"J": swapped, "J+P": 3 * people}, people)
    Rankings by judges beside that by people. spearman, kendall: correlation of ranks, from
    -1 to 1.
      model  spearman  kendall first   same  items
    0     J     0.500    0.333     y  False      3
    1   J+P         1        1     x   True      3
    """
    named = demand_named("scores", scores, '{"J": fit.quantity("score").to_series()}')
    if len(_demand_scores("the people", human_scores)) < 2:
        raise TooFewSharedItemsError(
            f"The human ranking has {len(human_scores)} item; two are needed to compare orders."
        )
    rows = [{"model": name, **_agreement(name, each, human_scores)} for name, each in named.items()]
    frame = pd.DataFrame(rows).assign(items=len(human_scores))
    if verdicts is not None:
        frame = frame.assign(human_votes=verdicts)
    return Table(
        frame,
        caption="Rankings by judges beside that by people.",
        units=dict.fromkeys(["spearman", "kendall"], "correlation of ranks, from -1 to 1"),
    )


def _demand_scores(whose: str, scores: object) -> pd.Series:
    if not isinstance(scores, pd.Series):
        raise UnrankedItemsError(
            f"The scores of {whose} are of type {type(scores).__name__}; give a pandas Series by "
            'item, as fit.quantity("score").to_series() is one.'
        )
    if not scores.index.is_unique:
        twice = scores.index[scores.index.duplicated()][0]
        raise UnrankedItemsError(
            f"The scores of {whose} hold {twice!r} twice; give each item one score."
        )
    demand_numbers(f"The series of scores of {whose}", scores, UnrankedItemsError)
    return scores


def _demand_same_items(name: str, scores: pd.Series, human: pd.Series) -> None:
    apart = sorted(set(scores.index) ^ set(human.index), key=str)
    if apart:
        raise UnknownItemsError(
            f"The items of {name!r} are not those that people voted on (only one side has "
            f"{apart[0]!r}); give both the same names."
        )


def _agreement(name: str, scores: pd.Series, human: pd.Series) -> dict[str, object]:
    from scipy.stats import kendalltau, rankdata, spearmanr

    _demand_same_items(name, _demand_scores(repr(name), scores), human)
    values, reference = scores[human.index].to_numpy(), human.to_numpy()
    for ranked in (values, reference):
        if not np.isfinite(ranked).all() or np.ptp(ranked) == 0:
            raise UnrankedItemsError(
                f"The scores of {name!r} or of the people are missing or all alike, so that there "
                "is no order to compare; leave that ranking out."
            )
    return {
        "spearman": float(spearmanr(values, reference).statistic),
        "kendall": float(kendalltau(values, reference).statistic),
        "first": str(scores.idxmax()),
        "same": bool(np.array_equal(rankdata(values), rankdata(reference))),
    }
