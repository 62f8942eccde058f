"""Rows of text files are told by the line at which they start, as an editor counts lines."""

import csv
import gzip
import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import bayesjudge as bj
from bayesjudge import errors
from bayesjudge.reading import row_lines as module
from bayesjudge.reading.row_lines import row_lines

HEAD = "question_id,model_a,model_b,winner\n"
FIELDS = st.text('x,"\n\r 1', max_size=6)


@st.composite
def separated(draw):
    """A file, and the line at which each of its rows starts by the count of its writer."""
    rows = draw(st.lists(st.tuples(FIELDS, FIELDS, st.just("z")), min_size=1, max_size=8))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text, lines = "a,b,c" + end, []
    for row in rows:
        text += end * draw(st.integers(0, 2))
        lines.append(text.count("\n") + 1)
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator=end, quoting=csv.QUOTE_ALL).writerow(row)
        text += buffer.getvalue()
    return text.removesuffix(end) if draw(st.booleans()) else text, lines


@given(separated(), st.sampled_from([4, 1 << 24]))
@settings(max_examples=200, deadline=None)
def test_rows_start_where_their_writer_put_them(tmp_path_factory, file, block):
    text, lines = file
    path = tmp_path_factory.mktemp("lines") / "t.csv"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        found = row_lines(path, len(lines))
    if block == 4 and "\r" in text:  # a return at the end of a block may hide a blank line
        assert found is None or found.tolist() == lines
    else:
        assert found.tolist() == lines


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv"])
def test_errors_and_sentences_count_lines(tmp_path, name):
    rows = 'q1,x,y,model_a\n\n"q\n2",x,y,tie\n"q,3",y,x,\nq4,x,y,\n'
    text = HEAD + rows
    if name == "t.tsv":
        text = text.replace("q,3", "q3").replace(",", "\t")
    content = text.encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    columns = {"prompt": "question_id"}
    with pytest.raises(errors.MissingVerdictError, match=r"in 2 rows \(lines 6 and 7\);") as caught:
        bj.read(path, columns=columns)
    assert str(caught.value).startswith(f"{name}: ")
    data = bj.read(path, columns=columns, on_missing="drop")
    assert data.source_row.tolist() == [0, 1]
    assert [data.places.of(row) for row in range(2)] == ["line 2", "line 4"]
    assert "\nLine 4: x, shown first, tied with y on prompt q 2 for" in data.describe()


def test_lines_of_json(tmp_path):
    rows = [{"left": "x", "right": "y", "winner": winner} for winner in ("left", None, "what")]
    path = tmp_path / "t.jsonl"
    path.write_text("\n\n".join(map(json.dumps, rows)))
    with pytest.raises(errors.UnknownVerdictError, match=r"\(1 row, first in line 5\)"):
        bj.read(path)
    path.write_text("\n".join(map(json.dumps, rows[:2])))
    with pytest.raises(errors.MissingVerdictError, match=r"1 row \(line 2\)"):
        bj.read(path)


def test_rows_that_are_no_lines_are_counted_from_zero(tmp_path):
    frame = pd.DataFrame({"left": ["x", "y"], "right": ["y", "x"], "winner": ["left", None]})
    frame.to_json(tmp_path / "t.json", orient="records")
    frame.to_parquet(tmp_path / "t.parquet")
    for source in (frame, tmp_path / "t.json", tmp_path / "t.parquet"):
        with pytest.raises(errors.MissingVerdictError, match=r"1 row \(row 1, counting from 0\)"):
            bj.read(source)


def test_prompts_without_a_name_are_named_by_their_line(tmp_path):
    (tmp_path / "t.csv").write_text("left,right,winner\nx,y,left\n\ny,x,left\n")
    assert bj.read(tmp_path / "t.csv").prompts == ("line-2", "line-4")


def test_a_file_with_single_quotation_marks_is_counted_by_rows(tmp_path):
    (tmp_path / "t.csv").write_text('left,right,winner\nx,5" disk,left\ny,x,\n')
    with pytest.raises(errors.MissingVerdictError, match=r"row 1, counting from 0"):
        bj.read(tmp_path / "t.csv")


def test_each_game_of_a_row_stands_in_its_line(tmp_path):
    text = "model_1,model_2,g1_winner,g2_winner\nx,y,model_1,tie\nx,y,model_2,error\n"
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(errors.InvalidVerdictError, match=r"1 row \(line 3\)"):
        bj.read(tmp_path / "t.csv")


@pytest.mark.parametrize("source", ["frame", "file"])
def test_later_sentences_count_alike(tmp_path, base, source):
    frame = base.assign(length_a=np.arange(30.0), length_b=1.0)
    frame.loc[[4, 6], "length_b"] = np.nan
    frame.to_csv(tmp_path / "t.csv", index=False)
    data = bj.read(frame if source == "frame" else tmp_path / "t.csv", missing_length="keep")
    rows = "2 rows (4 and 6, counting from 0)" if source == "frame" else "2 rows (lines 6 and 8)"
    assert f"Lengths are missing in {rows}" in data.describe()
    assert f"A length is missing in {rows}" in bj.diagnose(data).on("lengths")[0].sentence
    with pytest.raises(errors.MissingCovariateError) as caught:
        bj.design(data, terms=("length",))
    assert rows in str(caught.value)
