"""Rankings by the values of a column."""

import json

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge.errors import (
    EmptyComparisonsError,
    MissingColumnError,
    MixedIdentifierError,
    NestedValueError,
    NotConvergedError,
    UnwritableNameError,
)
from bayesjudge.face.categories import split
from bayesjudge.face.inputs import read_arguments, read_inputs

ROWS = [("a", "b", "model_a"), ("b", "c", "model_b"), ("c", "a", "tie"), ("a", "c", "model_a")]
ARGUMENTS = read_arguments(None, None, False, missing_length="keep")
NAMES = ["model_a", "model_b", "winner"]


@pytest.fixture
def file(tmp_path):
    """Write verdicts with a column of categories, four a category, and return the path."""

    def write(categories, name="table.csv", column="category", **more):
        rows = [dict(zip(NAMES, row, strict=True)) for _ in categories for row in ROWS]
        values = [value for value in categories for _ in ROWS]
        frame = pd.DataFrame(rows).assign(**{column: values}, **more)
        path = tmp_path / name
        if path.suffix == ".csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_json(path, orient="records")
        return path

    return write


def categories(path, column="category", **arguments):
    inputs = read_inputs(path, None, None, ARGUMENTS | arguments)
    return split(inputs, column, path, None)


def test_every_verdict_is_in_the_category_of_its_row(file):
    path = file(["math", "code", "math", "long prose"])
    found = categories(path)
    assert list(found.inputs) == ["code", "long prose", "math"]
    assert [part.judges.n_rows for part in found.inputs.values()] == [4, 4, 8]
    values = pd.read_csv(path)["category"]
    for value, part in found.inputs.items():
        assert set(values[part.judges.source_row]) == {value}


def test_rows_that_reading_left_out_or_doubled_keep_their_category(file, tmp_path):
    path = file(["math", "code"])
    frame = pd.read_csv(path)
    frame.loc[1, "winner"] = None
    frame.to_csv(path, index=False)
    found = categories(path, on_missing="drop").inputs
    assert found["math"].judges.source_row.tolist() == [0, 2, 3]
    assert found["code"].judges.source_row.tolist() == [4, 5, 6, 7]
    games = frame[["model_a", "model_b", "category"]].assign(g1_winner="model_1", g2_winner="tie")
    games = games.rename(columns={"model_a": "model_1", "model_b": "model_2"})
    games.to_csv(tmp_path / "games.csv", index=False)
    doubled = categories(tmp_path / "games.csv").inputs
    assert doubled["math"].judges.n_rows == 8
    assert set(doubled["math"].judges.source_row) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("values", "names"),
    [([1, 2], ["1", "2"]), ([1.0, 2.5], ["1", "2.5"]), ([True, False], ["False", "True"])],
)
def test_values_of_any_type_are_names(file, values, names):
    assert list(categories(file(values, "table.json")).inputs) == names


def test_verdicts_without_a_value_are_counted(file):
    found = categories(file(["math", None, "  "]))
    assert list(found.inputs) == ["math"]
    assert found.without_value == 8


@pytest.mark.parametrize("column", ["Category", "topic", "winer"])
def test_an_absent_column_is_refused_with_the_columns_there_are(file, column):
    with pytest.raises(MissingColumnError) as raised:
        categories(file(["math"]), column)
    assert "model_a, model_b, winner and category" in str(raised.value)
    assert ("near: category" in str(raised.value)) == (column == "Category")
    assert ("near: winner" in str(raised.value)) == (column == "winer")


@pytest.mark.parametrize(
    ("values", "error"),
    [
        (["math", "co\tde"], UnwritableNameError),
        ([["math"], ["code"]], NestedValueError),
        ([{"a": 1}, {"a": 2}], NestedValueError),
        ([81, "81"], MixedIdentifierError),
        ([None, None], EmptyComparisonsError),
    ],
)
def test_values_that_are_no_names_are_refused(file, values, error):
    with pytest.raises(error, match="category"):
        categories(file(values, "table.json"))


def test_a_category_with_fewer_verdicts_than_items_is_left_out_with_the_reason(file):
    path = file(["math", "code"])
    frame = pd.read_csv(path)
    frame.loc[4:5, "category"] = "prose"  # two verdicts on three items
    frame.to_csv(path, index=False)
    found = categories(path)
    assert set(found.inputs) == {"math", "code"}
    assert found.left_out["prose"].startswith("2 verdicts of judges on 3 items")


def test_a_column_that_tells_every_row_apart_gives_no_ranking(file):
    path = file(["math", "code"])
    frame = pd.read_csv(path)
    frame.assign(category=np.arange(len(frame))).to_csv(path, index=False)
    with pytest.raises(EmptyComparisonsError, match="1 verdict of judges on 2 items"):
        categories(path)


def test_votes_go_to_the_category_of_their_own_file(file):
    judges, votes = file(["math", "code"]), file(["code", "prose"], "votes.csv")
    inputs = read_inputs(judges, votes, None, ARGUMENTS)
    found = split(inputs, "category", judges, votes)
    assert found.inputs["math"].humans is None
    assert found.inputs["code"].humans.n_rows == 4
    assert found.left_out["prose"].startswith("0 verdicts of judges")


def test_votes_without_the_column_are_refused(file):
    judges, votes = file(["math"]), file(["code"], "votes.csv", column="topic")
    inputs = read_inputs(judges, votes, None, ARGUMENTS)
    with pytest.raises(MissingColumnError, match="to rank by in votes"):
        split(inputs, "category", judges, votes)


@pytest.mark.parametrize(
    "values",
    [
        ["a/b", "a b", "a_b", "A_B"],
        ["..", ".", "=", "rankings.csv"],
        ["x" * 200, "x" * 201],
        ["数学", "编程"],
    ],
)
def test_folders_of_categories_differ_and_stay_in_the_folder(tmp_path, file, values):
    folders = categories(file(values)).folders
    assert list(folders) == sorted(values)
    assert len({name.casefold() for name in folders.values()}) == len(values)
    for name in folders.values():
        assert name.startswith("category=")
        (tmp_path / "out" / name).mkdir(parents=True)
        assert (tmp_path / "out" / name).parent == tmp_path / "out"


@pytest.fixture(scope="module")
def by_category(run, case):
    """Twelve verdicts in two categories."""
    options = ("--by", "category", "--program", "bradley_terry", "--out", "FOLDER")
    return run("rank", case("20_category"), *options)


@pytest.fixture(scope="module")
def document(by_category):
    return json.loads((by_category.folder / "report.json").read_text())


def test_a_category_is_ranked_as_if_it_were_alone(document, case):
    data = bj.read(case("20_category"))
    values = pd.read_csv(case("20_category"))["category"].to_numpy()[data.source_row]
    assert list(document["categories"]) == ["code", "math"]
    for value, part in document["categories"].items():
        alone = data.select(values == value)
        rows = part["ranking"]["sandwich by prompt"]["rows"]
        table = bj.rank_table(bj.mode(bj.models.bradley_terry, bj.design(alone, ())))
        assert [row["item"] for row in rows] == table["item"].tolist()
        assert [row["score"] for row in rows] == pytest.approx(table["score"].tolist(), abs=1e-9)
        assert part["data"]["judges"]["rows"] == alone.n_rows == 6


def test_files_of_categories_are_all_listed_and_written(by_category, document):
    folder = by_category.folder
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == set(document["files"])
    assert {"rankings.csv", "category=code/fit.nc", "category=math/ranking.png"} <= files
    fit = bj.load(folder / "category=math" / "fit.nc")
    rows = document["categories"]["math"]["ranking"]["posterior"]["rows"]
    assert bj.rank_table(fit)["item"].tolist() == [row["item"] for row in rows]


def test_tables_hold_all_categories(by_category, document):
    for name in ("rankings.csv", "win_probability.csv"):
        table = pd.read_csv(by_category.folder / name)
        assert table["category"].drop_duplicates().tolist() == ["code", "math"]
    rankings = pd.read_csv(by_category.folder / "rankings.csv")
    assert len(rankings) == 2 * 2 * 3  # categories, methods, items


def test_the_screen_shows_each_ranking_with_its_doubts_before_the_data(by_category):
    assert by_category.code == 0
    heads = ("category = code. Ranking", "category = code. Problems", "category = math. Ranking")
    places = [by_category.out.index(head) for head in (*heads, "What was read")]
    assert places == sorted(places)


def test_a_run_without_categories_removes_those_of_the_run_before(by_category, run, case):
    folder = by_category.folder
    assert (folder / "category=math").is_dir()
    options = ("--program", "bradley_terry", "--out", str(folder))
    assert run("rank", case("20_category"), *options).code == 0
    document = json.loads((folder / "report.json").read_text())
    assert {path.name for path in folder.iterdir()} == set(document["files"])


def test_a_category_that_cannot_be_fitted_is_named_and_the_others_stand(
    run, case, ranked, monkeypatch
):
    fit = bj.load(ranked.folder / "fit.nc")

    def failing(model, *data, **settings):
        if data[0].data.n_items == 2:
            raise NotConvergedError("The chains of two items did not converge.")
        return fit

    def no_mode(model, *data):
        raise NotConvergedError("There is no mode.")

    monkeypatch.setattr("bayesjudge.nuts", failing)
    monkeypatch.setattr("bayesjudge.mode", no_mode)
    frame = pd.read_csv(case("20_category"))
    one_pair = frame[["model_a", "model_b"]].isin(["north", "south"]).all(axis=1)
    frame.loc[one_pair & (frame["category"] == "code"), "category"] = "two items"
    path = ranked.folder.parent / "some.csv"
    frame.to_csv(path, index=False)
    done = run("rank", str(path), "--by", "category", "--json", "--out", "FOLDER")
    assert done.code == 0
    document = json.loads(done.out)
    assert set(document["left_out"]) == {"two items"}
    assert "two items did not converge" in document["left_out"]["two items"]
    assert list(document["categories"]) == ["code", "math"]


def test_judges_and_people_of_one_file_are_divided_alike(file):
    kinds, judges = ["llm", "human"] * 8, ["j", "p"] * 8
    path = file(["math", "code"] * 2, judge_kind=kinds, judge=judges)
    inputs = read_inputs(path, None, None, ARGUMENTS)
    for part in split(inputs, "category", path, None).inputs.values():
        assert (part.judges.n_rows, part.humans.n_rows) == (4, 4)
        assert part.humans.human.all()
        assert not part.judges.human.any()
