"""What data identify about a new item, in numbers: graphs, matrix ranks and ratios."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.special import expit

from bayesjudge.anchor.two_step import TwoStep, two_step
from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.graphs import component_labels, link_graph
from bayesjudge.designs.design import Design
from bayesjudge.designs.flat_cells import FlatCells, counted_rows, flat_cells
from bayesjudge.designs.roster import Roster

START_RIDGE = 0.5  # numbers shall exist where estimates do not


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
        A ridge estimate, about which identification is looked at.
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
        return counted_rows(self.judges).sum(axis=1)

    @cached_property
    def arrives(self) -> BoolArray:
        """Cells in which a new item takes part."""
        return self.cells.touches(self.roster.is_new)

    @cached_property
    def vote_group(self) -> NDArray[np.intp]:
        """Groups of historical items that votes link, shape (n_historical,)."""
        cells, votes = flat_cells(self.humans), counted_rows(self.humans).sum(axis=1)
        old = (votes > 0) & ~cells.touches(self.roster.is_new)
        contrast = cells.contrast[old][:, ~self.roster.is_new]
        first, second = contrast.argmax(axis=1), contrast.argmin(axis=1)
        return component_labels(link_graph(first, second, contrast.shape[1])).astype(np.intp)

    @cached_property
    def verdicts(self) -> FloatArray:
        """Historical verdicts and arrivals of each judge, shape (n_judges, 2)."""
        size = self.judges.layout.n_judges
        counts = [np.where(rows, self.total, 0.0) for rows in (~self.arrives, self.arrives)]
        return np.column_stack([np.bincount(self.cells.judge, each, size) for each in counts])

    @property
    def ranks_alone(self) -> BoolArray:
        """Judges whose own verdicts tell all historical items apart, features aside."""
        basis, names = np.asarray(self.roster.basis), range(self.judges.layout.n_judges)
        return np.array([self._ranks(judge, basis) for judge in names])

    @property
    def score_left(self) -> FloatArray:
        """Share of the historical score gaps that a judge's features do not explain.

        ANCHOR's kappa squared over the mean squared gap, shape (n_judges,): sensitivity is known
        1 / kappa times worse than without features. NaN where a judge has no historical verdict.
        """
        return np.array([self._left(judge) for judge in range(self.judges.layout.n_judges)])

    @property
    def feature_shift(self) -> FloatArray:
        """Largest ratio of a feature contrast's mean square on arrivals to that in history.

        Over all linear combinations of a judge's features, shape (n_judges,): one where both have
        one law, infinite where something varies among arrivals that never did in history.
        """
        return np.array([self._shift(judge) for judge in range(self.judges.layout.n_judges)])

    @cached_property
    def scale_error(self) -> float:
        """Relative standard error of the common factor of all scores, from votes alone."""
        cells, votes = flat_cells(self.humans), counted_rows(self.humans).sum(axis=1)
        gap = cells.contrast @ self.start.score
        share = expit(gap)
        information = float(votes @ (share * (1 - share) * gap**2))
        return float(1 / np.sqrt(information)) if information > 0 else np.inf

    @cached_property
    def information(self) -> FloatArray:
        """Expected information about scores, new scores, sensitivities and features together."""
        votes = counted_rows(self.humans).sum(axis=1)
        of_votes = flat_cells(self.humans).contrast @ self._scores
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
        """Gradients of the judges' log-odds: scores, sensitivities, retained features."""
        judge, size = self.cells.judge, self.judges.layout.n_judges
        slope, own = self.start.sensitivity[judge], np.eye(size)[judge]
        scores = slope[:, None] * (self.cells.contrast @ self._scores)
        gaps = own * (self.cells.contrast @ self.start.score)[:, None]
        biases = [
            own[:, kept] * column[:, None]
            for column, kept in zip(self.cells.columns.T, self._retained, strict=True)
        ]
        return np.column_stack([scores, gaps, *biases])

    @property
    def _retained(self) -> BoolArray:
        return np.array(self.judges.layout.retained, dtype=bool).reshape(
            -1, self.judges.layout.n_judges
        )

    def _history(self, judge: int) -> BoolArray:
        return ~self.arrives & (self.cells.judge == judge) & (self.total > 0)

    def _columns(self, judge: int, rows: BoolArray) -> FloatArray:
        return self.cells.columns[rows][:, self._retained[:, judge]]

    def _ranks(self, judge: int, basis: FloatArray) -> bool:
        rows = self._history(judge)
        matrix = np.column_stack([self.cells.contrast[rows] @ basis, self._columns(judge, rows)])
        return bool(np.linalg.matrix_rank(matrix) == matrix.shape[1])

    def _left(self, judge: int) -> float:
        rows = self._history(judge)
        root = np.sqrt(self.total[rows])
        gap = root * (self.cells.contrast[rows] @ self.start.score)
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
    """Look at what judges' verdicts and votes identify about new items.

    Parameters
    ----------
    designs : tuple of Design
        The judges' verdicts, then the votes.
    roster : Roster
        Which items are new.

    Returns
    -------
    ArrivalIdentification
        Computed when asked for.

    Notes
    -----
    ANCHOR Assumptions 2.1 to 2.3, for bias that is linear in features.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> from bayesjudge.designs.roster import roster_of
    >>> made = bj.design(bj.example_panel()), bj.design(bj.example_votes())
    >>> found = arrival_identification(made, roster_of(np.arange(8) == 3))
    >>> found.lost.shape
    (17, 0)
    """
    start = two_step(designs, roster, ridge=START_RIDGE)
    return ArrivalIdentification(designs[0], designs[1], roster, start)


def _mean_square(columns: FloatArray, weight: FloatArray) -> FloatArray:
    return (columns.T * weight) @ columns / weight.sum()
