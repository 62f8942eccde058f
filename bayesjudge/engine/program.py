"""A NumPyro program and its data as pure, compiled functions of one flat vector."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from inspect import signature
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpyro import handlers

from bayesjudge.designs.frames import Frame
from bayesjudge.designs.layouts import CellLayout, GridLayout, Layout
from bayesjudge.engine.precision import in_float64, once
from bayesjudge.engine.sites import TRACING, Model, Sites, constrained, find_sites
from bayesjudge.errors import NotComparisonsError, UnknownProgramError, UnknownQuantityError

Data = tuple[Layout | Frame, ...]


@dataclass(frozen=True, eq=False)
class Program:
    """A program read as functions of a flat vector ``phi`` and its data.

    Everything else - sampling, modes, covariances - is built on these. Nothing here knows which
    model it is. Two data sets of the same shape share one `Program` and its compiled code; a copy,
    or what is loaded from a pickle, is the `Program` that the process has for that shape.

    Attributes
    ----------
    model : callable
        The NumPyro function.
    sites : Sites
        Its free sites (with the one map from name to slice), quantities and observed sites.
    outlines : tuple of Layout or Frame
        The data that it reads, with the shape and type of each array in its place.
    """

    model: Model
    sites: Sites
    outlines: Data

    def __reduce__(self) -> tuple[Callable[..., "Program"], tuple[Any, ...]]:
        return program, (self.model, *self.outlines)

    def log_prior(self, phi: Array, data: Data) -> Array:
        """Log-density of the free sites, with the log-Jacobian of constrained ones; shape ()."""
        values, log_jacobian = constrained(self.sites.free, phi)
        trace = self._trace(values, data)
        for site in self.sites.free:
            log_jacobian += _log_prob(trace[site.name]).sum()
        return log_jacobian

    def log_likelihood(self, phi: Array, data: Data) -> dict[str, Array]:
        """Log-likelihood of each cell, by observed site."""
        trace = self._trace(constrained(self.sites.free, phi)[0], data)
        return {name: _log_prob(trace[name]) for name in self.sites.observed}

    def log_density(self, phi: Array, data: Data) -> Array:
        """Log-prior plus log-likelihood; shape ()."""
        values, log_density = constrained(self.sites.free, phi)
        trace = self._trace(values, data)
        for name in (*(site.name for site in self.sites.free), *self.sites.observed):
            log_density += _total_log_prob(trace[name])
        return log_density

    def total_log_likelihood(self, phi: Array, data: Data) -> Array:
        """Log-likelihood of all observed sites; shape ()."""
        trace = self._trace(constrained(self.sites.free, phi)[0], data)
        return jnp.stack([_total_log_prob(trace[name]) for name in self.sites.observed]).sum()

    def logits(self, phi: Array, data: Data) -> dict[str, Array]:
        """Log-odds that the item shown first wins, by observed site."""
        return self._observed("logits", phi, data)

    def outcome_log_probs(self, phi: Array, data: Data) -> dict[str, Array]:
        """Log-likelihood of one win, tie and loss in each cell, ``(n_cells, 3)`` by site."""
        values = self._observed("outcome_log_probs", phi, data)
        return {name: value.reshape(-1, 3) for name, value in values.items()}

    def outcome_probs(self, phi: Array, data: Data) -> dict[str, Array]:
        """Probability of a win, tie and loss in each cell, ``(n_cells, 3)`` by site."""
        values = self._observed("outcome_probs", phi, data)
        return {name: value.reshape(-1, 3) for name, value in values.items()}

    def predictors(self, phi: Array, data: Data) -> dict[str, Array]:
        """Return what the parameters act through, ``(n_cells, n_predictors)`` by site."""
        values = self._observed("predictors", phi, data)
        return {name: value.reshape(-1, value.shape[-1]) for name, value in values.items()}

    def outcome_slopes(self, phi: Array, data: Data) -> dict[str, Array]:
        """Return derivatives of `outcome_log_probs` by them, ``(n_cells, 3, n_predictors)``."""
        values = self._observed("outcome_slopes", phi, data)
        return {name: value.reshape(-1, *value.shape[-2:]) for name, value in values.items()}

    def log_priors(self, phi: Array, data: Data) -> Array:
        """Log-density of each free site, without the log-Jacobian; shape (n_free_sites,)."""
        trace = self._trace(constrained(self.sites.free, phi)[0], data)
        return jnp.stack([_log_prob(trace[site.name]).sum() for site in self.sites.free])

    def quantities(self, phi: Array, data: Data) -> dict[str, Array]:
        """Values of the named quantities."""
        trace = self._trace(constrained(self.sites.free, phi)[0], data)
        return {site.name: trace[site.name]["value"] for site in self.sites.quantities}

    def demand_quantity(self, name: str) -> None:
        """Raise where there is no quantity of a name."""
        names = [quantity.name for quantity in self.sites.quantities]
        if name not in names:
            raise UnknownQuantityError(
                f"{self.model.__name__} has no quantity {name!r}; it has {', '.join(names)}."
            )

    @cached_property
    def compiled(self) -> "Compiled":
        """The functions above, compiled on first use."""
        return Compiled(self)

    def _trace(self, values: dict[str, Array], data: Data) -> dict[str, Any]:
        with TRACING:
            return handlers.trace(handlers.substitute(self.model, data=values)).get_trace(*data)

    def _observed(self, attribute: str, phi: Array, data: Data) -> dict[str, Array]:
        trace = self._trace(constrained(self.sites.free, phi)[0], data)
        return {name: getattr(trace[name]["fn"], attribute) for name in self.sites.observed}


class Compiled:
    """Compiled functions of a program; each is compiled when it is first called.

    Parameters
    ----------
    program : Program
        The program.
    """

    def __init__(self, program: Program) -> None:
        self.objective = jax.jit(_with_derivatives(lambda *a: -program.log_density(*a)))
        self.loss = jax.jit(_with_derivatives(lambda *a: -program.total_log_likelihood(*a)))
        # Of many parameters the products of the Hessian with vectors are cheap, and it is not.
        self.slope = jax.jit(jax.value_and_grad(lambda *a: -program.log_density(*a)))
        self.product = jax.jit(_hessian_product(lambda *a: -program.log_density(*a)))
        self.loss_slope = jax.jit(jax.value_and_grad(lambda *a: -program.total_log_likelihood(*a)))
        self.loss_product = jax.jit(_hessian_product(lambda *a: -program.total_log_likelihood(*a)))
        self.prior_slope = once(jax.grad(lambda *a: -program.log_prior(*a)))
        self.prior_slopes = once(jax.jacfwd(program.log_priors))
        self.priors_of_draws = once(jax.vmap(_both_priors(program), in_axes=(0, None)))
        self.prior_curvature = once(jax.hessian(lambda *a: -program.log_prior(*a)))
        self.quantities_of_draws = once(jax.vmap(program.quantities, in_axes=(0, None)))
        self.values = once(program.quantities)
        self.jacobians = once(jax.jacfwd(program.quantities))
        self.outcome_probs = once(program.outcome_probs)
        self.outcome_log_probs = once(program.outcome_log_probs)
        self.log_likelihood = once(program.log_likelihood)
        self.logits = once(program.logits)
        # Two functions: XLA's quick compilation makes one function of both two times slower.
        observed = program.sites.observed
        self.slopes = {name: once(partial(_slopes, program, name)) for name in observed}
        self.predictor_jacobians = {
            name: once(jax.jacfwd(partial(_predictors, program, name))) for name in observed
        }


@in_float64
def program(model: Model, *data: Layout | Frame) -> Program:
    """Read a NumPyro program as pure functions of one flat vector.

    Parameters
    ----------
    model : callable
        A NumPyro function of its data, for example `bayesjudge.models.sensitivity`.
    *data : GridLayout, CellLayout or Frame
        The layouts it reads (``bj.design(...).layout``), and its frame; only shapes matter.

    Returns
    -------
    Program
        Cached: a second call with data of the same shape gives the same object and code.

    Raises
    ------
    UnknownProgramError
        If `model` is not a function of that many data sets, or lacks what a fit needs.
    NotComparisonsError
        If something else than layouts is given.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> layout = bj.design(bj.example_panel()).layout
    >>> bj.program(bj.models.sensitivity, layout).sites.slices["score_coordinates"]
    slice(0, 7, None)
    """
    _demand_program(model, data)
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(np.shape(leaf), leaf.dtype), data)
    leaves, structure = jax.tree.flatten(shapes)
    return _program(model, structure, tuple((leaf.shape, str(leaf.dtype)) for leaf in leaves))


def _demand_program(model: Model, data: Data) -> None:
    if not callable(model):
        raise UnknownProgramError(
            f"A program is a function such as bj.models.sensitivity and this is of type "
            f"{type(model).__name__}; give the program first, then the verdicts."
        )
    if not all(isinstance(one, GridLayout | CellLayout | Frame) for one in data):
        raise NotComparisonsError(
            "bj.program reads layouts; give bj.design(...).layout for each data set."
        )
    try:
        signature(model).bind(*data)
    except TypeError as error:
        raise UnknownProgramError(
            f"{model.__name__} reads {', '.join(signature(model).parameters)} ({error}); give as "
            "many data sets, judges before humans."
        ) from None


@lru_cache(maxsize=256)
def _program(model: Model, structure: Any, shapes: tuple[Any, ...]) -> Program:  # noqa: ANN401
    leaves = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in shapes]
    outlines = jax.tree.unflatten(structure, leaves)
    return Program(model, find_sites(model, outlines), outlines)


def _both_priors(program: Program) -> Callable[[Array, Data], tuple[Array, Array]]:
    return lambda phi, data: (program.log_priors(phi, data), program.log_prior(phi, data))


def _log_prob(site: dict[str, Any]) -> Array:
    value = site["fn"].log_prob(site["value"])
    return value if site["scale"] is None else site["scale"] * value


def _total_log_prob(site: dict[str, Any]) -> Array:
    """Sum over cells, by the law's own way where it has one."""
    own = getattr(site["fn"], "total_log_prob", None)
    if own is None:
        return _log_prob(site).sum()
    return own(site["value"]) if site["scale"] is None else site["scale"] * own(site["value"])


def _slopes(program: Program, site: str, phi: Array, data: Data) -> Array:
    return program.outcome_slopes(phi, data)[site]


def _predictors(program: Program, site: str, phi: Array, data: Data) -> Array:
    return program.predictors(phi, data)[site]


def _hessian_product(
    function: Callable[..., Array],
) -> Callable[[Array, Array, Data], Array]:
    def product(phi: Array, direction: Array, data: Data) -> Array:
        return jax.jvp(lambda x: jax.grad(function)(x, data), (phi,), (direction,))[1]

    return product


def _with_derivatives(
    function: Callable[..., Array],
) -> Callable[..., tuple[Array, Array, Array]]:
    """Return value, gradient and Hessian together: the gradient is traced and compiled once."""

    def gradient_and_both(phi: Array, data: Data) -> tuple[Array, tuple[Array, Array]]:
        value, gradient = jax.value_and_grad(function)(phi, data)
        return gradient, (value, gradient)

    def evaluate(phi: Array, data: Data) -> tuple[Array, Array, Array]:
        hessian, (value, gradient) = jax.jacfwd(gradient_and_both, has_aux=True)(phi, data)
        return value, gradient, hessian

    return evaluate
