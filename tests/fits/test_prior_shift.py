"""How far a stronger prior moves an answer: by refits, by ArviZ, and on data that rest on it."""

from pathlib import Path

import arviz as az
import numpy as np
import numpyro
import pytest
import xarray as xr
from numpyro.distributions import Normal

import bayesjudge as bj
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.models.quantities import by_item
from bayesjudge.models.verdicts import observe_half_wins

CASES = Path(__file__).parent / "cases"
RIDGE = 0.05


def ridge_program(strength):
    """Bradley-Terry under a ridge of some strength, as a program of one's own."""

    def scaled_ridge(judges):
        law = Normal(0.0, (strength * RIDGE) ** -0.5).expand((judges.n_items - 1,)).to_event(1)
        score = helmert_basis(judges.n_items) @ numpyro.sample("score_coordinates", law)
        observe_half_wins(judges, judges.contrast(by_item("score", score)))

    return scaled_ridge


@pytest.fixture(scope="module")
def small():
    return bj.synthetic_panel(prompts=12, seed=5)


class TestModes:
    def test_the_drift_is_the_derivative_of_refits(self, small):
        """Central differences in log lambda, per doubling."""
        step = 1e-4
        ends = [bj.mode(ridge_program(np.exp(sign * step)), small) for sign in (1, -1)]
        moved = (ends[0].quantity("score") - ends[1].quantity("score")) / (2 * step) * np.log(2)
        fit = bj.mode(bj.models.bradley_terry, small)
        drift = fit.gradient("score") @ fit.prior_drift
        assert drift == pytest.approx(moved.values, rel=1e-5, abs=1e-9)

    def test_a_shift_is_the_drift_in_the_smaller_standard_errors(self, panel_mode):
        fit = panel_mode
        model, row = fit.covariance("model"), fit.covariance("sandwich", cluster="row")
        error = np.minimum(model.standard_error("position"), row.standard_error("position"))
        drift = np.abs(fit.gradient("position") @ fit.prior_drift)
        assert model.prior_shift("position").values == pytest.approx(drift / error.values)

    def test_differences_shift_as_their_own_quantity_would(self, panel_mode):
        fit = panel_mode
        pairs = fit.covariance().pair_shift("score")
        gradient = fit.gradient("score")
        contrast = gradient[2] - gradient[5]
        errors = [
            np.sqrt(contrast @ fit.covariance("sandwich", cluster=one).matrix @ contrast)
            for one in ("prompt", "row")
        ]
        assert float(pairs[2, 5]) == pytest.approx(abs(contrast @ fit.prior_drift) / min(errors))

    def test_without_a_prior_nothing_shifts(self, panel):
        fit = bj.mode(bj.models.sensitivity, panel, prior=False)
        assert float(np.nanmax(fit.covariance().prior_shift("score"))) == 0.0

    def test_what_is_fixed_has_no_shift(self, panel_mode):
        shift = panel_mode.covariance().prior_shift("sensitivity")
        assert int(np.isnan(shift).sum()) == 1  # the reference judge

    def test_well_informed_answers_do_not_depend_on_the_prior(self, panel_mode):
        table = bj.prior_sensitivity(panel_mode)
        assert (table["shift"].fillna(0) < 0.05).all()
        assert set(table["mark"]) == {"", "fixed"}  # the reference judge's sensitivity

    @pytest.mark.parametrize(
        ("strength", "losses", "mark"),
        [(1, 0, "unbounded"), (2, 1, "prior matters"), (20, 1, "prior decides")],
    )
    def test_a_dominant_item_is_marked(self, verdicts, strength, losses, mark):
        """It won all, or all but one, of thousands of verdicts against three even items."""
        pairs = [("best", "a", 2000, losses), ("best", "b", 2000, 0), ("best", "c", 2000, 0)]
        even = [("a", "b", 90, 90), ("b", "c", 90, 90)]
        fit = bj.mode(ridge_program(strength), verdicts(*pairs, *even))
        table = bj.rank_table(fit).set_index("item")
        assert table.loc["best", "mark"] == mark
        assert np.isnan(table.loc["best", "lower"]) == (mark != "prior matters")
        pair = bj.win_probability(fit).sel(item="a", opponent="b")
        assert not pair["rests_on_prior"]
        assert float(pair["upper"] - pair["lower"]) < 0.2


class TestPosteriors:
    def test_the_table_is_what_arviz_says_of_its_own_groups(self, panel_posterior):
        """The log-prior and log-likelihood are recomputed here from the densities themselves."""
        statistics = panel_posterior["sample_stats"].to_dataset()
        tree = xr.DataTree.from_dict(
            {
                "posterior": panel_posterior["posterior"].to_dataset()[["score"]],
                "log_prior": statistics[["log_prior"]],
                "log_likelihood": statistics[["log_likelihood"]],
            }
        )
        table = bj.prior_sensitivity(panel_posterior, "score")
        for part in ("prior", "likelihood"):
            assert table[part].to_numpy() == pytest.approx(az.psense(tree, group=part)["score"])

    def test_only_top_level_sites_are_scaled(self, panel, panel_posterior):
        """Scores, sensitivities and positions are drawn about spreads and means."""
        layout = bj.design(panel).layout
        program = bj.program(bj.models.sensitivity_pooled, layout)
        phi = panel_posterior["unconstrained_posterior"]["phi"].values
        place = program.sites.slices
        spread = {
            name: np.exp(phi[..., place[name]][..., 0])
            for name in ("score_scale", "sensitivity_scale", "position_scale")
        }
        laws = {
            "score_scale": (0, 0.7),
            "sensitivity_scale": (-1, 0.7),
            "position_scale": (-0.5, 0.8),
        }
        log_prior = Normal(0, 1).log_prob(phi[..., place["position_mean"]][..., 0])
        for name, (middle, width) in laws.items():
            log_prior = log_prior + Normal(middle, width).log_prob(np.log(spread[name]))
            log_prior = log_prior - np.log(spread[name])
        kept = panel_posterior["sample_stats"]["log_prior"].values
        assert kept == pytest.approx(np.asarray(log_prior), abs=1e-5)

    def test_densities_add_up(self, panel, panel_posterior):
        layout = bj.design(panel).layout
        program = bj.program(bj.models.sensitivity_pooled, layout)
        draw = panel_posterior.isel(chain=1, draw=7)
        phi = draw["unconstrained_posterior"]["phi"].values
        log_likelihood = float(program.compiled.loss(phi.astype(np.float32), (layout,))[0])
        kept = float(draw["sample_stats"]["log_likelihood"])
        assert -log_likelihood == pytest.approx(kept, rel=1e-4)

    def test_a_posterior_of_first_slots_alone_is_marked(self, first_always):
        post = bj.nuts(bj.models.sensitivity_pooled, first_always, seed=1, progress=False)
        table = bj.rank_table(post)
        assert (table["mark"] == "unbounded").all()
        assert table["lower"].notna().all()  # the prior's interval, marked as such

    def test_a_saved_posterior_keeps_its_marks(self, first_always, tmp_path):
        post = bj.nuts(bj.models.sensitivity_pooled, first_always, seed=1, progress=False)
        bj.save(post, tmp_path / "fit.nc")
        assert bj.rank_table(bj.load(tmp_path / "fit.nc")).equals(bj.rank_table(post))


@pytest.fixture(scope="module")
def first_always():
    """Ninety verdicts, each for the item shown first, by three judges."""
    rng = np.random.default_rng(3)
    names = np.array(["north", "south", "west"])
    first = rng.integers(0, 3, 90)
    second = (first + rng.integers(1, 3, 90)) % 3
    rows = {
        "item_first": names[first],
        "item_second": names[second],
        "verdict": ["first"] * 90,
        "judge": [f"judge-{i % 3}" for i in range(90)],
        "prompt": [f"p{i // 3}" for i in range(90)],
    }
    return bj.read(rows)


MODELS = ("sensitivity", "signed_sensitivity", "unit_sensitivity", "order_effect")


@pytest.mark.parametrize("name", MODELS)
def test_no_narrow_interval_where_the_first_slot_always_wins(name, first_always):
    fit = bj.mode(getattr(bj.models, name), first_always)
    table = bj.rank_table(fit)
    assert table[["lower", "upper", "rank", "p_best"]].isna().all(axis=None)
    assert table["mark"].str.startswith("unbounded").all()
    assert np.isnan(fit.covariance().interval("score")).all()
    won = bj.win_probability(fit)
    assert int(won["lower"].isnull().sum()) == 6


@pytest.mark.parametrize("name", MODELS)
def test_the_same_rows_of_unknown_order_are_bounded(name, first_always):
    from dataclasses import replace

    unknown = replace(first_always, order_known=np.zeros(90, dtype=bool))
    table = bj.rank_table(bj.mode(getattr(bj.models, name), unknown))
    assert name == "order_effect" or table["lower"].notna().all()


def test_judges_with_three_verdicts_have_no_centre_of_their_own():
    data = bj.read(CASES / "05_users_as_judges.csv")
    fit = bj.mode(bj.models.signed_sensitivity, data)
    scores, judges = bj.rank_table(fit), bj.judge_table(fit)
    assert scores[["lower", "upper", "rank"]].isna().all(axis=None)
    assert judges["mark"].str.contains("few verdicts").all()
    assert judges.filter(regex="lower|upper").isna().all(axis=None)
    pooled = bj.rank_table(bj.nuts(bj.models.sensitivity_pooled, data, seed=1, progress=False))
    plain = bj.rank_table(bj.mode(bj.models.bradley_terry, data))
    assert pooled["lower"].notna().all()
    assert pooled["item"].tolist() == plain["item"].tolist() == ["north", "south", "west"]


def test_many_judges_near_chance_do_not_silence_a_score():
    """Fifty-six of sixty judges are near chance, over two items: the score is well informed."""
    rng = np.random.default_rng(8)
    judge = np.repeat(np.arange(60), 150)
    slope = np.where(np.arange(60) < 4, 1.5, 0.05 * rng.normal(size=60))
    first = rng.integers(0, 2, len(judge))
    ahead = np.where(first == 0, 1, -1) * slope[judge]
    won = rng.random(len(judge)) < 1 / (1 + np.exp(-ahead - 0.3))
    rows = {
        "item_first": np.where(first == 0, "right", "wrong"),
        "item_second": np.where(first == 0, "wrong", "right"),
        "verdict": np.where(won, "first", "second"),
        "judge": [f"judge-{j:02d}" for j in judge],
        "prompt": [f"p{i % 150}" for i in range(len(judge))],
    }
    data = bj.read(rows)
    assert bj.rank_table(bj.mode(bj.models.sensitivity, data))["lower"].notna().all()
    assert "mark" not in bj.rank_table(bj.mode(bj.models.signed_sensitivity, data))
