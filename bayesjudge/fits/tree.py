"""Names and arrays of a fit's program and data, as every fit and file holds them."""

from itertools import product
from typing import Any

import numpy as np
import xarray as xr

from bayesjudge.core.arrays import FloatArray, IntArray
from bayesjudge.core.graphs import component_labels, link_graph
from bayesjudge.designs.cells import count_cells
from bayesjudge.designs.design import Design
from bayesjudge.designs.layouts import observed_site
from bayesjudge.engine.program import Program
from bayesjudge.models.about import about


def coordinates(designs: tuple[Design, ...]) -> dict[str, list[str]]:
    """Return the names along each dimension of the quantities."""
    return {"item": list(designs[0].items), "judge": list(designs[0].data.judges)}


def scalar_names(program: Program, designs: tuple[Design, ...]) -> dict[str, list[str]]:
    """Name every scalar of every quantity, for messages."""
    names = coordinates(designs)

    def places(dims: tuple[str, ...]) -> list[str]:
        return [", ".join(place) for place in product(*(names[dim] for dim in dims))]

    return {
        quantity.name: [f"{quantity.name}[{place}]" for place in places(quantity.dims)]
        for quantity in program.sites.quantities
    }


def quantity_arrays(
    program: Program,
    values: dict[str, FloatArray],
    designs: tuple[Design, ...],
    leading: tuple[str, ...] = (),
) -> xr.Dataset:
    """Label the named quantities, which may have leading dimensions."""
    names = coordinates(designs)
    arrays = {
        quantity.name: ((*leading, *quantity.dims), np.asarray(values[quantity.name]))
        for quantity in program.sites.quantities
    }
    used = {dim for dims, _ in arrays.values() for dim in dims} - set(leading)
    sizes = next(iter(arrays.values()))[1].shape
    index = {dim: np.arange(sizes[i]) for i, dim in enumerate(leading)}
    return xr.Dataset(arrays, coords={**{dim: names[dim] for dim in sorted(used)}, **index})


def program_facts(program: Program, designs: tuple[Design, ...]) -> dict[str, Any]:
    """Return what captions and files say of a program and its data."""
    return {
        "program": program.model.__name__,
        "score": about(program.model).score,
        "kinds": ["humans" if design.data.human.all() else "judges" for design in designs],
        "terms": list(designs[0].layout.terms),
        "sources": [design.data.source for design in designs],
        "verdicts": [float(design.weight.sum()) for design in designs],
    }


def verdict_counts(design: Design) -> FloatArray:
    """Count each judge's verdicts that an item takes part in, shape (n_judges, n_items)."""
    shape = design.data.n_judges, len(design.items)
    key = design.data.judge * shape[1] + edges(design)
    return np.bincount(key.ravel(), np.tile(design.weight, 2), shape[0] * shape[1]).reshape(shape)


def data_arrays(designs: tuple[Design, ...]) -> xr.Dataset:
    """Return numbers of verdicts by item and judge, and the connected components of items."""
    by_item = np.sum([verdict_counts(design).sum(axis=0) for design in designs], axis=0)
    by_judge = verdict_counts(designs[0]).sum(axis=1) / 2
    start, end = np.concatenate([edges(design) for design in designs], axis=1)
    component = component_labels(link_graph(start, end, len(by_item)))
    return xr.Dataset(
        {
            "verdicts_by_item": ("item", by_item),
            "verdicts_by_judge": ("judge", by_judge),
            "component": ("item", component),
        },
        coords=coordinates(designs),
    )


def count_arrays(designs: tuple[Design, ...]) -> xr.Dataset:
    """Return the verdicts counted by judge and display order."""
    counted = [_counted(design) for design in designs]
    return xr.merge(counted).assign_coords(outcome=["first", "tie", "second"])


def _counted(design: Design) -> xr.Dataset:
    cells, _ = count_cells(design.data)
    label, data = design.layout.label, design.data
    cell = f"{label}_cell"
    names = {
        f"{cell}_judge": (cell, np.array(data.judges)[cells.judge]),
        f"{cell}_first": (cell, np.array(data.items)[cells.first]),
        f"{cell}_second": (cell, np.array(data.items)[cells.second]),
    }
    return xr.Dataset({observed_site(design.layout): ((cell, "outcome"), cells.counts)}, names)


def edges(design: Design) -> IntArray:
    """Return the items shown first and second by row, by the index that fits share, (2, n_rows)."""
    place = {name: i for i, name in enumerate(design.items)}
    index = np.array([place[name] for name in design.data.items])
    return np.stack([index[design.data.first], index[design.data.second]])
