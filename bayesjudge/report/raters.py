"""Whose verdicts a fit rests on: those of judges, of people, or of both."""

from typing import TYPE_CHECKING

import xarray as xr

from bayesjudge.report.fits import as_covariance, group

if TYPE_CHECKING:
    from bayesjudge.inference.orthogonal import Orthogonal
    from bayesjudge.report.fits import Fit

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
    from bayesjudge.inference.orthogonal import Orthogonal

    if isinstance(fit, Orthogonal):
        return [each.layout.label for each in fit.designs]
    if not isinstance(fit, xr.DataTree):
        return [each.layout.label for each in as_covariance(fit).mode.designs]
    if OBSERVED not in fit.children:
        return []
    sites = map(str, group(fit, OBSERVED).data_vars)
    return [site.removesuffix(SITE) for site in sites if site.endswith(SITE)]
