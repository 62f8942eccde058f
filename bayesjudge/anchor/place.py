"""New items placed by a fitted history."""

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from scipy.linalg import block_diag
from scipy.special import expit

from bayesjudge.anchor.folds import Split, balanced_folds, splits
from bayesjudge.anchor.history import History
from bayesjudge.anchor.orthogonal import step_label
from bayesjudge.anchor.placement import Placement
from bayesjudge.anchor.voted_pairs import VotedPairs
from bayesjudge.core.arguments import demand_seed, wanted
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.logistic import logistic_coefficients, logistic_information
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
from bayesjudge.fits.cautions import INDEPENDENCE
from bayesjudge.models.about import about
from bayesjudge.models.new_item import judge_gradient, judge_log_odds, new_item


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
    """Place new items among historical ones, without fitting the history again.

    Parameters
    ----------
    history : History
        What `bayesjudge.new_items.fit_history` or `bayesjudge.new_items.load_history` gave.
    arrival : Comparisons or Design
        Judges' verdicts on the new items, with the history's terms. Items that the history does not
        have are new.
    seed : int
        Same seed, same folds of the arrivals.
    fold : ndarray of int, shape (n_rows,), optional
        Their folds, as many as the history's.

    Returns
    -------
    Placement
        With the same folds (arrays for `bayesjudge.new_items.fit_history` and here) the same as
        `bayesjudge.new_items.placement` of `bayesjudge.new_items.orthogonal` on everything, with
        variances by row; historical items first.

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
    >>> history = bj.new_items.fit_history(panel.select(~arrives), seen, folds=5)
    >>> bj.new_items.place(history, panel.select(arrives)).rank()
    1
    """
    history = wanted(
        History,
        history,
        UnknownFitError,
        "A history is wanted first and this is of type {type}; give what "
        "bj.new_items.fit_history(...) or bj.new_items.load_history(...) returned.",
    )
    _demand_terms(history, arrival)
    laid_out = arrival if isinstance(arrival, Design) else design(arrival, history.terms)
    new = tuple(name for name in laid_out.items if name not in history.items)
    refuse_powers((laid_out,), "A placement")
    _demand_fit(history, laid_out, new)
    folds = _folds(history, laid_out, fold, demand_seed(seed))
    cells = _in_history(history, laid_out, new)
    parts = splits(laid_out, np.zeros_like(folds), folds, history.n_folds)
    places = [_placed(history, cells, part, number) for number, part in enumerate(parts)]
    items, pairs = (*history.items, *new), history.pairs(len(new))
    start = np.mean([one.score for one in places], axis=0)
    return Placement(
        items=items,
        is_new=np.arange(len(items)) >= len(history.items),
        score=start + np.sum([one.correction for one in places], axis=0),
        from_votes=np.sum([one.votes for one in places], axis=0),
        from_judges=np.sum([one.judges for one in places], axis=0),
        pairs=pairs,
        verdicts=_verdicts(history, cells, pairs),
        facts=_facts(history, cells),
    )


def _verdicts(history: History, cells: FlatCells, pairs: VotedPairs) -> FloatArray:
    """Count the verdicts and votes that each item takes part in, shape (n_items,)."""
    arrivals = cells.total @ np.abs(cells.pair_contrast)
    known = history.verdicts.sum(axis=0)
    votes = pairs.votes @ np.abs(pairs.contrast)
    return np.pad(known, (0, len(arrivals) - len(known))) + arrivals + votes


def _facts(history: History, cells: FlatCells) -> dict[str, Any]:
    """Return what captions and files say of a placement by a history."""
    judges = float(history.verdicts.sum() / 2 + cells.total.sum())
    return {
        "inference": "placement",
        "program": new_item.__name__,
        "score": about(new_item).score,
        "kinds": list(about(new_item).reads),
        "terms": list(history.terms),
        "verdicts": [judges, float(history.pair_votes.sum())],
        "label": step_label(history.n_folds, "row"),
        "cautions": [INDEPENDENCE],
    }


def _demand_terms(history: History, arrival: Comparisons | Design) -> None:
    own = [term for term in history.terms if term not in get_args(Term)]
    if own and not isinstance(arrival, Design):
        raise FeatureError(
            f"The history has the feature {own[0]!r}; lay the arrivals out with it too "
            "(bj.new_items.features(arrivals, {...}))."
        )


def _demand_fit(history: History, arrival: Design, new: tuple[str, ...]) -> None:
    unknown = sorted(set(arrival.data.judges) - set(history.judges))
    if unknown:
        raise UnknownJudgeError(
            f"The judge {unknown[0]!r} is not in the history, so that its sensitivity is unknown; "
            "leave its verdicts out, or fit a history that has it."
        )
    if arrival.layout.terms != history.terms:
        raise FeatureError(
            f"The arrivals have terms {arrival.layout.terms} and the history {history.terms}; lay "
            "both out with the same features in the same order."
        )
    cells = flat_cells(arrival)
    _demand_known_effects(history, arrival, cells)
    on_new = cells.touches(np.isin(arrival.items, new))[arrival.cell_of_row]
    if not new or not on_new.all():
        raise NewItemError(
            "Every verdict of an arrival must be on an item that the history does not have; give "
            "verdicts on historical items to bj.new_items.fit_history(...)."
        )


def _demand_known_effects(history: History, arrival: Design, cells: FlatCells) -> None:
    """Raise where a term varies among a judge's arrivals and never did in its history."""
    for judge, name in enumerate(arrival.data.judges):
        known = history.retained[:, history.judges.index(name)]
        varies = (cells.columns[cells.judge == judge] != 0).any(axis=0)
        if (varies & ~known).any():
            term = history.terms[int(np.flatnonzero(varies & ~known)[0])]
            raise FeatureError(
                f"{term} varies among the arrivals of {name!r} and never did in its history, so "
                "that its effect is unknown; leave the term, or that judge's arrivals, out."
            )


def _folds(history: History, arrival: Design, fold: IntArray | None, seed: int) -> IntArray:
    """Return the fold of each arrival, as given or balanced within every judge."""
    judge = arrival.data.judge
    if fold is None:
        return balanced_folds(judge, history.n_folds, np.random.default_rng(seed))
    numbers = np.asarray(fold)
    if numbers.shape != judge.shape or numbers.dtype.kind not in "iu":
        raise InvalidFoldsError(
            f"fold has shape {numbers.shape} and there are {len(judge)} verdicts; give one whole "
            "number for each."
        )
    folds = np.unique(numbers).tolist()
    if folds != list(range(history.n_folds)):
        raise InvalidFoldsError(
            f"The arrivals have the folds {folds} and the history {history.n_folds}; give every "
            f"number from 0 to {history.n_folds - 1}."
        )
    return numbers


def _in_history(history: History, arrival: Design, new: tuple[str, ...]) -> FlatCells:
    """Return the cells by the history's judges and items, new items last."""
    cells, names = flat_cells(arrival), (*history.items, *new)
    contrast = np.zeros((len(cells), len(names)))
    contrast[:, [names.index(name) for name in arrival.items]] = cells.pair_contrast
    judge = np.array([history.judges.index(name) for name in arrival.data.judges])
    return FlatCells(judge[cells.judge], contrast, cells.columns, cells.counts)


def _placed(history: History, cells: FlatCells, part: Split, fold: int) -> _FoldPlace:
    """Fit the new scores on the other folds, and correct by this one."""
    n_old, n_new = len(history.items), cells.pair_contrast.shape[1] - len(history.items)
    sensitivity, effects = history.sensitivity[fold], history.effects[fold]
    score = np.append(history.score[fold], np.zeros(n_new))
    by_new = cells.by_judge(sensitivity)[:, None] * cells.pair_contrast[:, n_old:]
    known = judge_log_odds(cells, score, sensitivity, effects)
    training = cells.counting(part.training)
    score[n_old:] = logistic_coefficients(by_new, training.wins, training.total, known)
    log_odds = known + by_new @ score[n_old:]
    basis = np.pad(history.basis, ((0, n_new), (0, 0)))
    by_history = judge_gradient(cells, basis, score, sensitivity, history.retained)
    gradient = np.hstack([by_history, by_new])
    information = _padded(history.information[fold].sum(axis=0), n_new)
    information += logistic_information(gradient, part.scaled, log_odds)
    rows = block_diag(np.pad(history.basis, ((0, 0), (0, history.size - n_old + 1))), np.eye(n_new))
    riesz = np.linalg.solve(information, rows.T).T
    residual = np.array([1.0, 0.5, 0.0]) - expit(log_odds)[:, None]
    summed = gradient.T @ (part.own * residual).sum(axis=1)
    summed[: history.size] += history.gradient[fold].sum(axis=0)
    judges = _padded(history.meat[fold, 0], n_new)
    judges += (gradient.T * (part.own * residual**2).sum(axis=1)) @ gradient
    votes = _padded(history.meat[fold, 1], n_new)
    return _FoldPlace(score, riesz @ judges @ riesz.T, riesz @ votes @ riesz.T, riesz @ summed)


def _padded(matrix: FloatArray, more: int) -> FloatArray:
    return np.pad(matrix, (0, more))
