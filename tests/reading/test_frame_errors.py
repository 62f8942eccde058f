"""Refusals of spaces, ranks and families, and judges that teach a calibrated fit nothing."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.diagnosis.calibration_numbers import identification

LINE = helmert_basis(8)[:, :1]


@pytest.fixture(scope="module")
def votes():
    return bj.example_votes()


def on(judges, humans, topic):
    (found,) = bj.calibration.identify(judges, humans).on(topic)
    return found


def with_verdicts(data, judge, verdict):
    """Give one judge the same verdict throughout."""
    return replace(data, verdict=np.where(data.judge == judge, verdict, data.verdict))


# -- spaces -----------------------------------------------------------------------------------

SPACES = {
    "list": (LINE.tolist(), "type list"),
    "table": (pd.DataFrame(LINE), "type DataFrame"),
    "text": ("line", "type str"),
    "texts": (LINE.astype(str), "values of type <U"),
    "objects": (LINE.astype(object), "values of type object"),
    "complex": (LINE.astype(complex), "values of type complex"),
    "no column": (np.empty((8, 0)), r"shape \(8, 0\)"),
    "one dimension": (LINE[:, 0], r"shape \(8,\)"),
    "too few rows": (LINE[:3], r"shape \(3, 1\)"),
    "missing": (np.where(np.arange(8)[:, None] == 0, np.nan, LINE), "NaN or infinity"),
    "not centred": (LINE + 0.1, "does not sum to zero"),
    "one column not centred": (np.column_stack([LINE, LINE + 1]), "does not sum to zero"),
    "dependent": (np.column_stack([LINE, 2 * LINE]), "not independent"),
    "zero": (np.zeros((8, 1)), "not independent"),
}


@pytest.mark.parametrize(("basis", "words"), SPACES.values(), ids=SPACES)
def test_spaces_that_are_none_are_refused(votes, basis, words):
    with pytest.raises(errors.RankError, match=words):
        bj.mode(bj.models.within_space, votes, bj.calibration.Space(basis), prior=False)


@pytest.mark.parametrize("basis", [LINE, LINE.astype(np.float32), jnp.asarray(LINE), 1e9 * LINE])
def test_centred_columns_of_numbers_are_a_space(votes, basis):
    bj.calibration.Space(basis).demand_fit((bj.design(votes).layout,))


def test_a_space_lets_tracers_through():
    twice = jax.jit(lambda space: bj.calibration.Space(2 * space.basis))(bj.calibration.Space(LINE))
    np.testing.assert_allclose(twice.basis, 2 * LINE, rtol=1e-6)


def test_identification_reads_tables_but_no_ragged_rows(panel, votes):
    found = identification(panel, votes, space=pd.DataFrame(LINE))
    assert found.humans.spaces[0].dimension == 1
    with pytest.raises(errors.RankError, match="different lengths"):
        identification(panel, votes, space=[[1.0], [1.0, 2.0]])
    with pytest.raises(errors.RankError, match="sum to zero"):
        identification(panel, votes, space=LINE + 1)


# -- ranks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", [1, -1, "0"])
def test_one_judge_has_rank_zero_only(panel, rank):
    with pytest.raises(errors.RankError, match=r"one judge has nobody .* rank=0 is the only one"):
        bj.calibration.structure(panel.select(panel.judge == 0), rank=rank)


def test_two_items_have_rank_zero_only(panel):
    two = panel.select((panel.first < 2) & (panel.second < 2))
    with pytest.raises(errors.RankError, match="2 items leave no room for disagreement"):
        bj.calibration.structure(two, rank=1)
    assert bj.calibration.structure(two, rank=0).rank == 0


def test_a_fit_of_rank_zero_has_no_factors(panel):
    fit = bj.mode(bj.models.consensus, panel, bj.calibration.structure(panel, rank=0), prior=False)
    with pytest.raises(errors.RankError, match="do not disagree in any direction"):
        bj.calibration.factors(fit, 1)


# -- families ---------------------------------------------------------------------------------


def test_names_that_speak_of_no_family_are_refused(panel):
    with pytest.raises(errors.MissingFamilyError, match="no name of an item or judge"):
        bj.design(panel, terms=("position", "family"))


def test_no_families_are_not_the_default(panel):
    with pytest.raises(errors.MissingFamilyError, match="13 missing"):
        bj.design(panel, terms=("family",), families={})


def test_families_come_by_name(panel):
    with pytest.raises(errors.NotMappingError, match="give a dict"):
        bj.design(panel, terms=("family",), families=["a"] * 13)


def test_names_of_organisations_are_families():
    table = {
        "judge": ["gpt-4", "gpt-4"],
        "left": ["gpt-3.5", "claude"],
        "right": ["claude", "gpt-3.5"],
        "winner": ["left", "left"],
    }
    layout = bj.design(bj.read(table), terms=("family",)).layout
    assert sorted(layout.columns[:2, 0]) == [-1.0, 1.0]


# -- judges that teach nothing ----------------------------------------------------------------


def test_a_plain_panel_is_fine(panel, votes):
    for topic in ("finite position", "one slot", "ties only", "near-copies", "judged items"):
        assert on(panel, votes, topic).level == "fine", topic


@pytest.mark.parametrize("slot", [FIRST, SECOND])
def test_a_judge_of_one_slot_is_named(panel, votes, slot):
    found = on(with_verdicts(panel, 2, slot), votes, "finite position")
    assert found.level == "problem"
    assert found.details["judges"] == ["judge-3"]
    assert "judge-3 are for one slot: its position effect has no finite estimate" in found.sentence


def test_one_verdict_for_the_other_slot_makes_a_position_finite(panel, votes):
    data = with_verdicts(panel, 2, FIRST)
    one = np.arange(data.n_rows) == np.flatnonzero(data.judge == 2)[0]
    data = replace(data, verdict=np.where(one, SECOND, data.verdict))
    assert on(data, votes, "finite position").level == "fine"
    assert on(data, votes, "one slot").level == "warning"


def test_a_judge_of_unknown_orders_has_no_position_to_run_away(panel, votes):
    data = with_verdicts(panel, 2, FIRST)
    data = replace(data, order_known=data.order_known & (data.judge != 2))
    assert on(data, votes, "finite position").level == "fine"


def test_a_judge_of_ties_is_named(panel, votes):
    data = with_verdicts(panel, 1, TIE)
    found = on(data, votes, "ties only")
    assert (found.level, found.details["ties_only"]) == ("warning", ["judge-2"])
    assert on(data, votes, "finite position").level == "fine"


def test_copies_of_a_judge_are_named(panel, votes):
    frame = panel.to_frame()
    copy = frame[frame["judge"] == "judge-1"].assign(judge="judge-1-again")
    found = on(bj.read(pd.concat([frame, copy]), kind="llm"), votes, "near-copies")
    assert found.level == "warning"
    assert found.details["groups"] == [["judge-1", "judge-1-again"]]


def test_items_that_no_judge_saw_are_named(panel, votes):
    items = tuple(sorted({*votes.items} - {"rowan"} | {"willow"}))
    found = on(panel, replace(votes, items=items), "judged items")
    assert found.level == "problem"
    assert found.details["without_judge"] == ["willow"]
    assert "People voted on willow, on which no judge has a verdict" in found.sentence
    assert "leave those votes out" in found.sentence


def test_names_that_differ_by_case_are_told(panel, votes):
    items = tuple(name.replace("maple", "Maple") for name in votes.items)
    order = np.argsort(items)
    place = np.argsort(order)
    shouted = replace(
        votes,
        items=tuple(items[i] for i in order),
        first=place[votes.first],
        second=place[votes.second],
    )
    found = on(panel, shouted, "judged items")
    assert found.details["alike"] == [["Maple", "maple"]]
    assert "'Maple' and 'maple' differ only in spaces, letter case" in found.sentence
    assert "for the others" not in found.sentence


def test_one_judge_is_told_in_the_singular(panel, votes):
    found = on(panel.select(panel.judge == 0), votes, "judges")
    assert found.sentence.startswith("The judge is identified by its own verdicts")
