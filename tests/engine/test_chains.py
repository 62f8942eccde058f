"""Chains advance in turn, and an interruption leaves the draws that all of them have made."""

import signal
import threading
from itertools import count

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import bayesjudge as bj
from bayesjudge.engine import chains
from bayesjudge.engine.chains import BLOCK, SamplerSettings, run_chains
from bayesjudge.errors import SamplerSettingError

SETTINGS = SamplerSettings(chains=3, warmup=2 * BLOCK, draws=4 * BLOCK)


@pytest.fixture(scope="module")
def target(two_groups):
    layout = bj.design(two_groups).layout
    return bj.program(bj.models.bradley_terry_pooled, layout), (layout,)


@pytest.fixture(scope="module")
def whole(target):
    return run_chains(*target, SETTINGS, 5, lambda _: None)


@pytest.fixture
def one_worker(monkeypatch):
    """Make the order of blocks a matter of the queue alone."""
    monkeypatch.setattr(chains.os, "cpu_count", lambda: 1)


class Interrupting:
    """A report that raises at its last call."""

    def __init__(self, calls, error=KeyboardInterrupt):
        self.left, self.error, self.counts = calls, error, []

    def __call__(self, count):
        self.counts.append(count)
        self.left -= 1
        if self.left == 0:
            raise self.error


def test_every_transition_is_reported_once(target, whole):
    counts = []
    run_chains(*target, SETTINGS, 5, counts.append)
    assert sum(counts) == SETTINGS.chains * (SETTINGS.warmup + SETTINGS.draws)
    assert max(counts) == BLOCK


@pytest.mark.usefixtures("one_worker")
@pytest.mark.parametrize(("blocks", "kept"), [(9, 1), (11, 1), (12, 2), (17, 3)])
def test_an_interruption_keeps_what_all_chains_have_drawn(target, whole, blocks, kept):
    run = run_chains(*target, SETTINGS, 5, Interrupting(blocks))
    assert run.interrupted
    assert run.draws == kept * BLOCK
    assert_array_equal(run.phi, whole.phi[:, : run.draws])
    for name, values in whole.statistics.items():
        assert_array_equal(run.statistics[name], values[:, : run.draws])


def test_an_interruption_at_the_very_end_is_not_forgotten(target, whole):
    run = run_chains(*target, SETTINGS, 5, Interrupting(18))
    assert run.interrupted
    assert_array_equal(run.phi, whole.phi)
    assert not whole.interrupted


@pytest.mark.usefixtures("one_worker")
@pytest.mark.parametrize("blocks", [1, 6, 8])
def test_an_interruption_of_the_warmup_keeps_nothing(target, blocks):
    with pytest.raises(KeyboardInterrupt):
        run_chains(*target, SETTINGS, 5, Interrupting(blocks))


def test_a_handful_of_draws_is_nothing(target):
    settings = SamplerSettings(chains=1, warmup=BLOCK - 7, draws=BLOCK)
    with pytest.raises(KeyboardInterrupt):
        run_chains(*target, settings, 5, Interrupting(1))


@pytest.fixture
def ctrl_c():
    """Let SIGINT raise KeyboardInterrupt, which the workers of a parallel run of tests ignore."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("only the main thread hears signals")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_reaches_the_thread_that_waits(target, ctrl_c):
    settings = SamplerSettings(chains=1, warmup=BLOCK, draws=2000 * BLOCK)
    calls = count()
    run = run_chains(*target, settings, 5, lambda _: ctrl_c() if next(calls) == 4 else None)
    assert run.interrupted
    assert 4 * BLOCK <= run.draws < settings.draws


@pytest.mark.usefixtures("one_worker")
def test_another_error_ends_every_chain(target):
    report = Interrupting(8, ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        run_chains(*target, SETTINGS, 5, report)
    assert len(report.counts) == 8


def test_statistics_follow_from_one_another(whole):
    steps, depth = whole.statistics["n_steps"], whole.statistics["tree_depth"]
    assert (2 ** (depth - 1) <= steps).all()
    assert (steps < 2**depth).all()
    assert not whole.statistics["reached_max_tree_depth"].any()
    assert (np.ptp(whole.statistics["step_size"], axis=1) == 0).all()


def test_shallow_trees_are_saturated(target):
    settings = SamplerSettings(chains=2, warmup=100, draws=50, max_tree_depth=1)
    run = run_chains(*target, settings, 5, lambda _: None)
    assert run.statistics["reached_max_tree_depth"].all()
    assert (run.statistics["n_steps"] == 1).all()


@pytest.mark.parametrize("target_accept", [None, "0.9", [0.9], 0.0, 1.0, float("nan"), True])
def test_a_target_is_a_probability(target_accept):
    with pytest.raises(SamplerSettingError, match="target_accept is"):
        chains.sampler_settings(4, 500, 1000, target_accept, 10)
