"""The simulation of the ANCHOR paper: Sections 5.1 and 5.2, one new item among ten.

The paper leaves the networks that make features open; here they are ``V tanh(W p + b)`` with
standard normal weights, a network of each item's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from bayesjudge import models
from bayesjudge.data.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.data.arrivals import Roster, roster_of
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import Design, design
from bayesjudge.data.features import features
from bayesjudge.data.flat_cells import counted_rows, flat_cells
from bayesjudge.inference.levels import normal_half_width
from bayesjudge.inference.logistic import logistic_coefficients
from bayesjudge.inference.orthogonal import orthogonal
from bayesjudge.inference.placement import placement
from bayesjudge.inference.two_step import two_step
from bayesjudge.studies.settings import Setting
from bayesjudge.studies.study import Row, Study

HISTORICAL, JUDGES, FEATURES, PROMPT, HIDDEN = 10, 3, 3, 2, 5
HUMAN_SHARE, NOISE, FOLDS, LEVEL = 0.3, 0.3, 10, 0.95
NEW = f"item-{HISTORICAL:02d}"
DEFAULT = {"history": 8000, "arrivals": 500, "bias": 0.5, "shift": 0.3, "new_score": 0.5}


@dataclass(frozen=True, eq=False)
class DrawnArrival:
    """One data set of the simulation, with what it was drawn from.

    Attributes
    ----------
    designs : tuple of Design
        Judges and humans.
    roster : Roster
        The last item is new.
    score : ndarray, shape (11,)
        True human scores.
    seed : int
        For folds.
    """

    designs: tuple[Design, ...]
    roster: Roster
    score: FloatArray
    seed: int


@dataclass(frozen=True, eq=False)
class ArrivalEstimate:
    """What a method says.

    Attributes
    ----------
    score : ndarray, shape (11,)
        Human scores.
    error : float or None
        Standard error of the new one.
    ranks : tuple of int or None
        Best and worst rank of the 95 % set.
    """

    score: FloatArray
    error: float | None = None
    ranks: tuple[int, int] | None = None


def anchor_simulation() -> Study:
    """Give the default setting and the grid of bias and shift as a study.

    Returns
    -------
    Study
        Settings ``history``, ``arrivals``, ``bias`` (rho), ``shift`` (tau), ``new_score``. Metrics
        of the new score: ``error``, ``squared_error``, ``coverage`` and ``width`` of 95 %
        intervals, ``insertion_error`` (ranks), ``exact`` (rank) and ``rank_coverage``.

    Notes
    -----
    ANCHOR, Section 5.

    Examples
    --------
    >>> study = anchor_simulation()
    >>> len(study.settings), list(study.estimators)
    (16, ['two-step', 'ANCHOR', 'JointBTL'])
    """
    settings = [
        DEFAULT | {"bias": bias, "shift": shift}
        for bias in (0.5, 0.0, 1.0, 2.0)
        for shift in (0.3, 0.0, 0.6, 1.0)
    ]
    estimators = {"two-step": fit_two_step, "ANCHOR": fit_anchor, "JointBTL": fit_joint_btl}
    return Study("ANCHOR simulation", settings, draw_arrival, estimators, arrival_metrics)


def draw_arrival(setting: Setting, seed: int) -> DrawnArrival:
    """Draw the verdicts of a setting.

    Parameters
    ----------
    setting : mapping
        As in `anchor_simulation`.
    seed : int
        Same seed, same verdicts.

    Returns
    -------
    DrawnArrival
        Verdicts and truth.
    """
    rng = np.random.default_rng(seed)
    score = rng.normal(size=HISTORICAL)
    score = np.append(score - score.mean(), float(setting["new_score"]))
    slope = rng.uniform(0.5, 2.0, JUDGES)
    n_human = rng.binomial(int(setting["history"]), HUMAN_SHARE)
    old = _pairs(rng, int(setting["history"]))
    come = _arrivals(rng, int(setting["arrivals"]))
    pairs = np.concatenate([old[n_human:], come])
    contrast = _feature_contrasts(rng, pairs, float(setting["shift"]))
    judge = rng.integers(JUDGES, size=len(pairs))
    gap = slope[judge] * (score[pairs[:, 0]] - score[pairs[:, 1]])
    bias = (_effects(rng, judge, contrast, gap, len(come)) * float(setting["bias"]))[judge]
    won = rng.random(len(pairs)) < expit(gap + (bias * contrast).sum(axis=1))
    votes = old[:n_human]
    voted = rng.random(n_human) < expit(score[votes[:, 0]] - score[votes[:, 1]])
    judges = _table(pairs, judge, won, human=False)
    laid = features(judges, {f"x{k}": column for k, column in enumerate(contrast.T)})
    humans = _table(votes, np.zeros(n_human, dtype=np.intp), voted, human=True)
    is_new = np.arange(HISTORICAL + 1) == HISTORICAL
    made = (laid, design(humans, (), items=laid.items))
    return DrawnArrival(made, roster_of(is_new), score, seed)


def fit_two_step(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the two-step estimate, without an error."""
    return ArrivalEstimate(two_step(drawn.designs, drawn.roster).score)


def fit_anchor(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give the cross-fitted, corrected estimate with its error and rank set."""
    fit = orthogonal(
        models.new_item, *drawn.designs, drawn.roster, folds=FOLDS, seed=drawn.seed % 2**31
    )
    placed = placement(fit)
    ranks = placed.rank_set(NEW)
    error = float(np.sqrt(placed.covariance[-1, -1]))
    return ArrivalEstimate(placed.score, error, (ranks.best, ranks.worst))


def fit_joint_btl(drawn: DrawnArrival) -> ArrivalEstimate:
    """Give one Bradley-Terry model of all verdicts, as if judges were people without bias."""
    contrast = np.concatenate([flat_cells(each).contrast for each in drawn.designs])
    counts = np.concatenate([counted_rows(each) for each in drawn.designs])
    space = np.hstack([drawn.roster.basis, drawn.roster.new])
    wins, total = counts[:, 0] + counts[:, 1] / 2, counts.sum(axis=1)
    return ArrivalEstimate(space @ logistic_coefficients(contrast @ space, wins, total))


def arrival_metrics(drawn: DrawnArrival, estimates: Mapping[str, ArrivalEstimate]) -> list[Row]:
    """Compare estimates with the truth they were drawn from.

    Parameters
    ----------
    drawn : DrawnArrival
        The truth.
    estimates : mapping of str to ArrivalEstimate
        By method.

    Returns
    -------
    list of mapping
        ``estimator``, ``metric`` and ``value``.
    """
    return [
        {"estimator": name, "metric": metric, "value": value}
        for name, estimate in estimates.items()
        for metric, value in _compared(drawn.score, estimate).items()
    ]


def _compared(score: FloatArray, estimate: ArrivalEstimate) -> dict[str, float]:
    off = float(estimate.score[-1] - score[-1])
    rank, found = _rank(score), _rank(estimate.score)
    values = {
        "error": off,
        "squared_error": off**2,
        "insertion_error": float(abs(found - rank)),
        "exact": float(found == rank),
    }
    if estimate.error is not None and estimate.ranks is not None:
        half = normal_half_width(LEVEL) * estimate.error
        values |= {"coverage": float(abs(off) <= half), "width": 2 * half}
        values["rank_coverage"] = float(estimate.ranks[0] <= rank <= estimate.ranks[1])
    return values


def _rank(score: FloatArray) -> int:
    return 1 + int((score[:-1] > score[-1]).sum())


def _pairs(rng: np.random.Generator, size: int) -> IntArray:
    """Uniform ordered pairs of different historical items, shape (size, 2)."""
    first = rng.integers(HISTORICAL, size=size)
    second = (first + rng.integers(1, HISTORICAL, size=size)) % HISTORICAL
    return np.column_stack([first, second])


def _arrivals(rng: np.random.Generator, size: int) -> IntArray:
    opponents = rng.integers(HISTORICAL, size=size)
    return np.column_stack([np.full(size, HISTORICAL), opponents])


def _feature_contrasts(rng: np.random.Generator, pairs: IntArray, shift: float) -> FloatArray:
    """Features of the first answer less those of the second; the new item's are shifted."""
    outer = rng.normal(size=(HISTORICAL + 1, FEATURES, HIDDEN)) / np.sqrt(HIDDEN)
    inner = rng.normal(size=(HISTORICAL + 1, HIDDEN, PROMPT))
    offset = rng.normal(size=(HISTORICAL + 1, HIDDEN))
    prompts = rng.normal(size=(len(pairs), PROMPT))
    toward = rng.normal(size=FEATURES)
    moved = shift * np.sqrt(5) * toward / np.linalg.norm(toward)

    def answers(item: IntArray) -> FloatArray:
        hidden = np.tanh(np.einsum("nhp,np->nh", inner[item], prompts) + offset[item])
        clean = np.einsum("nfh,nh->nf", outer[item], hidden)
        noise = NOISE * rng.normal(size=clean.shape)
        return clean + noise + (item == HISTORICAL)[:, None] * moved

    return answers(pairs[:, 0]) - answers(pairs[:, 1])


def _effects(
    rng: np.random.Generator, judge: IntArray, contrast: FloatArray, gap: FloatArray, n_come: int
) -> FloatArray:
    """Effects whose bias is as large as the score term over each judge's history."""
    effects = rng.normal(size=(JUDGES, FEATURES))
    old = slice(0, len(judge) - n_come)
    for m in range(JUDGES):
        own = judge[old] == m
        size = np.std(contrast[old][own] @ effects[m])
        effects[m] *= np.std(gap[old][own]) / size
    return effects


def _table(pairs: IntArray, judge: IntArray, won: BoolArray, *, human: bool) -> Comparisons:
    size, n_items = len(pairs), HISTORICAL if human else HISTORICAL + 1
    raters = ("people",) if human else tuple(f"judge-{m}" for m in range(JUDGES))
    return Comparisons(
        items=tuple(f"item-{k:02d}" for k in range(n_items)),
        judges=raters,
        prompts=tuple(f"row-{row:05d}" for row in range(size)),
        first=pairs[:, 0],
        second=pairs[:, 1],
        verdict=np.where(won, 0, 2),
        judge=judge,
        prompt=np.arange(size),
        human=np.full(len(raters), human),
        order_known=np.zeros(size, dtype=bool),
        weight=np.ones(size),
        repeat=np.ones(size, dtype=np.int64),
        source_row=np.arange(size),
    )
