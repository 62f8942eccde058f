"""NUTS chains and their settings."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from threading import Event
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from numpy.typing import NDArray
from numpyro.infer.hmc import HMCState, hmc

from bayesjudge.core.arguments import whole_number
from bayesjudge.core.arrays import FloatArray
from bayesjudge.engine.precision import in_float64, once
from bayesjudge.engine.program import Data, Program
from bayesjudge.errors import SamplerSettingError


@dataclass(frozen=True)
class SamplerSettings:
    """How chains are run.

    Attributes
    ----------
    chains, warmup, draws : int
        Number of chains, and of adaptation and kept draws in each.
    target_accept : float
        Acceptance probability that the step size is adapted to.
    max_tree_depth : int
        A trajectory has at most ``2**max_tree_depth`` steps.
    """

    chains: int = 4
    warmup: int = 500
    draws: int = 1000
    target_accept: float = 0.9
    max_tree_depth: int = 10


BLOCK = 100  # draws between two reports of progress
START_SPREAD = 1.0  # chains start uniformly within this distance of zero, on the real scale
Report = Callable[[int], None]


@dataclass(frozen=True)
class Chains:
    """What chains return.

    Attributes
    ----------
    phi : ndarray, shape (chains, draws, size)
        Draws of the flat vector.
    statistics : dict of str to ndarray, shape (chains, draws)
        ``lp``, ``energy``, ``n_steps``, ``acceptance_rate`` and ``diverging``, by ArviZ's names.
    """

    phi: FloatArray
    statistics: dict[str, NDArray[Any]]


@in_float64
def run_chains(
    program: Program, data: Data, settings: SamplerSettings, seed: int, report: Report
) -> Chains:
    """Run NUTS from random starts."""
    kernel = _kernel(program, settings.warmup, settings.target_accept, settings.max_tree_depth)
    keys = jax.random.split(jax.random.key(seed), settings.chains)
    kernel.advance_compiled(keys[0], data)  # once, before the threads ask for it

    stop = Event()

    def one(key: Array) -> dict[str, NDArray[Any]]:
        return kernel.run(key, data, settings.warmup + settings.draws, report, stop)

    with ThreadPoolExecutor(min(settings.chains, os.cpu_count() or 1)) as threads:
        try:
            chains = list(threads.map(one, keys))
        except BaseException:
            stop.set()  # Ctrl-C must not wait for the other chains to end
            raise
    kept = {name: np.stack([c[name][settings.warmup :] for c in chains]) for name in chains[0]}
    return Chains(kept.pop("phi"), kept)


class _Kernel:
    """NUTS for one program, compiled on first use for each shape of data."""

    def __init__(self, program: Program, warmup: int, target: float, depth: int) -> None:
        self._size = program.sites.size
        self._warmup, self._target, self._depth = warmup, target, depth
        self._init, self._step = hmc(
            potential_fn_gen=lambda data: lambda phi: -program.log_density(phi, data), algo="NUTS"
        )
        self._start = once(self._start_chain)
        self._advance = jax.jit(self._advance_block)

    def advance_compiled(self, key: Array, data: Data) -> None:
        """Compile both functions by running them for zero transitions."""
        self._advance(self._start(key, data), np.int64(0), data)

    @in_float64
    def run(
        self, key: Array, data: Data, total: int, report: Report, stop: Event
    ) -> dict[str, NDArray[Any]]:
        """Advance one chain block by block, and collect its draws on the host."""
        state, blocks = self._start(key, data), []
        for start in range(0, total, BLOCK):
            if stop.is_set():
                raise InterruptedError
            count = min(BLOCK, total - start)
            state, block = self._advance(state, np.int64(count), data)
            blocks.append({name: np.asarray(value)[:count] for name, value in block.items()})
            report(count)
        return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}

    def _start_chain(self, key: Array, data: Data) -> HMCState:
        place, move = jax.random.split(key)
        phi = jax.random.uniform(place, (self._size,), minval=-START_SPREAD, maxval=START_SPREAD)
        return self._init(
            phi,
            self._warmup,
            target_accept_prob=self._target,
            max_tree_depth=self._depth,
            rng_key=move,
            model_args=(data,),
        )

    def _advance_block(
        self, state: HMCState, count: Array, data: Data
    ) -> tuple[HMCState, dict[str, Array]]:
        def transition(
            i: Array, carried: tuple[HMCState, dict[str, Array]]
        ) -> tuple[HMCState, dict[str, Array]]:
            state = self._step(carried[0], model_args=(data,))
            now = _record(state)
            return state, {name: row.at[i].set(now[name]) for name, row in carried[1].items()}

        empty = {
            name: jnp.zeros((BLOCK, *jnp.shape(value)), jnp.result_type(value))
            for name, value in _record(state).items()
        }
        return lax.fori_loop(0, count, transition, (state, empty))


@lru_cache(maxsize=64)
def _kernel(program: Program, warmup: int, target: float, depth: int) -> _Kernel:
    return _Kernel(program, warmup, target, depth)


def _record(state: HMCState) -> dict[str, Array]:
    return {
        "phi": state.z,
        "lp": -state.potential_energy,
        "energy": state.energy,
        "n_steps": state.num_steps,
        "acceptance_rate": state.accept_prob,
        "diverging": state.diverging,
    }


def sampler_settings(
    chains: int, warmup: int, draws: int, target_accept: float, max_tree_depth: int
) -> SamplerSettings:
    """Check the settings of a sampler."""
    if not isinstance(target_accept, str) and 0 < target_accept < 1:
        return SamplerSettings(
            whole_number("chains", chains),
            whole_number("warmup", warmup),
            whole_number("draws", draws, least=4),
            float(target_accept),
            whole_number("max_tree_depth", max_tree_depth),
        )
    raise SamplerSettingError(
        f"target_accept is {target_accept!r}; give a probability between 0 and 1, such as 0.9."
    )
