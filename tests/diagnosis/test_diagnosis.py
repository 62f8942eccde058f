"""What the diagnosis says of small designs, each checked by an independent computation."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

import bayesjudge as bj
from bayesjudge.data.graph import (
    cut_items,
    display_rank,
    item_components,
    judges_without_finite_estimate,
    unbounded_items,
)
from bayesjudge.diagnosis.copies import agreement_table, near_copies
from bayesjudge.diagnosis.position_findings import explained_position_share, variance_inflation


def table(pairs, winners=None, **more):
    first, second = zip(*pairs, strict=True)
    winners = winners or ["left", "right"] * len(pairs)
    return bj.read(
        {"left": list(first), "right": list(second), "winner": winners[: len(pairs)], **more}
    )


def finding(data, topic):
    (found,) = bj.diagnose(data).on(topic)
    return found


def contrasts(data):
    rows = np.arange(data.n_rows)
    matrix = np.zeros((data.n_rows, data.n_items))
    matrix[rows, data.first] += 1
    matrix[rows, data.second] -= 1
    return matrix


verdict_rows = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.integers(1, 4),
        st.sampled_from(["left", "right", "tie"]),
        st.sampled_from("jk"),
        st.booleans(),
    ),
    min_size=1,
    max_size=15,
)


def drawn(rows):
    return bj.read(
        {
            "left": [f"i{first}" for first, *_ in rows],
            "right": [f"i{(first + step) % 5}" for first, step, *_ in rows],
            "winner": [winner for _, _, winner, _, _ in rows],
            "judge": [judge for *_, judge, _ in rows],
            "order_known": [known for *_, known in rows],
        }
    )


@given(verdict_rows)
@settings(max_examples=60, deadline=None)
def test_components_agree_with_the_rank_of_the_contrasts(rows):
    data = drawn(rows)
    n_components = item_components(data).max() + 1
    assert np.linalg.matrix_rank(contrasts(data)) == data.n_items - n_components


@given(verdict_rows)
@settings(max_examples=60, deadline=None)
def test_ranks_with_a_position_column_agree_with_linear_algebra(rows):
    data = drawn(rows)
    rank, free = display_rank(data)
    for judge in range(data.n_judges):
        mine = data.judge == judge
        columns = contrasts(data)[mine]
        with_position = np.column_stack([columns, data.order_known[mine]])
        assert rank[judge] == np.linalg.matrix_rank(with_position)
        assert free[judge] == (rank[judge] > np.linalg.matrix_rank(columns))


@given(verdict_rows)
@settings(max_examples=60, deadline=None)
def test_unbounded_items_agree_with_a_linear_programme(rows):
    """The likelihood is bounded if and only if no direction of scores is never punished."""
    data = drawn(rows)
    assert bool(unbounded_items(data)) == separable(data)
    alone = judges_without_finite_estimate(data)
    for judge in range(data.n_judges):
        assert alone[judge] == separable(data.select(data.judge == judge))


def separable(data):
    signed = contrasts(data) * (1 - data.verdict)[:, None]
    ties = data.verdict == 1
    result = linprog(
        -signed.sum(axis=0),
        A_ub=-signed,
        b_ub=np.zeros(data.n_rows),
        A_eq=contrasts(data)[ties] if ties.any() else None,
        b_eq=np.zeros(ties.sum()) if ties.any() else None,
        bounds=(-1, 1),
    )
    return result.fun < -1e-9


@given(verdict_rows)
@settings(max_examples=60, deadline=None)
def test_the_explained_share_is_the_r_squared_of_a_regression(rows):
    data = drawn(rows)
    columns, ones = contrasts(data), np.ones(data.n_rows)
    residual = ones - columns @ np.linalg.lstsq(columns, ones, rcond=None)[0]
    share = explained_position_share(data.first, data.second, ones)
    assert share == pytest.approx(1 - residual @ residual / data.n_rows, abs=1e-9)


def test_an_unbounded_pair_and_an_unbounded_tournament():
    assert unbounded_items(table([("a", "b")] * 7, ["left"] * 7)) == ("a", "b")
    ranked = table([("a", "b"), ("b", "c"), ("a", "c")], ["left"] * 3)
    assert unbounded_items(ranked) == ("a", "b", "c")
    assert unbounded_items(table([("a", "b")] * 2, ["left", "tie"])) == ()


def test_a_star_goes_through_its_centre():
    star = table([("hub", "a"), ("b", "hub"), ("hub", "c")] * 2)
    assert "All contrasts go through hub" in finding(star, "links").sentence
    assert finding(star, "links").level == "warning"


def test_a_bridge_is_named():
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "c")]
    data = table(pairs)
    assert [data.items[i] for i in cut_items(data)] == ["c"]
    assert "only through c" in finding(data, "links").sentence
    assert finding(table(pairs[:3]), "links").level == "fine"
    assert finding(table(pairs[:1]), "links").level == "fine"


def test_alphabetical_chains_do_not_identify_position_but_cycles_do():
    chain = table([("a", "b"), ("b", "c")] * 6)
    assert finding(chain, "position").details["judges_not_identified"] == ["judge"]
    assert "cannot be distinguished from" in finding(chain, "position inflation").sentence
    triangle = table([("a", "b"), ("b", "c"), ("a", "c")] * 6)
    assert finding(triangle, "position").level == "fine"
    assert "one order only" in finding(triangle, "both orders").sentence
    swapped = table([("a", "b"), ("b", "a")] * 6)
    assert finding(swapped, "position").level == "fine"
    assert finding(swapped, "position inflation").details["share_pooled"] == 0


def test_a_round_robin_of_six_in_alphabetical_order_inflates_the_variance_4_5_times():
    first, second = np.triu_indices(6, 1)
    share = explained_position_share(first, second, np.ones(15))
    assert share == pytest.approx(7 / 9)
    assert variance_inflation(share) == pytest.approx(4.5)


def test_unknown_order_leaves_only_one_thing_to_say():
    data = bj.read({"left": ["a"], "right": ["b"], "winner": ["left"]}, order_known=False)
    assert finding(data, "order").level == "warning"
    assert bj.diagnose(data).on("position") == ()


def test_both_orders_are_counted_by_cell():
    data = table([("a", "b"), ("b", "a"), ("a", "b"), ("b", "c")], question_id=["p", "p", "q", "q"])
    assert finding(data, "both orders").details["share"] == pytest.approx(1 / 3)


def test_a_judge_that_picks_one_slot():
    data = table([("a", "b"), ("b", "a")] * 10, ["left"] * 19 + ["right"])
    assert "judge picks the first slot in 95.0%" in finding(data, "one slot").sentence
    fair = table([("a", "b"), ("b", "a")] * 10, ["left"] * 18 + ["right"] * 2)
    assert finding(fair, "one slot").level == "fine"


def test_items_shown_in_one_slot_only():
    data = table([("new", "a"), ("new", "b"), ("a", "b"), ("b", "a")])
    assert finding(data, "item slots").details["first"] == ["new"]


def test_ties_of_a_judge():
    ties = ["tie"] * 4 + ["left"] * 6
    assert "judge (40%)" in finding(table([("a", "b")] * 10, ties), "ties").sentence
    few = ["tie"] * 3 + ["left"] * 7
    assert finding(table([("a", "b")] * 10, few), "ties").level == "fine"


def test_judges_with_few_verdicts():
    data = table([("a", "b")] * 12, judge=["busy"] * 10 + ["idle"] * 2)
    assert finding(data, "few verdicts").details["few"] == {"idle": 2}


def test_one_judge_has_its_sensitivity_fixed():
    assert "sensitivity is fixed at one" in finding(table([("a", "b")]), "judges").sentence


def test_clusters():
    single = table([("a", "b")] * 4, question_id=["p"] * 4)
    assert finding(single, "clusters").level == "problem"
    assert "undefined" in finding(single, "clusters").sentence
    few = table([("a", "b"), ("b", "c")], question_id=["p", "q"])
    assert finding(few, "clusters").level == "warning"
    assert finding(few, "clusters").details == {"clusters": 2, "parameters": 3}


def test_shared_prompts():
    data = table([("a", "b")] * 4, judge=["j", "k", "j", "l"], question_id=["p", "p", "q", "r"])
    found = finding(data, "shared prompts")
    assert found.details["share_by_judge"] == {"j": 0.5, "k": 1.0, "l": 0.0}
    assert "none of the prompts of l" in found.sentence


def copies(share):
    """Two judges on sixty cells who differ on the last ones."""
    prompts = [f"p{i}" for i in range(60)]
    one = ["left", "right", "tie"] * 20
    differ = round(60 * (1 - share))
    other = one[: 60 - differ] + [{"left": "right"}.get(w, "left") for w in one[60 - differ :]]
    return table(
        [("a", "b")] * 120,
        one + other,
        judge=["j"] * 60 + ["k"] * 60,
        question_id=prompts * 2,
    )


def test_near_copies():
    (group,) = near_copies(agreement_table(copies(0.95)))
    assert group.judges == ("j", "k")
    assert group.lowest == group.highest == pytest.approx(0.95)
    assert near_copies(agreement_table(copies(0.9))) == ()
    assert "j and k agree on 95.0%" in finding(copies(0.95), "near-copies").sentence


def test_lengths():
    assert bj.diagnose(table([("a", "b")])).on("lengths") == ()
    same = table([("a", "b")] * 2, len_a=[0, 5], len_b=[0, 5])
    assert finding(same, "lengths").level == "warning"


def test_several_sets_are_looked_at_together(base):
    llm = bj.read(base)
    human = bj.read(
        {"left": ["a", "d"], "right": ["d", "e"], "winner": ["left", "tie"], "qid": ["q0", "z"]},
        kind="human",
    )
    diagnosis = bj.diagnose(llm, human)
    assert diagnosis.about() == ("frame 1", "frame 2", "all data together")
    joint = {one.topic: one for one in diagnosis.findings if one.about == "all data together"}
    assert joint["shared items"].details["lacking"] == {
        "frame 1": ["d", "e"],
        "frame 2": ["b", "c"],
    }
    assert joint["components"].level == "fine"
    assert joint["shared cells"].level == "note"
    with pytest.raises(bj.errors.EmptyComparisonsError):
        bj.diagnose()


def test_a_diagnosis_can_be_shown_in_every_form(base):
    diagnosis = bj.diagnose(bj.read(base.assign(judge="<b>")))
    levels = [line.split()[0] for line in str(diagnosis).splitlines()[1:]]
    assert levels == sorted(levels, key=["problem", "warning", "note", "fine"].index)
    assert "&lt;b&gt;" in diagnosis._repr_html_()
    assert all(len(repr(one)) < 200 for one in (diagnosis, *diagnosis.findings))
    assert all(one._repr_html_().startswith("<table>") for one in diagnosis.findings)
    frame = diagnosis.to_frame()
    assert list(frame.columns) == ["about", "level", "topic", "sentence"]
    assert len(frame) == len(diagnosis.findings)
    assert json.loads(json.dumps(diagnosis.to_dict()))["findings"][0]["topic"] == "components"
    assert all(one.sentence.endswith(".") for one in diagnosis.findings)


def test_the_order_of_rows_does_not_change_a_sentence(base):
    shuffled = base.sample(frac=1, random_state=3)
    told = [bj.diagnose(bj.read(pd.DataFrame(frame))).to_frame() for frame in (base, shuffled)]
    assert told[0].equals(told[1])
