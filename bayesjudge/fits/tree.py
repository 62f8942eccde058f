"""One container for every fit: draws, their statistics and the data, as an ArviZ DataTree."""

import json
from importlib.metadata import version
from itertools import product
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from bayesjudge.designs.cells import count_cells
from bayesjudge.designs.design import Design
from bayesjudge.engine.program import Program

META = "bayesjudge_meta"


PACKAGES = ("bayesjudge", "numpyro", "jax", "arviz", "numpy")


def coordinates(designs: tuple[Design, ...]) -> dict[str, list[str]]:
    """Give the names along each dimension of the quantities.

    Parameters
    ----------
    designs : tuple of Design
        The data of a fit; judges are those of the first.

    Returns
    -------
    dict of str to list of str
        Names by dimension.
    """
    return {"item": list(designs[0].items), "judge": list(designs[0].data.judges)}


def scalar_names(program: Program, designs: tuple[Design, ...]) -> dict[str, list[str]]:
    """Name every scalar of every quantity, for messages.

    Parameters
    ----------
    program : Program
        Which quantities there are, with their dimensions.
    designs : tuple of Design
        The data, for names.

    Returns
    -------
    dict of str to list of str
        By quantity, in flattened order: "score[gpt-4]".
    """
    names = coordinates(designs)

    def places(dims: tuple[str, ...]) -> list[str]:
        return [", ".join(place) for place in product(*(names[dim] for dim in dims))]

    return {
        each.name: [f"{each.name}[{place}]" for place in places(each.dims)]
        for each in program.sites.quantities
    }


def quantity_arrays(
    program: Program,
    values: dict[str, NDArray[Any]],
    designs: tuple[Design, ...],
    leading: tuple[str, ...] = (),
) -> xr.Dataset:
    """Label the named quantities.

    Parameters
    ----------
    program : Program
        Which quantities there are, with their dimensions.
    values : dict of str to ndarray
        Their values, with `leading` dimensions in front.
    designs : tuple of Design
        The data, for names.
    leading : tuple of str
        Dimensions in front of each quantity's own, such as ("chain", "draw").

    Returns
    -------
    xarray.Dataset
        One variable a quantity.
    """
    names = coordinates(designs)
    arrays = {
        each.name: ((*leading, *each.dims), np.asarray(values[each.name]))
        for each in program.sites.quantities
    }
    used = {dim for dims, _ in arrays.values() for dim in dims} - set(leading)
    sizes = next(iter(arrays.values()))[1].shape
    index = {dim: np.arange(sizes[i]) for i, dim in enumerate(leading)}
    return xr.Dataset(arrays, coords={**{dim: names[dim] for dim in sorted(used)}, **index})


def data_arrays(designs: tuple[Design, ...]) -> xr.Dataset:
    """Give what reports say about the data: verdicts behind each row, and what hangs together.

    Parameters
    ----------
    designs : tuple of Design
        The data of a fit.

    Returns
    -------
    xarray.Dataset
        ``verdicts_by_item`` and ``verdicts_by_judge`` (weighted counts) and ``component``, the
        connected component of each item in the graph of comparisons.
    """
    names, n_items = coordinates(designs), len(designs[0].items)
    first = designs[0].data
    verdicts = sum(_item_verdicts(each, n_items) for each in designs)
    by_judge = np.bincount(first.judge, weights=first.weight, minlength=first.n_judges)
    return xr.Dataset(
        {
            "verdicts_by_item": ("item", verdicts),
            "verdicts_by_judge": ("judge", by_judge),
            "component": ("item", _components(designs, n_items)),
        },
        coords=names,
    )


def count_arrays(designs: tuple[Design, ...]) -> xr.Dataset:
    """Give the verdicts counted by judge and display order.

    Parameters
    ----------
    designs : tuple of Design
        The data of a fit.

    Returns
    -------
    xarray.Dataset
        For each data set ``<label>_verdicts``, shape (cells, 3), with the names of each cell's
        judge, first and second item as coordinates.
    """
    counted = [_counted(each) for each in designs]
    return xr.merge(counted).assign_coords(outcome=["first", "tie", "second"])


def _counted(each: Design) -> xr.Dataset:
    cells, _ = count_cells(each.data)
    label, data = each.layout.label, each.data
    cell = f"{label}_cell"
    names = {
        f"{label}_cell_judge": (cell, np.array(data.judges)[cells.judge]),
        f"{label}_cell_first": (cell, np.array(data.items)[cells.first]),
        f"{label}_cell_second": (cell, np.array(data.items)[cells.second]),
    }
    return xr.Dataset({f"{label}_verdicts": ((cell, "outcome"), cells.counts)}, coords=names)


def meta(
    program: Program, designs: tuple[Design, ...], inference: str, **settings: object
) -> dict[str, str]:
    """Give the attributes of a fit: one JSON string, since netCDF holds nothing richer.

    Parameters
    ----------
    program : Program
        The program.
    designs : tuple of Design
        The data.
    inference : str
        How it was fitted.
    **settings : object
        What else to keep.

    Returns
    -------
    dict of str to str
        Attributes.
    """
    content = {
        "inference": inference,
        "program": program.model.__name__,
        "terms": list(designs[0].layout.terms),
        "sources": [each.data.source for each in designs],
        "verdicts": [float(each.weight.sum()) for each in designs],
        "versions": {name: version(name) for name in PACKAGES},
        **settings,
    }
    return {META: json.dumps(content)}


def read_meta(tree: xr.DataTree) -> dict[str, Any]:
    """Read back what `meta` wrote.

    Parameters
    ----------
    tree : xarray.DataTree
        A fit.

    Returns
    -------
    dict
        Empty for a tree that is not ours.
    """
    return json.loads(tree.attrs.get(META, "{}"))


def _item_verdicts(each: Design, n_items: int) -> NDArray[np.float64]:
    weight = np.tile(each.weight, 2)
    return np.bincount(_edges(each).ravel(), weights=weight, minlength=n_items)


def _components(designs: tuple[Design, ...], n_items: int) -> NDArray[np.int64]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    edges = [_edges(each) for each in designs]
    first, second = np.concatenate(edges, axis=1)
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(n_items, n_items))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def _edges(each: Design) -> NDArray[np.intp]:
    """Items shown first and second by row, shape (2, n_rows), by the index that fits share."""
    position = {name: i for i, name in enumerate(each.items)}
    index = np.array([position[name] for name in each.data.items])
    return np.stack([index[each.data.first], index[each.data.second]])
