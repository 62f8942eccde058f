"""ANCHOR's two-step estimate: people's ranking, then each judge, then the new items.

It is where the orthogonal step starts from, and a baseline by itself.
"""

from dataclasses import dataclass, replace

import numpy as np

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.graphs import component_labels, link_graph, strong_labels
from bayesjudge.core.logistic import logistic_coefficients
from bayesjudge.core.wording import listing
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import FlatCells, flat_cells
from bayesjudge.designs.layouts import retained_mask
from bayesjudge.designs.roster import Roster
from bayesjudge.errors import NewItemError, UnidentifiedError
from bayesjudge.models.new_item import judge_log_odds

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
        """Return the estimate by free site of `bayesjudge.models.new_item`."""
        retained = retained_mask(judges.layout)
        terms = zip(judges.layout.terms, self.effects.T, retained, strict=True)
        return {
            "score_coordinates": np.asarray(roster.basis).T @ self.score,
            "new_score_coordinates": np.asarray(roster.new).T @ self.score,
            "log_sensitivity_coordinates": np.log(self.sensitivity),
            **{f"{term}_coordinates": column[kept] for term, column, kept in terms},
        }


@dataclass(frozen=True, eq=False)
class _History:
    """The cells of historical pairs, and the ridge of their regressions.

    Shapes: basis (n_items, n_historical - 1); retained (n_terms, n_judges).
    """

    judges: FlatCells
    votes: FlatCells
    basis: FloatArray
    retained: BoolArray
    ridge: float

    def with_own_scores(self, judge: int) -> tuple[FlatCells, FloatArray, FloatArray]:
        """Return a judge's cells, and the columns of scores of its own and of its terms."""
        own = self.judges.of_judge(judge)
        return own, own.pair_contrast @ self.basis, own.columns[:, self.retained[:, judge]]


def two_step(
    designs: tuple[Design, ...],
    roster: Roster,
    counts: tuple[FloatArray, ...] | None = None,
    ridge: float | None = None,
) -> TwoStep:
    """Estimate scores, judges and new items one after the other.

    ANCHOR (4), (5), (6), from other counts (n_cells, 3) than the designs' where they are given, as
    where a fold is left out. With a ridge there are numbers where nothing is identified too.
    """
    cells = [flat_cells(design) for design in designs]
    if counts is not None:
        cells = [part.counting(count) for part, count in zip(cells, counts, strict=True)]
    new = [part.touches(roster.is_new) for part in cells]
    judges, votes = (part.at(~arrives) for part, arrives in zip(cells, new, strict=True))
    if ridge is None:
        _demand_history(designs[0], judges, votes)
    linked, separated = _links(votes, roster.is_new)
    needed = RIDGE if separated or not linked else 0.0
    history = _History(
        judges,
        votes,
        np.asarray(roster.basis),
        retained_mask(designs[0].layout),
        needed if ridge is None else ridge,
    )
    score = _vote_scores(history) if linked else _judges_scores(history, refuse=ridge is None)
    sensitivity, effects, floored = _each_judge(history, score)
    estimate = TwoStep(score, sensitivity, effects, history.ridge, linked, floored)
    arrivals, new_votes = (part.at(arrives) for part, arrives in zip(cells, new, strict=True))
    return _with_new_items(estimate, arrivals, new_votes, np.asarray(roster.new), ridge or 0.0)


def _demand_history(design: Design, judges: FlatCells, votes: FlatCells) -> None:
    seen = np.isin(np.arange(design.layout.n_judges), judges.judge)
    if not seen.all():
        names = listing(np.array(design.data.judges)[~seen].tolist(), 3)
        raise NewItemError(
            f"{names} judged no pair of historical items, so that a first estimate has nothing to "
            "go by; leave such verdicts out, or fit jointly with bj.mode(bj.models.new_item, ...)."
        )
    if not len(votes):
        raise NewItemError(
            "People voted on no pair of historical items, so that a first estimate has no scale; "
            "collect such votes, or fit jointly with bj.mode(bj.models.new_item, ...)."
        )


def _links(votes: FlatCells, is_new: BoolArray) -> tuple[bool, bool]:
    """Return whether votes link the historical items, and whether their scores are unbounded."""
    contrast = votes.pair_contrast[:, ~is_new]
    first, second = contrast.argmax(axis=1), contrast.argmin(axis=1)
    won, lost = votes.wins > 0, votes.wins < votes.total
    winners = np.concatenate([first[won], second[lost]])
    losers = np.concatenate([second[won], first[lost]])
    graph = link_graph(winners, losers, contrast.shape[1])
    separated = bool(strong_labels(graph).max() > 0)
    return not separated or bool(component_labels(graph).max() == 0), separated


def _vote_scores(history: _History) -> FloatArray:
    """Return the scores (n_items,) that maximise the likelihood of the votes."""
    return history.basis @ _fitted(
        history.votes, history.votes.pair_contrast @ history.basis, history.ridge
    )


def _judges_scores(history: _History, *, refuse: bool) -> FloatArray:
    """Return the mean direction of the judges who rank all items, on the votes' scale (n_items,).

    ANCHOR after Theorem C.1. Where no judge does, the mean of all, unless that is to be refused.
    """
    seen = np.unique(history.judges.judge).tolist()
    ranking = [judge for judge in seen if _ranks_all(history, judge)]
    if refuse and not ranking:
        raise UnidentifiedError(
            "Votes do not link the historical items, and no judge tells them all apart by itself; "
            "collect votes between the groups, or fit jointly with bj.mode(bj.models.new_item, "
            "...)."
        )
    direction = np.sum([_own_direction(history, judge) for judge in ranking or seen], axis=0)
    score = history.basis @ (direction / np.linalg.norm(direction))
    if not len(history.votes):
        return score  # no vote tells the scale; asked for with a ridge, to look at the rest
    gap = history.votes.contrast(score)[:, None]
    return score * _fitted(history.votes, gap, history.ridge)[0]


def _ranks_all(history: _History, judge: int) -> bool:
    """Whether a judge's verdicts alone identify its scores of all historical items."""
    _, scores, terms = history.with_own_scores(judge)
    alone = np.linalg.matrix_rank(terms) if terms.size else 0
    both = np.linalg.matrix_rank(np.column_stack([scores, terms]))
    return bool(both - alone == scores.shape[1])


def _own_direction(history: _History, judge: int) -> FloatArray:
    """Return a judge's own scores by themselves, as a unit vector (n_historical - 1,)."""
    own, scores, terms = history.with_own_scores(judge)
    coefficients = _fitted(own, np.column_stack([scores, terms]), history.ridge)
    direction = coefficients[: scores.shape[1]]
    return direction / np.linalg.norm(direction)


def _each_judge(history: _History, score: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return sensitivity, effects and whether floored, of each judge given historical scores."""
    retained = history.retained
    sensitivity, effects = np.empty(retained.shape[1]), np.zeros(retained.T.shape)
    for judge, kept in enumerate(retained.T):
        own = history.judges.of_judge(judge)
        gap, columns = own.contrast(score), own.columns[:, kept]
        coefficients = _fitted(own, np.column_stack([gap, columns]), history.ridge)
        sensitivity[judge], effects[judge, kept] = coefficients[0], coefficients[1:]
        if sensitivity[judge] < LEAST_SENSITIVITY:
            # The problem is convex, so that its solution lies on the bound.
            effects[judge, kept] = _fitted(own, columns, history.ridge, LEAST_SENSITIVITY * gap)
    floored = sensitivity < LEAST_SENSITIVITY
    return np.maximum(sensitivity, LEAST_SENSITIVITY), effects, floored


def _with_new_items(
    estimate: TwoStep, judges: FlatCells, votes: FlatCells, new: FloatArray, ridge: float
) -> TwoStep:
    """Add the scores of new items, from judges' verdicts and votes on them."""
    sensitivity = judges.by_judge(estimate.sensitivity)[:, None]
    matrix = np.concatenate([sensitivity * judges.pair_contrast, votes.pair_contrast]) @ new
    known = judge_log_odds(judges, estimate.score, estimate.sensitivity, estimate.effects)
    offset = np.concatenate([known, votes.contrast(estimate.score)])
    wins = np.concatenate([judges.wins, votes.wins])
    total = np.concatenate([judges.total, votes.total])
    scores = logistic_coefficients(matrix, wins, total, offset, ridge)
    return replace(estimate, score=estimate.score + new @ scores)


def _fitted(
    cells: FlatCells, matrix: FloatArray, ridge: float, offset: FloatArray | float = 0.0
) -> FloatArray:
    """Return the coefficients of a regression of cells on the columns of a matrix (n_cells, k)."""
    return logistic_coefficients(matrix, cells.wins, cells.total, offset, ridge)
