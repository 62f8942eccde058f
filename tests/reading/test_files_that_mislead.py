"""Files that are not what they seem: what is wrong is said in our words, with what to do."""

import gzip
import json
from pathlib import Path

import pytest

import bayesjudge as bj
from bayesjudge import errors

CSV = "question_id,judge,left,right,winner\nq1,k,x,y,left\nq2,k,y,x,tie\n"
ROWS = [{"left": "x", "right": "y", "winner": "left", "question_id": f"q{i}"} for i in range(12)]


def refused(error, path):
    with pytest.raises(error) as caught:
        bj.read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("row", [1, 2])
@pytest.mark.parametrize("compressed", [False, True])
def test_a_field_larger_than_a_block_is_read(written, row, compressed):
    large = CSV.replace(f"q{row}", f"{row}" * 5_000_000).encode()
    name, content = ("t.csv.gz", gzip.compress(large, 1)) if compressed else ("t.csv", large)
    data = bj.read(written(name, content))
    assert sorted(map(len, data.prompts)) == [2, 5_000_000]
    assert data.verdict.tolist() == [0, 1]


def test_a_quotation_mark_that_is_never_closed_in_a_large_file(written):
    text = CSV + "q3,k,x,y,left\n" * 50_000 + '"q4,k,x,y,left\n' + "q3,k,x,y,left\n" * 200_000
    told = refused(errors.UnreadableFileError, written("t.csv", text))
    assert "block" not in told


@pytest.mark.parametrize("blank", [False, True])
def test_a_broken_line_is_counted_in_the_file(written, blank):
    lines = [json.dumps(row) for row in ROWS]
    lines[9] = lines[9][:20]
    if blank:
        lines[4] = ""
    told = refused(errors.UnreadableFileError, written("t.jsonl", "\r\n".join(lines)))
    assert "Line 10 of 't.jsonl', counting from 1, is not JSON" in told


def test_only_line_feeds_end_a_line_of_json(written):
    rows = [{**row, "note": "one\u2028two\x85three"} for row in ROWS]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    assert bj.read(written("t.jsonl", text)).n_rows == 12


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_deeply_nested_json_is_refused(written, name):
    assert "too deeply" in refused(errors.UnreadableFileError, written(name, "[" * 100_000))


@pytest.mark.parametrize(
    ("name", "separator", "words"),
    [
        ("t.csv", ";", "looks separated by ';'; save it with commas."),
        ("t.csv", "|", "looks separated by '|'; save it with commas."),
        ("t.csv", "\t", "looks separated by tabs; save it with commas, or name it .tsv."),
        ("t.tsv", ",", "looks separated by commas; save it with tabs, or name it .csv."),
    ],
)
def test_another_separator_is_named(written, name, separator, words):
    path = written(name, CSV.replace(",", separator))
    assert words in refused(errors.UnreadableFileError, path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_other_encodings_are_to_be_saved_as_utf8(written, name, encoding):
    content = CSV.replace("x", "größe").encode(encoding)
    path = written(name, gzip.compress(content) if name.endswith("gz") else content)
    assert "save it as UTF-8" in refused(errors.UnreadableFileError, path)


def test_a_letter_of_another_encoding_far_down_the_file(written):
    content = (CSV + "q3,k,x,y,left\n" * 100_000 + "q4,k,größe,y,left\n").encode("latin-1")
    assert "save it as UTF-8" in refused(errors.UnreadableFileError, written("t.csv", content))


def test_json_in_another_encoding(written):
    path = written("t.json", json.dumps(ROWS).replace("x", "ö").encode("latin-1"))
    assert "save it as UTF-8" in refused(errors.UnreadableFileError, path)


def test_a_compressed_file_without_the_ending(written):
    told = refused(errors.UnreadableFileError, written("t.csv", gzip.compress(CSV.encode())))
    assert "compressed by gzip; give it the ending '.csv.gz'" in told


@pytest.mark.parametrize(
    ("wrapped", "keys"),
    [
        ({"data": ROWS}, "['data']"),
        ({"version": 1, "meta": {"by": "me"}, "rows": ROWS}, "['rows']"),
        ({"data": {"rows": ROWS}}, "['data']['rows']"),
    ],
)
def test_wrapped_rows_are_pointed_at(written, wrapped, keys):
    told = refused(errors.UnreadableFileError, written("t.json", json.dumps(wrapped)))
    assert f"json.load(file){keys}" in told


def test_columns_are_not_taken_for_wrapped_rows(written):
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    more = {**columns, "meta": [{"n": 1}] * 12}
    assert bj.read(written("t.json", json.dumps(more))).n_rows == 12


def test_spaces_in_names_of_columns_are_named():
    case = Path(__file__).parent / "cases" / "07_space_after_comma.csv"
    told = refused(errors.MissingColumnError, case)
    assert "names ' model_b', ' winner' and ' judge' begin or end with spaces" in told
    assert "pandas.read_csv(..., skipinitialspace=True)" in told
    assert "line of column names" not in told


@pytest.mark.parametrize("head", ["left, right, winner", "chosen, rejected", "left ,right,winner"])
@pytest.mark.parametrize("kind", ["file", "frame"])
def test_spaces_are_named_whatever_the_columns(written, head, kind):
    names = head.split(",")
    source = {name: ["x"] for name in names}
    if kind == "file":
        source = written("t.csv", f"{head}\n{','.join('x' for _ in names)}\n")
    told = refused(errors.MissingColumnError, source)
    assert "with spaces; take the spaces out" in told
    assert ("skipinitialspace" in told) == (", " in head)


def test_spaces_around_names_that_the_user_gives_are_named():
    frame = {"A": ["x"], " B": ["y"], "pick": ["left"], " note": [""]}
    columns = {"item_first": "A", "item_second": "B", "verdict": "pick"}
    with pytest.raises(errors.MissingColumnError, match="there is ' B', with spaces around it"):
        bj.read(frame, columns=columns)
    assert bj.read(frame, columns={**columns, "item_second": " B"}).n_rows == 1


@pytest.mark.parametrize(
    "address",
    ["https://host.org/t.csv", "s3://bucket/t.parquet", "hf://datasets/a/b/t.csv", "gs://b/t.csv"],
)
@pytest.mark.parametrize("kind", [str, Path])
def test_addresses_are_not_taken_for_files(address, kind):
    told = refused(errors.UnreadableFileError, kind(address))
    assert "is an address, and only files of this computer are opened; download the file" in told
    assert "is an address" in refused(errors.UnreadableFileError, [kind(address), "t.csv"])


def test_folders_and_patterns_are_to_be_given_as_lists(written, tmp_path):
    written("t.csv", CSV)
    told = refused(errors.UnreadableFileError, tmp_path)
    assert f"a list of files, for example bj.read(sorted(pathlib.Path({str(tmp_path)!r})" in told
    told = refused(errors.UnreadableFileError, tmp_path / "*.csv")
    assert "give files that match a pattern as a list" in told
    assert bj.read(sorted(tmp_path.glob("*.csv"))).n_rows == 2


@pytest.mark.parametrize(
    ("header", "error"),
    [
        ("p0,j1,b,c,b", errors.AmbiguousColumnError),
        ("p0,j1,gpt-4,llama,model_a", errors.MissingColumnError),
        ("p0,j1,gpt-4,llama,1", errors.MissingColumnError),
        ("p0,j1,gpt-4,llama,tie", errors.MissingColumnError),
    ],
)
def test_a_missing_line_of_names_is_suspected(written, header, error):
    path = written("t.csv", f"{header}\np1,j1,c,b,b\n")
    assert "the line of column names seems to be missing" in refused(error, path)


def test_a_line_of_names_is_not_suspected_where_a_name_is_known(written):
    for header in ("left,right,preferred", "judge,a,b,preferred", "winner,winner,left,right"):
        path = written("t.csv", f"{header}\nx,y,left,z\n")
        with pytest.raises(errors.BayesjudgeError) as caught:
            bj.read(path)
        assert "line of column names" not in str(caught.value)
