"""The maximum of a program: of its posterior, or of its likelihood alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bayesjudge.core.arguments import wanted
from bayesjudge.core.arrays import FloatArray
from bayesjudge.core.wording import counted
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.designs.design import Design
from bayesjudge.designs.frames import Frame
from bayesjudge.engine.optimise import (
    Optimum,
    Products,
    derivatives,
    minima,
    minimise,
    products,
    spread_starts,
)
from bayesjudge.engine.point import Point
from bayesjudge.engine.precision import one_blas_thread
from bayesjudge.engine.prepare import prepared_data, program_data
from bayesjudge.engine.program import Data, Program, program
from bayesjudge.engine.sites import Model
from bayesjudge.errors import HierarchicalModeError, UnknownFitError
from bayesjudge.fits.covariance import Covariance, Kind, covariance
from bayesjudge.fits.maximum import Maximum, Rival, demand_maximum
from bayesjudge.fits.meat import Cluster
from bayesjudge.fits.recentre import ROUNDS, is_far, recentred
from bayesjudge.models.about import about

MANY = 500  # parameters, from which on a trust region uses products with the Hessian


@dataclass(frozen=True, eq=False, repr=False)
class Mode(Maximum):
    """A maximum that has been checked, and everything that can be read off it.

    Attributes
    ----------
    program : Program
        The program, with the map from names to slices of `phi`.
    designs : tuple of Design
        The verdicts.
    frames : tuple of Frame
        What else the program reads.
    phi : ndarray, shape (size,)
        The flat vector at the maximum.
    prior : bool
        Whether the prior is part of the objective.
    objective : float
        Negative log-density (or log-likelihood) at the maximum.
    gradient_norm : float
        Largest absolute component of its gradient.
    hessian : ndarray, shape (size, size)
        Its exact Hessian.
    rivals : tuple of Rival
        Other maxima that are nearly as high.
    """

    def __repr__(self) -> str:
        names = ", ".join(quantity.name for quantity in self.program.sites.quantities)
        verdicts = counted(sum(design.data.n_rows for design in self.designs), "verdict")
        return f"Mode({self.program.model.__name__} of {verdicts}: {names})"

    def covariance(
        self, kind: Kind | None = None, cluster: Cluster | Sequence[str] = "prompt"
    ) -> Covariance:
        """Estimate the covariance of the free coordinates, and by the delta method of any quantity.

        Parameters
        ----------
        kind : {"sandwich", "model", "curvature"}, optional
            Robust; the inverse of the expected information (with the prior's curvature); or the
            inverse of the exact Hessian, which is DIAL's "info" error of a fit to judges alone.
            Where a data set has a power, the inverse Hessian is no covariance of the estimate. By
            default "sandwich", and "model" where all verdicts are on one prompt.
        cluster : {"prompt", "cell", "row"} or sequence of str, shape (n_rows,)
            What the sandwich sums scores over: verdicts on one prompt, one judge's verdicts on one
            pair, each verdict by itself, or labels of the user's. The other kinds have no clusters.

        Returns
        -------
        Covariance
            With ``of(quantity)``, ``standard_error(quantity)`` and ``interval(quantity)``.

        Raises
        ------
        TooFewClustersError
            With fewer than two clusters.
        UnknownClusterError
            If the labels do not fit the rows.

        Examples
        --------
        >>> import bayesjudge as bj
        >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
        >>> fit.covariance("sandwich", cluster="prompt").standard_error("score").dims
        ('item',)
        """
        return covariance(self, kind, cluster)


@one_blas_thread
def mode(model: Model, *data: Comparisons | Design | Frame, prior: bool = True) -> Mode:
    """Find the maximum of a program's posterior, or of its likelihood alone.

    Parameters
    ----------
    model : callable
        A program with fixed-scale priors, for example ``bj.models.sensitivity``.
    *data : Comparisons, Design or Frame
        The data sets that it reads, in its order; then its frame, if another than its own.
    prior : bool
        True for the maximum a posteriori (the papers' ridge estimates), False for maximum
        likelihood.

    Returns
    -------
    Mode
        The checked maximum.

    Raises
    ------
    HierarchicalModeError
        For a program that learns a scale, whose mode is degenerate.
    NoFiniteMaximumError
        If the likelihood rises without end; the message names the cause.
    UnidentifiedError
        If the data cannot tell parameters apart.
    NotConvergedError
        If the optimiser fails.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> fit = bj.mode(bj.models.sensitivity, bj.example_panel())
    >>> bool(fit.gradient_norm < 1e-9)
    True
    """
    prepared, frames = prepared_data(model, *data)
    layouts = program_data(prepared, frames)
    target = program(model, *layouts)
    _refuse_learned_scales(target)
    compiled = target.compiled.objective if prior else target.compiled.loss
    starts = _starts(target, frames)
    end, *others = minima(derivatives(compiled, layouts), starts, _products(target, layouts, prior))
    point = Point(target, prepared, frames, end.phi)
    rivals = tuple(
        Rival(one.value - end.value, replace(point, phi=one.phi).leader) for one in others
    )
    if not prior:  # a prior's mode depends on the chart, whose base point is then part of it
        point, end = _about_itself(point, end)
    ended = (end.phi, prior, end.value, end.gradient_norm, end.hessian)
    fit = Mode(target, prepared, point.frames, *ended, rivals)
    demand_maximum(fit)
    return fit


def _about_itself(point: Point, end: Optimum) -> tuple[Point, Optimum]:
    """Move the base point of a chart to where the likelihood is largest."""
    for _ in range(ROUNDS):
        if not is_far(point):
            break
        point = recentred(point)
        end = minimise(derivatives(point.program.compiled.loss, point.layouts), [point.phi])
        point = replace(point, phi=end.phi)
    return point, end


def _products(target: Program, layouts: Data, prior: bool) -> Products | None:
    """Return products with the Hessian, where there are too many parameters for the Hessian."""
    if target.sites.size < MANY:
        return None
    compiled = target.compiled
    parts = (
        (compiled.slope, compiled.product)
        if prior
        else (compiled.loss_slope, compiled.loss_product)
    )
    return products(*parts, layouts)


def _starts(target: Program, frames: tuple[Frame, ...]) -> list[FloatArray]:
    """Start where the frame says, else at zero; and about it, unless there is one maximum."""
    known = {name: value for frame in frames for name, value in frame.starts().items()}
    starts = spread_starts(target.sites.flat(known))
    if about(target.model).concave:
        return starts[:1]
    return starts[:2] if known else starts  # a chart has no coordinates far from its base point


def _refuse_learned_scales(target: Program) -> None:
    learned = [site.name for site in target.sites.free if not site.is_real]
    if learned:
        plain = about(target.model).fixed_scale
        sibling = f", or the sibling with fixed scales ({plain.__name__})" if plain else ""
        raise HierarchicalModeError(
            f"{target.model.__name__} learns {', '.join(learned)}, and the mode of a program that "
            f"learns a scale is degenerate; use bj.nuts{sibling}."
        )


def demand_mode(fit: object) -> Mode:
    """Return a fit that is a mode."""
    return wanted(
        Mode,
        fit,
        UnknownFitError,
        "A mode is wanted and this is of type {type}; give what bj.mode(...) returned "
        "(bj.diagnose looks at verdicts).",
    )
