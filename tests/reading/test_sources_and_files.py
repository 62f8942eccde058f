"""Every kind of source gives the same table."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesjudge as bj
from bayesjudge import errors

CASES = Path(__file__).parent / "cases"


@pytest.fixture
def lengthy(base):
    return base.assign(length_a=np.arange(30), length_b=100)


@pytest.fixture
def expected(lengthy, tuples):
    return tuples(bj.read(lengthy))


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "T.TSV", "t.tsv.gz"])
def test_separated_files(lengthy, expected, tuples, tmp_path, name):
    separator = "\t" if "tsv" in name.casefold() else ","
    lengthy.to_csv(tmp_path / name, index=False, sep=separator)
    data = bj.read(tmp_path / name)
    assert tuples(data) == expected
    assert data.source == name


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "jsonl.gz"])
def test_json_lines(lengthy, expected, tuples, tmp_path, ending):
    lengthy.to_json(tmp_path / f"t.{ending}", orient="records", lines=True)
    assert tuples(bj.read(str(tmp_path / f"t.{ending}"))) == expected


@pytest.mark.parametrize("orient", ["records", "list", "columns", "split", "index"])
def test_json(lengthy, expected, tuples, tmp_path, orient):
    path = tmp_path / "t.json"
    if orient == "list":
        path.write_text(json.dumps(lengthy.to_dict("list")))
    else:
        lengthy.to_json(path, orient=orient)
    assert tuples(bj.read(path)) == expected


@pytest.mark.parametrize("orient", ["split", "tight", "index"])
def test_dicts_of_pandas(lengthy, expected, tuples, orient):
    assert tuples(bj.read(lengthy.to_dict(orient))) == expected


def test_the_split_layout_of_pandas_is_read():
    data = bj.read(CASES / "10_pandas_split.json")
    assert (data.n_rows, data.items, data.judges) == (8, ("north", "south", "west"), ("j1", "j2"))
    assert data.verdict.tolist() == [0, 0, 0, 0, 0, 0, 0, 2]


@pytest.mark.parametrize("data", [[["x", "y"]], {"0": ["x", "y", "left"]}, ["x"], "x"])
def test_a_split_layout_that_does_not_fit_is_named(data):
    split = {"columns": ["left", "right", "winner"], "data": data}
    with pytest.raises(errors.UnreadableFileError, match="orient='split'"):
        bj.read(split)


def test_columns_called_data_are_columns():
    table = {"left": ["x"], "right": ["y"], "winner": ["left"], "data": ["z"]}
    assert bj.read(table).sources[0].unused == ("data",)


def test_compressed_json(lengthy, expected, tuples, tmp_path):
    path = tmp_path / "t.json.gz"
    path.write_bytes(gzip.compress(lengthy.to_json(orient="records").encode()))
    assert tuples(bj.read(path)) == expected


def test_parquet(lengthy, expected, tuples, tmp_path):
    lengthy.to_parquet(tmp_path / "t.parquet")
    assert tuples(bj.read(tmp_path / "t.parquet")) == expected


def test_records_and_columns(lengthy, expected, tuples):
    assert tuples(bj.read(lengthy.to_dict("records"))) == expected
    assert tuples(bj.read(lengthy.to_dict("list"))) == expected
    assert tuples(bj.read({name: lengthy[name].to_numpy() for name in lengthy})) == expected


def test_polars_eager_and_lazy(lengthy, expected, tuples):
    polars = pytest.importorskip("polars")
    frame = polars.from_pandas(lengthy)
    assert tuples(bj.read(frame)) == expected
    assert tuples(bj.read(frame.lazy())) == expected
    assert (
        tuples(bj.read(frame.with_columns(polars.col("judge").cast(polars.Categorical))))
        == expected
    )


def test_pyarrow(lengthy, expected, tuples):
    pyarrow = pytest.importorskip("pyarrow")
    assert tuples(bj.read(pyarrow.Table.from_pandas(lengthy))) == expected


def test_duckdb(lengthy, expected, tuples):
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.from_df(lengthy.astype(object))
    assert tuples(bj.read(relation)) == expected


def test_pandas_with_a_duplicated_index(lengthy, expected, tuples):
    assert tuples(bj.read(lengthy.set_axis([0] * 30))) == expected


def test_pandas_categories_with_unused_levels(lengthy, expected, tuples):
    levels = pd.CategoricalDtype(["a", "b", "c", "never"])
    data = bj.read(lengthy.astype({"model_a": levels, "model_b": levels, "winner": "category"}))
    assert tuples(data) == expected
    assert data.items == ("a", "b", "c")


@pytest.mark.parametrize("dtype", ["object", "string", "str"])
def test_pandas_text_types(lengthy, expected, tuples, dtype):
    columns = ["question_id", "judge", "model_a", "model_b", "winner"]
    assert tuples(bj.read(lengthy.astype(dict.fromkeys(columns, dtype)))) == expected


def test_items_called_na_keep_their_name(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model_a,model_b,winner\nNA,None,model_a\nnan,NA,tie\n")
    assert bj.read(path).items == ("NA", "None", "nan")


def test_an_empty_field_is_missing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model_a,model_b,winner\nx,y,model_a\nx,y,\n")
    with pytest.raises(errors.MissingVerdictError):
        bj.read(path)


def test_repeated_names_in_a_header_are_refused(tmp_path):
    (tmp_path / "t.csv").write_text("left,right,winner,winner\nx,y,left,tie\n")
    with pytest.raises(errors.AmbiguousColumnError):
        bj.read(tmp_path / "t.csv")


def test_a_byte_order_mark_and_line_breaks_in_fields_do_no_harm(tmp_path):
    text = '\ufeffleft,note,right,winner\nx,"two\nlines",y,left\nx,,y,tie\n\n'
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    assert bj.read(tmp_path / "t.csv").verdict.tolist() == [0, 1]


def test_names_are_kept_to_the_letter(tmp_path, tuples):
    names = ["org/model 1", "größe", "模型", "a,b", 'say "hi"', " lead"]
    frame = pd.DataFrame({"left": names[:-1], "right": names[1:], "winner": "left"})
    frame["prompt"] = names[1:]
    frame.to_csv(tmp_path / "t.csv", index=False)
    data = bj.read(tmp_path / "t.csv")
    assert data.items == tuple(sorted(names))
    assert tuples(bj.read(frame)) == tuples(data)


def test_whole_numbers_stay_whole_numbers():
    frame = pd.DataFrame({"left": [1, 2], "right": [2, 3], "winner": ["left", "right"]})
    assert bj.read(frame).items == ("1", "2", "3")
    assert bj.read(frame.astype({"left": float})).items == ("1", "2", "3")
    assert bj.read({"left": [np.int64(1)], "right": [2], "winner": ["left"]}).items == ("1", "2")


def test_one_and_text_one_are_not_merged():
    frame = {"left": [1, 2], "right": ["2", 3], "winner": ["left", "right"]}
    with pytest.raises(errors.MixedIdentifierError, match="'2'"):
        bj.read(frame)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("missing.csv", None),
        ("t.csv", ""),
        ("t.xlsx", "x"),
        ("t", "x"),
        ("t.json", "{"),
        ("t.json", "3"),
        ("t.json", "[1, 2]"),
        ("t.jsonl", ""),
        ("t.jsonl", '{"a": 1}\n{"a"'),
        ("t.csv.gz", "not gzip"),
        ("t.json.gz", "not gzip"),
        ("t.parquet", "not parquet"),
        ("t.csv", 'left,right,winner\n"x,y,left\n'),
        ("t.csv", "left,right,winner\nx,y,left\nx,y,left,more,columns\n"),
    ],
)
def test_unreadable_files_are_refused_in_one_sentence(tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(errors.UnreadableFileError) as caught:
        bj.read(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("source", [3, None, [1, 2], {"left": "x"}, {"left": ["x"], "right": []}])
def test_unreadable_objects_are_refused(source):
    with pytest.raises(errors.UnreadableFileError):
        bj.read(source)
