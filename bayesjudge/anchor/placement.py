"""Where a new item stands: scores, contrasts, what limits them, and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from bayesjudge.anchor.folds import fold_sums, whole_split
from bayesjudge.anchor.orthogonal import Orthogonal
from bayesjudge.anchor.rank_sets import RankSet, Sides, rank_set
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.intervals import demand_level, normal_half_width
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import counted_rows, flat_cells
from bayesjudge.designs.roster import Roster
from bayesjudge.engine.point import prior_curvature
from bayesjudge.engine.prepare import refuse_powers
from bayesjudge.errors import NewItemError, UnknownFitError
from bayesjudge.fits.covariance import quantity_gradient
from bayesjudge.fits.meat import Cluster, Step, clustered_covariance
from bayesjudge.fits.mode import Mode


@dataclass(frozen=True, eq=False)
class VotedPairs:
    """Votes by pair of historical items: what people's scale is known from.

    Attributes
    ----------
    contrast : ndarray, shape (n, n_items)
        Plus one at the first item, minus one at the second.
    votes : ndarray, shape (n,)
        How many.
    """

    contrast: FloatArray
    votes: FloatArray

    def scale_information(self, score: FloatArray) -> float:
        """Information about a common factor of all scores; no judge can add to it."""
        gap = self.contrast @ score
        share = expit(gap)
        return float(self.votes @ (share * (1 - share) * gap**2))


def voted_pairs(humans: Design) -> VotedPairs:
    """Give the votes of a design by pair.

    Parameters
    ----------
    humans : Design
        Votes.

    Returns
    -------
    VotedPairs
        Pairs with at least one vote.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> float(voted_pairs(bj.design(bj.example_votes())).votes.sum())
    300.0
    """
    votes = counted_rows(humans).sum(axis=1)
    return VotedPairs(flat_cells(humans).contrast[votes > 0], votes[votes > 0])


@dataclass(frozen=True, eq=False, repr=False)
class Placement:
    """Human scores of all items with their covariance, by whose verdicts it comes from.

    Attributes
    ----------
    items : tuple of str
        Names.
    is_new : ndarray of bool, shape (n_items,)
        Which are new.
    score : ndarray, shape (n_items,)
        Human scores, log-odds; historical ones sum to zero.
    from_votes, from_judges : ndarray, shape (n_items, n_items)
        ANCHOR's V_H and V_J; the covariance is their sum.
    pairs : VotedPairs
        What people voted on.
    """

    items: tuple[str, ...]
    is_new: NDArray[np.bool_]
    score: FloatArray
    from_votes: FloatArray
    from_judges: FloatArray
    pairs: VotedPairs

    def __repr__(self) -> str:
        return f"Placement({', '.join(self.new_items)} among {(~self.is_new).sum()} items)"

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the scores, shape (n_items, n_items)."""
        return self.from_votes + self.from_judges

    @property
    def bound(self) -> FloatArray:
        """Covariance that endless judges' verdicts would leave: ANCHOR's B, rank one.

        Shape (n_items, n_items). ``c @ bound @ c`` is the bound of the contrast c; it vanishes
        where a common factor of all scores does not move the contrast. By the model's variance of
        a vote: ties vary less, so that beside a robust variance of many ties it is too large.
        """
        return np.outer(self.score, self.score) / self.pairs.scale_information(self.score)

    @property
    def new_items(self) -> tuple[str, ...]:
        """Names of the new items."""
        return tuple(np.array(self.items)[self.is_new].tolist())

    def scores(self, prob: float = 0.95) -> pd.DataFrame:
        """Tabulate all items, the best first.

        Parameters
        ----------
        prob : float
            Nominal coverage of the intervals.

        Returns
        -------
        pandas.DataFrame
            ``item``, ``new``, ``human_score`` (log-odds), ``standard_error``, ``lower``, ``upper``,
            ``votes_share`` (of the variance, from votes) and ``bound_share`` (of the variance, that
            no number of judges' verdicts could remove; above one where verdicts vary less than the
            model says, or it does not hold).
        """
        frame = self._table(np.eye(len(self.items)), prob)
        frame.insert(0, "item", self.items)
        frame.insert(1, "new", self.is_new)
        order = np.argsort(-self.score, kind="stable")
        return frame.rename(columns={"estimate": "human_score"}).iloc[order].reset_index(drop=True)

    def contrasts(self, item: str | None = None, prob: float = 0.95) -> pd.DataFrame:
        """Compare a new item with every historical one.

        Parameters
        ----------
        item : str, optional
            The new item; not needed where there is one.
        prob : float
            Nominal coverage of the intervals.

        Returns
        -------
        pandas.DataFrame
            ``opponent``, ``difference`` (new less opponent, log-odds), ``standard_error``,
            ``lower``, ``upper``, ``votes_share``, ``bound_share``; by opponent's score.
        """
        frame = self._table(self._against(item), prob)
        old = np.flatnonzero(~self.is_new)
        frame.insert(0, "opponent", np.array(self.items)[old])
        order = np.argsort(-self.score[old], kind="stable")
        return frame.rename(columns={"estimate": "difference"}).iloc[order].reset_index(drop=True)

    def rank_set(
        self, item: str | None = None, prob: float = 0.95, sides: Sides = "two"
    ) -> RankSet:
        """Give the ranks that a new item may have among the historical ones.

        Parameters
        ----------
        item : str, optional
            The new item; not needed where there is one.
        prob : float
            Level.
        sides : {"two", "one"}
            See `bayesjudge.rank_set`.

        Returns
        -------
        RankSet
            Over historical items in the order of `items`.
        """
        contrast = self._against(item)
        variance = np.einsum("ij,jk,ik->i", contrast, self.covariance, contrast)
        return rank_set(contrast @ self.score, np.sqrt(variance), prob, sides)

    def rank(self, item: str | None = None) -> int:
        """Give the estimated rank of a new item among the historical ones, 1 the best."""
        return 1 + int((self._against(item) @ self.score < 0).sum())

    def _against(self, item: str | None) -> FloatArray:
        identity = np.eye(len(self.items))
        return identity[self._place(item)] - identity[~self.is_new]

    def _place(self, item: str | None) -> int:
        names = self.new_items
        if (item is None and len(names) > 1) or (item is not None and item not in names):
            raise NewItemError(f"item is {item!r}; name one of the new items {', '.join(names)}.")
        return self.items.index(item or names[0])

    def _table(self, contrast: FloatArray, prob: float) -> pd.DataFrame:
        estimate = contrast @ self.score
        variance, votes, bound = (
            np.einsum("ij,jk,ik->i", contrast, each, contrast)
            for each in (self.covariance, self.from_votes, self.bound)
        )
        error = np.sqrt(variance)
        half = normal_half_width(demand_level(prob)) * error
        return pd.DataFrame(
            {
                "estimate": estimate,
                "standard_error": error,
                "lower": estimate - half,
                "upper": estimate + half,
                "votes_share": votes / variance,
                "bound_share": bound / variance,
            }
        )


def placement(fit: Orthogonal | Mode, cluster: Cluster | Sequence[str] | None = None) -> Placement:
    """Say where a fit puts the new items.

    Parameters
    ----------
    fit : Orthogonal or Mode
        Of `bayesjudge.models.new_item`: what ``bj.orthogonal(...)`` returned, with its robust
        variance, or the joint maximum, with the inverse of its information (with a prior, the
        sampling variance of the penalised estimate).
    cluster : {"row", "prompt", "judge_pair"} or sequence of str, optional
        Which verdicts depend on each other, for a robust variance. By default none ("row") of
        ``bj.orthogonal``, as in the paper; of ``bj.mode``, the inverse information.

    Returns
    -------
    Placement
        Scores, contrasts, rank sets, and the part of each variance that votes and judges have.

    Raises
    ------
    UnknownFitError
        For anything else.

    Notes
    -----
    ANCHOR Section 4.3: B <= V_H <= V, for the inverse information, and in expectation for the
    robust variance of votes without ties.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> placed = bj.placement(bj.mode(bj.models.new_item, judges, seen, prior=False))
    >>> placed.rank(), placed.rank_set().best
    (1, 1)
    """
    rosters = [each for each in getattr(fit, "frames", ()) if isinstance(each, Roster)]
    if not isinstance(fit, Orthogonal | Mode) or not rosters:
        raise UnknownFitError(
            f"A fit of new items is wanted and this is of type {type(fit).__name__}; give what "
            "bj.orthogonal(...) or bj.mode(bj.models.new_item, ...) returned."
        )
    refuse_powers(fit.designs, "A placement")
    judges, votes = _by_source(fit, cluster)
    score = fit.quantity("human_score").values
    items = fit.designs[0].items
    return Placement(items, rosters[0].is_new, score, votes, judges, voted_pairs(fit.designs[1]))


def _by_source(
    fit: Orthogonal | Mode, cluster: Cluster | Sequence[str] | None
) -> Sequence[FloatArray]:
    if isinstance(fit, Orthogonal):
        return list(fit.covariance("human_score", "row" if cluster is None else cluster).values)
    sums = fold_sums(fit.program, fit.designs, fit.layouts, fit.phi, whole_split(fit.designs))
    bread = np.linalg.inv(sums.information.sum(axis=0) + prior_curvature(fit))
    weights = quantity_gradient(fit, "human_score") @ bread
    if cluster is None:
        return [weights @ each @ weights.T for each in sums.information]
    if isinstance(cluster, str) and cluster == "row":
        return [weights @ each @ weights.T for each in sums.meat]
    rows = tuple(np.ones(each.data.n_rows, dtype=bool) for each in fit.designs)
    step = [Step(fit.phi, weights, rows)]
    return list(clustered_covariance(fit.program, fit.designs, fit.layouts, step, cluster))
