"""The table itself: immutable, sorted, described, and equal after a round trip."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import bayesjudge as bj
from bayesjudge import errors, models
from bayesjudge.data.comparisons import FIRST, SECOND, TIE
from bayesjudge.data.pool import pool_comparisons
from bayesjudge.designs.cells import count_cells

WORDS = {FIRST: "first", TIE: "tie", SECOND: "second"}


@st.composite
def tables(draw):
    """Small tables with lengths, weights, repetitions and unknown orders."""
    n_rows = draw(st.integers(1, 12))
    items = draw(
        st.lists(st.text("abÄ ,/\"'0", min_size=1, max_size=4), min_size=2, max_size=4, unique=True)
    )
    items = [f"{name}!" for name in items]
    rows = []
    for _ in range(n_rows):
        first = draw(st.integers(0, len(items) - 1))
        second = (first + draw(st.integers(1, len(items) - 1))) % len(items)
        rows.append(
            {
                "item_first": items[first],
                "item_second": items[second],
                "verdict": draw(st.sampled_from(["first", "tie", "second"])),
                "judge": draw(st.sampled_from(["j", "k k", "NA"])),
                "prompt": draw(st.integers(0, 3)),
                "length_first": draw(st.integers(0, 5000)),
                "length_second": draw(st.integers(0, 5000)),
                "weight": draw(st.sampled_from([1.0, 2.0, 0.125])),
                "repeat": draw(st.integers(1, 3)),
                "order_known": draw(st.booleans()),
            }
        )
    return rows


def said(data):
    return sorted(map(tuple, data.to_frame().astype(str).to_numpy().tolist()))


@given(tables())
@settings(max_examples=50, deadline=None)
def test_round_trip_through_to_frame(rows):
    data = bj.read(rows)
    again = bj.read(data.to_frame())
    assert again.to_frame().equals(data.to_frame())
    assert (again.items, again.judges, again.prompts) == (data.items, data.judges, data.prompts)


@given(tables())
@settings(max_examples=15, deadline=None)
def test_round_trip_through_files(tmp_path_factory, rows):
    data = bj.read(rows)
    folder = tmp_path_factory.mktemp("round-trip")
    data.to_frame().to_csv(folder / "t.csv", index=False)
    data.to_frame().to_parquet(folder / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        assert said(bj.read(folder / name)) == said(data)


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_rows_is_no_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = bj.read(rows), bj.read(shuffled)
    assert said(one) == said(other)
    (cells, _), (again, _) = count_cells(one), count_cells(other)
    assert np.array_equal(cells.counts, again.counts)
    assert np.array_equal(cells.first, again.first)


@given(tables())
@settings(max_examples=40, deadline=None)
def test_exchanging_the_slots_mirrors_the_table(rows):
    other_word = {"first": "second", "second": "first", "tie": "tie"}
    mirrored = [
        row
        | {
            "item_first": row["item_second"],
            "item_second": row["item_first"],
            "verdict": other_word[row["verdict"]],
            "length_first": row["length_second"],
            "length_second": row["length_first"],
        }
        for row in rows
    ]
    one, other = bj.read(rows), bj.read(mirrored)
    assert one.items == other.items
    assert np.array_equal(one.first, other.second)
    assert np.array_equal(one.verdict, 2 - other.verdict)
    assert np.array_equal(one.length_first, other.length_second)
    counts = {tuple(c) for c in zip(*_cells(one), strict=True)}
    mirror = {(j, s, f, x, t, w) for j, f, s, w, t, x in zip(*_cells(other), strict=True)}
    assert counts == mirror


def _cells(data):
    cells, _ = count_cells(data)
    return cells.judge, cells.first, cells.second, *cells.counts.T


@given(tables())
@settings(max_examples=40, deadline=None)
def test_cells_count_every_row_once(rows):
    data = bj.read(rows)
    cells, cell_of_row = count_cells(data)
    assert cells.counts.sum() == data.weight.sum()
    assert np.array_equal(cells.first[cell_of_row], data.first)
    assert np.array_equal(cells.judge[cell_of_row], data.judge)
    key = list(zip(cells.judge, cells.first, cells.second, strict=True))
    assert key == sorted(set(key))


def test_cells_keep_covariates_apart(base):
    data = bj.read(base)
    column = (np.arange(30) % 2)[:, None].astype(float)
    cells, cell_of_row = count_cells(data, column)
    assert np.array_equal(cells.columns[cell_of_row], column)
    by_row, _ = count_cells(data, np.arange(30.0)[:, None])
    assert len(by_row) == 30
    assert np.array_equal(by_row.counts.sum(axis=0), count_cells(data)[0].counts.sum(axis=0))


def test_arrays_cannot_be_written_to(base):
    data = bj.read(base.assign(length_a=1, length_b=2, x=3), covariates=["x"])
    for name in ("first", "verdict", "weight", "human", "length_first"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(data, name)[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        data.covariates[0][1][0] = 1
    with pytest.raises(AttributeError):
        data.items = ()


def test_the_input_frame_is_left_alone(base):
    before = base.copy()
    bj.read(base)
    assert base.equals(before)


def test_select_keeps_only_names_that_occur(base):
    data = bj.read(base.assign(length_a=1, length_b=2), human_judges=["judge-1"])
    part = data.select(data.judge == 1)
    assert part.judges == ("judge-1",)
    assert part.human.tolist() == [True]
    assert part.n_rows == 15
    assert len(part) == 15
    expected = data.to_frame()[data.judge == 1].reset_index(drop=True)
    assert part.to_frame().equals(expected)
    two = data.select((data.first < 2) & (data.second < 2))
    assert two.items == ("a", "b")
    with pytest.raises(errors.EmptyComparisonsError):
        data.select(np.zeros(30, dtype=bool))


def test_description_tells_who_beat_whom():
    rows = [
        {"model_a": "gpt-4", "model_b": "claude-v1", "winner": w, "judge": "X", "question_id": 81}
        for w in ("model_a", "model_b", "tie")
    ]
    lines = bj.read(rows).describe().splitlines()
    assert lines[-3:] == [
        "Row 0: gpt-4, shown first, beat claude-v1 on prompt 81 for judge X.",
        "Row 1: claude-v1, shown second, beat gpt-4 on prompt 81 for judge X.",
        "Row 2: gpt-4, shown first, tied with claude-v1 on prompt 81 for judge X.",
    ]
    assert lines[0] == "3 verdicts from frame: 2 items, 1 judge, 1 prompt."
    assert "Ties: 33.3% of the verdicts." in lines
    assert "Left out: nothing." in lines


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("items", ("b", "a", "c"), errors.InvalidComparisonsError),
        ("weight", np.zeros(30), errors.InvalidWeightError),
        ("weight", np.ones(29), errors.InvalidComparisonsError),
        ("first", np.ones(30), errors.InvalidComparisonsError),
        ("human", np.ones(3, dtype=bool), errors.InvalidComparisonsError),
        ("second", "first", errors.SelfComparisonError),
    ],
)
def test_arrays_that_do_not_fit_are_refused(base, field, value, error):
    data = bj.read(base)
    values = {name: getattr(data, name) for name in data.__dataclass_fields__}
    values[field] = values[value] if isinstance(value, str) else value
    with pytest.raises(error):
        bj.Comparisons(**values)


def test_pooling_joins_names(base, tuples):
    data = bj.read(base, human_judges=["judge-1"])
    llm, human = data.select(data.judge == 0), data.select(data.judge == 1)
    assert tuples(pool_comparisons(llm, human)) == tuples(data)
    assert pool_comparisons(llm, human).human.tolist() == [False, True]
    with pytest.raises(errors.JudgeKindError):
        pool_comparisons(data, bj.read(base))


def test_a_pool_keeps_what_all_tables_have(base):
    some = bj.read(base.assign(x=1.0, y=2.0), covariates=["x", "y"])
    other = bj.read(base.assign(x=3.0, winner="A>>B"), covariates=["x"])
    pooled = pool_comparisons(some, other)
    assert [name for name, _ in pooled.covariates] == ["x"]
    assert dict(pooled.covariates)["x"].tolist() == [1.0] * 30 + [3.0] * 30
    assert pooled.outcome_detail == ("",) * 30 + ("A>>B",) * 30
    assert pool_comparisons(some, some).outcome_detail is None


def test_rows_of_a_pool_are_told_by_their_table(base, tmp_path):
    base.to_csv(tmp_path / "t.csv", index=False)
    file, frame = bj.read(tmp_path / "t.csv"), bj.read(base)
    by_hand = replace(frame, sources=(), source="by hand")
    pooled = pool_comparisons(file.select(file.judge == 1), frame, by_hand)
    assert len(np.unique(pooled.source_row)) == pooled.n_rows == 75
    places = [pooled.places.of(row) for row in (0, 14, 15, 74)]
    assert places == ["line 3 of t.csv", "line 31 of t.csv", "row 0 of frame", "row 29 of by hand"]
    again = pool_comparisons(pooled, frame)
    assert again.places.of(74) == "row 29 of by hand"
    assert again.places.of(75) == "row 0 of frame"


@pytest.mark.parametrize("by_hand", [False, True])
def test_rows_are_told_by_position_where_there_is_no_file(base, by_hand):
    data = bj.read(base)
    data = replace(data, sources=()) if by_hand else data
    rows = data.source_row
    assert data.places.listing(rows == 7) == "1 row (row 7, counting from 0)"
    assert data.places.listing(rows > 26) == "3 rows (27, 28 and 29, counting from 0)"
    assert data.places.listing().startswith("30 rows (0, 1, 2 and 27 more")
    assert ("Columns used" in data.describe()) != by_hand


@pytest.mark.parametrize(
    ("more", "options", "stated"),
    [
        ({}, {}, False),
        ({}, {"human_judges": ["judge-1"]}, False),
        ({}, {"kind": "llm"}, True),
        ({"judge_kind": "human"}, {}, True),
    ],
)
def test_a_table_knows_whether_kinds_were_stated(base, more, options, stated):
    data = bj.read(base.assign(**more), **options)
    assert data.kinds_stated is stated
    assert data.select(data.judge == 1).kinds_stated is stated
    named = replace(data, judges=("human-1", "judge"))
    (finding,) = bj.diagnose(named).on("judge kinds")
    assert finding.level == ("fine" if stated else "warning")


def test_a_table_knows_whether_prompts_were_stated(base):
    assert bj.read(base).prompts_stated
    made_up = bj.read(base.drop(columns="question_id"))
    assert not made_up.prompts_stated
    assert not made_up.select(made_up.judge == 1).prompts_stated
    # Names that a column states are prompts, however they are spelled.
    assert bj.read(base.assign(question_id="row-1")).prompts_stated


@pytest.fixture
def made_up(base):
    """Tables of LLMs and of people without a column of prompts."""
    rows = base.drop(columns="question_id")
    return bj.read(rows, kind="llm"), bj.read(rows.assign(judge="person"), kind="human")


def test_a_pool_keeps_made_up_prompts_apart(base, made_up):
    named, pooled = bj.read(base), pool_comparisons(*made_up)
    assert (pooled.n_prompts, pooled.prompts_stated, pooled.kinds_stated) == (60, False, True)
    mixed = pool_comparisons(named, made_up[1])
    assert mixed.n_prompts == named.n_prompts + 30
    assert (mixed.prompts_stated, mixed.kinds_stated) == (False, False)
    again = pool_comparisons(named, named.select(named.judge == 0))
    assert (again.prompts, again.prompts_stated) == (named.prompts, True)


def test_made_up_prompts_of_two_tables_are_different_clusters(made_up):
    stated = [replace(table, prompts_stated=True) for table in made_up]
    rows, prompts, names = (
        bj.mode(models.calibrated, *tables).covariance(cluster=cluster).matrix
        for tables, cluster in ((made_up, "row"), (made_up, "prompt"), (stated, "prompt"))
    )
    np.testing.assert_allclose(prompts, rows)
    assert not np.allclose(names, rows)
