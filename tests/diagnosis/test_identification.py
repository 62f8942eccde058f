"""What verdicts and votes identify: ranks by brute force, graphs and words by hand-worked cases."""

from dataclasses import replace

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.diagnosis.calibration_numbers import identification, is_separated

ROUND = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c"), ("b", "d")]
LADDER = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]  # one display order only
VOTES = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]


def verdicts(pairs_of_judge, *, human=False):
    rows = [(j, x, y) for j, pairs in pairs_of_judge.items() for x, y in pairs]
    table = {
        "judge": [each[0] for each in rows],
        "left": [each[1] for each in rows],
        "right": [each[2] for each in rows],
        "winner": ["left"] * len(rows),
    }
    data = bj.read(table)
    if not human:
        return data
    return replace(data, human=np.ones(data.n_judges, dtype=bool))


def both(pairs):
    return [*pairs, *[(y, x) for x, y in pairs]]


def columns(data, judge, n_items):
    """[D_k, z_k] by its definition: a row a display."""
    seen = data.judge == judge
    eye = np.eye(n_items)
    contrast = eye[data.first[seen]] - eye[data.second[seen]]
    return contrast, np.ones((seen.sum(), 1))


def test_ranks_are_those_of_the_matrices():
    data = verdicts({"one": both(ROUND), "two": LADDER[:3], "three": ROUND})
    space = np.random.default_rng(3).normal(size=(4, 2))
    space -= space.mean(axis=0)
    found = identification(data, verdicts({"p": VOTES}, human=True), space=space).judges
    for k in range(3):
        contrast, position = columns(data, k, 4)
        assert found.own_rank[k] == np.linalg.matrix_rank(np.hstack([contrast, position]))
        inside = np.hstack([contrast @ space, position])
        assert found.space_rank[k] == np.linalg.matrix_rank(inside)
        assert found.connected[k] == (np.linalg.matrix_rank(contrast) == 3)


def test_a_judge_of_few_pairs_is_identified_through_the_space():
    chain = [("a", "b"), ("b", "c"), ("a", "c")]  # a cycle with signed order sum one, d unseen
    data = verdicts({"full": both(ROUND), "full too": both(ROUND), "few": chain})
    found = identification(data, verdicts({"p": VOTES}, human=True), rank=1).judges
    named = dict(zip(found.judges, zip(found.alone, found.through_space, strict=True), strict=True))
    assert named == {"full": (True, False), "full too": (True, False), "few": (False, True)}


def test_no_space_without_enough_judges_identified_alone():
    chain = [("a", "b"), ("b", "c"), ("a", "c")]
    data = verdicts({"full": both(ROUND), "few": chain, "few too": chain})
    humans = verdicts({"p": VOTES}, human=True)
    assert not identification(data, humans, rank=1).judges.through_space.any()
    found = bj.calibration.identify(data, humans).on("judges")[0]
    assert found.level == "problem"
    assert found.details["not_identified"] == ["few", "few too"]


def test_a_judge_of_one_display_order_has_no_cycle():
    data = verdicts({"full": both(ROUND), "star": LADDER[:3]})
    found = identification(data, verdicts({"p": VOTES}, human=True), rank=0).judges
    star = found.judges.index("star")
    assert found.connected[star]
    assert not found.cycle[star]
    assert not found.alone[star]


def test_items_on_structure_alone_are_named():
    data = verdicts({"one": both(ROUND), "two": both(ROUND)})
    found = bj.calibration.identify(
        data, verdicts({"p": [("a", "b"), ("b", "c"), ("c", "a")]}, human=True)
    )
    coverage = found.on("coverage")[0]
    assert coverage.details["on_structure_alone"] == ["d"]
    assert coverage.sentence.startswith("Nobody voted on d: its human score rests")
    assert found.on("votes alone")[0].level == "note"


def test_a_cycle_of_wins_makes_votes_alone_finite():
    data = verdicts({"one": both(ROUND), "two": both(ROUND)})
    ring = identification(data, verdicts({"p": VOTES}, human=True), rank=1).humans
    line = identification(data, verdicts({"p": VOTES[:3]}, human=True), rank=1).humans
    assert ring.strongly_connected
    assert not line.strongly_connected
    assert line.n_components == 1


@pytest.mark.parametrize("seed", range(5))
def test_separation_along_a_line_means_that_all_votes_agree(seed):
    margins = np.random.default_rng(seed).normal(size=(4, 1))
    agree = bool((margins >= 0).all() or (margins <= 0).all())
    assert is_separated(margins) == agree
    assert is_separated(np.abs(margins))
    assert not is_separated(np.vstack([margins, -margins]))


def test_exchanged_tables_are_refused():
    data = verdicts({"one": both(ROUND)})
    with pytest.raises(bj.errors.JudgeKindError, match="give the judges first"):
        bj.calibration.identify(verdicts({"p": VOTES}, human=True), data)
