"""What the likelihood bounds: linear separation by hand, and against vanishing ridges."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

import bayesjudge as bj
from bayesjudge.core.separation import row_space, separated, unit_columns

COLUMNS = ("item_first", "item_second", "verdict", "judge")
NONE = sparse.csr_array((0, 2))


def rows(*values):
    return sparse.csr_array(np.array(values, dtype=float))


class TestSeparatedByHand:
    def test_two_verdicts_one_way_are_separated(self):
        assert separated(rows([1, -1], [1, -1]), NONE).all()

    def test_one_verdict_the_other_way_holds_both(self):
        assert not separated(rows([1, -1], [-1, 1]), NONE).any()

    def test_a_tie_holds_what_it_compares(self):
        assert not separated(rows([1, -1]), rows([1, -1])).any()

    def test_only_what_rises_without_lowering_others_is_marked(self):
        # first column always up; the second is held by opposite verdicts
        rising = rows([1, 0], [1, 1], [0, 1], [0, -1])
        assert separated(rising, NONE).tolist() == [True, True, False, False]

    def test_units_do_not_matter(self):
        rising = rows([1e-7, 0], [0, 1e5], [0, -1e5])
        assert separated(rising, NONE).tolist() == [True, False, False]

    def test_a_large_table_is_decided_by_a_part_or_by_all_of_it(self):
        rng = np.random.default_rng(1)
        up = rng.normal(size=(12_000, 2))
        up[:, 0] = np.abs(up[:, 0])  # the first column rises in every row
        assert separated(sparse.csr_array(up), NONE).all()
        up[7, :] = [-50.0, 0.0]  # one row, in no part of every third, against it
        assert not separated(sparse.csr_array(up), NONE).any()


def test_a_row_space_determines_sums_of_rows_and_nothing_else():
    held = rows([1, -1, 0], [0, 1, -1])
    space = row_space(held, unit_columns(held))
    functions = np.array([[1.0, 0, -1], [1, 0, 0], [2, -1, -1]])
    assert space.determines(functions).tolist() == [True, False, True]
    assert space.apart(np.eye(3)).any() == False  # noqa: E712 (an array)


def fitted(model, rows):
    table = bj.read([dict(zip(COLUMNS, row, strict=True)) for row in rows])
    return bj.mode(model, table)


FIRST_ALWAYS = [(a, b, "first", j) for a, b in ("ab", "ba", "bc", "cb", "ac") for j in ("j", "k")]


class TestQuantitiesWithoutBound:
    def test_where_the_first_slot_always_wins_nothing_is_bounded(self):
        fit = fitted(bj.models.sensitivity, FIRST_ALWAYS)
        assert set(fit.unbounded) >= {"score", "position"}
        assert (fit.unbounded["score"], fit.unbounded["position"]) == ([0, 1, 2], [0, 1])

    def test_one_such_judge_leaves_the_others_scores_bounded(self):
        other = [
            (a, b, verdict, judge)
            for a, b in ("ab", "ba", "bc", "cb", "ac")
            for verdict in ("first", "second", "second")
            for judge in ("m", "n")
        ]
        rows = [row for row in FIRST_ALWAYS if row[3] == "j"] * 3 + other * 3
        fit = fitted(bj.models.signed_sensitivity, rows)
        assert "score" not in fit.unbounded
        judges = fit.designs[0].data.judges
        assert [judges[place] for place in fit.unbounded["position"]] == ["j"]

    def test_an_item_that_won_everything_is_unbounded_and_differences_of_others_are_not(self):
        rows = [("a", "x", "first", "j"), ("b", "x", "first", "j"), ("x", "a", "second", "j")]
        rows += [("x", "b", "second", "j")] + [("a", "b", v, "j") for v in ("first", "second")]
        fit = fitted(bj.models.bradley_terry, rows)
        pairs = fit.covariance("model").pair_shift("score")
        assert np.isinf(pairs.sel(item="x", item_="a"))
        assert np.isfinite(pairs.sel(item="a", item_="b"))

    def test_a_judge_without_ties_has_no_finite_tie_parameter(self):
        verdicts = ("first", "second", "tie", "first", "second")
        rows = [
            (a, b, v, j) for a, b in ("ab", "ba", "bc", "ca") for v in verdicts for j in ("j", "k")
        ]
        fit = fitted(bj.models.unit_sensitivity_davidson, rows)
        assert not fit.unbounded
        fit = fitted(
            bj.models.unit_sensitivity_davidson,
            [row for row in rows if row[2:] != ("tie", "k")],
        )
        assert fit.unbounded == {"tie": [1]}

    @pytest.mark.parametrize("seed", range(30))
    def test_a_difference_is_marked_where_some_direction_without_end_moves_it(self, seed):
        """By another definition: one linear program a difference and sign, over the directions."""
        rng = np.random.default_rng(seed)
        first = rng.integers(0, 4, 9)
        second = (first + rng.integers(1, 4, 9)) % 4
        verdict = rng.choice(["first", "second", "tie"], 9, p=[0.6, 0.3, 0.1])
        names = np.array(list("abcd"))
        fit = fitted(
            bj.models.unit_sensitivity,
            list(zip(names[first], names[second], verdict, ["j"] * 9, strict=True)),
        )
        marked = np.isinf(fit.covariance("model").pair_shift("score").values)
        assert np.array_equal(marked, moved_without_end(fit))


def moved_without_end(fit):
    counts = np.asarray(fit.designs[0].layout.counts).reshape(-1, 3)
    rows = fit.scores(fit.designs[0]).jacobian[:, 0, :]
    won, tied, lost = (counts > 0).T
    below = np.vstack([-rows[won & ~tied & ~lost], rows[lost & ~tied & ~won]])
    fixed = rows[tied | (won & lost)]
    score = fit.gradient("score")

    def farthest(function):
        zeros = np.zeros(len(below)), np.zeros(len(fixed))
        end = linprog(-function, below, zeros[0], fixed, zeros[1], (-1, 1), method="highs")
        return -end.fun

    moves = [[farthest(one - other) > 1e-6 for other in score] for one in score]
    return np.array(moves) | np.array(moves).T
