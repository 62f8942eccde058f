"""The simulated data of the DIAL paper: judges with a low-rank structure, and people."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesjudge.data.arrays import FloatArray
from bayesjudge.data.comparisons import FIRST, SECOND, Comparisons
from bayesjudge.studies.settings import Setting

CANONICAL_FIRST = 0.75  # how often the item of lower index is shown first
LOADING_SPREAD = 0.3
POSITION_SIZES = (0.3, 1.2)  # log-odds
FIRST_LIKED = 0.8  # probability that a judge's position effect favours the item shown first
FAIR_JUDGE = 0.05  # position effect of one judge, log-odds


@dataclass(frozen=True, eq=False)
class DialTruth:
    """Generating parameters of a simulated panel, log-odds.

    Attributes
    ----------
    judge_score : ndarray, shape (n_judges, n_items)
        S = gamma mu' + U V', DIAL eq. (1).
    position : ndarray, shape (n_judges,)
        Judge-level b.
    pair_noise, pair_position : ndarray, shape (n_judges, n_pairs)
        What each judge adds to a pair's log-odds, and to its position effect there.
    human_score : ndarray, shape (n_items,)
        Sums to zero.
    """

    judge_score: FloatArray
    position: FloatArray
    pair_noise: FloatArray
    pair_position: FloatArray
    human_score: FloatArray


@dataclass(frozen=True, eq=False)
class SimulatedPanel:
    """One data set of a DIAL simulation, with what it was drawn from.

    Attributes
    ----------
    judges, humans : Comparisons
        Verdicts and votes, one row for each cell and outcome, weighted by its count.
    truth : DialTruth
        Generating parameters.
    """

    judges: Comparisons
    humans: Comparisons
    truth: DialTruth


def draw_dial(setting: Setting, seed: int) -> SimulatedPanel:
    """Draw parameters, verdicts and votes.

    Parameters
    ----------
    setting : mapping
        ``items`` (N), ``judges`` (K), ``rank`` (r), ``verdicts`` (n_l), ``votes`` (n_h),
        ``overdispersion`` (standard deviation of a judge's noise on a pair, log-odds),
        ``misalignment`` (of the human score's coordinates along V) and ``pair_position`` (standard
        deviation of a judge's position effect over pairs, log-odds).
    seed : int
        Same seed, same data.

    Returns
    -------
    SimulatedPanel
        DIAL, Appendix F.1. The parameters are drawn anew for every seed.

    Examples
    --------
    >>> setting = {"items": 6, "judges": 3, "rank": 1, "verdicts": 900, "votes": 80}
    >>> exact = {"overdispersion": 0.0, "misalignment": 0.0, "pair_position": 0.0}
    >>> drawn = draw_dial(setting | exact, seed=1)
    >>> float(drawn.judges.weight.sum()), float(drawn.humans.weight.sum())
    (900.0, 80.0)
    """
    rng = np.random.default_rng(seed)
    truth = dial_truth(setting, rng)
    judges = _verdicts(truth, int(setting["verdicts"]), rng)
    return SimulatedPanel(judges, _votes(truth.human_score, int(setting["votes"]), rng), truth)


def dial_truth(setting: Setting, rng: np.random.Generator) -> DialTruth:
    """Draw the generating parameters of a panel.

    Parameters
    ----------
    setting : mapping
        As for `draw_dial`.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    DialTruth
        DIAL, Appendix F.1, in the canonical form of Condition 3.
    """
    n, k, r = (int(setting[name]) for name in ("items", "judges", "rank"))
    space = canonical_space(rng.standard_normal((n, 1 + r)))
    loading = 1 + LOADING_SPREAD * rng.standard_normal(k)
    factor = rng.standard_normal((k, r))
    weights = np.column_stack([loading * k / loading.sum(), factor - factor.mean(axis=0)])
    position = rng.uniform(*POSITION_SIZES, k) * np.where(rng.random(k) < FIRST_LIKED, 1, -1)
    position[-1] = FAIR_JUDGE
    noise = float(setting["overdispersion"]) * rng.standard_normal((k, n * (n - 1) // 2))
    uneven = float(setting["pair_position"]) * rng.standard_normal(noise.shape)
    along = float(setting["misalignment"]) * rng.standard_normal(r)
    return DialTruth(
        judge_score=weights @ space.T,
        position=position,
        pair_noise=noise,
        pair_position=uneven - uneven.mean(axis=1, keepdims=True),
        human_score=space @ np.concatenate([[1.0], along]),
    )


def canonical_space(columns: FloatArray) -> FloatArray:
    """Turn columns into consensus and disagreement of canonical form.

    Parameters
    ----------
    columns : ndarray, shape (n_items, 1 + rank)
        Independent after centring.

    Returns
    -------
    ndarray, shape (n_items, 1 + rank)
        W = [mu, V]: columns sum to zero, are orthogonal and have mean square one; each keeps the
        direction of what is new in its column.

    Examples
    --------
    >>> canonical_space(np.array([[3.0], [1.0]])).round(12).ravel().tolist()
    [1.0, -1.0]
    """
    orthonormal, upper = np.linalg.qr(columns - columns.mean(axis=0))
    return orthonormal * np.sign(np.diag(upper)) * np.sqrt(len(columns))


def _verdicts(truth: DialTruth, n: int, rng: np.random.Generator) -> Comparisons:
    """Draw pairs, judges and orders uniformly, but for the canonical item, and their verdicts."""
    n_judges, n_items = truth.judge_score.shape
    low, high = np.triu_indices(n_items, k=1)
    gap = truth.judge_score[:, low] - truth.judge_score[:, high] + truth.pair_noise
    bias = truth.position[:, None] + truth.pair_position
    log_odds = np.stack([gap + bias, -gap + bias], axis=-1)  # of the item shown first
    share = np.array([CANONICAL_FIRST, 1 - CANONICAL_FIRST])
    total = _cell_counts(n, np.broadcast_to(share, log_odds.shape), rng)
    wins = rng.binomial(total, expit(log_odds))
    shape = (n_judges, len(low), 2)
    judge = np.broadcast_to(np.arange(n_judges)[:, None, None], shape)
    first = np.broadcast_to(np.stack([low, high], axis=-1), shape)
    second = np.broadcast_to(np.stack([high, low], axis=-1), shape)
    cells = [each.ravel() for each in (judge, first, second, wins, total)]
    return counted_comparisons(n_items, n_judges, *cells, human=False)


def _votes(score: FloatArray, n: int, rng: np.random.Generator) -> Comparisons:
    low, high = np.triu_indices(len(score), k=1)
    total = _cell_counts(n, np.ones(len(low)), rng)
    wins = rng.binomial(total, expit(score[low] - score[high]))
    return counted_comparisons(
        len(score), 1, np.zeros_like(low), low, high, wins, total, human=True
    )


def _cell_counts(n: int, share: FloatArray, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.multinomial(n, share.ravel() / share.sum()).reshape(share.shape)


def counted_comparisons(
    n_items: int,
    n_judges: int,
    judge: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    wins: NDArray[np.int64],
    total: NDArray[np.int64],
    *,
    human: bool,
) -> Comparisons:
    """Give counts of verdicts as comparisons with weights.

    Parameters
    ----------
    n_items, n_judges : int
        Sizes; items and judges are numbered.
    judge, first, second : ndarray of int, shape (n_cells,)
        The cells.
    wins, total : ndarray of int, shape (n_cells,)
        How often the item shown first won, and how often it was compared.
    human : bool
        Whether the verdicts are votes of people, who do not know an order.

    Returns
    -------
    Comparisons
        One row for each cell and outcome that occurred.

    Examples
    --------
    >>> one = np.array([0])
    >>> counted_comparisons(2, 1, one, one, one + 1, one + 3, one + 5, human=False).weight
    array([3., 2.])
    """
    weight = np.concatenate([wins, total - wins])
    seen = weight > 0
    rows = int(seen.sum())
    kind, width = "people" if human else "judge", len(str(n_items - 1))
    return Comparisons(
        items=tuple(f"item-{i:0{width}d}" for i in range(n_items)),
        judges=tuple(f"{kind}-{k:02d}" for k in range(n_judges)),
        prompts=tuple(f"prompt-{i:05d}" for i in range(rows)),
        first=np.tile(first, 2)[seen],
        second=np.tile(second, 2)[seen],
        verdict=np.repeat([FIRST, SECOND], len(total))[seen],
        judge=np.tile(judge, 2)[seen],
        prompt=np.arange(rows),
        human=np.full(n_judges, human),
        order_known=np.full(rows, not human),
        weight=weight[seen].astype(np.float64),
        repeat=np.ones(rows, dtype=np.int64),
        source_row=np.arange(rows),
        source="simulated counts",
    )
