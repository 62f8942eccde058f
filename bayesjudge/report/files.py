"""Fits in files."""

from os import PathLike
from pathlib import Path
from typing import Final

import xarray as xr

from bayesjudge.errors import UnknownFitError, UnreadableFileError
from bayesjudge.fits.estimate import normal_tree
from bayesjudge.report.fits import Fit, demand_posterior, facts, readable

ENGINE: Final = "h5netcdf"


def save(fit: Fit, path: str | PathLike[str]) -> None:
    """Write a fit to a netCDF file.

    Parameters
    ----------
    fit : DataTree, Mode, Covariance, WeightPath, Orthogonal or Placement
        The fit. All but draws are written as a DataTree with their exact estimates, errors and
        covariances, and draws of the normal approximation, so that reports of the file equal
        reports of the fit. Standard errors of a mode, a path or a one-step estimate are clustered
        by prompt.
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
    target = _file(path)
    if target.is_dir():
        raise UnreadableFileError(f"{target} is a folder; give the name of a file in it.")
    if not target.parent.is_dir():
        raise UnreadableFileError(
            f"There is no folder {target.parent}; make it, or choose another."
        )
    fit = readable(fit)
    tree = fit if isinstance(fit, xr.DataTree) else normal_tree(fit)
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
        What was saved, as draws; in memory, so that the file may be moved or replaced.

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
    source = _file(path)
    if not source.is_file():
        raise UnreadableFileError(f"There is no file {path}; give the path that bj.save wrote to.")
    tree = _read(source)
    if not _is_ours(tree):
        raise UnreadableFileError(
            f"The file {path} holds no fit of bayesjudge; give one that bj.save wrote, or open it "
            "with xarray.open_datatree and pass the DataTree to a report."
        )
    return tree


def _file(path: object) -> Path:
    if not isinstance(path, str | PathLike) or not str(path):
        raise UnreadableFileError(f"path is {path!r}; give the name of a file, such as 'fit.nc'.")
    return Path(path)


def _read(path: Path) -> xr.DataTree:
    try:
        with xr.open_datatree(path, engine=ENGINE) as tree:
            return tree.load()
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableFileError(
            f"The file {path} is not a netCDF file that can be read; give one that bj.save wrote."
        ) from error


def _is_ours(tree: xr.DataTree) -> bool:
    return bool(facts(tree)) and "posterior" in tree.children


def _demand_ours(tree: xr.DataTree) -> None:
    demand_posterior(tree)
    if not _is_ours(tree):
        raise UnknownFitError(
            "The DataTree does not say how it was fitted (attribute bayesjudge_meta), so it is not "
            "a fit of bayesjudge; write it with its own to_netcdf."
        )
