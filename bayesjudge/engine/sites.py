"""What a program consists of, found by one abstract run: free sites, quantities, observed sites."""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from threading import RLock
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpyro import handlers
from numpyro.distributions.transforms import (
    IdentityTransform,
    IndependentTransform,
    Transform,
    biject_to,
)

from bayesjudge.core.arrays import FloatArray
from bayesjudge.errors import UnknownProgramError

DIMENSIONS = ("judge", "item")  # what a quantity may be indexed by
Model = Callable[..., None]

# NumPyro's handlers share one stack in a process; threads take turns to trace, not to compute.
TRACING = RLock()


@dataclass(frozen=True)
class FreeSite:
    """A free parameter and its place in the flat vector.

    Attributes
    ----------
    name : str
        Name of the sample site.
    start, stop : int
        Slice of the flat vector.
    shape : tuple of int
        Shape over the reals.
    support : numpyro constraint
        Where the site's values live.
    logarithmic : bool
        Whether its values are logarithms (``infer={"logarithmic": True}``).
    """

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    support: Any
    logarithmic: bool

    @property
    def is_real(self) -> bool:
        """Whether the site ranges over the reals, so that a mode needs no Jacobian."""
        transform = self.transform
        while isinstance(transform, IndependentTransform):
            transform = transform.base_transform
        return isinstance(transform, IdentityTransform)

    @property
    def transform(self) -> Transform:
        """Bijection from the reals to the support."""
        return biject_to(self.support)


@dataclass(frozen=True)
class Quantity:
    """A named quantity: its dimensions and shape."""

    name: str
    dims: tuple[str, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Sites:
    """All sites of a program.

    Attributes
    ----------
    free : tuple of FreeSite
        In the program's order.
    quantities : tuple of Quantity
        Deterministic sites with their plates' names as dimensions.
    observed : tuple of str
        Names of the observed sites.
    rising : dict of str to tuple
        By observed site, what its law's likelihood of a win, a tie and a loss rises in
        (`bayesjudge.models.verdicts`); empty where a law does not say.
    """

    free: tuple[FreeSite, ...]
    quantities: tuple[Quantity, ...]
    observed: tuple[str, ...]
    rising: dict[str, tuple[Any, ...]]

    @property
    def size(self) -> int:
        """Length of the flat vector."""
        return self.free[-1].stop if self.free else 0

    @property
    def slices(self) -> dict[str, slice]:
        """The one map from names to slices of the flat vector."""
        return {site.name: slice(site.start, site.stop) for site in self.free}

    def flat(self, values: dict[str, FloatArray]) -> FloatArray:
        """Return the flat vector of real sites' values; sites that are not given are zero."""
        phi = np.zeros(self.size)
        for name, place in self.slices.items():
            if name in values:
                phi[place] = np.ravel(values[name])
        return phi


def find_sites(model: Model, data: tuple[Any, ...]) -> Sites:
    """Run a program once on abstract values and list its sites."""
    outlines: list[dict[str, Any]] = []

    def run(*args: Any) -> None:  # noqa: ANN401
        seeded = handlers.seed(model, jax.random.key(0))
        outlines.extend(_outline(site) for site in handlers.trace(seeded).get_trace(*args).values())

    with TRACING:
        jax.eval_shape(run, *data)
    sites = Sites(
        free=_placed([site for site in outlines if site["kind"] == "free"]),
        quantities=tuple(
            Quantity(site["name"], site["dims"], site["shape"])
            for site in outlines
            if site["kind"] == "quantity"
        ),
        observed=tuple(site["name"] for site in outlines if site["kind"] == "observed"),
        rising={site["name"]: site["rising"] for site in outlines if site["kind"] == "observed"},
    )
    _demand_parts(model, sites)
    return sites


def _demand_parts(model: Model, sites: Sites) -> None:
    name = getattr(model, "__name__", "the program")
    for part, there in (("free", sites.free), ("observed", sites.observed)):
        if not there:
            raise UnknownProgramError(
                f"{name} has no {part} site; give it at least one numpyro.sample of that kind."
            )
    foreign = [one.name for one in sites.quantities if not set(one.dims) <= set(DIMENSIONS)]
    bare = [one.name for one in sites.quantities if len(one.dims) != len(one.shape)]
    if foreign or bare or not sites.quantities:
        raise UnknownProgramError(
            f"{name} needs numpyro.deterministic quantities in plates called "
            f"{' and '.join(DIMENSIONS)}, and {', '.join(foreign + bare) or 'has none'} "
            "is not so; see bayesjudge.models.quantities."
        )


def _outline(site: dict[str, Any]) -> dict[str, Any]:
    kind = {"deterministic": "quantity", "plate": "plate"}.get(site["type"])
    if site["type"] == "sample":
        kind = "observed" if site["is_observed"] else "free"
    plates = sorted(site.get("cond_indep_stack", []), key=lambda frame: frame.dim)
    return {
        "kind": kind,
        "name": site["name"],
        "shape": jnp.shape(site["value"]),
        "dims": tuple(frame.name for frame in plates),
        "rising": getattr(site.get("fn"), "rising", ()),
        "support": site["fn"].support if kind == "free" else None,
        "logarithmic": site.get("infer", {}).get("logarithmic", False),
    }


def _placed(outlines: list[dict[str, Any]]) -> tuple[FreeSite, ...]:
    placed, start = [], 0
    for site in outlines:
        shape = biject_to(site["support"]).inverse_shape(site["shape"])
        stop = start + prod(shape)
        placed.append(
            FreeSite(site["name"], start, stop, shape, site["support"], site["logarithmic"])
        )
        start = stop
    return tuple(placed)


def constrained(free: tuple[FreeSite, ...], phi: Array) -> tuple[dict[str, Array], Array]:
    """Split a flat vector into the values of free sites, with the log-Jacobian of their supports.

    Shapes: phi (size,) -> log_jacobian ().
    """
    values, log_jacobian = {}, jnp.zeros((), phi.dtype)
    for site in free:
        real = phi[site.start : site.stop].reshape(site.shape)
        values[site.name] = site.transform(real)
        log_jacobian += site.transform.log_abs_det_jacobian(real, values[site.name]).sum()
    return values, log_jacobian
