"""Several files or tables in a list: read one by one, joined by names, told by their files."""

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors


@pytest.fixture
def parts(base, tmp_path):
    """The base table in two files."""
    paths = [tmp_path / "one.csv", tmp_path / "two.jsonl"]
    base.iloc[:12].to_csv(paths[0], index=False)
    base.iloc[12:].to_json(paths[1], orient="records", lines=True)
    return paths


def notes(data):
    return "\n".join(data.notes)


@pytest.mark.parametrize("kind", [list, tuple])
def test_parts_of_a_table_are_the_table(base, parts, tuples, kind):
    data = bj.read(kind(map(str, parts)))
    assert tuples(data) == tuples(bj.read(base))
    assert data.source == "one.csv + two.jsonl"
    assert [source.name for source in data.sources] == ["one.csv", "two.jsonl"]
    assert data.notes == ()


def test_frames_are_numbered(base, tuples):
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    pieces = [base.iloc[:12], polars.from_pandas(base.iloc[12:20]), base.iloc[20:].astype(object)]
    data = bj.read([*pieces[:2], duckdb.from_df(pieces[2])])
    assert tuples(data) == tuples(bj.read(base))
    assert data.source == "frame 1 + frame 2 + frame 3"
    assert bj.read([base]).source == "frame"


def test_rows_are_counted_by_file(base, parts):
    data = bj.read(parts)
    assert data.places.of(0) == "line 2 of one.csv"
    assert data.places.of(12) == "line 1 of two.jsonl"
    mask = np.isin(np.arange(30), [3, 4, 29])
    assert data.places.listing(mask) == ("3 rows (lines 5 and 6 of one.csv; line 18 of two.jsonl)")
    frames = bj.read([base.iloc[:12], base.iloc[12:]])
    assert frames.places.listing(mask) == (
        "3 rows (rows 3 and 4 of frame 1, counting from 0; row 17 of frame 2, counting from 0)"
    )
    assert "Line 2 of one.csv: a, shown first, beat b" in data.describe()


def test_rows_of_a_part_are_still_counted_by_file(parts):
    data = bj.read(parts)
    last = data.select(np.arange(30) >= 28)
    assert last.places.of(0) == "line 17 of two.jsonl"
    assert bj.read([parts[1], parts[0]]).places.of(18) == "line 2 of one.csv"


def test_errors_name_the_file(base, parts, tmp_path):
    base.assign(winner=None).to_csv(tmp_path / "three.csv", index=False)
    with pytest.raises(errors.MissingVerdictError, match=r"^three.csv: .* \(lines 2, 3, 4 and 27"):
        bj.read([*parts, tmp_path / "three.csv"])
    base.rename(columns={"winner": "w"}).to_csv(tmp_path / "three.csv", index=False)
    with pytest.raises(errors.MissingColumnError, match=r"^three.csv: No column for verdict"):
        bj.read([*parts, tmp_path / "three.csv"])
    (tmp_path / "four.json").write_text("[[1, 2]]")
    with pytest.raises(errors.UnreadableFileError, match=r"^four.json: A list of rows"):
        bj.read([*parts, tmp_path / "four.json"])


def test_files_may_differ_in_their_columns_and_labels(base, parts, tuples, tmp_path):
    other = base.iloc[12:].rename(columns={"model_a": "left", "model_b": "right", "winner": "vote"})
    other["vote"] = other["vote"].map({"model_a": "A", "model_b": "B", "tie": "tie"})
    other.to_csv(tmp_path / "other.csv", index=False)
    data = bj.read([parts[0], tmp_path / "other.csv"])
    assert tuples(data) == tuples(bj.read(base))
    assert "Columns of one.csv used: 'question_id' (prompt), 'judge'" in data.describe()
    assert "Columns of other.csv used:" in data.describe()


def test_what_only_some_files_have_is_told(base):
    more = base.assign(length_a=1, length_b=2, repeat=1, x=3.0)
    bare = base.drop(columns=["judge", "question_id"])
    data = bj.read([more, bare])
    for words in (
        "Only frame 1 has a column for the judge: the other verdicts belong to a judge of unknown",
        "Only frame 1 has a column for the prompt: each of the other rows counts as a prompt of",
        "Only frame 1 has a column for the length of the first item: lengths are left out.",
        "Only frame 1 has a column for the repetition",
        "frame 2: No judge column was found",
    ):
        assert words in notes(data)
    assert data.length_first is None
    assert data.judges == ("judge", "judge-0", "judge-1")
    assert data.n_prompts == 5 + 30
    with pytest.raises(errors.MissingColumnError, match="frame 2: No column for a covariate"):
        bj.read([more, base], covariates=["x"])
    assert dict(bj.read([more, more], covariates=["x"]).covariates)["x"].tolist() == [3.0] * 60


def test_files_without_a_judge_are_asked_whether_each_is_one(base):
    bare = base.drop(columns="judge")
    data = bj.read([bare, bare])
    assert "if each holds the verdicts of another judge, add such a column" in notes(data)
    assert notes(data).count("No judge column was found") == 1
    assert "More than one table" not in notes(bj.read([base, bare]))


def test_names_that_look_alike_across_files_are_told(base):
    other = base.assign(model_a=base["model_a"].str.upper(), model_b=base["model_b"].str.upper())
    assert "The items 'A' and 'a' look alike and are kept apart" in notes(bj.read([base, other]))


def test_made_up_prompts_of_files_are_kept_apart(base, parts):
    bare = [part.drop(columns="question_id") for part in (base.iloc[:12], base.iloc[12:])]
    data = bj.read(bare)
    assert (data.n_prompts, data.prompts_stated) == (30, False)
    assert "row-00 of frame 1" in data.prompts


def test_labels_that_say_more_are_kept(base):
    strong = base.assign(winner="A>>B")
    data = bj.read([base, strong])
    assert data.outcome_detail == ("",) * 30 + ("A>>B",) * 30


def test_people_are_named_once_for_all_files(base):
    other = base.assign(judge="ann")
    data = bj.read([base, other], human_judges=["ann"])
    assert dict(zip(data.judges, data.human.tolist(), strict=True)) == {
        "ann": True,
        "judge-0": False,
        "judge-1": False,
    }
    with pytest.raises(errors.UnknownJudgeError, match="bob"):
        bj.read([base, other], human_judges=["bob"])


def test_files_of_one_name_are_told_apart_by_their_folder(base, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        base.assign(judge=folder).to_csv(tmp_path / folder / "t.csv", index=False)
    data = bj.read([tmp_path / "one" / "t.csv", tmp_path / "two" / "t.csv"])
    assert data.places.of(30) == f"line 2 of {tmp_path / 'two' / 't.csv'}"


def test_many_names_are_joined_to_a_short_one(base):
    assert bj.read([base] * 9).source == "frame 1 + frame 2 + frame 3 + frame 4 + 5 more"


def test_the_same_file_twice_is_refused(parts):
    with pytest.raises(errors.UnreadableFileError, match="given 2 times"):
        bj.read([parts[0], str(parts[0])])


@pytest.mark.parametrize("rest", [{"left": "x"}, 3, None])
def test_files_and_rows_are_not_mixed(parts, rest):
    with pytest.raises(errors.UnreadableFileError, match="paths or tables, and also"):
        bj.read([parts[0], rest])


def test_an_empty_list_is_refused():
    with pytest.raises(errors.EmptyComparisonsError, match="The list is empty"):
        bj.read([])


def test_lists_of_rows_are_rows(base, tuples):
    assert tuples(bj.read(tuple(base.to_dict("records")))) == tuples(bj.read(base))
    assert isinstance(bj.read(pd.DataFrame(base)).sources[0].columns, tuple)
