"""Verdicts that are copies of each other: repeats, choices, rankings and mirrored orders."""

from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from scipy.special import expit

import bayesjudge as bj
from bayesjudge.diagnosis.prompt_findings import repeats

CASES = Path(__file__).parent / "cases"
COPIES = ("repeated rows", "choices as pairs", "rankings as pairs", "mirrored orders")
HOLDS = (
    "Standard errors clustered by prompt remain valid; posterior and model-based intervals count "
    "such verdicts as independent and are too narrow."
)


def finding(data, topic):
    (found,) = bj.diagnose(data).on(topic)
    return found


def copied(data):
    """Topics that find copies."""
    return [topic for topic in COPIES if finding(data, topic).level != "fine"]


def table(rows):
    names = ("question_id", "judge", "model_a", "model_b", "winner")
    return bj.read(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def written(question, judge, better, worse, rng):
    """One outcome as a row, the slots drawn at random."""
    if rng.random() < 0.5:
        return question, judge, better, worse, "model_a"
    return question, judge, worse, better, "model_b"


def score_of(name):
    return ord(name) - ord("a")


def ranked(names, rng):
    """Items from best to worst by noisy scores."""
    return sorted(names, key=lambda name: 0.3 * score_of(name) + rng.gumbel(), reverse=True)


def independent(prompts, names, rng, judges=("j",), sensitivity=0.5, orders=2):
    """Every pair of every prompt decided by itself, in one order or both."""
    return [
        (
            f"p{prompt}",
            judge,
            *shown,
            "model_a"
            if rng.random() < expit(sensitivity * (score_of(shown[0]) - score_of(shown[1])) + 0.3)
            else "model_b",
        )
        for prompt in range(prompts)
        for judge in judges
        for pair in combinations(names, 2)
        for shown in (pair, pair[::-1])[:orders]
    ]


def test_repeats_are_counted_with_their_agreement():
    found = finding(bj.read(CASES / "repeats.csv"), "repeated rows")
    assert found.level == "warning"
    assert found.details["rows"] == 120
    assert found.details["agreement"] == 1
    assert found.details["expected"] == pytest.approx(0.52, abs=0.01)
    assert found.sentence.startswith(
        "120 verdicts of 180 repeat an earlier one of the same judge on the same prompt, pair and "
        "order: 100.0% of the pairs of such verdicts agree, and 52.2% would if they were "
        "independent."
    )
    assert HOLDS in found.sentence
    assert "in everything" not in found.sentence


def test_repeats_without_a_column_are_counted_alike_and_equal_rows_are_shown():
    frame = pd.read_csv(CASES / "repeats.csv").drop(columns="repeat")
    found = finding(bj.read(frame), "repeated rows")
    assert found.details["rows"] == found.details["identical"] == 120
    assert "120 rows equal an earlier row in everything: 'Row 1: x, shown first, beat y" in (
        found.sentence
    )


def test_repeats_that_agree_no_more_than_other_verdicts_are_a_note():
    rng = np.random.default_rng(0)
    rows = [row for row in independent(60, "abc", rng) for _ in range(2)]
    rows = [(*row[:4], rng.choice(["model_a", "model_b"])) for row in rows]
    names = ("question_id", "judge", "model_a", "model_b", "winner")
    frame = pd.DataFrame(rows, columns=names).assign(repeat=np.tile([1, 2], len(rows) // 2))
    found = finding(bj.read(frame), "repeated rows")
    assert found.level == "note"
    assert found.details["rows"] == 360
    assert HOLDS not in found.sentence


def test_in_an_unknown_order_both_displays_of_a_pair_are_repeats():
    rows = independent(30, "abc", np.random.default_rng(1))
    assert finding(table(rows), "repeated rows").level == "fine"
    names = ("question_id", "judge", "model_a", "model_b", "winner")
    frame = pd.DataFrame(rows, columns=names)
    assert repeats(bj.read(frame, order_known=False)).rows == 90


repeated = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from("jk"),
        st.sampled_from(["ab", "ba", "bc"]),
        st.sampled_from(["model_a", "model_b", "tie"]),
        st.integers(1, 2),
    ),
    min_size=1,
    max_size=20,
)


@given(repeated)
@settings(max_examples=80, deadline=None)
def test_repeats_agree_with_a_count_by_hand(rows):
    data = table([(f"p{q}", judge, pair[0], pair[1], won) for q, judge, pair, won, _ in rows])
    same = [
        (one[3] == other[3], one[:3] == other[:3], one[1:3])
        for one, other in combinations(rows, 2)
        if one[1:3] == other[1:3]
    ]
    found = repeats(data)
    near = [agree for agree, alike, _ in same if alike]
    assert found.rows == len(rows) - len({row[:3] for row in rows})
    assert found.identical == len(rows) - len({row[:4] for row in rows})
    if not near:
        assert np.isnan(found.agreement)
        return
    assert found.agreement == pytest.approx(np.mean(near))
    far, weight = defaultdict(list), defaultdict(int)
    for agree, alike, cell in same:
        if alike:
            weight[cell] += 1
        else:
            far[cell].append(agree)
    known = [cell for cell in weight if far[cell]]
    if known:
        means, weights = [np.mean(far[c]) for c in known], [weight[c] for c in known]
        assert found.expected == pytest.approx(np.average(means, weights=weights))
    else:
        assert np.isnan(found.expected)


def test_made_up_prompts_hide_copies_and_the_diagnosis_says_so():
    frame = pd.read_csv(CASES / "04_best_of_four_expanded.csv").drop(columns="question_id")
    data = bj.read(frame)
    assert copied(data) == ["repeated rows"]
    found = finding(data, "repeated rows")
    assert found.level == "note"
    assert "so repeated rows and other copies cannot be distinguished" in found.sentence


def test_the_best_of_four_written_as_pairs_is_recognised():
    found = finding(bj.read(CASES / "04_best_of_four_expanded.csv"), "choices as pairs")
    assert found.level == "warning"
    assert found.sentence.startswith(
        "In 40 sets of verdicts of j on one prompt (120 verdicts) one item beats all others shown "
        "(100.0%, and 23.9% for independent verdicts), as where a choice of the best of several is "
        "written as pairs."
    )
    assert found.sentence.endswith(HOLDS)


@pytest.mark.parametrize("which", ["best", "worst"])
@pytest.mark.parametrize(("shown", "prompts"), [(3, 40), (4, 30), (6, 20)])
@pytest.mark.parametrize("users", [1, 60])
def test_choices_of_any_size_are_recognised(which, shown, prompts, users):
    rng = np.random.default_rng(shown)
    rows = []
    for prompt in range(prompts):
        order = ranked(rng.permutation(list("abcdef"))[:shown], rng)
        centre, rest = (order[0], order[1:]) if which == "best" else (order[-1], order[:-1])
        for item in rest:
            outcome = (centre, item) if which == "best" else (item, centre)
            rows.append(written(f"p{prompt}", f"u{prompt % users}", *outcome, rng))
    data = table(rows)
    assert copied(data) == ["choices as pairs"]
    details = finding(data, "choices as pairs").details
    assert list(details) == [which]
    assert details[which]["sets"] == prompts
    assert details[which]["expected"] < 0.75


def test_one_judge_that_chooses_among_others_that_compare_is_named_alone():
    rng = np.random.default_rng(2)
    rows = independent(60, "abc", rng, ("k", "l"), orders=1)
    for prompt in range(60):
        best, *rest = ranked("abcd", rng)
        rows += [written(f"p{prompt}", "chooser", best, item, rng) for item in rest]
    data = table(rows)
    assert copied(data) == ["choices as pairs"]
    assert finding(data, "choices as pairs").details["best"]["judges"] == ("chooser",)


def test_verdicts_against_one_baseline_are_no_choice():
    """A star on every prompt whose centre is always the same item."""
    rng = np.random.default_rng(3)
    rows = [
        row for row in independent(100, "abcd", rng, sensitivity=3.0, orders=1) if "a" in row[2:4]
    ]
    assert copied(table(rows)) == []


@pytest.mark.parametrize(("shown", "prompts"), [(3, 120), (4, 60), (6, 25)])
@pytest.mark.parametrize("both", [False, True])
def test_rankings_of_any_size_written_as_pairs_are_recognised(shown, prompts, both):
    rng = np.random.default_rng(shown)
    rows = []
    for prompt in range(prompts):
        order = ranked(rng.permutation(list("abcdef"))[:shown], rng)
        for better, worse in combinations(order, 2):
            rows.append((f"p{prompt}", "j", better, worse, "model_a"))
            if both:
                rows.append((f"p{prompt}", "j", worse, better, "model_b"))
            elif rng.random() < 0.5:
                rows[-1] = (f"p{prompt}", "j", worse, better, "model_b")
    data = table(rows)
    assert copied(data) == ["rankings as pairs"] + ["mirrored orders"] * both
    found = finding(data, "rankings as pairs")
    assert found.details["sets"] == prompts
    assert found.details["share"] == 1
    assert found.details["expected"] < 0.9
    assert "the verdicts form no cycle (100.0%, and" in found.sentence
    assert found.sentence.endswith(HOLDS)


def test_scores_of_single_answers_with_ties_are_a_ranking():
    rng = np.random.default_rng(4)
    rows = []
    for prompt in range(60):
        stars = {name: rng.integers(1, 6) for name in "abcde"}
        for one, other in combinations("abcde", 2):
            gap = np.sign(stars[one] - stars[other])
            rows.append((f"p{prompt}", "j", one, other, ["model_b", "tie", "model_a"][gap + 1]))
    assert copied(table(rows)) == ["rankings as pairs"]


def test_the_best_and_the_worst_of_five_are_a_ranking():
    rng = np.random.default_rng(5)
    rows = []
    for prompt in range(80):
        best, *rest, worst = ranked("abcde", rng)
        rows += [written(f"p{prompt}", "j", best, item, rng) for item in (*rest, worst)]
        rows += [written(f"p{prompt}", "j", item, worst, rng) for item in rest]
    assert copied(table(rows)) == ["rankings as pairs"]


def test_a_judge_that_scores_answers_alone_is_recognised_by_its_two_orders():
    found = finding(bj.read(CASES / "reward_model.csv.gz"), "mirrored orders")
    assert found.level == "warning"
    assert found.details["sets"] == 350
    assert found.details["verdicts"] == 700
    assert found.details["share"] == 1
    assert found.sentence.startswith(
        "internlm_internlm2-20b-reward prefers the same item in both orders on 100.0% of 350 cells "
        "(judge, prompt, pair), and would on 53.6% if the orders were independent"
    )
    assert "its position effect is zero by construction, and both orders are one verdict" in (
        found.sentence
    )
    assert found.sentence.endswith(HOLDS)


@pytest.mark.parametrize(("kept", "named"), [(1.0, True), (0.995, True), (0.95, False)])
def test_nearly_all_cells_must_agree_in_both_orders(kept, named):
    rng = np.random.default_rng(6)
    rows = independent(200, "ab", rng, ("k",))
    for prompt in range(200):
        better, worse = rng.permutation(["a", "b"])
        again = better if prompt >= round(200 * (1 - kept)) else worse
        rows.append((f"p{prompt}", "scorer", better, worse, "model_a"))
        other = "model_b" if again == better else "model_a"
        rows.append((f"p{prompt}", "scorer", worse, better, other))
    found = finding(table(rows), "mirrored orders")
    assert (found.level == "warning") == named
    if named:
        assert found.details["judges"] == ("scorer",)


def test_an_accurate_scorer_is_recognised_among_judges_with_positions():
    """One hundred cells, 95 of them won by the same item."""
    rows = independent(100, "ab", np.random.default_rng(9), ("k", "l"))
    for prompt in range(100):
        better, worse = "ab" if prompt % 20 else "ba"
        rows.append((f"p{prompt}", "scorer", better, worse, "model_a"))
        rows.append((f"p{prompt}", "scorer", worse, better, "model_b"))
    found = finding(table(rows), "mirrored orders")
    assert found.details["judges"] == ("scorer",)
    assert found.details["expected"] == pytest.approx(0.905, abs=0.03)


def test_both_orders_of_items_far_apart_say_nothing_about_how_they_were_judged():
    rng = np.random.default_rng(7)
    assert copied(table(independent(60, "abc", rng, sensitivity=20.0))) == []


def test_independent_verdicts_on_all_pairs_of_a_prompt_are_no_copies():
    """Sixty tables, with items near each other or apart, in one order or both."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        for sensitivity, orders in ((0.0, 2), (0.5, 1), (1.5, 2)):
            rows = independent(40, "abcd", rng, ("j", "k"), sensitivity, orders)
            assert copied(table(rows)) == []


def test_verdicts_correlated_within_prompts_are_no_copies():
    """Items have qualities of their own on each prompt, as answers do; all judges see these."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows = []
        for prompt in range(60):
            quality = {name: 0.5 * score_of(name) + rng.normal(0, 1.5) for name in "abcd"}
            for judge in "jk":
                for shown in (s for pair in combinations("abcd", 2) for s in (pair, pair[::-1])):
                    won = rng.random() < expit(quality[shown[0]] - quality[shown[1]])
                    rows.append((f"p{prompt}", judge, *shown, "model_a" if won else "model_b"))
        assert copied(table(rows)) == []


def test_turns_are_questions_of_their_own():
    rng = np.random.default_rng(8)
    rows = []
    for prompt in range(60):
        best, *rest = ranked("abcd", rng)
        rows += [written(f"p{prompt // 2}", "j", best, item, rng) for item in rest]
    names = ("question_id", "judge", "model_a", "model_b", "winner")
    frame = pd.DataFrame(rows, columns=names).assign(turn=np.arange(180) // 3 % 2)
    data = bj.read(frame)
    assert finding(data, "repeated rows").level == "fine"
    assert finding(data, "choices as pairs").details["best"]["sets"] == 60
