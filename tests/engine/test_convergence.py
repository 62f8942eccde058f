"""The limits of chains' diagnostics: against ArviZ, on draws made by hand, and in words."""

import re
from dataclasses import replace

import numpy as np
import pytest
from arviz_stats.base import array_stats
from numpy.testing import assert_array_equal

from bayesjudge.engine.chains import Chains, SamplerSettings
from bayesjudge.engine.convergence import (
    MAX_R_HAT,
    MAX_R_HAT_ALONE,
    MIN_E_BFMI,
    MIN_ESS,
    Convergence,
    complaint,
    convergence,
)
from bayesjudge.engine.mixing import mixing

SETTINGS = SamplerSettings()
GOOD = Convergence(
    chains=4,
    draws=4000,
    r_hat=1.002,
    worst="score[a]",
    ess_bulk=2000.0,
    worst_bulk="score[b]",
    ess_tail=1500.0,
    worst_tail="position[j]",
    divergences=0,
    saturated=0,
    e_bfmi=0.9,
)


def autoregression(shape, correlation, seed):
    """Return chains of unit variance: shape (chains, draws, n)."""
    noise = np.random.default_rng(seed).normal(size=shape)
    draws = noise.copy()
    for step in range(1, shape[1]):
        fresh = np.sqrt(1 - correlation**2) * noise[:, step]
        draws[:, step] = correlation * draws[:, step - 1] + fresh
    return draws


def run(draws, **statistics):
    """Return draws (chains, draws, n) as a run whose trajectories leave nothing to be desired."""
    flags = np.zeros(draws.shape[:2], dtype=bool)
    usual = {
        "energy": np.random.default_rng(0).normal(size=draws.shape[:2]),
        "diverging": flags,
        "reached_max_tree_depth": flags,
    }
    return Chains(draws, usual | statistics)


def diagnosed(draws, **statistics):
    names = {"score": [f"score[{i}]" for i in range(draws.shape[2])]}
    return convergence({"score": draws}, names, run(draws, **statistics))


def missed(state):
    return [criterion.what for criterion in state.missed]


class TestMixing:
    @pytest.mark.parametrize("shape", [(4, 250, 3), (2, 101, 5), (3, 40, 2)])
    def test_it_is_arvizs(self, shape):
        draws = autoregression(shape, 0.6, seed=3)
        draws[..., 0] = draws[..., 0].round(1)  # ties
        draws[0, :, 1] *= 3.0  # a chain that spreads more
        found = mixing([draws[..., :1], draws[..., 1:]])
        axes = {"chain_axis": 0, "draw_axis": 1}
        assert_array_equal(found.r_hat, array_stats.rhat(draws, **axes))
        assert_array_equal(found.bulk, array_stats.ess(draws, method="bulk", **axes))
        tail = array_stats.ess(draws, method="tail", prob=(0.05, 0.95), **axes)
        assert_array_equal(found.tail, tail)

    def test_a_single_chain_is_compared_with_itself(self):
        draws = autoregression((1, 1000, 2), 0.0, seed=1)
        draws[0, 500:, 1] += 1.0
        still, moved = mixing([draws]).r_hat
        assert still < MAX_R_HAT_ALONE < 1.1 < moved

    def test_what_cannot_be_computed_is_the_worst(self):
        draws = autoregression((4, 100, 2), 0.0, seed=2)
        draws[1, 7, 1] = np.nan
        found = mixing([draws])
        assert np.isfinite([found.r_hat[0], found.bulk[0]]).all()
        assert (found.r_hat[1], found.bulk[1], found.tail[1]) == (np.inf, 0.0, 0.0)
        assert found.varies.all()


class TestDiagnoses:
    def test_chains_that_agree_meet_every_limit(self):
        state = diagnosed(autoregression((4, 1000, 5), 0.3, seed=4))
        assert state.reached
        assert state.cautions == []
        assert (state.chains, state.draws) == (4, 4000)

    def test_each_diagnostic_names_the_quantity_at_which_it_is_worst(self):
        draws = autoregression((4, 1000, 4), 0.0, seed=5)
        draws[0, :, 1] += 2.0  # a chain of its own
        draws[..., 2] = draws[..., 2] ** 3  # the ranks stay
        state = diagnosed(draws)
        assert (state.worst, state.worst_bulk) == ("score[1]", "score[1]")
        assert diagnosed(draws[..., [0, 2]]).reached

    def test_constants_are_left_out(self):
        draws = autoregression((4, 1000, 3), 0.0, seed=7)
        draws[..., 1] = 2.5
        assert diagnosed(draws).reached

    def test_chains_that_stand_still_do_not_pass(self):
        one = np.full((1, 100, 2), 0.3)
        several = np.broadcast_to(np.arange(4.0)[:, None, None], (4, 100, 2)).copy()
        for draws in (one, several):
            assert "R-hat" in missed(diagnosed(draws, energy=np.zeros(draws.shape[:2])))

    def test_energies_of_every_chain_count(self):
        energy = np.random.default_rng(8).normal(size=(4, 1000))
        good = autoregression((4, 1000, 2), 0.0, seed=9)
        assert diagnosed(good, energy=energy).reached
        energy[2] = energy[2].cumsum()  # a walk: each step is small beside the whole
        state = diagnosed(good, energy=energy)
        assert state.e_bfmi == array_stats.bfmi(energy, chain_axis=0, draw_axis=1).min()
        assert missed(state) == ["E-BFMI"]

    @pytest.mark.parametrize(
        ("name", "what", "allowed"),
        [
            ("diverging", "divergent transitions", 4),
            ("reached_max_tree_depth", "saturated trees", 40),
        ],
    )
    def test_a_share_of_the_draws_is_allowed(self, name, what, allowed):
        draws, flags = autoregression((4, 1000, 2), 0.0, seed=10), np.zeros(4000, dtype=bool)
        flags[:allowed] = True
        assert diagnosed(draws, **{name: flags.reshape(4, 1000)}).reached
        flags[allowed] = True
        state = diagnosed(draws, **{name: flags.reshape(4, 1000)})
        (criterion,) = state.missed
        assert str(criterion) == f"{what} {allowed + 1}, limit {allowed}, in 4,000 draws"

    def test_one_chain_says_what_was_not_checked(self):
        state = diagnosed(autoregression((1, 2000, 2), 0.0, seed=11))
        assert state.reached
        assert "chains from other starts agree with it was not checked" in state.cautions[0]

    def test_one_chain_has_a_wider_limit(self):
        between = (MAX_R_HAT + MAX_R_HAT_ALONE) / 2
        assert replace(GOOD, chains=1, r_hat=between).reached
        assert not replace(GOOD, r_hat=between).reached


class TestWords:
    @pytest.mark.parametrize("beyond", [10.0**-k for k in range(7)])
    @pytest.mark.parametrize(
        ("field", "limit", "side"),
        [
            ("r_hat", MAX_R_HAT, 1),
            ("ess_bulk", MIN_ESS, -1),
            ("ess_tail", MIN_ESS, -1),
            ("e_bfmi", MIN_E_BFMI, -1),
        ],
    )
    def test_the_number_shown_is_beyond_the_limit_shown(self, field, limit, side, beyond):
        value = limit + side * beyond * (0.25 if field == "e_bfmi" else 1.0)
        (criterion,) = replace(GOOD, **{field: value}).missed
        number, shown = map(float, re.findall(r"-?\d[\d.]*", str(criterion))[:2])
        assert shown == limit
        assert side * (number - shown) == pytest.approx(side * (value - limit), rel=0.06)

    def test_every_limit_that_was_missed_is_listed(self):
        state = replace(GOOD, r_hat=1.0104, ess_tail=312.4, divergences=7, e_bfmi=0.21)
        words = complaint(state, SETTINGS)
        for part in (
            "(R-hat 1.0104, limit 1.01, at score[a]; ",
            "tail effective sample size 312, limit 400, at position[j]; ",
            "divergent transitions 7, limit 4, in 4,000 draws; ",
            "E-BFMI 0.21, limit 0.3, in the worst chain)",
        ):
            assert part in words
        assert "bulk" not in words
        assert "R-hat 1.0104, limit 1.01" in state.cautions[0]

    @pytest.mark.parametrize(
        ("change", "advice"),
        [
            ({"r_hat": 1.2}, "run longer (warmup=1000, draws=2000) and see bj.diagnose(...)"),
            ({"divergences": 90}, "raise target_accept (0.99) or use a program with fewer terms"),
            ({"saturated": 900}, "raise max_tree_depth (12)"),
            ({"e_bfmi": 0.1}, "use another program or parametrisation"),
            ({"ess_tail": 200.0}, "ask for more draws (draws=2200)"),
        ],
    )
    def test_the_advice_fits_the_cause(self, change, advice):
        remedies = (
            "run longer",
            "target_accept",
            "max_tree_depth",
            "another program",
            "more draws",
        )
        words = complaint(replace(GOOD, **change), SETTINGS)
        assert advice in words
        assert sum(remedy in words for remedy in remedies) == 1

    def test_more_draws_are_advised_only_where_nothing_else_is_wrong(self):
        words = complaint(replace(GOOD, ess_bulk=90.0, divergences=90), SETTINGS)
        assert "bulk effective sample size 90, limit 400" in words
        assert "more draws" not in words

    def test_a_simpler_fit_is_advised_unless_draws_are_merely_few(self):
        assert "; rank 0, or" in complaint(replace(GOOD, r_hat=1.2), SETTINGS, "rank 0")
        assert "rank 0" not in complaint(replace(GOOD, ess_bulk=90.0), SETTINGS, "rank 0")

    @pytest.mark.parametrize("ess", [399.9, 120.0, 7.0])
    @pytest.mark.parametrize(("chains", "draws"), [(4, 4000), (1, 300), (8, 1600)])
    def test_so_many_draws_would_suffice(self, ess, chains, draws):
        state = replace(GOOD, ess_tail=ess, chains=chains, draws=draws)
        (advised,) = map(int, re.findall(r"draws=(\d+)", complaint(state, SETTINGS)))
        assert MIN_ESS < ess * advised / (draws / chains) < 2 * MIN_ESS + 100 * ess * chains / draws

    def test_a_longer_run_and_deeper_trees_exceed_what_was_run(self):
        settings = SamplerSettings(warmup=3000, draws=5000, max_tree_depth=12)
        words = complaint(replace(GOOD, r_hat=2.0, divergences=99, saturated=99), settings)
        for advice in ("warmup=6000, draws=10000", "target_accept (0.99)", "max_tree_depth (14)"):
            assert advice in words

    def test_a_target_that_is_high_already_is_not_raised(self):
        words = complaint(replace(GOOD, divergences=99), SamplerSettings(target_accept=0.99))
        assert "target_accept" not in words
        assert "use a program with fewer terms" in words
