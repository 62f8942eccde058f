"""What the diagnosis says of judges that contradict each other, are rare, or tie often."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.diagnosis.copies import agreement_table, opposed_judges
from bayesjudge.diagnosis.judge_findings import share_above

CONTRARY = {"left": "right", "right": "left", "tie": "tie"}


def judged(*verdicts):
    """One judge for each list of verdicts, all on the same cells."""
    n = len(verdicts[0])
    return bj.read(
        {
            "left": ["a", "b"] * (n // 2) * len(verdicts),
            "right": ["b", "c"] * (n // 2) * len(verdicts),
            "winner": [word for words in verdicts for word in words],
            "judge": [f"j{k}" for k in range(len(verdicts)) for _ in range(n)],
            "question_id": [f"q{i}" for i in range(n)] * len(verdicts),
        }
    )


def opposed(data):
    return opposed_judges(agreement_table(data))


def finding(data, topic):
    (found,) = bj.diagnose(data).on(topic)
    return found


def test_judges_that_disagree_on_everything_are_named():
    one = ["left", "right", "right", "left"] * 10
    data = judged(one, [CONTRARY[word] for word in one])
    (pair,) = opposed(data)
    assert (pair.one, pair.other, pair.share, pair.cells) == ("j0", "j1", 1.0, 40)
    found = finding(data, "opposed judges")
    assert found.level == "warning"
    assert "j0 and j1 disagree on 100.0% of the cells they share" in found.sentence
    assert "rests on the prior or on the other judges" in found.sentence


def test_the_threshold_of_opposition_is_95_percent_of_twenty_decisive_cells():
    one = ["left"] * 20
    assert len(opposed(judged(one, ["right"] * 19 + ["left"]))) == 1
    assert opposed(judged(one, ["right"] * 18 + ["left"] * 2)) == ()
    assert opposed(judged(one, ["right"] * 19 + ["tie"])) == ()
    assert opposed(judged(["left"] * 18, ["right"] * 18)) == ()


def test_ties_do_not_count_for_or_against_opposition():
    one = ["left"] * 20 + ["tie"] * 20
    (pair,) = opposed(judged(one, ["right"] * 20 + ["left"] * 20))
    assert (pair.share, pair.cells) == (1.0, 20)


def test_pairs_agree_with_a_count_by_hand():
    rng = np.random.default_rng(0)
    base = rng.choice(["left", "right"], 60)
    flip = np.array([CONTRARY[word] for word in base])
    judges = [
        np.where(rng.random(60) < p, flip, base).tolist() for p in (0, 0.02, 0.5, 0.95, 0.99, 1)
    ]
    data = judged(*judges)
    expected = {
        (f"j{i}", f"j{k}")
        for i in range(6)
        for k in range(i + 1, 6)
        if np.mean(np.array(judges[i]) != np.array(judges[k])) >= 0.95
    }
    assert {(pair.one, pair.other) for pair in opposed(data)} == expected
    assert len(expected) > 2


def test_judges_on_other_cells_are_not_opposed():
    alone = bj.read({"left": ["a"], "right": ["b"], "winner": ["tie"]})
    assert finding(alone, "opposed judges").level == "fine"


@pytest.mark.parametrize(("idle", "level"), [(1, "note"), (2, "note"), (3, "warning")])
def test_few_verdicts_of_most_judges_are_a_warning(idle, level):
    judges = [f"busy{i}" for i in range(2) for _ in range(10)] + [f"idle{i}" for i in range(idle)]
    n = len(judges)
    data = bj.read({"left": ["a"] * n, "right": ["b"] * n, "winner": ["left"] * n, "judge": judges})
    assert finding(data, "few verdicts").level == level


def test_a_share_above_a_threshold_never_reads_like_the_threshold():
    ties = judged(["tie"] * 304 + ["left"] * 696)
    assert "More than 30% of the verdicts are ties for j0 (30.4%)" in finding(ties, "ties").sentence
    assert share_above(0.30 + 1e-9, 0.30) == "just above 30%"


def test_advice_on_ties_names_the_davidson_programs():
    found = finding(judged(["tie"] * 20), "ties")
    assert "a program with Davidson ties (its _davidson sibling)" in found.sentence


def test_one_row_repeats_and_two_rows_repeat():
    def repeated(times):
        rows = 3 + times
        return bj.read(
            {
                "left": ["a", "b", "c"] + ["a"] * times,
                "right": ["b", "c", "a"] + ["b"] * times,
                "winner": ["left"] * rows,
                "question_id": ["q", "q", "r"] + ["q"] * times,
            }
        )

    assert "1 verdict of 4 repeats an earlier" in finding(repeated(1), "repeated rows").sentence
    assert "2 verdicts of 5 repeat an earlier" in finding(repeated(2), "repeated rows").sentence
