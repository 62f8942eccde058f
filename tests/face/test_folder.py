"""A folder of results holds the files of one run, and other people's files are left alone."""

import json
import shutil

import pytest

from bayesjudge.cli import main
from bayesjudge.errors import NotConvergedError, UnwritableFolderError
from bayesjudge.face.folder import NAMES, open_folder


@pytest.fixture
def earlier(tmp_path):
    """Make a folder with files of an earlier run and their report."""

    def make(*names, listed=None):
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("earlier")
        files = dict.fromkeys(names if listed is None else listed, "content")
        report = {"bayesjudge": "0.1.0", "files": files | {"report.json": "all"}}
        (tmp_path / "report.json").write_text(json.dumps(report))
        return tmp_path

    return make


def names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_files_of_an_earlier_run_are_removed_also_in_folders_of_categories(earlier):
    folder = earlier("rankings.csv", "fit.nc", "category=math/fit.nc", "category=math/ranking.png")
    (folder / "notes.txt").write_text("mine")
    assert names(open_folder(folder)) == {"notes.txt"}


def test_a_folder_of_a_category_stays_where_it_holds_something_else(earlier):
    folder = earlier("category=math/fit.nc")
    (folder / "category=math" / "mine.txt").write_text("mine")
    assert names(open_folder(folder)) == {"category=math", "category=math/mine.txt"}


@pytest.mark.parametrize("name", ["../outside.csv", "thesis.tex", "a/b/fit.nc", "/fit.nc"])
def test_only_files_that_a_run_writes_are_removed_whatever_a_report_lists(earlier, name):
    folder = earlier(listed=[name])
    outside = folder / "thesis.tex"
    outside.write_text("mine")
    open_folder(folder)
    assert outside.read_text() == "mine"


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_another_origin_is_neither_overwritten_nor_removed(tmp_path, name):
    (tmp_path / name).write_text('{"files": ["mine"]}')
    with pytest.raises(UnwritableFolderError, match=f"already holds '{name}'"):
        open_folder(tmp_path)
    assert (tmp_path / name).read_text() == '{"files": ["mine"]}'


def test_a_refused_folder_keeps_the_files_of_the_earlier_run(earlier):
    folder = earlier("rankings.csv")
    (folder / "fit.nc").write_text("mine")
    with pytest.raises(UnwritableFolderError, match="already holds"):
        open_folder(folder)
    assert {"rankings.csv", "report.json", "fit.nc"} <= names(folder)


def test_files_in_the_folders_that_will_be_written_count_too(tmp_path):
    (tmp_path / "category=math").mkdir()
    (tmp_path / "category=math" / "fit.nc").write_text("mine")
    with pytest.raises(UnwritableFolderError, match="category=math"):
        open_folder(tmp_path, ["category=math"])


def test_a_run_without_a_posterior_leaves_no_fit_of_the_run_before(
    run, tables, ranked, monkeypatch, tmp_path
):
    def failing(*arguments, **settings):
        raise NotConvergedError("The chains did not converge.")

    folder = shutil.copytree(ranked.folder, tmp_path / "again")
    monkeypatch.setattr("bayesjudge.nuts", failing)
    done = run("rank", tables["verdicts"], "--out", str(folder))
    assert done.code == 3
    document = json.loads((folder / "report.json").read_text())
    assert names(folder) == set(document["files"])
    assert "fit.nc" not in document["files"]
    assert "humans.nc" not in document["files"]


def test_a_run_that_fails_half_way_leaves_no_tables_of_the_run_before(
    tables, ranked, monkeypatch, tmp_path
):
    def failing(*arguments, **settings):
        raise RuntimeError("no draws")

    folder = shutil.copytree(ranked.folder, tmp_path / "again")
    monkeypatch.setattr("bayesjudge.nuts", failing)
    with pytest.raises(RuntimeError, match="no draws"):
        main(["rank", tables["verdicts"], "--out", str(folder)])
    assert names(folder) == set()


def test_an_input_at_fault_costs_no_earlier_results(run, tables, ranked):
    before = names(ranked.folder)
    for options in (("--terms", "colour"), ("--program", "calibrated"), ("--by", "nothing")):
        assert run("rank", tables["verdicts"], *options, "--out", str(ranked.folder)).code == 2
    assert names(ranked.folder) == before
