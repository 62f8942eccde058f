r"""How far omitted effects move the parameters that are estimated: OSCAR, Theorem 1.

Let the truth be :math:`\operatorname{logit} \mu = \eta(\xi^*) + z^\top \varepsilon` with omitted
columns z and their effects :math:`\varepsilon`, and let :math:`\xi^\dagger(\varepsilon)` minimise
the expected log loss of :math:`\eta(\xi)` alone. Then

.. math:: \xi^\dagger(\varepsilon) - \xi^* = (H^*)^{-1} B^* \varepsilon + O(\|\varepsilon\|^2),
          \quad H^* = E[w r r^\top], \quad B^* = E[w r z^\top],

with :math:`r = \nabla \eta(\xi^*)` and :math:`w = \sigma(\eta)\{1 - \sigma(\eta)\}`. Where every
pair is shown equally often in both orders, the position columns of B vanish (Corollary 2): what is
left of an omitted position effect is of second order, the attenuation by about 1 - D^2.
"""

from dataclasses import dataclass, replace

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike
from scipy.special import expit

from bayesjudge.core.arguments import demand_numbers
from bayesjudge.core.arrays import FloatArray
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.design import Design
from bayesjudge.engine.point import outcome_scores
from bayesjudge.engine.precision import in_float64
from bayesjudge.errors import InvalidCovariateError, UnidentifiedError, UnsuitableModeError
from bayesjudge.fits.covariance import quantity_gradient
from bayesjudge.fits.mode import Mode, demand_mode, mode

SMALLEST_CURVATURE = 1e-10  # of the largest; OSCAR, Appendix B.3


@dataclass(frozen=True, eq=False)
class FirstOrderShift:
    """The linear part of the shift that omitted effects cause.

    Attributes
    ----------
    mode : Mode
        The fit that omits them; its parameters play the truth.
    information : ndarray, shape (size, size)
        H, summed over verdicts.
    cross : ndarray, shape (size, n_columns)
        B, summed over verdicts; a zero column has no effect of first order.
    """

    mode: Mode
    information: FloatArray
    cross: FloatArray

    @property
    def slope(self) -> FloatArray:
        """H^-1 B: shift of the flat vector by each effect, shape (size, n_columns)."""
        return np.linalg.solve(self.information, self.cross)

    def of(self, name: str, effects: ArrayLike) -> xr.DataArray:
        """Give the shift of a named quantity, to first order.

        Parameters
        ----------
        name : str
            For example "score" (log-odds of an average judge) or "sensitivity".
        effects : array_like, shape (n_columns,)
            The omitted effects, log-odds a unit of their column.

        Returns
        -------
        xarray.DataArray
            Estimated less true value, in the quantity's unit.

        Raises
        ------
        UnknownQuantityError
            If the mode has no quantity of this name.
        InvalidCovariateError
            If there is not one finite effect a column.
        """
        value, omitted = self.mode.quantity(name), _effects(effects, self.cross.shape[1])
        shift = quantity_gradient(self.mode, name) @ self.slope @ omitted
        return value.copy(data=shift.reshape(value.shape))


def first_order_shift(fit: Mode, omitted: FloatArray) -> FirstOrderShift:
    """Compute how omitted effects move what is estimated, to first order.

    Parameters
    ----------
    fit : Mode
        A fit of one data set, with ties as half wins, that omits the effects: for example the
        paper's J. Its parameters and its verdicts' design play the population.
    omitted : ndarray of float, shape (n_rows, n_columns)
        Values of the omitted columns by verdict, such as ``position_columns(data)``.

    Returns
    -------
    FirstOrderShift
        With ``of(quantity, effects)``.

    Raises
    ------
    UnknownFitError
        If the fit is no mode.
    UnsuitableModeError
        If the fit has several data sets or gives ties a parameter of their own.
    InvalidCovariateError
        If the columns do not have one finite value a verdict.
    UnidentifiedError
        If H is singular.

    Notes
    -----
    OSCAR Theorem 1, Corollary 2 and Appendix A.4-A.5. The theorem is about the loss without a
    ridge, and so are H and B.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fit = bj.mode(bj.models.sensitivity, bj.design(data, terms=()))
    >>> shift = first_order_shift(fit, position_columns(data))
    >>> shift.of("score", [0.1, 0, 0, 0, 0]).round(3).values.tolist()
    [0.006, -0.015, 0.005, -0.009, 0.011, -0.007, 0.015, -0.006]
    """
    columns, own = _columns(fit, omitted), _gradients(fit)
    probability = expit(own.log_odds)
    weight = fit.designs[0].weight * probability * (1 - probability)
    information = (own.gradient.T * weight) @ own.gradient
    curvature = np.linalg.eigvalsh(information)
    if not curvature[0] > SMALLEST_CURVATURE * curvature[-1]:
        raise UnidentifiedError(
            "The verdicts leave a direction of the parameters without information, so that no "
            "shift is defined; connect the items and judges, or leave out those that are apart."
        )
    return FirstOrderShift(fit, information, (own.gradient.T * weight) @ columns)


def position_columns(data: Comparisons) -> FloatArray:
    """Give the omitted columns of position: one a judge.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    ndarray of float, shape (n_rows, n_judges)
        One in the column of the row's judge, where the order of display is known.

    Raises
    ------
    NotComparisonsError
        If the verdicts have not been read.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> position_columns(bj.example_panel())[0].tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0]
    """
    data = demand_comparisons(data)
    return np.eye(data.n_judges)[data.judge] * data.order_known[:, None]


def population_mode(fit: Mode, omitted: FloatArray, effects: ArrayLike) -> Mode:
    r"""Refit endless data in which the omitted effects are real: the exact counterpart.

    Parameters
    ----------
    fit : Mode
        As of `first_order_shift`.
    omitted : ndarray of float, shape (n_rows, n_columns)
        As of `first_order_shift`.
    effects : array_like, shape (n_columns,)
        The omitted effects, log-odds a unit of their column.

    Returns
    -------
    Mode
        The minimiser :math:`\xi^\dagger(\varepsilon)` of the expected log loss, without a ridge.

    Raises
    ------
    UnknownFitError, UnsuitableModeError, InvalidCovariateError
        As `first_order_shift`; also if there is not one finite effect a column.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fit = bj.mode(bj.models.sensitivity, bj.design(data, terms=()))
    >>> none = population_mode(fit, position_columns(data), [0.0] * 5)
    >>> bool(abs(none.phi - fit.phi).max() < 1e-6)
    True
    """
    columns = _columns(fit, omitted)
    log_odds = _gradients(fit).log_odds + columns @ _effects(effects, columns.shape[1])
    return mode(fit.program.model, _expected(fit.designs[0], expit(log_odds)), prior=False)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Log-odds of each verdict and their gradient."""

    log_odds: FloatArray
    gradient: FloatArray


@in_float64
def _gradients(fit: Mode) -> _Rows:
    cell = fit.designs[0].cell_of_row
    (log_odds,) = fit.program.compiled.logits(fit.phi, fit.layouts).values()
    (scores,) = outcome_scores(fit).values()
    # A win and a loss differ by the log-odds: their scores differ by its gradient.
    return _Rows(np.asarray(log_odds).ravel()[cell], (scores[:, 0] - scores[:, 2])[cell])


def _columns(fit: Mode, omitted: FloatArray) -> FloatArray:
    _demand_suitable(fit)
    n_rows = fit.designs[0].data.n_rows
    columns = demand_numbers("omitted", omitted, InvalidCovariateError)
    if columns.ndim != 2 or len(columns) != n_rows or not np.isfinite(columns).all():
        raise InvalidCovariateError(
            f"The omitted columns have shape {columns.shape}; give finite values of shape "
            f"({n_rows}, number of columns), one row a verdict."
        )
    return columns


def _effects(effects: ArrayLike, n_columns: int) -> FloatArray:
    found = demand_numbers("effects", effects, InvalidCovariateError)
    if found.shape != (n_columns,) or not np.isfinite(found).all():
        raise InvalidCovariateError(
            f"effects has shape {found.shape} or holds something not finite; give one finite "
            f"effect for each of the {n_columns} omitted columns."
        )
    return found


def _demand_suitable(fit: Mode) -> None:
    demand_mode(fit)
    if len(fit.designs) != 1 or "tie_coordinates" in fit.program.sites.slices:
        raise UnsuitableModeError(
            f"{fit.program.model.__name__} is fitted to {len(fit.designs)} data set(s), and a "
            "first-order shift needs one, with ties as half wins; fit bj.models.sensitivity."
        )


def _expected(design: Design, probability: FloatArray) -> Design:
    """Replace the counts of a design by their expectations."""
    weight, cell = design.weight, design.cell_of_row
    shape = np.shape(design.layout.counts)
    size = int(np.prod(shape[:-1]))
    won, total = np.bincount(cell, weight * probability, size), np.bincount(cell, weight, size)
    counts = np.column_stack([won, np.zeros(size), total - won]).reshape(shape)
    return replace(design, layout=replace(design.layout, counts=counts))
