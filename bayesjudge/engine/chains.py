"""NUTS chains and their settings."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from numbers import Real
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


BLOCK = 50  # transitions between two reports of progress; Ctrl-C is heard after each
FEWEST_DRAWS = 8  # of a chain: its halves have the four draws that ArviZ diagnoses
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
        ``lp``, ``energy``, ``n_steps``, ``tree_depth``, ``reached_max_tree_depth``, ``step_size``,
        ``acceptance_rate`` and ``diverging``, by ArviZ's names.
    interrupted : bool
        Whether Ctrl-C ended the run.
    """

    phi: FloatArray
    statistics: dict[str, NDArray[Any]]
    interrupted: bool = False

    @property
    def draws(self) -> int:
        """Draws in each chain."""
        return self.phi.shape[1]


@dataclass(eq=False)
class _Chain:
    """A chain on its way: its state, and the record of its transitions on the host."""

    state: HMCState
    done: int = 0
    blocks: list[dict[str, NDArray[Any]]] = field(default_factory=list)

    def add(self, state: HMCState, block: dict[str, Array], count: int) -> None:
        """Append so many transitions."""
        self.blocks.append({name: np.asarray(value)[:count] for name, value in block.items()})
        self.state, self.done = state, self.done + count

    def record(self, kept: slice) -> dict[str, NDArray[Any]]:
        """Return the record of some transitions."""
        names = self.blocks[0]
        return {name: np.concatenate([one[name] for one in self.blocks])[kept] for name in names}


@in_float64
def run_chains(
    program: Program, data: Data, settings: SamplerSettings, seed: int, report: Report
) -> Chains:
    """Run NUTS from random starts; where Ctrl-C ends it, return the draws that all chains have."""
    kernel = _kernel(program, settings.warmup, settings.target_accept, settings.max_tree_depth)
    keys = jax.random.split(jax.random.key(seed), settings.chains)
    kernel.advance_compiled(keys[0], data)  # once, before the threads ask for it
    chains = [_Chain(kernel.start(key, data)) for key in keys]
    interrupted = False
    try:
        _in_turn(_advance(kernel, data, settings, report), chains)
    except KeyboardInterrupt:
        interrupted = True
        if _fewest(chains) < settings.warmup + FEWEST_DRAWS:
            raise
    kept = slice(settings.warmup, _fewest(chains))
    run = _stacked([chain.record(kept) for chain in chains], settings.max_tree_depth)
    return replace(run, interrupted=interrupted)


def _advance(
    kernel: "_Kernel", data: Data, settings: SamplerSettings, report: Report
) -> Callable[[_Chain], bool]:
    """Return a function that advances a chain by one block, and says whether more is to come."""
    total = settings.warmup + settings.draws

    @in_float64
    def advance(chain: _Chain) -> bool:
        count = min(BLOCK, total - chain.done)
        chain.add(*kernel.advance(chain.state, count, data), count)
        report(count)
        return chain.done < total

    return advance


def _in_turn(advance: Callable[[_Chain], bool], chains: list[_Chain]) -> None:
    """Advance chains block by block, in turn, so that they are equally far at any time."""
    waiting, stop = deque(chains), Event()

    def work() -> None:
        while not stop.is_set() and (chain := _first(waiting)):
            try:
                goes_on = advance(chain)
            except BaseException:
                stop.set()
                raise
            if goes_on:
                waiting.append(chain)

    n_threads = min(len(chains), os.cpu_count() or 1)
    with ThreadPoolExecutor(n_threads) as threads:
        try:
            for worker in [threads.submit(work) for _ in range(n_threads)]:
                worker.result()
        except KeyboardInterrupt:
            stop.set()  # the other threads hear it after their blocks
            raise


def _first(waiting: deque[_Chain]) -> _Chain | None:
    """Take the first chain; none where the other threads have all that go on."""
    try:
        return waiting.popleft()
    except IndexError:
        return None


def _fewest(chains: list[_Chain]) -> int:
    return min(chain.done for chain in chains)


def _stacked(records: list[dict[str, NDArray[Any]]], max_tree_depth: int) -> Chains:
    """Join the records of chains that are equally long, and add what follows from them."""
    statistics = {name: np.stack([one[name] for one in records]) for name in records[0]}
    depth = np.frexp(statistics["n_steps"])[1]  # binary digits: a tree of depth d has below 2^d
    depths = {"tree_depth": depth, "reached_max_tree_depth": depth >= max_tree_depth}
    return Chains(statistics.pop("phi"), statistics | depths)


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
        self.advance(self.start(key, data), 0, data)

    def start(self, key: Array, data: Data) -> HMCState:
        """Return the state of a new chain."""
        state: HMCState = self._start(key, data)
        return state

    def advance(self, state: HMCState, count: int, data: Data) -> tuple[HMCState, dict[str, Array]]:
        """Make some transitions, a block at most, and record them."""
        return self._advance(state, np.int64(count), data)

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
        "step_size": state.adapt_state.step_size,
        "acceptance_rate": state.accept_prob,
        "diverging": state.diverging,
    }


def sampler_settings(
    chains: int, warmup: int, draws: int, target_accept: float, max_tree_depth: int
) -> SamplerSettings:
    """Check the settings of a sampler."""
    if isinstance(target_accept, Real) and 0 < target_accept < 1:
        return SamplerSettings(
            whole_number("chains", chains),
            whole_number("warmup", warmup),
            whole_number("draws", draws, least=FEWEST_DRAWS),
            float(target_accept),
            whole_number("max_tree_depth", max_tree_depth),
        )
    raise SamplerSettingError(
        f"target_accept is {target_accept!r}; give a probability between 0 and 1, such as 0.9."
    )
