"""Wald tests of position effects: whether there is one, and whether two judges share it."""

import numpy as np
import pandas as pd
import xarray as xr
from scipy.special import ndtr

from bayesjudge.core.algebra import contrast_variance
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import chosen_form, listing
from bayesjudge.errors import UnknownFitError
from bayesjudge.report.evidence import Evidence, evidence
from bayesjudge.report.fits import Fit, Readable, exact, is_normal, readable, verdict_counts
from bayesjudge.report.table import Table

UNITS = dict.fromkeys(["position", "difference", "standard_error"], "log-odds")


def position_tests(fit: Fit) -> Table:
    """Test for each judge whether it has a position effect.

    Parameters
    ----------
    fit : Mode, Covariance, WeightPath, or DataTree of one of these
        With the quantity "position"; for DIAL's tests
        ``bj.calibration.two_sample_covariance(bj.mode(bj.models.consensus, judges, prior=False))``,
        or ``covariance("curvature")`` of that mode for errors by observed information.

    Returns
    -------
    Table
        One row a judge: ``position`` and ``standard_error`` (log-odds), ``z``, ``p_value``
        (two-sided) and ``verdicts``. A judge whose verdicts do not inform its position, such as one
        whose orders are all unknown, has NaN and is named in the caption.

    Raises
    ------
    UnknownQuantityError, UnknownFitError
        If the fit has no position, or is draws, which are not tested.

    Notes
    -----
    DIAL B.3, H0: b_k = 0.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> bool((position_tests(bj.calibration.two_sample_covariance(fit))["p_value"] < 0.05).all())
    True
    """
    fit, effects, position, matrix = _position(fit)
    columns = {
        "judge": effects.names("judge"),
        "position": position,
        **_wald(position, np.diag(matrix)),
        "verdicts": verdict_counts(fit, "judge", effects.names("judge")),
    }
    caption = f"Tests of no position effect ({effects.label}).{_missing_words(effects)}"
    return Table(pd.DataFrame(columns), caption=caption, units=UNITS)


def shared_position_tests(fit: Fit) -> Table:
    """Test for each two judges whether they share a position effect.

    Parameters
    ----------
    fit : Mode, Covariance, WeightPath, or DataTree of one of these
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
        As for `position_tests`.

    Notes
    -----
    DIAL B.3, H0: b_k = b_k'.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.consensus, bj.example_panel(), prior=False)
    >>> len(shared_position_tests(bj.calibration.two_sample_covariance(fit)))
    10
    """
    fit, effects, position, matrix = _position(fit)
    first, second = np.triu_indices(len(position), k=1)
    names = effects.names("judge")
    judges, verdicts = np.array(names), verdict_counts(fit, "judge", names)
    difference = position[first] - position[second]
    columns = {
        "first_judge": judges[first],
        "second_judge": judges[second],
        "difference": difference,
        **_wald(difference, contrast_variance(matrix)[first, second]),
        "verdicts": None if verdicts is None else verdicts[first] + verdicts[second],
    }
    caption = f"Tests of equal position effects ({effects.label}).{_missing_words(effects)}"
    return Table(pd.DataFrame(columns), caption=caption, units=UNITS)


def _position(fit: Fit) -> tuple[Readable, Evidence, FloatArray, FloatArray]:
    """Return the fit, its positions and their covariance; NaN where nothing is estimated."""
    fit = readable(fit)
    if isinstance(fit, xr.DataTree) and not is_normal(fit):
        raise UnknownFitError(
            "Tests of position need a maximum or its covariance and this is a DataTree of draws; "
            "give the result of bj.mode or its covariance(...), or see the intervals of "
            "bj.judge_table."
        )
    effects, (_, _, matrix) = evidence(fit, "position"), exact(fit, "position")
    missing = effects.missing.diagonal()
    position = np.where(missing, np.nan, effects.estimate.values)
    return fit, effects, position, np.where(missing[:, None] | missing, np.nan, matrix.values)


def _wald(estimate: FloatArray, variance: FloatArray) -> dict[str, FloatArray]:
    """Return the columns of a two-sided Wald test."""
    error = np.sqrt(variance)
    z = estimate / error
    return {"standard_error": error, "z": z, "p_value": 2 * ndtr(-np.abs(z))}


def _missing_words(effects: Evidence) -> str:
    """Name the judges whose verdicts do not inform their position, fixed or left to the prior."""
    names = [
        name
        for name, missing in zip(effects.names("judge"), effects.missing.diagonal(), strict=True)
        if missing
    ]
    if not names:
        return ""
    return (
        f" The verdicts of {listing(names)} do not inform "
        f"{chosen_form(len(names), 'its position: its', 'their positions: their')} tests are "
        "missing."
    )
