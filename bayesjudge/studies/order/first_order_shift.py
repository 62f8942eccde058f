r"""First-order bias of the estimated parameters by omitted effects: OSCAR, Theorem 1.

Let the truth be :math:`\operatorname{logit} \mu = \eta(\xi^*) + z^\top \varepsilon` with omitted
columns z and their effects :math:`\varepsilon`, and let :math:`\xi^\dagger(\varepsilon)` minimise
the expected log loss of :math:`\eta(\xi)` alone. Then

.. math:: \xi^\dagger(\varepsilon) - \xi^* = (H^*)^{-1} B^* \varepsilon + O(\|\varepsilon\|^2),
          \quad H^* = E[w r r^\top], \quad B^* = E[w r z^\top],

with :math:`r = \nabla \eta(\xi^*)` and :math:`w = \sigma(\eta)\{1 - \sigma(\eta)\}`. Where every
pair is shown equally often in both orders, the position columns of B vanish (Corollary 2): an
omitted position effect then has a second-order effect only, the attenuation by about 1 - D^2.
"""

from dataclasses import dataclass, replace

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike
from scipy.special import expit

from bayesjudge.core.arguments import demand_numbers
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.logistic import logistic_information, verdict_variance
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.design import Design
from bayesjudge.engine.precision import in_float64
from bayesjudge.errors import InvalidCovariateError, UnidentifiedError, UnsuitableModeError
from bayesjudge.fits.mode import Mode, demand_mode, mode

SMALLEST_CURVATURE = 1e-10  # of the largest; OSCAR, Appendix B.3


@dataclass(frozen=True, eq=False, repr=False)
class FirstOrderShift:
    """The linear part of the shift that omitted effects cause.

    Attributes
    ----------
    mode : Mode
        The fit that omits them; its parameters are taken as the truth.
    information : ndarray, shape (size, size)
        H, summed over verdicts.
    cross : ndarray, shape (size, n_columns)
        B, summed over verdicts; a zero column has no first-order effect.
    """

    mode: Mode
    information: FloatArray
    cross: FloatArray

    def __repr__(self) -> str:
        return f"FirstOrderShift({counted(self.cross.shape[1], 'omitted column')}, of {self.mode})"

    @property
    def slope(self) -> FloatArray:
        """H^-1 B: shift of the flat vector by each effect, shape (size, n_columns)."""
        return np.linalg.solve(self.information, self.cross)

    def of(self, name: str, effects: ArrayLike) -> xr.DataArray:
        """Return the shift of a named quantity, to first order.

        Parameters
        ----------
        name : str
            For example "score" (log-odds of an average judge) or "sensitivity".
        effects : array_like, shape (n_columns,)
            The omitted effects, log-odds per unit of their column.

        Returns
        -------
        xarray.DataArray
            Estimated minus true value, in the quantity's unit.

        Raises
        ------
        UnknownQuantityError
            If the mode has no quantity of this name.
        InvalidCovariateError
            If there is not one finite effect for each column.
        """
        value, omitted = self.mode.quantity(name), _effects(effects, self.cross.shape[1])
        shift = self.mode.gradient(name) @ self.slope @ omitted
        return value.copy(data=shift.reshape(value.shape))


def first_order_shift(fit: Mode, omitted: FloatArray) -> FirstOrderShift:
    """Compute the first-order bias that omitted effects cause.

    Parameters
    ----------
    fit : Mode
        A fit of one data set, with ties as half wins, that omits the effects: for example the
        paper's J. Its parameters and the design of its verdicts are taken as the population.
    omitted : ndarray of float, shape (n_rows, n_columns)
        Values of the omitted columns by verdict, such as ``position_columns(data)``.

    Returns
    -------
    FirstOrderShift
        Its method ``of(quantity, effects)`` returns the shift of a quantity.

    Raises
    ------
    UnknownFitError
        If the fit is not a mode.
    UnsuitableModeError
        If the fit has several data sets or gives ties a parameter of their own.
    InvalidCovariateError
        If the columns do not have one finite value for each verdict.
    UnidentifiedError
        If H is singular.

    Notes
    -----
    OSCAR Theorem 1, Corollary 2 and Appendix A.4-A.5. As in the theorem, H and B are those of the
    loss without a ridge.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fit = bj.mode(bj.models.sensitivity, bj.design(data, terms=()))
    >>> shift = bj.studies.first_order_shift(fit, bj.studies.position_columns(data))
    >>> shift.of("score", [0.1, 0, 0, 0, 0]).round(3).values.tolist()
    [0.006, -0.015, 0.005, -0.009, 0.011, -0.007, 0.015, -0.006]
    """
    columns, (log_odds, gradient) = _columns(fit, omitted), _gradients(fit)
    weight = fit.designs[0].weight
    matrix = logistic_information(gradient, weight, log_odds)
    curvature = np.linalg.eigvalsh(matrix)
    if not curvature[0] > SMALLEST_CURVATURE * curvature[-1]:
        raise UnidentifiedError(
            "The verdicts have no information on some direction of the parameters, so that no "
            "shift is defined; leave out the items and judges that are not connected to the others."
        )
    cross = (gradient.T * (weight * verdict_variance(log_odds))) @ columns
    return FirstOrderShift(fit, matrix, cross)


def position_columns(data: Comparisons) -> FloatArray:
    """Return the omitted columns of position, one for each judge.

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
    >>> bj.studies.position_columns(bj.example_panel())[0].tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0]
    """
    data = demand_comparisons(data)
    return np.eye(data.n_judges)[data.judge] * data.order_known[:, None]


def population_mode(fit: Mode, omitted: FloatArray, effects: ArrayLike) -> Mode:
    r"""Fit the population in which the omitted effects are real: the exact shift.

    Parameters
    ----------
    fit : Mode
        As for `first_order_shift`.
    omitted : ndarray of float, shape (n_rows, n_columns)
        As for `first_order_shift`.
    effects : array_like, shape (n_columns,)
        The omitted effects, log-odds per unit of their column.

    Returns
    -------
    Mode
        The minimiser :math:`\xi^\dagger(\varepsilon)` of the expected log loss, without a ridge.

    Raises
    ------
    UnknownFitError, UnsuitableModeError, InvalidCovariateError
        As for `first_order_shift`; also if there is not one finite effect for each column.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fit = bj.mode(bj.models.sensitivity, bj.design(data, terms=()))
    >>> columns = bj.studies.position_columns(data)
    >>> without_effects = bj.studies.population_mode(fit, columns, [0.0] * 5)
    >>> bool(abs(without_effects.phi - fit.phi).max() < 1e-6)
    True
    """
    columns = _columns(fit, omitted)
    log_odds = _gradients(fit)[0] + columns @ _effects(effects, columns.shape[1])
    return mode(fit.program.model, _expected(fit.designs[0], expit(log_odds)), prior=False)


@in_float64
def _gradients(fit: Mode) -> tuple[FloatArray, FloatArray]:
    """Return the log-odds of each verdict and their gradient, (n_rows,) and (n_rows, size)."""
    (design,) = fit.designs
    cell = design.cell_of_row
    return fit.log_odds(design)[cell], fit.scores(design).jacobian[cell, 0]


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
    values = demand_numbers("effects", effects, InvalidCovariateError)
    if values.shape != (n_columns,) or not np.isfinite(values).all():
        raise InvalidCovariateError(
            f"effects has shape {values.shape} or holds a value that is not finite; give one "
            f"finite effect for each of the {n_columns} omitted columns."
        )
    return values


def _demand_suitable(fit: Mode) -> None:
    demand_mode(fit)
    if len(fit.designs) != 1 or "tie_coordinates" in fit.program.sites.slices:
        raise UnsuitableModeError(
            f"{fit.program.model.__name__} is fitted to {counted(len(fit.designs), 'data set')}, "
            "and a first-order shift needs one, with ties as half wins; fit bj.models.sensitivity."
        )


def _expected(design: Design, probability: FloatArray) -> Design:
    """Replace the counts of a design by their expectations."""
    weight, cell = design.weight, design.cell_of_row
    shape = np.shape(design.layout.counts)
    size = int(np.prod(shape[:-1]))
    won, total = np.bincount(cell, weight * probability, size), np.bincount(cell, weight, size)
    counts = np.column_stack([won, np.zeros(size), total - won]).reshape(shape)
    return replace(design, layout=replace(design.layout, counts=counts))
