"""ANCHOR's two-step estimate: people's ranking, then each judge, then the new items.

It is where the orthogonal step starts from, and a baseline by itself.
"""

from dataclasses import dataclass

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.graphs import component_labels, link_graph, strong_labels
from bayesjudge.core.logistic import logistic_coefficients
from bayesjudge.core.wording import listing
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import FlatCells, counted_rows, flat_cells
from bayesjudge.designs.roster import Roster
from bayesjudge.errors import NewItemError, UnidentifiedError

LEAST_SENSITIVITY = 0.05  # the guard c_min of (5); it binds only where votes are separated


RIDGE = 0.5  # of a start where votes have no finite estimate; moves it by O(1/n)


@dataclass(frozen=True, eq=False)
class TwoStep:
    """The two-step estimate.

    Attributes
    ----------
    score : ndarray, shape (n_items,)
        Human scores, log-odds; historical ones sum to zero.
    sensitivity : ndarray, shape (n_judges,)
        Log-odds of the judge per log-odds of a human.
    effects : ndarray, shape (n_judges, n_terms)
        Bias of each judge, log-odds a unit.
    ridge : float
        Ridge that the historical fits needed: zero where votes have a finite estimate by
        themselves.
    linked : bool
        Whether votes link all historical items; otherwise scores start from the judges'
        ranking on the votes' scale.
    floored : ndarray of bool, shape (n_judges,)
        Judges whose sensitivity is held at its least value.
    """

    score: FloatArray
    sensitivity: FloatArray
    effects: FloatArray
    ridge: float
    linked: bool
    floored: BoolArray

    def coordinates(self, judges: Design, roster: Roster) -> dict[str, FloatArray]:
        """Lay the estimate out by free site of `bayesjudge.models.new_item`.

        Parameters
        ----------
        judges : Design
            The judges' verdicts, with their terms.
        roster : Roster
            Which items are new.

        Returns
        -------
        dict of str to ndarray
            Coordinates.
        """
        retained = np.array(judges.layout.retained, dtype=bool)
        terms = zip(judges.layout.terms, self.effects.T, retained, strict=True)
        return {
            "score_coordinates": np.asarray(roster.basis).T @ self.score,
            "new_score_coordinates": np.asarray(roster.new).T @ self.score,
            "log_sensitivity_coordinates": np.log(self.sensitivity),
            **{f"{term}_coordinates": column[kept] for term, column, kept in terms},
        }


@dataclass(frozen=True, eq=False)
class _Source:
    """Cells of one data set with the verdicts to fit."""

    cells: FlatCells
    counts: FloatArray

    @property
    def wins(self) -> FloatArray:
        return self.counts[:, 0] + self.counts[:, 1] / 2

    @property
    def total(self) -> FloatArray:
        return self.counts.sum(axis=1)

    def at(self, keep: BoolArray) -> "_Source":
        """Cells that are kept and have verdicts."""
        keep = keep & (self.total > 0)
        cells = self.cells
        return _Source(
            FlatCells(cells.judge[keep], cells.contrast[keep], cells.columns[keep]),
            self.counts[keep],
        )


def two_step(
    designs: tuple[Design, ...],
    roster: Roster,
    counts: tuple[FloatArray, ...] | None = None,
    ridge: float | None = None,
) -> TwoStep:
    """Estimate scores, judges and new items one after the other.

    Parameters
    ----------
    designs : tuple of Design
        The judges' verdicts, then the votes.
    roster : Roster
        Which items are new.
    counts : tuple of ndarray, shape (n_cells, 3), optional
        Verdicts to fit, by design; all by default. Folds leave some out.
    ridge : float, optional
        Ridge of all fits, so that there are numbers also where nothing is identified. By default
        none, unless votes have no finite estimate.

    Returns
    -------
    TwoStep
        Scores, sensitivities and effects.

    Raises
    ------
    NoFiniteMaximumError
        If judges or new items have no finite estimate.
    NewItemError
        If a judge, or the votes, say nothing of historical pairs.
    UnidentifiedError
        If votes do not link the historical items, and no judge ranks them all by itself.

    Notes
    -----
    ANCHOR (4), (5), (6). Where votes do not link all historical items, scores are the mean
    direction of the judges who rank them all, on the scale of the votes (after Theorem C.1).

    Examples
    --------
    >>> import bayesjudge as bj
    >>> made = bj.design(bj.example_panel()), bj.design(bj.example_votes())
    >>> from bayesjudge.designs.roster import all_historical
    >>> bool(two_step(made, all_historical(8)).sensitivity.min() > 0)
    True
    """
    given = counts or tuple(counted_rows(each) for each in designs)
    judges, humans = (
        _Source(flat_cells(each), count) for each, count in zip(designs, given, strict=True)
    )
    is_new, basis = roster.is_new, np.asarray(roster.basis)
    old_judges = judges.at(~judges.cells.touches(is_new))
    old_humans = humans.at(~humans.cells.touches(is_new))
    retained = np.array(designs[0].layout.retained, dtype=bool).reshape(
        -1, designs[0].layout.n_judges
    )
    if ridge is None:
        _demand_history(designs[0], old_judges, old_humans)
    linked, separated = _links(old_humans, is_new)
    weight = (RIDGE if separated or not linked else 0.0) if ridge is None else ridge
    if linked:
        score = basis @ _scores(old_humans, basis, weight)
    else:
        ranking = _ranking_judges(old_judges, basis, retained, needed=ridge is None)
        score = _judges_direction(old_judges, old_humans, basis, retained, ranking, weight)
    slope, effects, floored = _each_judge(old_judges, score, retained, weight)
    score = _with_new_items(judges, humans, roster, score, slope, effects, ridge or 0.0)
    return TwoStep(score, slope, effects, weight, linked, floored)


def _links(humans: _Source, is_new: BoolArray) -> tuple[bool, bool]:
    """Say whether votes link the historical items, and whether their scores are unbounded."""
    contrast = humans.cells.contrast[:, ~is_new]
    first, second = contrast.argmax(axis=1), contrast.argmin(axis=1)
    won, lost = humans.wins > 0, humans.wins < humans.total
    size = contrast.shape[1]
    winners = np.concatenate([first[won], second[lost]])
    losers = np.concatenate([second[won], first[lost]])
    linked = component_labels(link_graph(first, second, size)).max() == 0
    return bool(linked), bool(strong_labels(link_graph(winners, losers, size)).max() > 0)


def _scores(humans: _Source, basis: FloatArray, ridge: float) -> FloatArray:
    matrix = humans.cells.contrast @ basis
    return logistic_coefficients(matrix, humans.wins, humans.total, ridge=ridge)


def _demand_history(of: Design, judges: _Source, humans: _Source) -> None:
    seen = np.isin(np.arange(of.layout.n_judges), judges.cells.judge)
    if not seen.all():
        names = listing(np.array(of.data.judges)[~seen].tolist(), 3)
        raise NewItemError(
            f"{names} judged no pair of historical items, so that a first estimate has nothing to "
            "go by; leave such verdicts out, or fit jointly with bj.mode(bj.models.new_item, ...)."
        )
    if not len(humans.cells):
        raise NewItemError(
            "People voted on no pair of historical items, so that a first estimate has no scale; "
            "collect such votes, or fit jointly with bj.mode(bj.models.new_item, ...)."
        )


def _ranking_judges(
    judges: _Source, basis: FloatArray, retained: BoolArray, *, needed: bool
) -> list[int]:
    """Judges who tell all historical items apart by themselves; else, if not needed, any."""
    seen = np.unique(judges.cells.judge).tolist()
    found = [judge for judge in seen if _ranks(judges, basis, retained[:, judge], judge)]
    if needed and not found:
        raise UnidentifiedError(
            "Votes do not link the historical items, and no judge tells them all apart by itself; "
            "collect votes between the groups, or fit jointly with bj.mode(bj.models.new_item, "
            "...)."
        )
    return found or seen


def _ranks(judges: _Source, basis: FloatArray, kept: BoolArray, judge: int) -> bool:
    own = judges.at(judges.cells.judge == judge)
    columns = own.cells.columns[:, kept]
    both = np.column_stack([own.cells.contrast @ basis, columns])
    alone = np.linalg.matrix_rank(columns) if columns.size else 0
    return bool(np.linalg.matrix_rank(both) - alone == basis.shape[1])


def _judges_direction(
    judges: _Source,
    humans: _Source,
    basis: FloatArray,
    retained: BoolArray,
    ranking: list[int],
    ridge: float,
) -> FloatArray:
    """Mean direction of some judges' own scores, on the scale of the votes."""
    direction = np.zeros(basis.shape[1])
    for judge in ranking:
        own, kept = judges.at(judges.cells.judge == judge), retained[:, judge]
        matrix = np.column_stack([own.cells.contrast @ basis, own.cells.columns[:, kept]])
        found = logistic_coefficients(matrix, own.wins, own.total, ridge=ridge)
        found = found[: basis.shape[1]]
        direction += found / np.linalg.norm(found)
    along = basis @ (direction / np.linalg.norm(direction))
    if not len(humans.cells):
        return along  # no vote tells the scale; asked for with a ridge, to look at the rest
    gap = (humans.cells.contrast @ along)[:, None]
    return along * logistic_coefficients(gap, humans.wins, humans.total, ridge=ridge)[0]


def _each_judge(
    judges: _Source, score: FloatArray, retained: BoolArray, ridge: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Sensitivity and effects of each judge, given the historical scores."""
    slope, effects = np.empty(retained.shape[1]), np.zeros(retained.T.shape)
    floored = np.zeros(len(slope), dtype=bool)
    for judge, kept in enumerate(retained.T):
        own = judges.at(judges.cells.judge == judge)
        gap, columns = own.cells.contrast @ score, own.cells.columns[:, kept]
        found = logistic_coefficients(
            np.column_stack([gap, columns]), own.wins, own.total, ridge=ridge
        )
        slope[judge], effects[judge, kept] = found[0], found[1:]
        if slope[judge] < LEAST_SENSITIVITY:
            # The problem is convex, so that its solution lies on the bound.
            slope[judge], floored[judge] = LEAST_SENSITIVITY, True
            effects[judge, kept] = logistic_coefficients(
                columns, own.wins, own.total, LEAST_SENSITIVITY * gap, ridge
            )
    return slope, effects, floored


def _with_new_items(
    judges: _Source,
    humans: _Source,
    roster: Roster,
    score: FloatArray,
    slope: FloatArray,
    effects: FloatArray,
    ridge: float,
) -> FloatArray:
    """Add the scores of new items, given everything else."""
    new = np.asarray(roster.new)
    arrivals = judges.at(judges.cells.touches(roster.is_new))
    votes = humans.at(humans.cells.touches(roster.is_new))
    each = slope[arrivals.cells.judge]
    bias = (effects[arrivals.cells.judge] * arrivals.cells.columns).sum(axis=1)
    contrast = np.concatenate([each[:, None] * arrivals.cells.contrast, votes.cells.contrast])
    offset = contrast @ score + np.concatenate([bias, np.zeros(len(votes.cells))])
    wins = np.concatenate([arrivals.wins, votes.wins])
    total = np.concatenate([arrivals.total, votes.total])
    return score + new @ logistic_coefficients(contrast @ new, wins, total, offset, ridge)
