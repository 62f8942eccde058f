"""Place one new item by a fitted history."""

from dataclasses import dataclass
from typing import get_args

import numpy as np
from scipy.special import expit

from bayesjudge.anchor.folds import Split, balanced_folds, splits
from bayesjudge.anchor.history import History
from bayesjudge.anchor.placement import Placement
from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.logistic import logistic_coefficients
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design, design
from bayesjudge.designs.flat_cells import FlatCells, flat_cells
from bayesjudge.designs.terms import Term
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.prepare import refuse_powers
from bayesjudge.errors import (
    FeatureError,
    InvalidFoldsError,
    NewItemError,
    UnknownFitError,
    UnknownJudgeError,
)


@dataclass(frozen=True, eq=False)
class _FoldPlace:
    """One fold's scores, correction, and covariance by judges and votes."""

    score: FloatArray
    judges: FloatArray
    votes: FloatArray
    correction: FloatArray


@one_blas_thread
def place(
    history: History,
    arrival: Comparisons | Design,
    *,
    seed: int = 0,
    fold: IntArray | None = None,
) -> Placement:
    """Say where new items stand, without fitting the history again.

    Parameters
    ----------
    history : History
        What `bayesjudge.fit_history` or `bayesjudge.load_history` gave.
    arrival : Comparisons or Design
        Judges' verdicts on the new items, with the history's terms. Items that the history does not
        have are new.
    seed : int
        For drawing the folds of the arrivals.
    fold : ndarray of int, shape (n_rows,), optional
        Their folds, as many as the history's.

    Returns
    -------
    Placement
        With the same folds (arrays for `bayesjudge.fit_history` and here) the same as
        `bayesjudge.placement` of `bayesjudge.orthogonal` on everything; historical items first.

    Raises
    ------
    UnknownFitError
        If the history is something else.
    NewItemError
        If no item is new, or a verdict is on historical items alone.
    UnknownJudgeError
        If a judge is not in the history.
    FeatureError
        If the terms are not the history's, or one varies that never did for that judge.
    InvalidFoldsError
        If the folds are not the history's.
    WeightError
        If the design has a power.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> panel, votes = bj.example_panel(), bj.example_votes()
    >>> maple = panel.items.index("maple")
    >>> arrives = (panel.first == maple) | (panel.second == maple)
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> history = bj.fit_history(panel.select(~arrives), seen, folds=5)
    >>> bj.place(history, panel.select(arrives)).rank()
    1
    """
    if not isinstance(history, History):
        raise UnknownFitError(
            f"A history is wanted first and this is of type {type(history).__name__}; give what "
            "bj.fit_history(...) or bj.load_history(...) returned."
        )
    _demand_terms(history, arrival)
    laid = arrival if isinstance(arrival, Design) else design(arrival, history.terms)
    new = tuple(name for name in laid.items if name not in history.items)
    refuse_powers((laid,), "A placement")
    _demand_fit(history, laid, new)
    cells = _in_history(history, laid, new)
    judge = laid.data.judge
    rng = np.random.default_rng(demand_seed(seed))
    folds = (
        balanced_folds(judge, history.n_folds, rng)
        if fold is None
        else _demand_folds(history, fold, len(judge))
    )
    parts = splits(laid, np.zeros_like(judge), folds, history.n_folds)
    found = [_placed(history, cells, part, number) for number, part in enumerate(parts)]
    items = (*history.items, *new)
    return Placement(
        items,
        np.arange(len(items)) >= len(history.items),
        np.mean([each.score for each in found], axis=0)
        + np.sum([each.correction for each in found], axis=0),
        np.sum([each.votes for each in found], axis=0),
        np.sum([each.judges for each in found], axis=0),
        history.pairs(len(new)),
    )


def _demand_terms(history: History, arrival: Comparisons | Design) -> None:
    own = [term for term in history.terms if term not in get_args(Term)]
    if own and not isinstance(arrival, Design):
        raise FeatureError(
            f"The history has the feature {own[0]!r}; lay the arrivals out with it too "
            "(bj.features(arrivals, {...}))."
        )


def _demand_fit(history: History, laid: Design, new: tuple[str, ...]) -> None:
    unknown = sorted(set(laid.data.judges) - set(history.judges))
    if unknown:
        raise UnknownJudgeError(
            f"The judge {unknown[0]!r} is not in the history, so that its sensitivity is unknown; "
            "leave its verdicts out, or fit a history that has it."
        )
    if laid.layout.terms != history.terms:
        raise FeatureError(
            f"The arrivals have terms {laid.layout.terms} and the history {history.terms}; lay "
            "both out with the same features in the same order."
        )
    _demand_known_effects(history, laid)
    if (
        not new
        or not flat_cells(laid).touches(~np.isin(laid.items, history.items))[laid.cell_of_row].all()
    ):
        raise NewItemError(
            "Every verdict of an arrival must be on an item that the history does not have; give "
            "verdicts on historical items to bj.fit_history(...)."
        )


def _demand_known_effects(history: History, laid: Design) -> None:
    """Raise where a term varies among a judge's arrivals and never did in its history."""
    cells = flat_cells(laid)
    for judge, name in enumerate(laid.data.judges):
        known = history.retained[:, history.judges.index(name)]
        varies = (cells.columns[cells.judge == judge] != 0).any(axis=0)
        if (varies & ~known).any():
            term = history.terms[int(np.flatnonzero(varies & ~known)[0])]
            raise FeatureError(
                f"{term} varies among the arrivals of {name!r} and never did in its history, so "
                "that its effect is unknown; leave the term, or that judge's arrivals, out."
            )


def _demand_folds(history: History, fold: IntArray, rows: int) -> IntArray:
    given = np.asarray(fold)
    if given.shape != (rows,) or given.dtype.kind not in "iu":
        raise InvalidFoldsError(
            f"fold has shape {given.shape} and there are {rows} verdicts; give one whole number "
            "for each."
        )
    if sorted(set(given.tolist())) != list(range(history.n_folds)):
        raise InvalidFoldsError(
            f"The arrivals have the folds {sorted(set(given.tolist()))} and the history "
            f"{history.n_folds}; give every number from 0 to {history.n_folds - 1}."
        )
    return given


def _in_history(history: History, laid: Design, new: tuple[str, ...]) -> FlatCells:
    """Cells by the history's judges and items, new items last."""
    cells, names = flat_cells(laid), (*history.items, *new)
    contrast = np.zeros((len(cells), len(names)))
    contrast[:, [names.index(name) for name in laid.items]] = cells.contrast
    judge = np.array([history.judges.index(name) for name in laid.data.judges])
    return FlatCells(judge[cells.judge], contrast, cells.columns)


def _placed(history: History, cells: FlatCells, part: Split, fold: int) -> _FoldPlace:
    """Fit the new scores on the other folds, and correct by this one."""
    size, n_old = history.size, len(history.items)
    slope = history.sensitivity[fold][cells.judge]
    bias = (history.effects[fold][cells.judge] * cells.columns).sum(axis=1)
    new = slope[:, None] * cells.contrast[:, n_old:]
    known = slope * (cells.contrast[:, :n_old] @ history.score[fold]) + bias
    wins, total = part.training[:, 0] + part.training[:, 1] / 2, part.training.sum(axis=1)
    found = logistic_coefficients(new, wins, total, known)
    share = expit(known + new @ found)
    score = np.append(history.score[fold], found)
    columns = np.hstack([_gradient(history, cells, slope, score), new])
    information = _padded(history.information[fold].sum(axis=0), len(found))
    information += (columns.T * (part.scaled * share * (1 - share))) @ columns
    rows = np.zeros((len(score), size + len(found)))
    rows[:n_old, : n_old - 1], rows[n_old:, size:] = history.basis, np.eye(len(found))
    riesz = np.linalg.solve(information, rows.T).T
    residual = np.array([1.0, 0.5, 0.0]) - share[:, None]
    moved = columns.T @ (part.own * residual).sum(axis=1)
    moved[:size] += history.gradient[fold].sum(axis=0)
    judges = _padded(history.meat[fold, 0], len(found))
    judges += (columns.T * (part.own * residual**2).sum(axis=1)) @ columns
    votes = _padded(history.meat[fold, 1], len(found))
    return _FoldPlace(score, riesz @ judges @ riesz.T, riesz @ votes @ riesz.T, riesz @ moved)


def _gradient(
    history: History, cells: FlatCells, slope: FloatArray, score: FloatArray
) -> FloatArray:
    """Differentiate the log-odds in the history's coordinates, shape (n_cells, size)."""
    of_judge = cells.judge[:, None] == np.arange(len(history.judges))
    old = cells.contrast[:, : len(history.items)]
    parts = [slope[:, None] * (old @ history.basis)]
    parts.append(of_judge * (slope * (cells.contrast @ score))[:, None])
    for column, kept in zip(cells.columns.T, history.retained, strict=True):
        parts.append(of_judge[:, kept] * column[:, None])
    return np.hstack(parts)


def _padded(matrix: FloatArray, more: int) -> FloatArray:
    return np.pad(matrix, (0, more))
