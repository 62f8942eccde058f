"""What a report reads of a fit: draws, or an estimate with its covariance."""

from math import prod
from typing import Any

import numpy as np
import xarray as xr

from bayesjudge.core.arrays import BoolArray, FloatArray, IntArray
from bayesjudge.errors import UnknownFitError, UnknownQuantityError
from bayesjudge.fits.estimate import EXACT, Estimate, HasCovariance, read_meta
from bayesjudge.report.units import whole_numbers

ENOUGH_VERDICTS = 10  # of a judge, for an estimate of its own
Readable = xr.DataTree | Estimate
Fit = Readable | HasCovariance


def readable(fit: object) -> Readable:
    """Return what reports read: draws or an estimate; of a mode or weight path its covariance."""
    if isinstance(fit, xr.DataTree | Estimate):
        return fit
    if isinstance(fit, HasCovariance):
        return fit.covariance()
    raise UnknownFitError(
        f"A report needs a fit and this is of type {type(fit).__name__}; give the DataTree of "
        "bj.nuts, bj.laplace or bj.load, or what bj.mode, bj.calibration.weight_path, "
        "bj.new_items.orthogonal, bj.new_items.placement or bj.new_items.place returned."
    )


def demand_posterior(tree: xr.DataTree) -> xr.Dataset:
    """Return the draws of a DataTree."""
    draws = group(tree, "posterior")
    if not {"chain", "draw"} <= set(draws.dims):
        groups = ", ".join(tree.children) or "none"
        raise UnknownFitError(
            f"The DataTree has no group 'posterior' with dimensions chain and draw (its groups: "
            f"{groups}); give the DataTree of bj.nuts, bj.laplace or bj.load."
        )
    return draws


def group(tree: xr.DataTree, name: str) -> xr.Dataset:
    """Return one group of a DataTree, empty where there is none."""
    return tree.children[name].to_dataset() if name in tree.children else xr.Dataset()


def is_normal(tree: xr.DataTree) -> bool:
    """Whether a DataTree holds exact estimates and covariances beside its draws."""
    return set(EXACT) <= set(tree.children)


def exact(fit: Readable, quantity: str) -> tuple[xr.DataArray, xr.DataArray, xr.DataArray]:
    """Return a quantity, its standard errors and its covariance."""
    if not isinstance(fit, xr.DataTree):
        return fit.quantity(quantity), fit.standard_error(quantity), fit.of(quantity)
    value, error, covariance = (group(fit, name)[quantity] for name in EXACT[:3])
    return value, error, covariance


def quantities(fit: Readable) -> dict[str, tuple[str, ...]]:
    """Return the named quantities of a fit and their dimensions."""
    held = demand_posterior(fit) if isinstance(fit, xr.DataTree) else fit.quantities
    return {
        str(name): tuple(str(dim) for dim in value.dims if dim not in ("chain", "draw"))
        for name, value in held.data_vars.items()
    }


def demand_quantity(fit: Readable, quantity: str) -> None:
    """Raise where a fit does not hold a quantity."""
    held = quantities(fit)
    if quantity not in list(held):  # what a user gave need not be hashable
        raise UnknownQuantityError(
            f"The fit ({method_label(fit)}) has no quantity {quantity!r}; it has {', '.join(held)}."
        )


def score_name(fit: Readable, quantity: str | None) -> str:
    """Return the quantity that items are ranked by: the one asked for, or the program's score."""
    held, name = quantities(fit), quantity or str(facts(fit).get("score", "score"))
    demand_quantity(fit, name)
    if held[name] != ("item",):
        by_item = ", ".join(other for other, dims in held.items() if dims == ("item",))
        raise UnknownQuantityError(
            f"{name!r} does not have one value an item, as a comparison of items needs; choose one "
            f"of {by_item or '(none: the fit has no quantity by item)'}."
        )
    return name


def facts(fit: Readable) -> dict[str, Any]:
    """Return what a fit says of its program, data and method; nothing for foreign DataTrees."""
    return read_meta(fit) if isinstance(fit, xr.DataTree) else fit.facts


def method_label(fit: Readable) -> str:
    """Return the method of a fit in a few words."""
    return str(facts(fit).get("label", "posterior"))


def caution_words(fit: Readable) -> str:
    """Return the cautions that travel with a fit, to be added to a caption."""
    return "".join(f" {sentence}" for sentence in facts(fit).get("cautions", ()))


def rater(*fits: Readable) -> str:
    """Name the average rater whose log-odds scores are."""
    return "person" if all(_kinds(fit) == {"humans"} for fit in fits) else "judge"


def raters(fit: Readable) -> str:
    """Name those who gave a fit's verdicts; nothing where the fit does not say."""
    return " and ".join(sorted(_kinds(fit), reverse=True))


def _kinds(fit: Readable) -> set[str]:
    return set(facts(fit).get("kinds", ()))


def data_facts(fit: Readable) -> xr.Dataset:
    """Return what a fit says of its data: verdicts by item and judge, components."""
    return group(fit, "constant_data") if isinstance(fit, xr.DataTree) else fit.constant_data


def verdict_counts(fit: Readable, dim: str, names: list[str]) -> FloatArray | IntArray | None:
    """Return the number of verdicts of items or judges, or None where the fit does not say."""
    counts = data_facts(fit).get(f"verdicts_by_{dim}")
    return None if counts is None else whole_numbers(counts.sel({dim: names}).values)


def few_verdicts(fit: Readable, quantity: str) -> BoolArray:
    """Mark values by judge that fewer than ten verdicts of the judge inform, shape (n,).

    Ten verdicts hold at most 2.5 units of information on a log-odds, a standard error of 0.6.
    """
    shape = _shape(fit, quantity)
    counts = data_facts(fit).get("verdicts_by_judge")
    if counts is None or quantities(fit)[quantity][:1] != ("judge",):
        return np.zeros(prod(shape), dtype=bool)
    few = counts.values < ENOUGH_VERDICTS
    return np.repeat(few, prod(shape) // len(few))


def _shape(fit: Readable, quantity: str) -> tuple[int, ...]:
    if isinstance(fit, xr.DataTree):
        return group(fit, "posterior")[quantity].isel(chain=0, draw=0).shape
    return fit.quantity(quantity).shape


def components(fit: Readable, items: list[str]) -> IntArray:
    """Return the connected component of each item in the graph of comparisons, from 1."""
    component = data_facts(fit).get("component")
    if component is None:
        return np.ones(len(items), dtype=np.int64)
    return component.sel(item=items).values.astype(np.int64) + 1
