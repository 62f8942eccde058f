"""What data and fits tell about a new item, in numbers."""

from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
from scipy.linalg import eigh

from bayesjudge.anchor.orthogonal import Orthogonal
from bayesjudge.anchor.two_step import TwoStep, two_step
from bayesjudge.anchor.voted_pairs import voted_pairs
from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.core.graphs import component_labels, link_graph
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import FlatCells, counted_rows, flat_cells
from bayesjudge.designs.layouts import retained_mask
from bayesjudge.designs.roster import Roster
from bayesjudge.models.new_item import judge_gradient

START_RIDGE = 0.5  # so that there are numbers where the votes have no finite estimate
RANK_TOLERANCE = 1e-9  # relative eigenvalue, below which a direction has no information


@dataclass(frozen=True, eq=False)
class ArrivalIdentification:
    """Numbers behind the findings on new items.

    Attributes
    ----------
    judges, humans : Design
        Verdicts and votes.
    roster : Roster
        Which items are new.
    start : TwoStep
        A ridge estimate, at which the information is computed.
    """

    judges: Design
    humans: Design
    roster: Roster
    start: TwoStep

    @cached_property
    def cells(self) -> FlatCells:
        """The judges' cells."""
        return flat_cells(self.judges)

    @cached_property
    def total(self) -> FloatArray:
        """Verdicts in each of them."""
        return self.cells.total

    @cached_property
    def arrives(self) -> BoolArray:
        """Cells in which a new item takes part."""
        return self.cells.touches(self.roster.is_new)

    @cached_property
    def vote_group(self) -> IntArray:
        """Groups of historical items that votes link, shape (n_historical,)."""
        cells = flat_cells(self.humans)
        votes = cells.total
        old = (votes > 0) & ~cells.touches(self.roster.is_new)
        contrast = cells.pair_contrast[old][:, ~self.roster.is_new]
        first, second = contrast.argmax(axis=1), contrast.argmin(axis=1)
        return component_labels(link_graph(first, second, contrast.shape[1]))

    @cached_property
    def verdicts(self) -> FloatArray:
        """Historical verdicts and arrivals of each judge, shape (n_judges, 2)."""
        size = self.judges.layout.n_judges
        counts = [np.where(rows, self.total, 0.0) for rows in (~self.arrives, self.arrives)]
        return np.column_stack([np.bincount(self.cells.judge, count, size) for count in counts])

    def judges_where(self, mask: BoolArray) -> list[str]:
        """Return the names of marked judges: mask (n_judges,)."""
        return list(compress(self.judges.data.judges, mask))

    def by_judge(self, values: FloatArray) -> dict[str, float]:
        """Return values by the judges' names: values (n_judges,)."""
        return dict(zip(self.judges.data.judges, values.tolist(), strict=True))

    @property
    def ranks_alone(self) -> BoolArray:
        """Judges whose own verdicts rank all historical items, features aside."""
        return np.array([self._ranks(judge) for judge in range(self.judges.layout.n_judges)])

    @property
    def score_left(self) -> FloatArray:
        """Share of the historical score differences that a judge's features do not explain.

        ANCHOR's kappa squared over the mean squared difference, shape (n_judges,): features
        multiply the information about a sensitivity by it. NaN without historical verdicts.
        """
        return np.array([self._left(judge) for judge in range(self.judges.layout.n_judges)])

    @property
    def feature_shift(self) -> FloatArray:
        """Largest ratio of a feature contrast's mean square on arrivals to that in history.

        Over all linear combinations of a judge's features, shape (n_judges,): one where both have
        the same distribution, infinite where one varies among arrivals but not in history.
        """
        return np.array([self._shift(judge) for judge in range(self.judges.layout.n_judges)])

    @cached_property
    def scale_error(self) -> float:
        """Relative standard error of the common factor of all scores, from votes alone."""
        known = voted_pairs(self.humans).scale_information(self.start.score)
        return float(1 / np.sqrt(known)) if known > 0 else np.inf

    @cached_property
    def information(self) -> FloatArray:
        """Expected information about scores, new scores, sensitivities and features together."""
        votes = flat_cells(self.humans).total
        of_votes = flat_cells(self.humans).pair_contrast @ self._scores
        padding = np.zeros((len(votes), self._judge_gradient.shape[1] - of_votes.shape[1]))
        gradient = np.concatenate([np.column_stack([of_votes, padding]), self._judge_gradient])
        return (gradient.T * np.concatenate([votes, self.total])) @ gradient

    @cached_property
    def lost(self) -> FloatArray:
        """Directions without information, shape (size, n)."""
        scale = np.sqrt(np.maximum(np.diag(self.information), np.finfo(float).tiny))
        values, vectors = np.linalg.eigh(self.information / np.outer(scale, scale))
        return vectors[:, values <= RANK_TOLERANCE * values[-1]] / scale[:, None]

    @property
    def lost_items(self) -> BoolArray:
        """Items whose scores move along a direction without information, shape (n_items,)."""
        moved = self._scores @ self.lost[: self._scores.shape[1]]
        size = np.abs(moved).max(axis=1, initial=0.0)
        return size > RANK_TOLERANCE * max(1.0, float(np.abs(self.lost).max(initial=0.0)))

    @property
    def _scores(self) -> FloatArray:
        return np.column_stack([self.roster.basis, self.roster.new])

    @cached_property
    def _judge_gradient(self) -> FloatArray:
        """Derivatives of the judges' log-odds: scores, log sensitivities, retained features."""
        start = self.start
        return judge_gradient(
            self.cells, self._scores, start.score, start.sensitivity, self._retained
        )

    @property
    def _retained(self) -> BoolArray:
        return retained_mask(self.judges.layout)

    def _history(self, judge: int) -> BoolArray:
        return ~self.arrives & (self.cells.judge == judge) & (self.total > 0)

    def _columns(self, judge: int, rows: BoolArray) -> FloatArray:
        return self.cells.columns[rows][:, self._retained[:, judge]]

    def _ranks(self, judge: int) -> bool:
        rows = self._history(judge)
        scores = self.cells.pair_contrast[rows] @ np.asarray(self.roster.basis)
        matrix = np.column_stack([scores, self._columns(judge, rows)])
        return bool(np.linalg.matrix_rank(matrix) == matrix.shape[1])

    def _left(self, judge: int) -> float:
        rows = self._history(judge)
        root = np.sqrt(self.total[rows])
        gap = root * (self.cells.pair_contrast[rows] @ self.start.score)
        columns = root[:, None] * self._columns(judge, rows)
        rest = gap - columns @ np.linalg.lstsq(columns, gap, rcond=None)[0]
        return float(rest @ rest / (gap @ gap)) if gap @ gap > 0 else np.nan

    def _shift(self, judge: int) -> float:
        history = self._history(judge)
        arrival = self.arrives & (self.cells.judge == judge) & (self.total > 0)
        if not history.any() or not arrival.any() or not self._retained[:, judge].any():
            return np.nan
        scale = np.sqrt((self._columns(judge, history | arrival) ** 2).mean(axis=0))
        before, after = (
            _mean_square(self._columns(judge, rows) / scale, self.total[rows])
            for rows in (history, arrival)
        )
        spread, axes = np.linalg.eigh(before)
        flat = axes[:, spread <= RANK_TOLERANCE * spread[-1]]
        if flat.shape[1] and np.abs(after @ flat).max() > RANK_TOLERANCE * np.abs(after).max():
            return np.inf
        held = axes[:, spread > RANK_TOLERANCE * spread[-1]]
        return float(eigh(held.T @ after @ held, held.T @ before @ held, eigvals_only=True)[-1])


def arrival_identification(designs: tuple[Design, ...], roster: Roster) -> ArrivalIdentification:
    """Return what decides whether new items are identified (ANCHOR Assumptions 2.1 to 2.3)."""
    start = two_step(designs, roster, ridge=START_RIDGE)
    return ArrivalIdentification(designs[0], designs[1], roster, start)


def _mean_square(columns: FloatArray, weight: FloatArray) -> FloatArray:
    return (columns.T * weight) @ columns / weight.sum()


def heaviest_verdict(fit: Orthogonal, name: str = "human_score") -> FloatArray:
    """Return the most that one verdict moves each value of a quantity, in standard errors, (n,)."""
    moved = [_largest(fit, number, weights) for number, weights in enumerate(fit.riesz(name))]
    return np.max(moved, axis=0) / fit.standard_error(name).values


def _largest(fit: Orthogonal, number: int, weights: FloatArray) -> FloatArray:
    """Return the largest part of any of a fold's verdicts at its estimate: weights (n, size)."""
    point, parts = fit.points[number], []
    for design, fold in zip(fit.designs, fit.fold_of_row, strict=True):
        influence = point.scores(design).along(weights).by_outcome
        own = counted_rows(design, fold == number) > 0
        parts.append(np.abs(influence[own]).max(axis=0, initial=0.0))
    return np.max(parts, axis=0)
