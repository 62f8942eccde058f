"""Other ways of placing one new item: the baselines of the ANCHOR paper.

Each takes the judges' design, the votes' design and the roster with one new item, and gives the
human scores of all items, log-odds, or of the new one among a two-step fit's historical scores.
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from bayesjudge.anchor.two_step import TwoStep, two_step
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.logistic import logistic_coefficients
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import ArrivalRows, arrival_rows, counted_rows, flat_cells
from bayesjudge.designs.roster import Roster

Designs = tuple[Design, ...]


FARTHEST = 20.0  # log-odds, the bracket of a one-dimensional root


RATIO_CAP = 20.0  # of density ratios


CLASSIFIER_RIDGE = 1e-6  # keeps a classifier of arrivals finite


def new_place(roster: Roster) -> int:
    """Give the index of the one new item.

    Parameters
    ----------
    roster : Roster
        With one new item.

    Returns
    -------
    int
        Its place among the items.
    """
    return int(np.flatnonzero(roster.is_new)[0])


def two_step_score(designs: Designs, roster: Roster) -> FloatArray:
    """Plug historical estimates into the likelihood of the arrivals (6).

    Parameters
    ----------
    designs : tuple of Design
        Judges, votes.
    roster : Roster
        With one new item.

    Returns
    -------
    ndarray, shape (n_items,)
        Human scores.
    """
    return two_step(designs, roster).score


def direct_score(designs: Designs, roster: Roster) -> FloatArray:
    """Solve the unweighted moment of the arrivals, at historical estimates.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.

    Returns
    -------
    ndarray, shape (n_items,)
        Human scores.
    """
    return _by_moment(designs, roster, two_step(designs, roster), 0.0)


def ppi_score(designs: Designs, roster: Roster) -> FloatArray:
    """Correct the direct moment by people's mean residual: HistoricalPPI.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.

    Returns
    -------
    ndarray, shape (n_items,)
        Human scores.
    """
    found = two_step(designs, roster)
    cells, counts = flat_cells(designs[1]), counted_rows(designs[1])
    expected = expit(cells.contrast @ found.score)
    residual = counts[:, 0] + counts[:, 1] / 2 - counts.sum(axis=1) * expected
    return _by_moment(designs, roster, found, float(residual.sum() / counts.sum()))


def reweighted_score(designs: Designs, roster: Roster) -> FloatArray:
    """Refit judges with history weighted like the arrivals, then the direct moment: IPWOnly.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.

    Returns
    -------
    ndarray, shape (n_items,)
        Human scores.
    """
    counts = counted_rows(designs[0])
    ratio = _density_ratio(designs[0], roster)
    weighted = (counts * ratio[:, None], counted_rows(designs[1]))
    found = two_step(designs, roster, weighted)
    return _by_moment(designs, roster, found, 0.0)


def unbiased_judges_score(designs: Designs, roster: Roster) -> FloatArray:
    """Fit judges without features: ScalarJudge.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.

    Returns
    -------
    ndarray, shape (n_items,)
        Human scores.
    """
    layout = designs[0].layout
    none = tuple(tuple(False for _ in row) for row in layout.retained)
    bare = replace(designs[0], layout=replace(layout, retained=none))
    return two_step((bare, designs[1]), roster).score


def joint_bradley_terry(designs: Designs, roster: Roster) -> FloatArray:
    """Pool all verdicts and votes in one Bradley-Terry model: JointBTL.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.

    Returns
    -------
    ndarray, shape (n_items,)
        Scores; historical ones sum to zero.
    """
    contrast = np.concatenate([flat_cells(each).contrast for each in designs])
    return _bradley_terry(
        contrast, np.concatenate([counted_rows(each) for each in designs]), roster
    )


def pooled_judges_score(designs: Designs, roster: Roster) -> FloatArray:
    """Pool the judges' verdicts in one Bradley-Terry model: PooledLLM.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.

    Returns
    -------
    ndarray, shape (n_items,)
        Scores, on the judges' scale.
    """
    return _bradley_terry(flat_cells(designs[0]).contrast, counted_rows(designs[0]), roster)


def mean_judge_score(designs: Designs, roster: Roster) -> FloatArray:
    """Average Bradley-Terry models of the judges one by one: PerJudgeBTL.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.

    Returns
    -------
    ndarray, shape (n_items,)
        Scores, on the judges' scale.
    """
    cells, counts = flat_cells(designs[0]), counted_rows(designs[0])
    own = [cells.judge == judge for judge in range(designs[0].layout.n_judges)]
    scores = [_bradley_terry(cells.contrast[rows], counts[rows], roster) for rows in own]
    found: FloatArray = np.mean(scores, axis=0)
    return found


def people_only_score(
    designs: Designs, roster: Roster, votes: ArrivalRows
) -> tuple[FloatArray, float]:
    """Place the new item by votes on it, among historical scores from votes: HumanOnly.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.
    votes : ArrivalRows
        Votes on the new item.

    Returns
    -------
    score : ndarray, shape (n_items,)
        Human scores.
    error : float
        Standard error of the new one, both samples reckoned with.
    """
    basis, place = np.asarray(roster.basis), new_place(roster)
    contrast = flat_cells(designs[1]).contrast @ basis
    counts = counted_rows(designs[1])
    wins, total = counts[:, 0] + counts[:, 1] / 2, counts.sum(axis=1)
    found = logistic_coefficients(contrast, wins, total)
    share = expit(contrast @ found)
    spread = np.linalg.inv((contrast.T * (total * share * (1 - share))) @ contrast)
    score = basis @ found
    ones = np.ones((len(votes), 1))
    score[place] = logistic_coefficients(ones, votes.wins, votes.total, votes.rest @ score)[0]
    chance = expit(score[place] + votes.rest @ score)
    weight = votes.total * chance * (1 - chance)
    pull = -(weight @ votes.rest @ basis) / weight.sum()
    return score, float(np.sqrt(1 / weight.sum() + pull @ spread @ pull))


def oracle_score(designs: Designs, roster: Roster, truth: TwoStep) -> tuple[FloatArray, float]:
    """Place the new item with everything else known: Oracle.

    Parameters
    ----------
    designs, roster
        As for `two_step_score`.
    truth : TwoStep
        True scores, sensitivities and effects; the new item's score is not looked at.

    Returns
    -------
    score : ndarray, shape (n_items,)
        True scores, with the new one estimated.
    error : float
        Its sandwich standard error.
    """
    rows, place = arrival_rows(designs[0], new_place(roster)), new_place(roster)
    slope, known = _known(rows, truth)
    found = logistic_coefficients(slope[:, None], rows.wins, rows.total, known)[0]
    share = expit(slope * found + known)
    bread = (slope**2 * rows.total * share * (1 - share)).sum()
    squares = rows.wins * (1 - share) ** 2 + (rows.total - rows.wins) * share**2
    score = truth.score.copy()
    score[place] = found
    return score, float(np.sqrt((slope**2 * squares).sum()) / bread)


def _known(rows: ArrivalRows, found: TwoStep) -> tuple[FloatArray, FloatArray]:
    """Give slope and known part of each arrival's log-odds."""
    slope = found.sensitivity[rows.judge]
    bias = (found.effects[rows.judge] * rows.columns).sum(axis=1)
    return slope, slope * (rows.rest @ found.score) + bias


def _by_moment(designs: Designs, roster: Roster, found: TwoStep, correction: float) -> FloatArray:
    """Solve mean residual of the arrivals plus a correction for the new score."""
    place = new_place(roster)
    rows = arrival_rows(designs[0], place)
    slope, known = _known(rows, found)

    def moment(score: float) -> float:
        residual = rows.wins - rows.total * expit(slope * score + known)
        return float(residual.sum() / rows.total.sum() + correction)

    score = found.score.copy()
    score[place] = brentq(moment, -FARTHEST, FARTHEST, xtol=1e-10)
    return score


def _density_ratio(judges: Design, roster: Roster) -> FloatArray:
    """Weigh each judge's historical cells like its arrivals, mean one; one at arrivals."""
    cells, total = flat_cells(judges), counted_rows(judges).sum(axis=1)
    arrives, found = cells.touches(roster.is_new), np.ones(len(cells))
    sign = np.where(arrives, cells.contrast[:, new_place(roster)], 1.0)
    z = sign[:, None] * cells.columns
    for judge in range(judges.layout.n_judges):
        own = (cells.judge == judge) & (total > 0)
        matrix = np.column_stack([np.ones(own.sum()), z[own], z[own] ** 2])
        seen = np.where(arrives[own], total[own], 0.0)
        at = logistic_coefficients(matrix, seen, total[own], ridge=CLASSIFIER_RIDGE)
        old = own & ~arrives
        odds = np.minimum(np.exp(matrix[~arrives[own]] @ at), np.inf)
        odds = odds * total[old].sum() / seen.sum()
        capped = np.minimum(odds, RATIO_CAP)
        found[old] = capped * total[old].sum() / (capped @ total[old])
    return found


def _bradley_terry(contrast: FloatArray, counts: FloatArray, roster: Roster) -> FloatArray:
    space = np.column_stack([roster.basis, roster.new])
    wins, total = counts[:, 0] + counts[:, 1] / 2, counts.sum(axis=1)
    return space @ logistic_coefficients(contrast @ space, wins, total)
