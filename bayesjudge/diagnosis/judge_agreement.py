"""How far each judge's verdicts follow the scores that all other judges give."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigh
from scipy.special import expit, logit, ndtr, ndtri

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import laplacian, net_flow
from bayesjudge.core.logistic import half_wins, logistic_coefficients
from bayesjudge.core.threads import one_blas_thread
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.cells import count_cells
from bayesjudge.diagnosis.position_findings import ENOUGH_VERDICTS
from bayesjudge.errors import NoFiniteMaximumError

LEVEL = 0.95  # at which the intervals of all judges hold together
CLEAR = 3.0  # standard errors, beyond which a judge belongs to a camp
LITTLE, MUCH, MANY = 0.5, 2.0, 5.0  # times the average sensitivity
PLACED = 1.0  # standard error of a difference of scores, up to which the others place a pair
RELIABLE = 0.5  # share of the squared differences that is not the others' own error
RIDGE = 0.01  # keeps the scores of items that won or lost everything finite
STEPS, LONGEST, ARRIVED = 60, 2.0, 1e-8  # of Newton's method; log-odds
SHORT = 0.1  # log-odds; after a shorter step from the joint fit a second one changes nothing
FAR = 20.0  # log-odds, at which a verdict is foretold


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """How far each judge's verdicts follow the scores that the other judges give.

    The slope of the log-odds of a judge's verdicts on the others' differences of scores is the
    judge's sensitivity, on the scale on which the average of the others is one. Verdicts count on
    the pairs that the others place.

    Attributes
    ----------
    judges : tuple of str
        Names.
    verdicts : ndarray of float, shape (n_judges,)
        Number of verdicts that count, by weight.
    slope : ndarray of float, shape (n_judges,)
        Infinite for a judge that follows, or contradicts, the others without exception; NaN where
        the judge has too few verdicts or the others' scores are too uncertain.
    standard_error : ndarray of float, shape (n_judges,)
        With the uncertainty of the others' scores: the larger of the model-based error and the one
        clustered by prompt. Infinite for an infinite slope.
    lower, upper : ndarray of float, shape (n_judges,)
        Intervals that hold for all judges together at 95 %.
    """

    judges: tuple[str, ...]
    verdicts: FloatArray
    slope: FloatArray
    standard_error: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def compared(self) -> BoolArray:
        """Judges with a slope, shape (n_judges,)."""
        return ~np.isnan(self.slope)

    @property
    def opposed(self) -> BoolArray:
        """Judges whose whole interval lies below zero, shape (n_judges,)."""
        return self.upper < 0

    @property
    def near_chance(self) -> BoolArray:
        """Judges with zero in the interval and less than half the average, shape (n_judges,).

        Of the judges named, 2.5 % at most are expected to have half the average or more.
        """
        finite = np.isfinite(self.slope)
        excess = (self.slope[finite] - LITTLE) / self.standard_error[finite]
        little = np.zeros(len(self.judges), dtype=bool)
        little[finite] = _discovered(ndtr(excess))
        return little & (self.lower <= 0) & (self.upper >= 0)

    @property
    def runaway(self) -> BoolArray:
        """Judges without a finite slope and above twice the average, or far above the average."""
        return self.lower > np.where(np.isposinf(self.slope), MUCH, MANY)


@one_blas_thread
def judge_agreement(data: Comparisons) -> JudgeAgreement:
    """Regress each judge's verdicts on the scores of all other judges, with the uncertainty.

    The others' scores are those of a Bradley-Terry model with a position effect for each judge;
    the judge's own regression has a position effect too. The verdicts of judges that clearly
    contradict the larger camp are turned round before they count as others'.
    """
    panel, side = _aligned(_panel(data))
    enough = np.flatnonzero(np.bincount(panel.judge, panel.total) >= ENOUGH_VERDICTS)
    joint = _maximum(panel, np.ones(len(panel.judge)))
    reach = _reach(LEVEL ** (1 / max(len(enough), 1)))
    found = np.full((data.n_judges, 5), np.nan)
    found[:, 0] = 0.0
    for judge in enough.tolist():
        found[judge] = _compared(panel, judge, joint, reach)
    against = side < 0
    found[against, 1] *= -1
    found[against, 3:] = -found[against, :2:-1]
    return JudgeAgreement(data.judges, *found.T)


def _discovered(chance: FloatArray) -> BoolArray:
    """Mark the tests that reject at a false discovery rate (Benjamini and Hochberg, 1995)."""
    order = np.argsort(chance)
    below = chance[order] <= (1 - LEVEL) / 2 * np.arange(1, len(chance) + 1) / len(chance)
    return chance <= np.max(chance[order][below], initial=-1.0)


def _reach(level: float) -> float:
    """Return how many standard errors an interval reaches to either side."""
    return float(ndtri(0.5 + level / 2))


@dataclass(frozen=True, eq=False)
class _Panel:
    """Counted verdicts by judge and displayed pair, (n_cells,) each, and the rows behind them.

    `won` is one where the item shown first won, a half for a tie, shape (n_rows,).
    """

    data: Comparisons
    won: FloatArray
    judge: IntArray
    first: IntArray
    second: IntArray
    known: FloatArray
    wins: FloatArray
    total: FloatArray
    cell_of_row: IntArray


def _panel(data: Comparisons) -> _Panel:
    cells, cell_of_row = count_cells(data, data.order_known[:, None].astype(float))
    shown = (cells.judge, cells.first, cells.second, cells.columns[:, 0])
    counts = half_wins(cells.counts), cells.counts.sum(axis=1)
    return _Panel(data, 1 - data.verdict / 2, *shown, *counts, cell_of_row)


@dataclass(frozen=True, eq=False)
class _Scores:
    """Scores and position effects, and what a Newton step from there needs.

    Shapes: score (n_items,); position, of_position (n_judges,); share, weight, residual (n_cells,);
    precision (n_items, n_items) of the scores with positions profiled out; followed (n_judges,
    n_items), how far each position effect falls where a score rises by one.
    """

    score: FloatArray
    position: FloatArray
    share: FloatArray
    weight: FloatArray
    residual: FloatArray
    precision: FloatArray
    of_position: FloatArray
    followed: FloatArray


def _scores(panel: _Panel, kept: FloatArray, score: FloatArray, position: FloatArray) -> _Scores:
    """Differentiate the likelihood of the kept cells at scores and position effects."""
    n_judges, n_items = panel.data.n_judges, panel.data.n_items
    share = expit(score[panel.first] - score[panel.second] + panel.known * position[panel.judge])
    weight = kept * panel.total * share * (1 - share)
    start, known = n_items * panel.judge, weight * panel.known
    crossed = net_flow(start + panel.first, start + panel.second, known, n_judges * n_items)
    crossed = crossed.reshape(n_judges, n_items)
    of_position = np.bincount(panel.judge, known, n_judges) + RIDGE
    followed = crossed / of_position[:, None]
    precision = laplacian(panel.first, panel.second, weight, n_items) + RIDGE * np.eye(n_items)
    precision -= crossed.T @ followed
    residual = kept * (panel.wins - panel.total * share)
    return _Scores(score, position, share, weight, residual, precision, of_position, followed)


def _aligned(panel: _Panel) -> tuple[_Panel, FloatArray]:
    """Turn the verdicts of the smaller camp round, and return each judge's side, (n_judges,)."""
    leaning = _leanings(panel)
    side = np.sign(leaning) * (np.abs(leaning) > CLEAR)
    clear = np.flatnonzero(side)
    balance = side.sum() or (side[clear[0]] if len(clear) else 1.0)
    side = np.where(side * balance < 0, -1.0, 1.0)
    row, cell = side[panel.data.judge] < 0, side[panel.judge] < 0
    wins = np.where(cell, panel.total - panel.wins, panel.wins)
    return replace(panel, wins=wins, won=np.where(row, 1 - panel.won, panel.won)), side


def _leanings(panel: _Panel) -> FloatArray:
    """Return how far each judge leans along the direction in which judges differ from chance most.

    In standard errors, from the score function at equal scores: -> (n_judges,).
    """
    n_judges, n_items = panel.data.n_judges, panel.data.n_items
    shown = np.bincount(panel.judge, panel.known * panel.total, n_judges) + 1
    won = np.bincount(panel.judge, panel.known * panel.wins, n_judges) + 0.5
    at = _scores(panel, np.ones(len(panel.judge)), np.zeros(n_items), logit(won / shown))
    start = n_items * panel.judge
    pull = net_flow(start + panel.first, start + panel.second, at.residual, n_judges * n_items)
    pull = pull.reshape(n_judges, n_items)
    direction = eigh(pull.T @ pull, at.precision)[1][:, -1]
    gap = direction[panel.first] - direction[panel.second]
    gap -= panel.known * (at.followed @ direction)[panel.judge]
    error = np.sqrt(np.bincount(panel.judge, at.weight * gap**2, n_judges))
    return np.divide(pull @ direction, error, out=np.zeros(n_judges), where=error > 0)


def _maximum(panel: _Panel, kept: FloatArray, start: _Scores | None = None) -> _Scores:
    """Maximise the likelihood of the kept cells, less a small ridge, by Newton's method."""
    n_judges, n_items = panel.data.n_judges, panel.data.n_items
    zero = np.zeros(n_items), np.zeros(n_judges)
    at = _scores(panel, kept, *((start.score, start.position) if start else zero))
    for _ in range(STEPS):
        up = np.bincount(panel.judge, at.residual * panel.known, n_judges) - RIDGE * at.position
        gradient = net_flow(panel.first, panel.second, at.residual, n_items) - RIDGE * at.score
        step = np.linalg.solve(at.precision, gradient - at.followed.T @ up)
        turn = up / at.of_position - at.followed @ step
        length = max(np.abs(step).max(), np.abs(turn).max())
        part = min(1.0, LONGEST / max(length, ARRIVED))
        at = _scores(panel, kept, at.score + part * step, at.position + part * turn)
        if length < ARRIVED:
            break
    return at


def _without(panel: _Panel, judge: int, joint: _Scores) -> _Scores:
    """Return the scores without a judge: one step from the joint fit, more where it is long."""
    own = np.flatnonzero(panel.judge == judge)
    first, second, n_items = panel.first[own], panel.second[own], panel.data.n_items
    followed = joint.followed[judge]
    precision = joint.precision + joint.of_position[judge] * np.outer(followed, followed)
    precision -= laplacian(first, second, joint.weight[own], n_items)
    step = -np.linalg.solve(precision, net_flow(first, second, joint.residual[own], n_items))
    if np.abs(step).max() > SHORT:
        return _maximum(panel, (panel.judge != judge).astype(float), joint)
    return replace(joint, score=joint.score + step, precision=precision)


def _compared(panel: _Panel, judge: int, joint: _Scores, reach: float) -> tuple[float, ...]:
    """Return number of verdicts, slope, error and interval of a judge against the others."""
    others = _without(panel, judge, joint)
    covariance = np.linalg.inv(others.precision)
    own = _own(panel, judge, others.score, covariance)
    verdicts, reliability = float(own.total.sum()), own.reliability(covariance)
    if verdicts < ENOUGH_VERDICTS or not reliability >= RELIABLE:
        return verdicts, *[np.nan] * 4
    try:
        if side := own.without_exception():
            least = own.least(side, reach)
            return verdicts, side * np.inf, np.inf, *sorted((side * least, side * np.inf))
        slope, error = _slope_and_error(panel, others, own, covariance)
    except NoFiniteMaximumError:
        return verdicts, *[np.nan] * 4
    slope, error = slope / reliability, error / reliability
    return verdicts, slope, error, slope - reach * error, slope + reach * error


@dataclass(frozen=True, eq=False)
class _Own:
    """A judge's counted verdicts on the pairs that the others place, (n,) each.

    Attributes: number of the cell; items; whether the order is known; counts; and the others'
    difference of scores.
    """

    cell: IntArray
    first: IntArray
    second: IntArray
    known: FloatArray
    wins: FloatArray
    total: FloatArray
    gap: FloatArray

    def profiled(self, columns: FloatArray, weight: FloatArray) -> FloatArray:
        """Take from columns, (n,) or (n, size), what the judge's position effect explains."""
        known = weight * self.known
        share = known @ columns / (known @ self.known + RIDGE)
        return columns - np.multiply.outer(self.known, share)

    def contrasts(self, n_items: int) -> FloatArray:
        """Return one for the item shown first, minus one for the other: -> (n, n_items)."""
        eye = np.eye(n_items)
        return eye[self.first] - eye[self.second]

    def reliability(self, covariance: FloatArray) -> float:
        """Return the share of the squared differences that is not the others' own error."""
        weight = self.total / 4
        squares = weight @ self.profiled(self.gap, weight) ** 2
        if squares <= RIDGE:
            return 0.0
        contrasts = self.profiled(self.contrasts(len(covariance)), weight)
        noise = weight @ ((contrasts @ covariance) * contrasts).sum(axis=1)
        return float(1 - noise / squares)

    def without_exception(self) -> int:
        """Return 1 where every verdict follows the others' order, -1 where none does, else 0."""
        return next((side for side in (1, -1) if self._follows(side)), 0)

    def _follows(self, side: int) -> bool:
        """Check whether some position effect explains every verdict from the sign of the gap."""
        known, won, lost, gap = self.known > 0, self.wins > 0, self.wins < self.total, self.gap
        least, most = self._thresholds(side)
        plain = ~known & (gap != 0)
        informed = plain.any() or ((known & won).any() and (known & lost).any())
        agrees = (~won | (side * gap >= 0)) & (~lost | (side * gap <= 0))
        return bool(informed and least <= most and agrees[~known].all())

    def _thresholds(self, side: int) -> tuple[float, float]:
        """Return between which position effects, a unit of slope, the judge's wins begin."""
        known, won, lost = self.known > 0, self.wins > 0, self.wins < self.total
        least = np.max(-side * self.gap[known & won], initial=-np.inf)
        return float(least), float(np.min(-side * self.gap[known & lost], initial=np.inf))

    def least(self, side: int, reach: float) -> float:
        """Return the smallest slope that verdicts without exception allow, by their likelihood."""
        from scipy.optimize import brentq

        finite = [end for end in self._thresholds(side) if np.isfinite(end)]
        gap = side * self.gap + self.known * (np.mean(finite) if finite else 0.0)

        def excess(slope: float) -> float:
            return self._deviance(slope * gap) - reach**2

        farthest = FAR / np.abs(gap).max()
        if excess(0.0) <= 0:
            return -np.inf
        return float(farthest if excess(farthest) >= 0 else brentq(excess, 0.0, farthest))

    def _deviance(self, offset: FloatArray) -> float:
        """Return minus twice the log-likelihood at log-odds and the best position effect."""
        known = self.known[:, None]
        position = logistic_coefficients(known, self.wins, self.total, offset, RIDGE)
        log_odds = offset + known @ position
        return float(2 * (self.total @ np.logaddexp(0.0, log_odds) - self.wins @ log_odds))


def _own(panel: _Panel, judge: int, score: FloatArray, covariance: FloatArray) -> _Own:
    """Return a judge's verdicts on pairs whose difference of scores the others determine."""
    cell = np.flatnonzero(panel.judge == judge)
    first, second, spread = panel.first[cell], panel.second[cell], np.diag(covariance)
    cell = cell[spread[first] + spread[second] - 2 * covariance[first, second] <= PLACED**2]
    first, second = panel.first[cell], panel.second[cell]
    counts = panel.known[cell], panel.wins[cell], panel.total[cell]
    return _Own(cell, first, second, *counts, score[first] - score[second])


def _slope_and_error(
    panel: _Panel, others: _Scores, own: _Own, covariance: FloatArray
) -> tuple[float, float]:
    """Return the slope of a judge's log-odds on the others' gap, and its standard error.

    The delta method carries the others' error to the slope.
    """
    columns = np.column_stack([own.gap, own.known])
    coefficients = logistic_coefficients(columns, own.wins, own.total, ridge=RIDGE)
    share, slope = expit(columns @ coefficients), coefficients[0]
    weight, residual = own.total * share * (1 - share), own.wins - own.total * share
    gap = own.profiled(own.gap, weight)
    information = weight @ gap**2
    pull = own.contrasts(len(covariance)).T @ (residual - slope * weight * gap) / information
    carried = covariance @ pull
    by_model = 1 / information + pull @ carried
    by_cell = carried[panel.first] - carried[panel.second]
    by_cell -= panel.known * (others.followed @ carried)[panel.judge]
    by_cell[panel.judge == panel.judge[own.cell[0]]] = 0.0
    by_cell[own.cell] = gap / information
    shares = others.share.copy()
    shares[own.cell] = share
    by_prompt = _prompt_sums(panel, shares, by_cell)
    return float(slope), float(np.sqrt(max(by_model, by_prompt @ by_prompt)))


def _prompt_sums(panel: _Panel, share: FloatArray, by_cell: FloatArray) -> FloatArray:
    """Add up what each prompt's verdicts move, from shares and influences by cell."""
    data, cell = panel.data, panel.cell_of_row
    residual = data.weight * (panel.won - share[cell])
    return np.bincount(data.prompt, residual * by_cell[cell], data.n_prompts)
