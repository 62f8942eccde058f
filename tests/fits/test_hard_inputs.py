"""Inputs that make other tools answer wrongly, once they are read: what a fit must do with them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import logit

import bayesjudge as bj
from bayesjudge.fits.estimate import normal_tree, read_meta

MODES = ("bradley_terry", "order_effect", "sensitivity", "sensitivity_davidson")
POOLED = ("bradley_terry_pooled", "order_effect_pooled", "sensitivity_pooled")


def verdicts(outcomes, **columns):
    """Rows from {(first, second): "wtl..."} with w, t, l for the item shown first."""
    word = {"w": "first", "t": "tie", "l": "second"}
    return [
        {"item_first": a, "item_second": b, "verdict": word[letter], "prompt": f"p{i % 10}"}
        | columns
        for (a, b), letters in outcomes.items()
        for i, letter in enumerate(letters)
    ]


SWAP = str.maketrans("wl", "lw")
BASE = {("a", "b"): "wwwwwwlllt", ("b", "c"): "wwwwwlllll", ("c", "a"): "wwwllllltt"}


@pytest.fixture(scope="module")
def base():
    return bj.read(verdicts(BASE))


@pytest.fixture(scope="module")
def loser():
    lost = {("x", "a"): "ll", ("x", "b"): "ll", ("x", "c"): "ll"}
    return bj.read(verdicts(BASE | lost))


@pytest.fixture(scope="module")
def split():
    return bj.read(verdicts({("a", "b"): "wwwwwwwlll", ("c", "d"): "wwwwwwwlll"}))


@pytest.fixture(scope="module")
def tied():
    return bj.read(verdicts(dict.fromkeys(BASE, "t" * 10)))


class TestAnItemThatLosesEverything:
    """Row 7 of the table."""

    def test_maximum_likelihood_says_so_and_names_it(self, loser):
        with pytest.raises(bj.errors.NoFiniteMaximumError, match="because x lost all of its 6"):
            bj.mode(bj.models.bradley_terry, loser, prior=False)

    def test_the_others_are_not_moved(self, base, loser):
        without, with_x = (
            bj.mode(bj.models.bradley_terry, data).quantity("score") for data in (base, loser)
        )
        for one, two in (("a", "b"), ("b", "c")):
            gap = [float(s.sel(item=one) - s.sel(item=two)) for s in (without, with_x)]
            assert gap[0] == pytest.approx(gap[1], abs=0.02)

    def test_its_posterior_interval_is_finite_wide_and_below_the_others(self, loser):
        post = bj.nuts(bj.models.bradley_terry_pooled, loser, seed=1, progress=False)
        score = post.posterior["score"]
        width = score.quantile(0.975, ("chain", "draw")) - score.quantile(0.025, ("chain", "draw"))
        assert np.isfinite(width).all()
        assert float(width.sel(item="x")) == float(width.max())
        assert float((score.sel(item="x") < 0).mean()) > 0.95
        assert float(score.mean(("chain", "draw")).idxmin() == "x")


class TestTwoComponents:
    """Row 6 of the table."""

    def test_maximum_likelihood_refuses(self, split):
        with pytest.raises(bj.errors.UnidentifiedError, match="cannot tell apart score"):
            bj.mode(bj.models.bradley_terry, split, prior=False)

    def test_standard_errors_are_withheld_where_the_prior_alone_decides(self, split):
        covariance = bj.mode(bj.models.bradley_terry, split).covariance()
        assert np.isnan(covariance.standard_error("score")).all()

    def test_contrasts_within_a_component_do_not_feel_the_other(self, split):
        alone = bj.read(verdicts({("a", "b"): "wwwwwwwlll"}))
        gaps = []
        for data in (split, alone):
            score = bj.mode(bj.models.bradley_terry, data).quantity("score")
            gaps.append(float(score.sel(item="a") - score.sel(item="b")))
        assert gaps[0] == pytest.approx(gaps[1], abs=1e-9)

    def test_the_posterior_carries_the_components(self, split):
        post = bj.nuts(bj.models.bradley_terry_pooled, split, seed=1, progress=False)
        assert post.constant_data["component"].values.tolist() == [0, 0, 1, 1]


class TestAllTies:
    """Row 8 of the table."""

    def test_half_wins_give_even_scores_but_no_zero_variance(self, tied):
        covariance = bj.mode(bj.models.bradley_terry, tied).covariance("model")
        assert np.allclose(covariance.mode.quantity("score"), 0.0, atol=1e-9)
        assert (covariance.standard_error("score") > 0.1).all()

    def test_a_sandwich_of_no_variation_is_refused(self, tied):
        fit = bj.mode(bj.models.bradley_terry, tied)
        with pytest.raises(bj.errors.NoVariationError, match="do not vary"):
            fit.covariance("sandwich", cluster="row")

    def test_neither_does_davidson_make_certainty_of_ties(self, tied):
        fit = bj.mode(bj.models.sensitivity_davidson, tied)
        with pytest.raises(bj.errors.NoVariationError, match="do not vary"):
            fit.covariance("sandwich", cluster="prompt")
        assert (fit.covariance("model").standard_error("score") > 0.1).all()

    def test_davidson_gives_even_scores_and_honest_width(self, tied):
        post = bj.nuts(bj.models.bradley_terry_davidson_pooled, tied, seed=1, progress=False)
        score = post.posterior["score"]
        assert (np.abs(score.mean(("chain", "draw"))) < 0.1).all()
        assert (score.std(("chain", "draw")) > 0.1).all()


class TestSmallestData:
    @pytest.mark.parametrize("program", MODES)
    def test_two_items_one_judge_one_prompt_have_a_mode(self, program):
        data = bj.read(verdicts({("a", "b"): "wwwwlt", ("b", "a"): "wwl"}, prompt="only"))
        fit = bj.mode(getattr(bj.models, program), data)
        assert fit.quantity("score").sum() == pytest.approx(0.0, abs=1e-12)
        with pytest.raises(bj.errors.TooFewClustersError):
            fit.covariance("sandwich", cluster="prompt")
        assert (fit.covariance("sandwich", cluster="row").standard_error("score") > 0).all()

    @pytest.mark.parametrize("program", POOLED)
    def test_and_a_posterior(self, program):
        data = bj.read(verdicts({("a", "b"): "wwwwlt", ("b", "a"): "wwl"}, prompt="only"))
        post = bj.nuts(getattr(bj.models, program), data, seed=1, progress=False)
        assert float(post.posterior["score"].sel(item="a").mean()) > 0

    def test_two_items_by_hand(self):
        data = bj.read(verdicts({("a", "b"): "wwwwwwwlll"}))
        score = bj.mode(bj.models.bradley_terry, data, prior=False).quantity("score")
        assert float(score.sel(item="a") - score.sel(item="b")) == pytest.approx(logit(0.7))

    def test_position_by_hand(self):
        # 6 of 8 first-slot wins for a, 4 of 8 for b: gap and position are half sum and difference
        data = bj.read(verdicts({("a", "b"): "wwwwwwll", ("b", "a"): "wwwwllll"}))
        fit = bj.mode(bj.models.order_effect, data, prior=False)
        score, position = fit.quantity("score"), float(fit.quantity("position")[0])
        up, down = logit(6 / 8), logit(4 / 8)
        assert position == pytest.approx((up + down) / 2)
        assert float(score.sel(item="a") - score.sel(item="b")) == pytest.approx((up - down) / 2)


class TestJudges:
    def test_two_opposed_judges_cancel(self):
        rows = verdicts(BASE, judge="j1") + verdicts(
            {pair: letters.translate(SWAP) for pair, letters in BASE.items()},
            judge="j2",
        )
        fit = bj.mode(bj.models.bradley_terry, bj.read(rows))
        assert np.allclose(fit.quantity("score"), 0.0, atol=1e-9)

    def test_a_judge_that_always_picks_the_first_slot_has_a_finite_position(self):
        rows = verdicts(BASE, judge="j1") + verdicts(dict.fromkeys(BASE, "w" * 10), judge="j2")
        post = bj.nuts(bj.models.sensitivity_pooled, bj.read(rows), seed=1, progress=False)
        preference = post.posterior["net_first_preference"].sel(judge="j2")
        assert float(preference.quantile(0.025)) > 0.5

    def test_lengths_that_are_all_alike_leave_no_length_term(self):
        rows = [row | {"length_a": 400, "length_b": 300} for row in verdicts(BASE)]
        laid_out = bj.design(bj.read(rows), terms=("position", "length"))
        assert np.abs(laid_out.layout.columns[:, 1]).max() < 1
        assert laid_out.layout.retained == ((True,), (False,))

    def test_a_judge_no_better_than_chance_has_no_maximum_in_the_log_form(self):
        good = verdicts(dict.fromkeys((("a", "b"), ("b", "c")), "w" * 8 + "ll"), judge="j1")
        bad = verdicts(dict.fromkeys((("a", "b"), ("b", "c")), "l" * 8 + "ww"), judge="j2")
        laid_out = bj.design(bj.read(good * 3 + bad), terms=(), reference_judge="j1")
        with pytest.raises(bj.errors.NoFiniteMaximumError, match=r"sensitivity\[j2\]"):
            bj.mode(bj.models.sensitivity, laid_out, prior=False)

    def test_unknown_order_has_no_position(self):
        data = bj.read(verdicts(BASE), order_known=False)
        fit = bj.mode(bj.models.order_effect, data)
        assert float(fit.quantity("position")[0]) == 0.0
        assert "position_coordinates" not in fit.program.sites.slices
        assert np.isnan(fit.covariance("model").standard_error("position")).all()


class TestCautions:
    def test_an_item_that_only_ties_is_named_where_the_sandwich_collapses(self):
        rows = verdicts({("a", "b"): "wwwwwwllll" * 3, ("c", "a"): "t" * 10})
        table = bj.rank_table(bj.mode(bj.models.bradley_terry, bj.read(rows)))
        assert "less than half as wide" in table.caption

    def test_few_clusters_are_said_in_the_table(self):
        fit = bj.mode(bj.models.sensitivity, bj.synthetic_panel(prompts=12, seed=1))
        assert "the sandwich is singular" in bj.rank_table(fit).caption

    def test_a_posterior_says_that_it_takes_verdicts_as_independent(self, base):
        post = bj.nuts(bj.models.bradley_terry_pooled, base, seed=1, progress=False)
        assert "taken as independent" in bj.rank_table(post).caption

    def test_a_sound_sandwich_has_nothing_to_add(self):
        fit = bj.mode(bj.models.sensitivity, bj.example_panel())
        assert bj.rank_table(fit).caption.endswith("intervals.")


class TestScaleOfCounts:
    def test_a_million_verdicts_in_weights(self):
        rows = [row | {"weight": 1e5} for row in verdicts(BASE)]
        fit = bj.mode(bj.models.sensitivity, bj.read(rows))
        light = bj.mode(bj.models.sensitivity, bj.read(verdicts(BASE)), prior=False)
        assert np.allclose(fit.quantity("score"), light.quantity("score"), atol=1e-4)


class TestWhatStopsNumPyro:
    """Row 18 of the table: "Cannot find valid initial parameters"."""

    def test_a_missing_outcome_is_refused_before_sampling(self):
        lost = {"item_first": "a", "item_second": "b", "verdict": np.nan, "prompt": "p0"}
        rows = [*verdicts(BASE), lost]
        with pytest.raises(bj.errors.MissingVerdictError, match="row 30"):
            bj.read(rows)

    def test_half_wins_are_sampled(self):
        coding = {1: "first", 0.5: "tie", 0: "second"}
        number = {"first": 1.0, "tie": 0.5, "second": 0.0}
        rows = [row | {"verdict": number[row["verdict"]]} for row in verdicts(BASE)]
        data = bj.read(rows, verdicts=coding)
        post = bj.nuts(bj.models.bradley_terry_pooled, data, seed=1, progress=False)
        assert np.isfinite(post.posterior["score"]).all()

    def test_an_outcome_that_is_no_verdict_cannot_be_built(self, base):
        with pytest.raises(bj.errors.InvalidComparisonsError):
            replace(base, verdict=np.full(base.n_rows, 7))


class TestResults:
    def test_a_fit_of_other_data_is_another_object(self, base, loser):
        """Row 11 of the table."""
        one = bj.mode(bj.models.bradley_terry, base)
        two = bj.mode(bj.models.bradley_terry, loser)
        assert len(one.quantity("score")) == 3
        assert len(two.quantity("score")) == 4

    def test_repeating_every_row_does_not_shrink_the_cluster_sandwich(self, base):
        """Row 14 of the table."""
        thrice = bj.read(verdicts(BASE) * 3)
        errors = [
            bj.mode(bj.models.bradley_terry, data, prior=False)
            .covariance("sandwich", cluster="prompt")
            .standard_error("score")
            for data in (base, thrice)
        ]
        np.testing.assert_allclose(errors[0], errors[1], rtol=1e-8)

    def test_identified_parameterisation_mixes(self, base):
        """Row 20 of the table."""
        post = bj.nuts(bj.models.bradley_terry_pooled, base, seed=1, progress=False)
        found = read_meta(post)["convergence"]
        assert found["r_hat"] < 1.01
        assert found["ess_bulk"] > 1000

    def test_attributes_are_one_string(self, base):
        fit = bj.mode(bj.models.bradley_terry, base)
        tree = normal_tree(fit.covariance())
        assert list(tree.attrs) == ["bayesjudge_meta"]
        assert json.loads(tree.attrs["bayesjudge_meta"])["program"] == "bradley_terry"


class TestRefusals:
    def test_a_learned_scale_has_no_mode(self, base):
        with pytest.raises(bj.errors.HierarchicalModeError, match="bradley_terry"):
            bj.mode(bj.models.bradley_terry_pooled, base)

    def test_unknown_names_are_refused_in_words(self, base):
        fit = bj.mode(bj.models.bradley_terry, base)
        with pytest.raises(bj.errors.UnknownQuantityError, match="it has score"):
            fit.quantity("ability")
        with pytest.raises(bj.errors.UnknownClusterError, match="cell"):
            fit.covariance("sandwich", cluster="question")
        with pytest.raises(bj.errors.UnknownClusterError, match="one label a row"):
            fit.covariance("sandwich", cluster=["x"])
        with pytest.raises(bj.errors.UnknownJudgeError, match="reference judge"):
            bj.design(base, reference_judge="nobody")
        with pytest.raises(bj.errors.UnknownTermError, match="position, length, family"):
            bj.design(base, terms=("verbosity",))

    def test_terms_need_their_data(self, base):
        with pytest.raises(bj.errors.MissingCovariateError, match="lengths of both answers"):
            bj.design(base, terms=("length",))
        with pytest.raises(bj.errors.MissingFamilyError, match="'a'"):
            bj.design(base, terms=("family",), families={"b": "x"})
