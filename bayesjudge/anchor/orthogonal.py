"""The orthogonal (Riesz) correction: one cross-fitted Fisher-scoring step of a program."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from bayesjudge.anchor.folds import FoldSums, Start, row_folds, stepped_folds
from bayesjudge.anchor.two_step import TwoStep, two_step
from bayesjudge.core.arguments import demand_seed
from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.intervals import normal_interval
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.designs.roster import Roster
from bayesjudge.engine.point import Point
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.prepare import prepared_data, program_data, refuse_powers
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import NewItemError, UnknownProgramError
from bayesjudge.fits.cautions import sandwich_cautions
from bayesjudge.fits.estimate import WithoutPrior, normal_draws, square_array
from bayesjudge.fits.meat import (
    Cluster,
    cluster_codes,
    cluster_word,
    products_by_source,
    rows_alone,
    sums_by_cluster,
)
from bayesjudge.fits.tree import count_arrays, data_arrays, program_facts, quantity_arrays


@dataclass(frozen=True, eq=False, repr=False)
class Orthogonal(WithoutPrior):
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
        names = ", ".join(site.name for site in self.program.sites.quantities)
        folds = counted(len(self.folds), "fold")
        return f"Orthogonal({self.program.model.__name__}, {folds}: {names})"

    @property
    def layouts(self) -> Data:
        """The arrays that the program reads."""
        return program_data(self.designs, self.frames)

    @property
    def roster(self) -> Roster:
        """Which items are new."""
        return next(frame for frame in self.frames if isinstance(frame, Roster))

    @cached_property
    def quantities(self) -> xr.Dataset:
        """The named quantities: the mean of the folds' starts plus the sum of their corrections."""
        total = np.stack([fold.score.sum(axis=0) for fold in self.folds])
        values = {}
        for name, weights in self._weights.items():
            start = np.mean([point.values[name] for point in self.points], axis=0)
            correction = np.einsum("fnp,fp->n", weights, total)
            values[name] = start + correction.reshape(start.shape)
        return quantity_arrays(self.program, values, self.designs)

    def quantity(self, name: str) -> xr.DataArray:
        """Return one corrected quantity.

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
        self.program.demand_quantity(name)
        return self.quantities[name].copy(deep=True)

    @property
    def label(self) -> str:
        """What the estimate and its default covariance are, in a few words."""
        return step_label(len(self.folds), "prompt")

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What captions and files say of the fit: program, data, method and cautions."""
        return program_facts(self.program, self.designs) | {
            "inference": "one step",
            "label": self.label,
            "cautions": sandwich_cautions(self.designs, "prompt", self.program.sites.size),
        }

    @property
    def constant_data(self) -> xr.Dataset:
        """Numbers of verdicts by item and judge, and the connected component of each item."""
        return data_arrays(self.designs)

    @property
    def observed_data(self) -> xr.Dataset:
        """Verdicts counted by judge and display order."""
        return count_arrays(self.designs)

    def covariance(self, name: str, cluster: Cluster | Sequence[str] = "prompt") -> xr.DataArray:
        """Return the covariance of a quantity, by the data set that it comes from.

        Parameters
        ----------
        name : str
            A named quantity.
        cluster : {"prompt", "cell", "row"} or sequence of str
            Which verdicts depend on each other: all on one prompt, votes with judges' verdicts too;
            one judge's on one pair; none, as in the paper; or those with one label.

        Returns
        -------
        xarray.DataArray
            Dimensions ``source`` ("judge" for judges' verdicts, "human" for votes: ANCHOR's V_J
            and V_H), the quantity's, and the same with an underscore. Their sum over sources is the
            covariance.
        """
        value, by_source = self.quantity(name), self._covariance(self._weights[name], cluster)
        parts = [square_array(value, matrix) for matrix in by_source]
        source = [design.layout.label for design in self.designs]
        return xr.concat(parts, xr.IndexVariable("source", source))

    def of(self, name: str, cluster: Cluster | Sequence[str] = "prompt") -> xr.DataArray:
        """Return the covariance matrix of a quantity, from all data sets.

        Parameters
        ----------
        name : str
            A named quantity.
        cluster : {"prompt", "cell", "row"} or sequence of str
            As for `covariance`.

        Returns
        -------
        xarray.DataArray
            The quantity's dimensions, and for the columns the same with an underscore.
        """
        return self.covariance(name, cluster).sum("source")

    def standard_error(
        self, name: str, cluster: Cluster | Sequence[str] = "prompt"
    ) -> xr.DataArray:
        """Return the standard errors of a quantity.

        Parameters
        ----------
        name : str
            A named quantity.
        cluster : {"prompt", "cell", "row"} or sequence of str
            As for `covariance`.

        Returns
        -------
        xarray.DataArray
            In the quantity's unit; NaN for an effect that is no parameter.
        """
        value, weights = self.quantity(name), self._weights[name]
        variance = np.diag(self._covariance(weights, cluster).sum(axis=0))
        error = np.where(weights.any(axis=(0, 2)), np.sqrt(variance), np.nan)
        return value.copy(data=error.reshape(value.shape))

    def interval(
        self, name: str, prob: float = 0.95, cluster: Cluster | Sequence[str] = "prompt"
    ) -> xr.DataArray:
        """Return the normal interval of a quantity.

        Parameters
        ----------
        name : str
            A named quantity.
        prob : float
            Nominal coverage.
        cluster : {"prompt", "cell", "row"} or sequence of str
            As for `covariance`.

        Returns
        -------
        xarray.DataArray
            The quantity's dimensions and ``bound`` ("lower", "upper").
        """
        return normal_interval(self.quantity(name), self.standard_error(name, cluster), prob)

    def quantity_draws(self, seed: int, draws: int) -> xr.Dataset:
        """Draw all named quantities from their normal approximation.

        Parameters
        ----------
        seed : int
            Same seed, same draws.
        draws : int
            How many.

        Returns
        -------
        xarray.Dataset
            Dimensions chain (one), draw and the quantities' own; by the covariance by prompt.
        """
        weights = np.concatenate(list(self._weights.values()), axis=1)
        matrix = self._covariance(weights, "prompt").sum(axis=0)
        return normal_draws(self.quantities, matrix, seed, draws)

    def riesz(self, name: str) -> FloatArray:
        """Return the weights of verdicts' scores in a quantity, ANCHOR's (w, gamma).

        Parameters
        ----------
        name : str
            A named quantity.

        Returns
        -------
        ndarray, shape (n_folds, n, size)
            By fold; a row's inner product with a verdict's score is its part in the correction.
        """
        self.program.demand_quantity(name)
        return self._weights[name]

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Where each fold's verdicts are scored: the estimate from the other folds."""
        return tuple(
            Point(self.program, self.designs, self.frames, fold.phi) for fold in self.folds
        )

    @cached_property
    def _weights(self) -> dict[str, FloatArray]:
        """Riesz weights of the quantities, shape (n_folds, n, size)."""
        breads = [np.linalg.inv(fold.information.sum(axis=0)) for fold in self.folds]
        pairs = list(zip(self.points, breads, strict=True))
        return {
            site.name: np.stack([point.gradient(site.name) @ bread for point, bread in pairs])
            for site in self.program.sites.quantities
        }

    def _covariance(self, weights: FloatArray, cluster: Cluster | Sequence[str]) -> FloatArray:
        """Return a covariance by data set, shape (n_designs, n, n), from weights by fold."""
        if rows_alone(self.designs, cluster):
            meat = np.stack([fold.meat for fold in self.folds])
            return np.einsum("fap,fspq,fbq->sab", weights, meat, weights, optimize=True)
        codes = cluster_codes(self.designs, cluster)
        sums = []
        for number, (point, weight) in enumerate(zip(self.points, weights, strict=True)):
            influences = [point.scores(design).along(weight) for design in self.designs]
            rows = [fold == number for fold in self.fold_of_row]
            sums.append(sums_by_cluster(influences, self.designs, codes, rows))
        by_design = [np.sum(of_folds, axis=0) for of_folds in zip(*sums, strict=True)]
        return products_by_source(by_design)


def step_label(n_folds: int, cluster: Cluster | Sequence[str]) -> str:
    """Return what a one-step estimate and its covariance are, in a few words."""
    return f"one step, {counted(n_folds, 'fold')}, sandwich by {cluster_word(cluster)}"


@one_blas_thread
def orthogonal(
    model: Model,
    *data: Comparisons | Design | Frame,
    folds: int | Sequence[ArrayLike] = 10,
    seed: int = 0,
    start: Start = two_step,
) -> Orthogonal:
    """Correct a first estimate for the first-order bias of its nuisance parameters.

    Parameters
    ----------
    model : callable
        ``bj.models.new_item``.
    *data : Comparisons, Design or Frame
        The judges' verdicts, the votes; then `bayesjudge.new_items.roster`, if other items than
        those without votes are new.
    folds : int or sequence of array
        How many folds, balanced within people, every judge, and every judge's verdicts on new
        items; or the fold of each row, one array a data set. One fold means no cross-fitting.
    seed : int
        Same seed, same folds.
    start : callable
        The first estimate, whose error the step corrects to first order.

    Returns
    -------
    Orthogonal
        Estimates, covariances by data set, intervals; reports read it, and
        `bayesjudge.new_items.placement` adds contrasts and rank sets.

    Raises
    ------
    InvalidFoldsError
        If folds do not fit the rows, or leave a judge without verdicts.
    NewItemError
        If no item is new, or a judge or the votes cover no historical pairs.
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
    >>> fit = bj.new_items.orthogonal(bj.models.new_item, judges, seen, folds=5)
    >>> fit.interval("human_score").sel(item="maple").dims
    ('bound',)
    """
    prepared, frames = prepared_data(model, *data)
    roster = next((frame for frame in frames if isinstance(frame, Roster)), None)
    if roster is None:
        raise NewItemError(
            f"{model.__name__} has no new items; use bj.models.new_item, whose scores are "
            "corrected."
        )
    refuse_powers(prepared, "The correction")
    target = program(model, *program_data(prepared, frames))
    if not all(site.is_real for site in target.sites.free):
        raise UnknownProgramError(
            f"{model.__name__} learns scales, and only a likelihood is corrected; use "
            "bj.models.new_item."
        )
    of_rows = row_folds(prepared, roster, folds, demand_seed(seed))
    starts, sums = stepped_folds(target, prepared, frames, roster, of_rows, start)
    return Orthogonal(target, prepared, frames, starts, sums, of_rows)
