"""Which quantities the likelihood bounds, and which only a prior keeps finite."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.graphs import component_labels, link_graph
from bayesjudge.core.separation import RowSpace, row_space, separated, unit_columns
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.point import Point
from bayesjudge.fits.tree import scalar_names

Function = tuple[float, ...]  # of a cell's predictors, linear


@dataclass(frozen=True, eq=False, repr=False)
class BoundedPoint(Point):
    """A program at a point, and what the likelihood bounds there."""

    @cached_property
    def informed(self) -> RowSpace:
        """The functions of the flat vector that the verdicts inform at all, to first order."""
        return row_space(self._held_and_rising[1], self._held_and_rising[2])

    @cached_property
    def bounded(self) -> RowSpace:
        """The functions of the flat vector that the likelihood bounds, to first order.

        They are determined by the verdicts that no direction raises without lowering others.
        """
        held, every, unit = self._held_and_rising
        return self.informed if held.shape == every.shape else row_space(held, unit)

    @cached_property
    def _held_and_rising(self) -> tuple[sparse.csr_array, sparse.csr_array, FloatArray]:
        """Return the rows that no direction raises, all rows, and the units of their columns."""
        parts = [_rows(self, design) for design in self.designs]
        rising, still = (sparse.csr_array(np.concatenate(one)) for one in zip(*parts, strict=True))
        every = sparse.vstack([rising, still]).tocsr()
        held = sparse.vstack([rising[~separated(rising, still)], still]).tocsr()
        return held, every, unit_columns(every)

    @cached_property
    def unbounded(self) -> dict[str, list[int]]:
        """Places of each quantity's values that have no finite estimate without a prior."""
        return {
            name: np.flatnonzero(lost).tolist()
            for name in self.jacobians
            if (lost := self._unbounded(self.gradient(name))).any()
        }

    def _unbounded(self, gradient: FloatArray) -> BoolArray:
        return ~self.bounded.determines(gradient) & gradient.any(axis=1)

    @property
    def unbounded_names(self) -> list[str]:
        """Names of the values that have no finite estimate without a prior."""
        names = scalar_names(self.program, self.designs)
        return [names[name][place] for name, places in self.unbounded.items() for place in places]

    @property
    def bound_groups(self) -> dict[str, list[int]]:
        """Label, by quantity of items, the items whose differences the likelihood bounds."""
        by_item = [one.name for one in self.program.sites.quantities if one.dims == ("item",)]
        return {name: _groups(self.bounded.apart(self.gradient(name))) for name in by_item}


def _groups(apart: BoolArray) -> list[int]:
    start, end = np.nonzero(~apart)
    return component_labels(link_graph(start, end, len(apart))).tolist()


def _rows(point: Point, design: Design) -> tuple[FloatArray, FloatArray]:
    """Return what a data set's verdicts rise in, and what they keep still, (n, size) each."""
    site, jacobian = observed_site(design.layout), point.scores(design).jacobian
    occurs = np.asarray(design.layout.counts).reshape(-1, 3) > 0
    rising, still = [np.empty((0, len(point.phi)))], [np.empty((0, len(point.phi)))]
    for pattern in np.unique(occurs, axis=0):
        cells = jacobian[(occurs == pattern).all(axis=1)]
        up, fixed = _functions(point.program.sites.rising[site], pattern, jacobian.shape[1])
        rising += [np.einsum("p,cps->cs", np.array(one), cells) for one in up]
        still += [np.einsum("p,cps->cs", np.array(one), cells) for one in fixed]
    return np.concatenate(rising), np.concatenate(still)


def _functions(
    rising: tuple[tuple[Function, ...], ...], pattern: BoolArray, n_predictors: int
) -> tuple[list[Function], list[Function]]:
    """Return what may only rise where these outcomes occur, and what must stay.

    A law that does not say what its likelihood rises in keeps everything still.
    """
    if not rising:
        return [], [tuple(one) for one in np.eye(n_predictors)] * bool(pattern.any())
    functions = {one for place in np.flatnonzero(pattern) for one in rising[place]}
    opposite = {one: tuple(-value for value in one) for one in functions}
    fixed = [one for one in functions if opposite[one] in functions and one > opposite[one]]
    return sorted(one for one in functions if opposite[one] not in functions), sorted(fixed)
