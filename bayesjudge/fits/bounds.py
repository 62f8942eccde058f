"""Which quantities the likelihood bounds, and which only a prior keeps finite."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from bayesjudge.core.arrays import BoolArray, FloatArray
from bayesjudge.core.graphs import component_labels, link_graph
from bayesjudge.core.separation import RowSpace, joint_space, row_space, separated, unit_columns
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.point import Point
from bayesjudge.fits.tree import scalar_names

STILL = 1e-9  # relative slope below which a quantity does not depend on a coordinate
Function = tuple[float, ...]  # of a cell's predictors, linear


@dataclass(frozen=True, eq=False, repr=False)
class BoundedPoint(Point):
    """A program at a point, and what the likelihood bounds there, to first order."""

    @cached_property
    def informed(self) -> RowSpace:
        """The functions of the flat vector that the verdicts inform at all."""
        return joint_space(self.bounded, self._rows[0])

    @cached_property
    def bounded(self) -> RowSpace:
        """The functions of the flat vector that the likelihood bounds."""
        return _bounded(*self._rows)

    @property
    def bounded_items(self) -> RowSpace:
        """The same for quantities of items."""
        return self.bounded

    @cached_property
    def _rows(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Return what the verdicts rise in and what they keep still, (n, size) each."""
        parts = [_rows(self, design) for design in self.designs]
        rising, still = (sparse.csr_array(np.concatenate(one)) for one in zip(*parts, strict=True))
        return rising, still

    @cached_property
    def unbounded(self) -> dict[str, list[int]]:
        """Places of each quantity's values that have no finite estimate without a prior."""
        places = {}
        for quantity in self.program.sites.quantities:
            gradient = self.gradient(quantity.name)
            space = self.bounded_items if quantity.dims == ("item",) else self.bounded
            lost = ~space.determines(gradient) & gradient.any(axis=1)
            if lost.any():
                places[quantity.name] = np.flatnonzero(lost).tolist()
        return places

    @property
    def unbounded_names(self) -> list[str]:
        """Names of the values that have no finite estimate without a prior."""
        names = scalar_names(self.program, self.designs)
        return [names[name][place] for name, places in self.unbounded.items() for place in places]

    @property
    def bound_groups(self) -> dict[str, list[int]]:
        """Label, by quantity of items, the items whose differences the likelihood bounds."""
        by_item = [one.name for one in self.program.sites.quantities if one.dims == ("item",)]
        return {name: _groups(self.bounded_items.apart(self.gradient(name))) for name in by_item}


@dataclass(frozen=True, eq=False, repr=False)
class PooledPoint(BoundedPoint):
    """A point of a program that learns how much judges differ.

    Attributes
    ----------
    pooled : ndarray of bool, shape (size,)
        Coordinates whose spread is learned.
    """

    pooled: BoolArray

    @cached_property
    def bounded_items(self) -> RowSpace:
        """The functions that the likelihood bounds while judges differ no more than they do.

        A learned spread keeps judges together, so that scores are unbounded only where verdicts
        would not bound them if judges did not differ.
        """
        free = ~self.pooled | self._moving_items
        return _bounded(*(sparse.csr_array(rows * free) for rows in self._rows))

    @property
    def _moving_items(self) -> BoolArray:
        """Mark the coordinates that quantities of items depend on, (size,)."""
        by_item = [one.name for one in self.program.sites.quantities if one.dims == ("item",)]
        slopes = np.abs(np.concatenate([self.gradient(name) for name in by_item]))
        return slopes.max(axis=0) > STILL * slopes.max()


def _bounded(rising: sparse.csr_array, still: sparse.csr_array) -> RowSpace:
    """Return what the rows determine that no direction raises without lowering others."""
    unit = unit_columns(sparse.vstack([rising, still]).tocsr())
    held = sparse.vstack([rising[~separated(rising, still)], still]).tocsr()
    return row_space(held, unit)


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
