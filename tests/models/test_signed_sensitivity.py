"""Real sensitivities without a reference judge: a scale that no single judge can carry away."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj

CASES = Path(__file__).parents[1] / "fits" / "cases"
SIGNED = bj.models.signed_sensitivity


def scores(fit):
    return fit.quantity("score").to_series()


def drawn(slopes, verdicts, seed, items=4):
    """Draw verdicts of judges with given slopes on even items' scores, with position effects."""
    rng = np.random.default_rng(seed)
    truth, names = np.linspace(-1, 1, items), np.array(list("abcdefgh"))[:items]
    parts = []
    for number, (slope, size) in enumerate(zip(slopes, verdicts, strict=True)):
        first = rng.integers(0, items, size)
        second = (first + rng.integers(1, items, size)) % items
        log_odds = slope * (truth[first] - truth[second]) + 0.2
        won = rng.random(size) < 1 / (1 + np.exp(-log_odds))
        part = {"item_first": names[first], "item_second": names[second]}
        part |= {"verdict": np.where(won, "first", "second"), "judge": f"judge-{number}"}
        parts.append(pd.DataFrame(part).assign(prompt=[f"p{i}" for i in range(size)]))
    return pd.concat(parts, ignore_index=True)


class TestScale:
    def test_judges_of_many_verdicts_count_alike(self, panel):
        fit = bj.mode(SIGNED, panel)
        assert float(fit.quantity("sensitivity").mean()) == pytest.approx(1, abs=2e-3)

    def test_the_mean_is_by_effective_verdicts_up_to_a_hundred(self):
        fit = bj.mode(SIGNED, bj.read(drawn([1, 2, 1], [60, 400, 8], seed=1)))
        counts = np.asarray(fit.designs[0].layout.judge_counts)
        won, lost = counts[:, 0] + counts[:, 1] / 2, counts[:, 2] + counts[:, 1] / 2
        weight = np.minimum(4 * won * lost / (won + lost), 100)
        weight[2] = 0.0  # eight verdicts, fewer than ten
        assert np.average(fit.quantity("sensitivity"), weights=weight) == pytest.approx(1)

    def test_a_judge_with_three_contrary_verdicts_does_not_move_it(self):
        frame = drawn([1, 1.2, 0.8], [400, 400, 400], seed=2)
        rows = [("a", "d", "first"), ("d", "b", "second"), ("a", "c", "first")]
        columns = ["item_first", "item_second", "verdict"]
        odd = pd.DataFrame(rows, columns=columns).assign(judge="odd", prompt=["q1", "q2", "q3"])
        alone, joined = (bj.mode(SIGNED, bj.read(one)) for one in (frame, pd.concat([frame, odd])))
        error = alone.covariance().standard_error("score").to_series()
        assert (scores(joined) - scores(alone)).abs().max() < 0.02 * error.min()
        paper = [
            bj.mode(bj.models.sensitivity, bj.read(one)) for one in (frame, pd.concat([frame, odd]))
        ]
        assert (scores(paper[1]) - scores(paper[0])).abs().max() > error.max()

    def test_a_judge_that_always_picks_one_slot_does_not_move_it(self):
        frame = drawn([1, 1.2, 0.8], [400, 400, 400], seed=3)
        slot = drawn([1], [200], seed=4).assign(verdict="first", judge="slot")
        alone, joined = (bj.mode(SIGNED, bj.read(one)) for one in (frame, pd.concat([frame, slot])))
        assert scores(joined).to_numpy() == pytest.approx(scores(alone).to_numpy(), abs=1e-3)
        table = bj.rank_table(joined)
        assert "mark" not in table
        marks = bj.judge_table(joined).set_index("judge")["mark"]
        assert "unbounded" in marks["slot"]
        assert not marks.drop("slot").any()

    def test_names_and_reference_do_not_matter(self, panel):
        fit = bj.mode(SIGNED, bj.design(panel, reference_judge="judge-4"))
        names = dict(zip(panel.judges, "zyxwv", strict=True))
        other = bj.mode(SIGNED, bj.read(panel.to_frame().replace({"judge": names}), kind="llm"))
        assert scores(other).to_numpy() == pytest.approx(scores(fit).to_numpy(), abs=1e-9)


class TestSigns:
    @pytest.mark.parametrize("opposed", [0, 2])
    def test_an_opposed_judge_has_a_negative_sensitivity(self, opposed):
        slopes = np.where(np.arange(3) == opposed, -0.8, 1.1)
        fit = bj.mode(SIGNED, bj.read(drawn(slopes, [500] * 3, seed=5)))
        lower, upper = fit.covariance().interval("sensitivity").isel(judge=opposed).values
        assert upper < 0
        relative = slopes[opposed] / slopes.mean()
        assert lower < relative < upper
        assert scores(fit).idxmax() == "d"

    def test_the_paper_s_form_says_that_it_excludes_such_a_judge(self):
        fit = bj.mode(bj.models.sensitivity, bj.read(drawn([1.1, 1.1, -0.8], [500] * 3, seed=5)))
        assert fit.contradicting == ["judge-2"]
        table = bj.rank_table(fit)
        assert (table["mark"] == "opposed judges").all()
        assert table["p_best"].isna().all()
        assert "contradict the scores" in table.caption

    def test_judges_at_chance_are_not_called_contrary(self):
        """A judge of no sensitivity is one; forty panels of four, an error rate of 0.05 each."""
        named = [
            bj.mode(
                bj.models.sensitivity, bj.read(drawn([1, 1, 1, 0], [120] * 4, seed))
            ).contradicting
            for seed in range(40)
        ]
        assert sum(map(bool, named)) <= 5  # P(more | 0.0125 a panel) < 1e-5

    def test_two_opposite_judges_leave_no_leader(self):
        data = bj.read(CASES / "anti2.csv")
        for model in (bj.models.sensitivity, SIGNED):
            fit = bj.mode(model, data)
            assert {rival.leader for rival in fit.rivals} | {fit.leader} == {"x", "y"}
            table = bj.rank_table(fit)
            assert table["mark"].str.contains("two maxima").all()
            assert table["p_best"].isna().all()


def test_the_answer_does_not_depend_on_the_reference_judge():
    data = bj.read(CASES / "runaway.csv.gz")
    first, last = (
        bj.design(data, reference_judge=judge) for judge in data.judges[:: data.n_judges - 1]
    )
    fits = [scores(bj.mode(SIGNED, one)).to_numpy() for one in (first, last)]
    assert fits[0] == pytest.approx(fits[1], rel=1e-6)
    table = bj.rank_table(bj.mode(bj.models.sensitivity, first))
    assert table["mark"].str.contains("prior").all()


def test_davidson_ties_estimate_the_same_without_ties(panel):
    half = bj.mode(SIGNED, panel)
    davidson = bj.mode(bj.models.signed_sensitivity_davidson, panel)
    assert set(davidson.unbounded) == {"tie"}  # the panel has no ties
    assert scores(davidson).to_numpy() == pytest.approx(scores(half).to_numpy(), abs=5e-3)
