"""Where a new item stands: scores, contrasts, what limits them, and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from bayesjudge.anchor.folds import fold_sums, whole_split
from bayesjudge.anchor.orthogonal import Orthogonal, step_label
from bayesjudge.anchor.rank_sets import RankSet, Sides, rank_set
from bayesjudge.anchor.voted_pairs import VotedPairs, voted_pairs
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.intervals import demand_level, normal_half_width
from bayesjudge.designs.roster import Roster
from bayesjudge.engine.prepare import refuse_powers
from bayesjudge.errors import (
    NewItemError,
    UnknownClusterError,
    UnknownFitError,
    UnknownQuantityError,
)
from bayesjudge.fits.cautions import independence_cautions, sandwich_cautions
from bayesjudge.fits.covariance import WORDS, Kind
from bayesjudge.fits.estimate import WithoutPrior, normal_draws, square_array
from bayesjudge.fits.meat import (
    Cluster,
    cluster_codes,
    cluster_word,
    products_by_source,
    rows_alone,
    sums_by_cluster,
)
from bayesjudge.fits.mode import Mode
from bayesjudge.fits.tree import data_arrays, program_facts

SCORE = "human_score"


@dataclass(frozen=True, eq=False, repr=False)
class Placement(WithoutPrior):
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
    verdicts : ndarray, shape (n_items,)
        Verdicts and votes that an item takes part in.
    facts : dict
        What captions and files say of the fit: program, data, method ("label") and cautions.
    """

    items: tuple[str, ...]
    is_new: BoolArray
    score: FloatArray
    from_votes: FloatArray
    from_judges: FloatArray
    pairs: VotedPairs
    verdicts: FloatArray
    facts: dict[str, Any]

    def __repr__(self) -> str:
        return f"Placement({', '.join(self.new_items)} among {(~self.is_new).sum()} items)"

    def _repr_html_(self) -> str:
        table = self.scores().to_html(index=False, float_format="{:.3f}".format)
        return f"<p>Human scores, log-odds ({self.label}), 95 % intervals.</p>\n{table}"

    @property
    def label(self) -> str:
        """What the estimate and its covariance are, in a few words."""
        return str(self.facts["label"])

    @property
    def quantities(self) -> xr.Dataset:
        """The human scores by item."""
        return xr.Dataset({SCORE: ("item", self.score)}, coords={"item": list(self.items)})

    @property
    def constant_data(self) -> xr.Dataset:
        """Number of verdicts and votes by item."""
        counts = {"verdicts_by_item": ("item", self.verdicts)}
        return xr.Dataset(counts, coords={"item": list(self.items)})

    @property
    def observed_data(self) -> xr.Dataset:
        """Empty: a placement holds no verdicts."""
        return xr.Dataset()

    def quantity(self, name: str) -> xr.DataArray:
        """Return the human scores.

        Parameters
        ----------
        name : str
            "human_score", the only quantity (log-odds of a human).

        Returns
        -------
        xarray.DataArray
            Dimension item.

        Raises
        ------
        UnknownQuantityError
            For another name.
        """
        if name != SCORE:
            raise UnknownQuantityError(f"A placement has no quantity {name!r}; it has {SCORE}.")
        return self.quantities[name]

    def of(self, name: str) -> xr.DataArray:
        """Return the covariance matrix of the human scores.

        Parameters
        ----------
        name : str
            "human_score".

        Returns
        -------
        xarray.DataArray
            Dimensions ``item`` and ``item_``.
        """
        return square_array(self.quantity(name), self.covariance)

    def standard_error(self, name: str) -> xr.DataArray:
        """Return the standard errors of the human scores.

        Parameters
        ----------
        name : str
            "human_score".

        Returns
        -------
        xarray.DataArray
            Dimension item; log-odds.
        """
        return self.quantity(name).copy(data=np.sqrt(np.diag(self.covariance)))

    def quantity_draws(self, seed: int, draws: int) -> xr.Dataset:
        """Draw the human scores from their normal approximation.

        Parameters
        ----------
        seed : int
            Same seed, same draws.
        draws : int
            How many.

        Returns
        -------
        xarray.Dataset
            Dimensions chain (one), draw and item.
        """
        return normal_draws(self.quantities, self.covariance, seed, draws)

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the scores, shape (n_items, n_items)."""
        return self.from_votes + self.from_judges

    @property
    def bound(self) -> FloatArray:
        """Covariance left by infinitely many judges' verdicts: ANCHOR's B, of rank one.

        Shape (n_items, n_items). ``c @ bound @ c`` is the bound of the contrast c; it vanishes
        where a common factor of all scores does not move the contrast. It uses the model's variance
        of a vote, and is too large beside a robust variance if there are many ties.
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
            ``votes_share`` (of the variance, from votes), ``bound_share`` (of the variance, that no
            number of judges' verdicts could remove; above one where verdicts vary less than the
            model says, or it does not hold) and ``verdicts`` (that the item takes part in).
        """
        frame = self._table(np.eye(len(self.items)), prob)
        frame.insert(0, "item", self.items)
        frame.insert(1, "new", self.is_new)
        frame["verdicts"] = pd.Series(self.verdicts).convert_dtypes()  # integers where whole
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
        """Return the ranks that a new item may have among the historical ones.

        Parameters
        ----------
        item : str, optional
            The new item; not needed where there is one.
        prob : float
            Level.
        sides : {"two", "one"}
            See `bayesjudge.new_items.rank_set`.

        Returns
        -------
        RankSet
            Over historical items in the order of `items`.
        """
        contrast = self._against(item)
        variance = np.einsum("ij,jk,ik->i", contrast, self.covariance, contrast)
        return rank_set(contrast @ self.score, np.sqrt(variance), prob, sides)

    def rank(self, item: str | None = None) -> int:
        """Return the estimated rank of a new item among the historical ones, 1 the best."""
        return 1 + int((self._against(item) @ self.score < 0).sum())

    def _against(self, item: str | None) -> FloatArray:
        """Contrasts of a new item with each historical one, shape (n_historical, n_items)."""
        names = self.new_items
        if (item is None and len(names) > 1) or (item is not None and item not in names):
            raise NewItemError(f"item is {item!r}; name one of the new items {', '.join(names)}.")
        identity = np.eye(len(self.items))
        return identity[self.items.index(item or names[0])] - identity[~self.is_new]

    def _table(self, contrast: FloatArray, prob: float) -> pd.DataFrame:
        estimate = contrast @ self.score
        variance, votes, bound = (
            np.einsum("ij,jk,ik->i", contrast, matrix, contrast)
            for matrix in (self.covariance, self.from_votes, self.bound)
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


def placement(
    fit: Orthogonal | Mode,
    cluster: Cluster | Sequence[str] = "prompt",
    *,
    kind: Kind = "sandwich",
) -> Placement:
    """Place the new items of a fit among the historical ones.

    Parameters
    ----------
    fit : Orthogonal or Mode
        Of `bayesjudge.models.new_item`: what ``bj.new_items.orthogonal(...)`` returned, or the
        joint maximum (with a prior, its sampling variance as a penalised estimate).
    cluster : {"prompt", "cell", "row"} or sequence of str
        Which verdicts depend on each other, for the robust variance: all on one prompt, one judge's
        on one pair, none (as in the paper), or those with one label.
    kind : {"sandwich", "model"}
        Robust variance; or, for the joint maximum, the inverse of its information.

    Returns
    -------
    Placement
        Scores, contrasts, rank sets, and the parts of each variance from votes and from judges.

    Raises
    ------
    UnknownFitError
        For anything else.

    Notes
    -----
    ANCHOR Section 4.3: B <= V_H <= V for the inverse information, and in expectation for the
    robust variance of votes without ties.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> placed = bj.new_items.placement(bj.mode(bj.models.new_item, judges, seen, prior=False))
    >>> placed.rank(), placed.rank_set().best
    (1, 1)
    """
    rosters = [frame for frame in getattr(fit, "frames", ()) if isinstance(frame, Roster)]
    if not isinstance(fit, Orthogonal | Mode) or not rosters:
        raise UnknownFitError(
            f"A fit of new items is wanted and this is of type {type(fit).__name__}; give what "
            "bj.new_items.orthogonal(...) or bj.mode(bj.models.new_item, ...) returned."
        )
    if kind != "sandwich" and (kind != "model" or isinstance(fit, Orthogonal)):
        raise UnknownClusterError(
            f"{type(fit).__name__} has no covariance {kind!r}; choose 'sandwich', or "
            "'model' for a mode."
        )
    refuse_powers(fit.designs, "A placement")
    if isinstance(fit, Orthogonal):
        judges, votes = fit.covariance(SCORE, cluster).values
    else:
        judges, votes = _by_source(fit, kind, cluster)
    return Placement(
        items=fit.designs[0].items,
        is_new=rosters[0].is_new,
        score=fit.quantity(SCORE).values,
        from_votes=votes,
        from_judges=judges,
        pairs=voted_pairs(fit.designs[1]),
        verdicts=data_arrays(fit.designs)["verdicts_by_item"].values,
        facts=_facts(fit, cluster, kind),
    )


def _facts(fit: Orthogonal | Mode, cluster: Cluster | Sequence[str], kind: Kind) -> dict[str, Any]:
    """Return what captions and files say of a placement by a fit."""
    facts = program_facts(fit.program, fit.designs) | {"inference": "placement"}
    if isinstance(fit, Mode) and kind != "sandwich":
        cautions = independence_cautions(fit.error_ratios, SCORE)
        return facts | {"label": WORDS[kind], "cautions": cautions}
    sandwich = f"sandwich by {cluster_word(cluster)}"
    label = step_label(len(fit.folds), cluster) if isinstance(fit, Orthogonal) else sandwich
    cautions = sandwich_cautions(fit.designs, cluster, fit.program.sites.size)
    return facts | {"label": label, "cautions": cautions}


def _by_source(fit: Mode, kind: Kind, cluster: Cluster | Sequence[str]) -> list[FloatArray]:
    """Return the covariance of a maximum's human score, by data set."""
    sums = fold_sums(fit, whole_split(fit.designs))
    bread = np.linalg.inv(sums.information.sum(axis=0) + fit.prior_curvature)
    weights = fit.gradient(SCORE) @ bread
    if kind == "model":
        return [weights @ information @ weights.T for information in sums.information]
    if rows_alone(fit.designs, cluster):
        return [weights @ meat @ weights.T for meat in sums.meat]
    influences = [fit.scores(design).along(weights) for design in fit.designs]
    codes = cluster_codes(fit.designs, cluster)
    return list(products_by_source(sums_by_cluster(influences, fit.designs, codes)))
