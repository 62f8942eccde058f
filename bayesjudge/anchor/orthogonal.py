"""The orthogonal (Riesz) correction: one cross-fitted Fisher-scoring step of a program."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from bayesjudge.anchor.folds import FoldSums, demand_training_rows, fold_sums, row_folds, splits
from bayesjudge.anchor.two_step import TwoStep, two_step
from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.intervals import demand_level, normal_half_width
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.designs.roster import Roster, row_sources
from bayesjudge.engine.precision import in_float64, one_blas_thread
from bayesjudge.engine.prepare import prepared_data, program_data, refuse_powers
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import NewItemError, UnknownProgramError
from bayesjudge.fits.meat import Cluster, Step, clustered_covariance
from bayesjudge.fits.mode import demand_quantity
from bayesjudge.fits.tree import quantity_arrays

Start = Callable[[tuple[Design, ...], Roster, tuple[FloatArray, ...]], TwoStep]


@dataclass(frozen=True, eq=False, repr=False)
class Orthogonal:
    """A corrected estimate of every named quantity, with its variance by data set.

    Attributes
    ----------
    program : Program
        The program.
    designs : tuple of Design
        The verdicts.
    frames : tuple of Frame
        What else the program reads.
    starts : tuple of TwoStep
        The estimate from the other folds, one a fold.
    folds : tuple of FoldSums
        One a fold.
    fold_of_row : tuple of ndarray of int, shape (n_rows,)
        By data set.
    """

    program: Program
    designs: tuple[Design, ...]
    frames: tuple[Frame, ...]
    starts: tuple[TwoStep, ...]
    folds: tuple[FoldSums, ...]
    fold_of_row: tuple[IntArray, ...]

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.program.sites.quantities)
        return f"Orthogonal({self.program.model.__name__}, {len(self.folds)} folds: {names})"

    @property
    def layouts(self) -> Data:
        """The arrays that the program reads."""
        return program_data(self.designs, self.frames)

    @property
    def roster(self) -> Roster:
        """Which items are new."""
        return next(each for each in self.frames if isinstance(each, Roster))

    @cached_property
    def quantities(self) -> xr.Dataset:
        """The named quantities after the step."""
        value = {name: _joined(name, self._steps) for name in self._steps[0]}
        return quantity_arrays(self.program, value, self.designs)

    def quantity(self, name: str) -> xr.DataArray:
        """Give one corrected quantity.

        Parameters
        ----------
        name : str
            For example "human_score" (log-odds of a human).

        Returns
        -------
        xarray.DataArray
            With the names of items or judges.

        Raises
        ------
        UnknownQuantityError
            Where the program has no such quantity.
        """
        demand_quantity(name, self.program)
        return self.quantities[name].copy(deep=True)

    def covariance(self, name: str, cluster: Cluster | Sequence[str] = "row") -> xr.DataArray:
        """Give the covariance of a quantity, by the data set that it comes from.

        Parameters
        ----------
        name : str
            A named quantity with one dimension.
        cluster : {"row", "prompt", "judge_pair"} or sequence of str
            Which verdicts depend on each other: none, as in the paper; all on one prompt, votes
            with judges' verdicts too; one judge's on one pair; or those with one label.

        Returns
        -------
        xarray.DataArray
            Dimensions ``source`` ("judge" for judges' verdicts, "human" for votes: ANCHOR's V_J
            and V_H), the quantity's, and the same with an underscore. Their sum over sources is the
            covariance.
        """
        value = self.quantity(name)
        (dim,) = value.dims
        by_row = isinstance(cluster, str) and cluster == "row"
        matrix = self._by_row(name) if by_row else self._by_cluster(name, cluster)
        coords = {"source": [each.layout.label for each in self.designs]}
        names = {str(dim): value[dim].values, f"{dim}_": value[dim].values}
        return xr.DataArray(matrix, {**coords, **names}, ["source", *names], name=name)

    def standard_error(self, name: str, cluster: Cluster | Sequence[str] = "row") -> xr.DataArray:
        """Give the standard errors of a quantity.

        Parameters
        ----------
        name : str
            A named quantity with one dimension.
        cluster : {"row", "prompt", "judge_pair"} or sequence of str
            As for `covariance`.

        Returns
        -------
        xarray.DataArray
            In the quantity's unit; NaN for an effect that is no parameter.
        """
        matrix = self.covariance(name, cluster).sum("source").values
        free = np.any([each[name].weights.any(axis=1) for each in self._steps], axis=0)
        return self.quantity(name).copy(data=np.where(free, np.sqrt(np.diag(matrix)), np.nan))

    def interval(
        self, name: str, prob: float = 0.95, cluster: Cluster | Sequence[str] = "row"
    ) -> xr.DataArray:
        """Give the normal interval of a quantity.

        Parameters
        ----------
        name : str
            A named quantity with one dimension.
        prob : float
            Nominal coverage.
        cluster : {"row", "prompt", "judge_pair"} or sequence of str
            As for `covariance`.

        Returns
        -------
        xarray.DataArray
            The quantity's dimension and ``bound`` ("lower", "upper").
        """
        half = normal_half_width(demand_level(prob)) * self.standard_error(name, cluster)
        both = xr.concat([self.quantity(name) - half, self.quantity(name) + half], dim="bound")
        return both.assign_coords(bound=["lower", "upper"]).rename(name)

    def riesz(self, name: str) -> FloatArray:
        """Give the weights of verdicts' scores in a quantity, ANCHOR's (w, gamma).

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        ndarray, shape (n_folds, n, size)
            By fold; a row's inner product with a verdict's score is its part in the correction.
        """
        demand_quantity(name, self.program)
        return np.stack([each[name].weights for each in self._steps])

    def _by_row(self, name: str) -> FloatArray:
        return np.sum(
            [
                np.einsum("ap,spq,bq->sab", step[name].weights, fold.meat, step[name].weights)
                for step, fold in zip(self._steps, self.folds, strict=True)
            ],
            axis=0,
        )

    def _by_cluster(self, name: str, cluster: Cluster | Sequence[str]) -> FloatArray:
        steps = [
            Step(fold.phi, each[name].weights, tuple(row == k for row in self.fold_of_row))
            for k, (each, fold) in enumerate(zip(self._steps, self.folds, strict=True))
        ]
        return clustered_covariance(self.program, self.designs, self.layouts, steps, cluster)

    @cached_property
    @in_float64
    def _steps(self) -> tuple[dict[str, "_Step"], ...]:
        return tuple(self._steps_of(each) for each in self.folds)

    def _steps_of(self, fold: FoldSums) -> dict[str, "_Step"]:
        values, jacobians = self.program.compiled.quantities(fold.phi, self.layouts)
        bread = np.linalg.inv(fold.information.sum(axis=0))
        total = fold.score.sum(axis=0)
        found = {}
        for name, value in values.items():
            weights = np.asarray(jacobians[name]).reshape(-1, len(bread)) @ bread
            found[name] = _Step(np.asarray(value), weights, weights @ total)
        return found


@dataclass(frozen=True, eq=False)
class _Step:
    """One fold's part in one quantity: its start, Riesz weights and correction."""

    start: FloatArray
    weights: FloatArray
    correction: FloatArray


@one_blas_thread
def orthogonal(
    model: Model,
    *data: Comparisons | Design | Frame,
    folds: int | Sequence[ArrayLike] = 10,
    seed: int = 0,
    start: Start = two_step,
) -> Orthogonal:
    """Correct a first estimate for what its nuisance parameters cost, by cross-fitting.

    Parameters
    ----------
    model : callable
        ``bj.models.new_item``.
    *data : Comparisons, Design or Frame
        The judges' verdicts, the votes; then `bayesjudge.roster`, if other items than those without
        votes are new.
    folds : int or sequence of array
        How many folds, balanced within people, every judge, and every judge's verdicts on new
        items; or the fold of each row, one array a data set. One fold means no cross-fitting.
    seed : int
        Same seed, same folds.
    start : callable
        First estimate, of which the step corrects the error to first order.

    Returns
    -------
    Orthogonal
        Estimates, covariances by data set, intervals. `bayesjudge.placement` tabulates them.

    Raises
    ------
    InvalidFoldsError
        If folds do not fit the rows, or leave a judge without verdicts.
    NewItemError
        If no item is new, or a judge or the votes say nothing of historical pairs.
    UnknownProgramError
        For a program that learns scales.
    UnidentifiedError
        If votes do not link the historical items and no judge ranks them all.
    WeightError
        If a design has a power.

    Notes
    -----
    ANCHOR Section 3.2 with bias that is linear in the design's terms. The Riesz weights are rows
    of the inverse information, so that the estimate is a step of Fisher scoring from the start.
    Repeated without cross-fitting it leads to ``bj.mode(model, ..., prior=False)``.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> judges, votes = bj.example_panel(), bj.example_votes()
    >>> maple = votes.items.index("maple")
    >>> seen = votes.select((votes.first != maple) & (votes.second != maple))
    >>> fit = bj.orthogonal(bj.models.new_item, judges, seen, folds=5)
    >>> fit.interval("human_score").sel(item="maple").dims
    ('bound',)
    """
    prepared, frames = prepared_data(model, *data)
    if not any(isinstance(each, Roster) for each in frames):
        raise NewItemError(
            f"{model.__name__} knows no new items; use bj.models.new_item, whose scores the "
            "correction is for."
        )
    refuse_powers(prepared, "The correction")
    target = program(model, *program_data(prepared, frames))
    if not all(site.is_real for site in target.sites.free):
        raise UnknownProgramError(
            f"{model.__name__} learns scales, and the correction is of a likelihood; use "
            "bj.models.new_item."
        )
    roster = next(each for each in frames if isinstance(each, Roster))
    of_rows = row_folds(prepared, roster, folds, demand_seed(seed))
    starts, sums = stepped_folds(target, prepared, frames, roster, of_rows, start)
    return Orthogonal(target, prepared, frames, starts, sums, of_rows)


def stepped_folds(
    target: Program,
    designs: tuple[Design, ...],
    frames: tuple[Frame, ...],
    roster: Roster,
    of_rows: tuple[IntArray, ...],
    start: Start = two_step,
) -> tuple[tuple[TwoStep, ...], tuple[FoldSums, ...]]:
    """Estimate from all folds but one and sum up what the one says there, for each in turn.

    Parameters
    ----------
    target : Program
        The program.
    designs, frames
        Its data.
    roster : Roster
        Which items are new.
    of_rows : tuple of ndarray of int, shape (n_rows,)
        Fold of each row, by data set.
    start : callable
        As for `orthogonal`.

    Returns
    -------
    starts : tuple of TwoStep
        One a fold.
    sums : tuple of FoldSums
        One a fold.
    """
    layouts = program_data(designs, frames)
    sources = [row_sources(each, roster.is_new)[0] for each in designs]
    n_folds = 1 + max(int(each.max()) for each in of_rows)
    for each, source, fold in zip(designs, sources, of_rows, strict=True):
        demand_training_rows(source, fold, each.weight, n_folds)
    parts = [
        splits(each, source, fold, n_folds)
        for each, source, fold in zip(designs, sources, of_rows, strict=True)
    ]
    starts, sums = [], []
    for of_fold in zip(*parts, strict=True):
        first = start(designs, roster, tuple(part.training for part in of_fold))
        phi = target.sites.flat(first.coordinates(designs[0], roster))
        starts.append(first)
        sums.append(fold_sums(target, designs, layouts, phi, list(of_fold)))
    return tuple(starts), tuple(sums)


def _joined(name: str, steps: tuple[dict[str, _Step], ...]) -> FloatArray:
    """Mean of the folds' starts, plus the sum of their corrections (pooled form)."""
    start = np.mean([each[name].start for each in steps], axis=0)
    correction = np.sum([each[name].correction for each in steps], axis=0)
    return start + correction.reshape(start.shape)
