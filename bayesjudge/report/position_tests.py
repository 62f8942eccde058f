"""Wald tests of position effects: whether there is one, and whether two judges share it."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray
from scipy.special import ndtr

from bayesjudge.core.wording import chosen_form, listing
from bayesjudge.errors import UnknownFitError
from bayesjudge.report.fits import as_covariance, data_facts, demand_quantity, method_label
from bayesjudge.report.table import Table
from bayesjudge.report.units import whole_numbers

if TYPE_CHECKING:
    from bayesjudge.fits.covariance import Covariance
    from bayesjudge.fits.mode import Mode


def position_tests(fit: "Mode | Covariance") -> Table:
    """Test for each judge whether it has a position effect.

    Parameters
    ----------
    fit : Mode or Covariance
        With the quantity "position"; for DIAL's tests
        ``bj.two_sample_covariance(bj.mode(bj.models.consensus, judges, prior=False))``, or
        ``bj.curvature_covariance`` of that mode for errors by observed information.

    Returns
    -------
    Table
        One row a judge: ``position`` and ``standard_error`` (log-odds), ``z``, ``p_value``
        (two-sided) and ``verdicts``; NaN, and a word in the caption, for a judge on whose position
        the likelihood says nothing, such as one whose orders are all unknown.

    Raises
    ------
    UnknownQuantityError, UnknownFitError
        If the fit has no position or is not one that is tested, such as draws.

    Notes
    -----
    DIAL B.3, H0: b_k = 0.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> bool((position_tests(bj.two_sample_covariance(fit))["p_value"] < 0.05).all())
    True
    """
    found, position, matrix = _position(fit)
    error = np.sqrt(np.diag(matrix))
    z = position / error
    columns = {
        "judge": _judges(found),
        "position": position,
        "standard_error": error,
        "z": z,
        "p_value": 2 * ndtr(-np.abs(z)),
        "verdicts": whole_numbers(data_facts(found)["verdicts_by_judge"].values),
    }
    caption = f"Tests of no position effect ({method_label(found)}).{_silent_words(found)}"
    return Table(pd.DataFrame(columns), caption=caption, units=dict.fromkeys(UNITS, "log-odds"))


UNITS = ("position", "standard_error")


def shared_position_tests(fit: "Mode | Covariance") -> Table:
    """Test for each two judges whether they share a position effect.

    Parameters
    ----------
    fit : Mode or Covariance
        As for `position_tests`.

    Returns
    -------
    Table
        One row a pair of judges: ``difference`` (of position, log-odds, first less second),
        ``standard_error``, ``z`` and ``p_value`` (two-sided, not corrected for the number of
        pairs), and ``verdicts`` of both; NaN as in `position_tests`.

    Raises
    ------
    UnknownQuantityError, UnknownFitError
        If the fit has no position or is not one that is tested, such as draws.

    Notes
    -----
    DIAL B.3, H0: b_k = b_k'.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> len(shared_position_tests(bj.two_sample_covariance(fit)))
    10
    """
    found, position, matrix = _position(fit)
    first, second = np.triu_indices(len(position), k=1)
    difference = position[first] - position[second]
    own = np.diag(matrix)
    error = np.sqrt(own[first] + own[second] - 2 * matrix[first, second])
    names = np.array(_judges(found))
    verdicts = data_facts(found)["verdicts_by_judge"].values
    columns = {
        "first_judge": names[first],
        "second_judge": names[second],
        "difference": difference,
        "standard_error": error,
        "z": difference / error,
        "p_value": 2 * ndtr(-np.abs(difference / error)),
        "verdicts": whole_numbers(verdicts[first] + verdicts[second]),
    }
    caption = f"Tests of equal position effects ({method_label(found)}).{_silent_words(found)}"
    units = {"difference": "log-odds", "standard_error": "log-odds"}
    return Table(pd.DataFrame(columns), caption=caption, units=units)


def _position(
    fit: "Mode | Covariance",
) -> tuple["Covariance", NDArray[np.float64], NDArray[np.float64]]:
    """Estimates and their covariance; NaN where nothing is estimated."""
    _refuse_draws(fit)
    found = as_covariance(fit)
    demand_quantity(found, "position")
    silent = _silent(found)
    position, matrix = found.mode.quantity("position").values, found.of("position").values
    unknown = silent[:, None] | silent
    return found, np.where(silent, np.nan, position), np.where(unknown, np.nan, matrix)


def _refuse_draws(fit: object) -> None:
    if isinstance(fit, xr.DataTree):
        raise UnknownFitError(
            "Tests of position need a maximum or its covariance and this is a DataTree; give the "
            "result of bj.mode or its covariance(...), or see the intervals of bj.judge_table."
        )


def _silent(found: "Covariance") -> NDArray[np.bool_]:
    """Judges on whose position the likelihood says nothing: it is fixed, or left to the prior."""
    return np.isnan(found.standard_error("position").values)


def _silent_words(found: "Covariance") -> str:
    names = [name for name, no in zip(_judges(found), _silent(found), strict=True) if no]
    if not names:
        return ""
    return (
        f" The verdicts of {listing(names)} say nothing on position: "
        f"{chosen_form(len(names), 'its tests are', 'their tests are')} missing."
    )


def _judges(found: "Covariance") -> list[str]:
    return [str(name) for name in found.mode.quantity("position")["judge"].values]
