"""Where between centred and non-centred a learned spread is best sampled.

Values that data know well are sampled centred, values that they hardly inform non-centred: the
other way round trajectories are long, or a funnel makes them diverge. The place between is set by
the information in the verdicts, value by value. It changes the path, never the posterior.
"""

import jax.numpy as jnp
import numpyro
from jax import Array
from numpyro.distributions import Normal

INFORMATION = 0.2  # p(1 - p) of a typical verdict
HALF_WAY = 10.0  # information, in units of the prior's, at which to stand in the middle


def centring(information: Array, typical_spread: float) -> Array:
    """Return the place between non-centred (0) and centred (1)."""
    known = information * typical_spread**2
    return known / (HALF_WAY + known)


def partly_centred(
    name: str, mean: Array | float, spread: Array, known: Array, shape: tuple[int, ...]
) -> Array:
    """Return Normal(mean, spread) values, sampled partly centred.

    Gorinova, Moore and Hoffman (2020), Automatic reparameterisation of probabilistic programs.

    Shapes: mean, spread (); known () or `shape`; shape : tuple of int -> `shape`.
    """
    location, scale = known * mean, spread**known
    law = Normal(jnp.broadcast_to(location, shape), scale).to_event(len(shape))
    return mean + spread ** (1 - known) * (numpyro.sample(name, law) - location)
