"""What a report reads of a fit: draws, or an estimate with its covariance."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from bayesjudge.errors import UnknownFitError, UnknownQuantityError

if TYPE_CHECKING:
    from bayesjudge.anchor.orthogonal import Orthogonal
    from bayesjudge.fits.covariance import Covariance


if TYPE_CHECKING:
    from bayesjudge.fits.covariance import Covariance
    from bayesjudge.fits.mode import Mode

    Fit = xr.DataTree | Mode | Covariance


SAMPLED = {"nuts": "NUTS", "laplace": "Laplace"}


EXACT = ("estimate", "standard_error", "covariance")  # groups of a normal fit


SCORES = ("human_score", "score")  # what items are ranked by, the first that a fit has


def as_covariance(fit: object) -> "Covariance":
    """Give the covariance that reports read off a fit which is not a DataTree.

    Parameters
    ----------
    fit : Mode or Covariance
        A mode stands for its default covariance: sandwich by prompt, or model-based where the
        data have a single prompt.

    Returns
    -------
    Covariance
        With its mode.

    Raises
    ------
    UnknownFitError
        For anything else; a path of weights gives fits by its own ``covariance(...)``.
    """
    from bayesjudge.anchor.orthogonal import Orthogonal
    from bayesjudge.dial.weight_path import WeightPath
    from bayesjudge.fits.covariance import Covariance
    from bayesjudge.fits.mode import Mode

    if isinstance(fit, WeightPath):
        raise UnknownFitError(
            "A report needs one fit and this is a path of fits; give path.covariance() for the "
            "selected weight, or path.covariance(weight) for another."
        )
    if isinstance(fit, Orthogonal):
        raise UnknownFitError(
            "This report does not read a one-step estimate; tabulate bj.placement(fit), or set it "
            "beside other fits with bj.compare_intervals."
        )
    if isinstance(fit, Covariance):
        return fit
    if isinstance(fit, Mode):
        prompts = {name for each in fit.designs for name in each.data.prompts}
        return fit.covariance("sandwich" if len(prompts) > 1 else "model", "prompt")
    raise UnknownFitError(
        f"A report needs a fit and this is of type {type(fit).__name__}; give the DataTree of "
        "bj.nuts, bj.laplace or bj.load, the result of bj.mode, or its covariance(...)."
    )


def readable(fit: "Fit") -> "xr.DataTree | Covariance":
    """Give what reports read: a DataTree as it is, a mode as its default covariance.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.

    Returns
    -------
    DataTree or Covariance
        Work on this, so that a mode's covariance is computed once.
    """
    return fit if isinstance(fit, xr.DataTree) else as_covariance(fit)


def demand_posterior(tree: xr.DataTree) -> xr.Dataset:
    """Give the draws of a DataTree.

    Parameters
    ----------
    tree : xarray.DataTree
        A fit.

    Returns
    -------
    xarray.Dataset
        Its group ``posterior``.

    Raises
    ------
    UnknownFitError
        If it has no such group, or the group holds no draws by chain.
    """
    drawn = group(tree, "posterior") if "posterior" in tree.children else xr.Dataset()
    if not {"chain", "draw"} <= set(drawn.dims):
        groups = ", ".join(tree.children) or "none"
        raise UnknownFitError(
            f"The DataTree has no group 'posterior' with dimensions chain and draw (its groups: "
            f"{groups}); give the DataTree of bj.nuts, bj.laplace or bj.load."
        )
    return drawn


def group(tree: xr.DataTree, name: str) -> xr.Dataset:
    """Give one group of a DataTree.

    Parameters
    ----------
    tree : xarray.DataTree
        A fit.
    name : str
        A group that it has.

    Returns
    -------
    xarray.Dataset
        Its variables.
    """
    return tree.children[name].to_dataset()


def is_normal(tree: xr.DataTree) -> bool:
    """Tell whether a DataTree holds exact estimates and covariances beside its draws.

    Parameters
    ----------
    tree : xarray.DataTree
        A fit.

    Returns
    -------
    bool
        True for a mode that was written as a DataTree.
    """
    return all(name in tree.children for name in EXACT)


def quantities(fit: object) -> dict[str, tuple[str, ...]]:
    """Give the named quantities of a fit and their dimensions.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.

    Returns
    -------
    dict of str to tuple of str
        In the fit's order, without the dimensions of draws.
    """
    if isinstance(fit, xr.DataTree):
        drawn = demand_posterior(fit)
        return {str(name): _own_dims(value) for name, value in drawn.data_vars.items()}
    sites = as_covariance(fit).mode.program.sites
    return {each.name: each.dims for each in sites.quantities}


def demand_quantity(fit: object, quantity: str) -> None:
    """Raise where a fit does not hold a quantity.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.
    quantity : str
        Its name.

    Raises
    ------
    UnknownQuantityError
        Listing what there is.
    """
    held = quantities(fit)
    if quantity not in held:
        raise UnknownQuantityError(
            f"The fit ({method_label(fit)}) has no quantity {quantity!r}; it has {', '.join(held)}."
        )


def score_name(fit: object, quantity: str | None) -> str:
    """Give the quantity that items are ranked by.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.
    quantity : str or None
        A quantity with one value an item; None for "human_score" if there, else "score".

    Returns
    -------
    str
        Its name.

    Raises
    ------
    UnknownQuantityError
        If there is no such quantity, or it has other dimensions.
    """
    held = quantities(fit)
    name = quantity or next((each for each in SCORES if each in held), SCORES[-1])
    demand_quantity(fit, name)
    if held[name] != ("item",):
        by_item = ", ".join(each for each, dims in held.items() if dims == ("item",))
        raise UnknownQuantityError(
            f"{name!r} does not have one value an item, as a comparison of items needs; choose one "
            f"of {by_item or '(none: the fit has no quantity by item)'}."
        )
    return name


def method_label(fit: object) -> str:
    """Give the method of a fit in a few words.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.

    Returns
    -------
    str
        For example "NUTS", "Laplace", "sandwich by prompt" or "model-based".
    """
    if not isinstance(fit, xr.DataTree):
        return _covariance_label(as_covariance(fit).label)
    from bayesjudge.fits.tree import read_meta

    about = read_meta(fit)
    if is_normal(fit):
        return _covariance_label(about.get("covariance", "normal"))
    return SAMPLED.get(about.get("inference", ""), "posterior")


def data_facts(fit: object) -> xr.Dataset:
    """Give what a fit says about its data: verdicts by item and judge, and what hangs together.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.

    Returns
    -------
    xarray.Dataset
        ``verdicts_by_item``, ``verdicts_by_judge`` and ``component``; empty for a DataTree that
        does not say.
    """
    if not isinstance(fit, xr.DataTree):
        from bayesjudge.fits.tree import data_arrays

        return data_arrays(as_covariance(fit).mode.designs)
    if "constant_data" not in fit.children:
        return xr.Dataset()
    return group(fit, "constant_data")


def _own_dims(value: xr.DataArray) -> tuple[str, ...]:
    return tuple(str(dim) for dim in value.dims if dim not in ("chain", "draw"))


def _covariance_label(label: str) -> str:
    return "model-based" if label == "model" else label


def caution_words(fit: "Fit") -> str:
    """Give the cautions that travel with a fit, to be added to a caption.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.

    Returns
    -------
    str
        Sentences with a space in front, or nothing.
    """
    from bayesjudge.fits.cautions import covariance_cautions
    from bayesjudge.fits.tree import read_meta

    if isinstance(fit, xr.DataTree):
        found = read_meta(fit).get("cautions", [])
    else:
        found = covariance_cautions(comparable(as_covariance(fit)))
    return "".join(f" {sentence}" for sentence in found)


def comparable(found: "Covariance") -> "Covariance":
    """Give a covariance that cautions can compare with its mode's inverse Hessian.

    Parameters
    ----------
    found : Covariance
        Of a mode, possibly of verdicts that count to a power.

    Returns
    -------
    Covariance
        The same matrix. Under a power the inverse Hessian is no covariance of the estimate (too
        wide for verdicts that count less than their number, too narrow for others); the mode then
        has the Hessian whose inverse is the model-based covariance.
    """
    powers = [float(each.layout.power) for each in found.mode.designs]
    if all(power == 1.0 for power in powers):
        return found
    from bayesjudge.fits.covariance import covariance

    matrix = covariance(found.mode, "model", "row").matrix
    return replace(found, mode=replace(found.mode, hessian=np.linalg.inv(matrix)))


OBSERVED, SITE = "observed_data", "_verdicts"  # of the group of counts, and of a data set in it


def rater(*fits: "Fit | Orthogonal") -> str:
    """Name the average rater whose log-odds scores are.

    Parameters
    ----------
    *fits : DataTree, Mode or Covariance
        The fits.

    Returns
    -------
    str
        "person" where all of them hold verdicts of people alone, else "judge".
    """
    return "person" if all(_kinds(fit) == {"humans"} for fit in fits) else "judge"


def raters(fit: "Fit") -> str:
    """Name those who gave a fit's verdicts.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit.

    Returns
    -------
    str
        "judges", "humans", "judges and humans", or nothing where the fit does not say.
    """
    return " and ".join(sorted(_kinds(fit), reverse=True))


def _kinds(fit: "Fit | Orthogonal") -> set[str]:
    return {"humans" if label.startswith("human") else "judges" for label in _labels(fit)}


def _labels(fit: "Fit | Orthogonal") -> list[str]:
    """Labels of the data sets, which are "human" for people unless the user chose another."""
    from bayesjudge.anchor.orthogonal import Orthogonal

    if isinstance(fit, Orthogonal):
        return [each.layout.label for each in fit.designs]
    if not isinstance(fit, xr.DataTree):
        return [each.layout.label for each in as_covariance(fit).mode.designs]
    if OBSERVED not in fit.children:
        return []
    sites = map(str, group(fit, OBSERVED).data_vars)
    return [site.removesuffix(SITE) for site in sites if site.endswith(SITE)]
