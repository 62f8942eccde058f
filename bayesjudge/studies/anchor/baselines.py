"""Other estimates of one new item's score: the baselines of the ANCHOR paper.

Each reads the designs of judges and votes and a roster with one new item, and returns the human
scores of all items in log-odds, shape (n_items,). Historical scores are those of the two-step fit
unless another fit is named.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from bayesjudge.anchor.two_step import TwoStep, two_step
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.logistic import logistic_coefficients, logistic_information, verdict_variance
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import FlatCells, flat_cells
from bayesjudge.designs.roster import Roster
from bayesjudge.models.new_item import judge_log_odds

Designs = tuple[Design, ...]
FARTHEST = 20.0  # log-odds; a one-dimensional root is sought up to here on either side
RATIO_CAP = 20.0  # of density ratios
CLASSIFIER_RIDGE = 1e-6  # keeps the coefficients of a classifier of arrivals finite


@dataclass(frozen=True, eq=False)
class VoteScores:
    """Scores estimated from votes alone.

    Attributes
    ----------
    score : ndarray, shape (n_items,)
        Log-odds; they sum to zero over the historical items, and are zero at new ones.
    covariance : ndarray, shape (n_items, n_items)
        Inverse information, on the scores.
    """

    score: FloatArray
    covariance: FloatArray

    def contrast(self, direction: FloatArray) -> tuple[float, float]:
        """Return a combination of scores and its standard error, log-odds."""
        variance = direction @ self.covariance @ direction
        return float(direction @ self.score), float(np.sqrt(variance))


def vote_scores(humans: Design, roster: Roster) -> VoteScores:
    """Fit the historical items' scores to the votes on them."""
    basis, cells = np.asarray(roster.basis), flat_cells(humans)
    votes = cells.at(~cells.touches(roster.is_new))
    matrix = votes.pair_contrast @ basis
    coefficients = logistic_coefficients(matrix, votes.wins, votes.total)
    information = logistic_information(matrix, votes.total, matrix @ coefficients)
    return VoteScores(basis @ coefficients, basis @ np.linalg.inv(information) @ basis.T)


def new_place(roster: Roster) -> int:
    """Return the index of the one new item."""
    return int(np.flatnonzero(roster.is_new)[0])


def two_step_score(designs: Designs, roster: Roster) -> FloatArray:
    """Maximise the likelihood of the arrivals at historical estimates, ANCHOR (6)."""
    return two_step(designs, roster).score


def direct_score(designs: Designs, roster: Roster) -> FloatArray:
    """Solve the unweighted moment equation of the arrivals at historical estimates."""
    return _by_moment(designs, roster, two_step(designs, roster))


def ppi_score(designs: Designs, roster: Roster) -> FloatArray:
    """Correct the direct moment by people's mean residual: HistoricalPPI."""
    history, votes = two_step(designs, roster), flat_cells(designs[1])
    residual = votes.wins - votes.total * expit(votes.contrast(history.score))
    return _by_moment(designs, roster, history, float(residual.sum() / votes.total.sum()))


def reweighted_score(designs: Designs, roster: Roster) -> FloatArray:
    """Fit judges to history weighted like the arrivals, then the direct moment: IPWOnly."""
    judges, votes = (flat_cells(design) for design in designs)
    weighted = (judges.counts * _density_ratio(judges, roster)[:, None], votes.counts)
    return _by_moment(designs, roster, two_step(designs, roster, weighted))


def unbiased_judges_score(designs: Designs, roster: Roster) -> FloatArray:
    """Fit judges without features: ScalarJudge."""
    layout = designs[0].layout
    none = tuple((False,) * len(row) for row in layout.retained)
    bare = replace(designs[0], layout=replace(layout, retained=none))
    return two_step((bare, designs[1]), roster).score


def joint_bradley_terry(designs: Designs, roster: Roster) -> FloatArray:
    """Pool all verdicts and votes in one Bradley-Terry model: JointBTL."""
    return _bradley_terry(roster, *map(flat_cells, designs))


def pooled_judges_score(designs: Designs, roster: Roster) -> FloatArray:
    """Pool the judges' verdicts in one Bradley-Terry model: PooledLLM."""
    return _bradley_terry(roster, flat_cells(designs[0]))


def mean_judge_score(designs: Designs, roster: Roster) -> FloatArray:
    """Average Bradley-Terry models of the judges one by one: PerJudgeBTL."""
    cells, judges = flat_cells(designs[0]), range(designs[0].layout.n_judges)
    scores = np.array([_bradley_terry(roster, cells.of_judge(judge)) for judge in judges])
    return scores.mean(axis=0)


def _bradley_terry(roster: Roster, *samples: FlatCells) -> FloatArray:
    space = np.column_stack([roster.basis, roster.new])
    matrix = np.concatenate([cells.pair_contrast @ space for cells in samples])
    wins = np.concatenate([cells.wins for cells in samples])
    total = np.concatenate([cells.total for cells in samples])
    return space @ logistic_coefficients(matrix, wins, total)


def people_only_score(
    designs: Designs, roster: Roster, votes: FlatCells
) -> tuple[FloatArray, float]:
    """Place the new item by votes on it, among scores from historical votes: HumanOnly.

    The standard error of the new score accounts for both samples of votes.
    """
    history, place = vote_scores(designs[1], roster), new_place(roster)
    known = votes.contrast(history.score)
    ones = np.ones((len(votes), 1))
    new = logistic_coefficients(ones, votes.wins, votes.total, known)[0]
    weight = votes.total * verdict_variance(new + known)
    pull = -(weight @ votes.pair_contrast) / weight.sum()
    error = np.sqrt(1 / weight.sum() + pull @ history.covariance @ pull)
    return _placed(history.score, place, new), float(error)


def oracle_score(designs: Designs, roster: Roster, truth: TwoStep) -> tuple[FloatArray, float]:
    """Place the new item with everything else known, with its sandwich standard error: Oracle."""
    place = new_place(roster)
    arrivals = flat_cells(designs[0]).seen_from(place)
    slope, known = _known(arrivals, truth)
    new = logistic_coefficients(slope[:, None], arrivals.wins, arrivals.total, known)[0]
    share = expit(slope * new + known)
    bread = (slope**2 * arrivals.total * verdict_variance(slope * new + known)).sum()
    squares = arrivals.wins * (1 - share) ** 2 + (arrivals.total - arrivals.wins) * share**2
    return _placed(truth.score, place, new), float(np.sqrt((slope**2 * squares).sum()) / bread)


def _known(arrivals: FlatCells, history: TwoStep) -> tuple[FloatArray, FloatArray]:
    """Return slope and known part of each arrival's log-odds: (n_cells,) each."""
    known = judge_log_odds(arrivals, history.score, history.sensitivity, history.effects)
    return arrivals.by_judge(history.sensitivity), known


def _by_moment(
    designs: Designs, roster: Roster, history: TwoStep, correction: float = 0.0
) -> FloatArray:
    """Solve mean residual of the arrivals plus a correction for the new score."""
    place = new_place(roster)
    arrivals = flat_cells(designs[0]).seen_from(place)
    slope, known = _known(arrivals, history)

    def moment(score: float) -> float:
        residual = arrivals.wins - arrivals.total * expit(slope * score + known)
        return float(residual.sum() / arrivals.total.sum() + correction)

    return _placed(history.score, place, brentq(moment, -FARTHEST, FARTHEST, xtol=1e-10))


def _placed(score: FloatArray, place: int, new: float) -> FloatArray:
    """Return scores with the new item's among them."""
    return np.where(np.arange(len(score)) == place, new, score)


def _density_ratio(cells: FlatCells, roster: Roster) -> FloatArray:
    """Weigh each judge's historical cells like its arrivals, mean one; one at arrivals.

    By a logistic classifier of arrivals on the columns and their squares, ratios capped.
    """
    total, arrives = cells.total, cells.touches(roster.is_new)
    sign = np.where(arrives, cells.pair_contrast[:, new_place(roster)], 1.0)
    z, ratio = sign[:, None] * cells.columns, np.ones(len(cells))
    matrix, seen = np.column_stack([ratio, z, z**2]), np.where(arrives, total, 0.0)
    for judge in np.unique(cells.judge):
        own = (cells.judge == judge) & (total > 0)
        old = own & ~arrives
        coefficients = logistic_coefficients(
            matrix[own], seen[own], total[own], ridge=CLASSIFIER_RIDGE
        )
        odds = np.exp(matrix[old] @ coefficients) * total[old].sum() / seen[own].sum()
        capped = np.minimum(odds, RATIO_CAP)
        ratio[old] = capped * total[old].sum() / (capped @ total[old])
    return ratio
