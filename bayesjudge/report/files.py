"""Keeping fits in files, and reading them again."""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

import xarray as xr

from bayesjudge.errors import UnknownFitError, UnreadableFileError
from bayesjudge.report.fits import as_covariance, comparable, demand_posterior
from bayesjudge.report.prior_only import INFORMED, informed_group

if TYPE_CHECKING:
    from bayesjudge.report.fits import Fit


ENGINE: Final = "h5netcdf"


def save(fit: "Fit", path: str | PathLike[str]) -> None:
    """Write a fit to a netCDF file.

    Parameters
    ----------
    fit : DataTree, Mode or Covariance
        The fit. A mode stands for its sandwich by prompt; it and a covariance are written as a
        DataTree with their exact estimates, errors and covariances, so that every report of the
        file equals the report of the fit.
    path : str or path-like
        Where to write; a file of that name is replaced.

    Raises
    ------
    UnknownFitError
        If `fit` is not a fit of bayesjudge.
    UnreadableFileError
        If the folder does not exist.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "fit.nc"
    >>> bj.save(fit, path)
    >>> bj.rank_table(bj.load(path)).equals(bj.rank_table(fit))
    True
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise UnreadableFileError(
            f"There is no folder {target.parent}; make it, or choose another."
        )
    tree = fit if isinstance(fit, xr.DataTree) else _tree(fit)
    _demand_ours(tree)
    tree.to_netcdf(target, engine=ENGINE)


def load(path: str | PathLike[str]) -> xr.DataTree:
    """Read a fit that `bayesjudge.save` wrote.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    xarray.DataTree
        Identical to what was saved, and in memory: the file may be moved or replaced.

    Raises
    ------
    UnreadableFileError
        If there is no such file, or it does not hold a fit of bayesjudge.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "fit.nc"
    >>> bj.save(bj.mode(bj.models.bradley_terry, bj.example_panel()), path)
    >>> bj.load(path).posterior["score"].dims
    ('chain', 'draw', 'item')
    """
    if not Path(path).is_file():
        raise UnreadableFileError(f"There is no file {path}; give the path that bj.save wrote to.")
    tree = _read(Path(path))
    if not _is_ours(tree):
        raise UnreadableFileError(
            f"The file {path} holds no fit of bayesjudge; give one that bj.save wrote, or open it "
            "with xarray.open_datatree and hand the DataTree to a report."
        )
    return tree


def _tree(fit: "Fit") -> xr.DataTree:
    from bayesjudge.fits.laplace import normal_tree

    exact = as_covariance(fit)
    tree = normal_tree(comparable(exact))
    tree[INFORMED] = xr.DataTree(informed_group(exact))
    return tree


def _read(path: Path) -> xr.DataTree:
    try:
        with xr.open_datatree(path, engine=ENGINE) as tree:
            return tree.load()
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableFileError(
            f"The file {path} is not a netCDF file that can be read; give one that bj.save wrote."
        ) from error


def _is_ours(tree: xr.DataTree) -> bool:
    from bayesjudge.fits.tree import read_meta

    return bool(read_meta(tree)) and "posterior" in tree.children


def _demand_ours(tree: xr.DataTree) -> None:
    demand_posterior(tree)
    if not _is_ours(tree):
        raise UnknownFitError(
            "The DataTree does not say how it was fitted (attribute bayesjudge_meta), so it is not "
            "a fit of bayesjudge; write it with its own to_netcdf."
        )
