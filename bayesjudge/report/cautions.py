"""What a table says to bear in mind about its intervals."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from bayesjudge.report.fits import as_covariance

if TYPE_CHECKING:
    from bayesjudge.inference.covariance import Covariance
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
    from bayesjudge.inference.covariance import covariance

    matrix = covariance(found.mode, "model", "row").matrix
    return replace(found, mode=replace(found.mode, hessian=np.linalg.inv(matrix)))
