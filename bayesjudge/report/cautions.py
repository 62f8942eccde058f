"""What a table says to bear in mind about its intervals."""

from typing import TYPE_CHECKING

import xarray as xr

from bayesjudge.report.fits import as_covariance

if TYPE_CHECKING:
    from bayesjudge.report.fits import Fit


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
    from bayesjudge.inference.cautions import covariance_cautions
    from bayesjudge.inference.tree import read_meta

    if isinstance(fit, xr.DataTree):
        found = read_meta(fit).get("cautions", [])
    else:
        found = covariance_cautions(as_covariance(fit))
    return "".join(f" {sentence}" for sentence in found)
