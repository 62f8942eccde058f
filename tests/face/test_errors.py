import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bayesjudge as bj
from bayesjudge.cli import main
from bayesjudge.face.spelling import PHRASES, as_options

RANK = ("rank", "FILE", "--out", "FOLDER")


@pytest.fixture
def file(table):
    return table("a,b,1,j", "b,a,0,j")


@pytest.mark.parametrize(
    "arguments",
    [
        ("diagnose", "FILE"),
        ("diagnose", "nowhere.csv"),
        ("diagnose", "."),
        ("diagnose",),
        ("diagnose", "FILE", "--humans", "."),
        ("diagnose", "FILE", "--unknown"),
        ("diagnose", "FILE", "--verdicts", "1=first,0"),
        ("diagnose", "FILE", "--verdicts", "1=first,0=loser"),
        ("diagnose", "FILE", "--verdicts", "riddle"),
        ("diagnose", "FILE", "--column", "verdict"),
        ("diagnose", "FILE", "--column", "umpire=judge"),
        ("rank", "FILE"),
        (*RANK, "--seed", "-1"),
        (*RANK, "--seed", "one"),
        (*RANK, "--draws", "10"),
        (*RANK, "--warmup", "none"),
        (*RANK, "--ties", "broken"),
        (*RANK, "--program", "crystal_ball"),
        (*RANK, "--on-missing", "guess"),
        ("demo", "--out", "FILE"),
        ("rank", "FILE", "--verdicts", "oscar", "--out", "FILE"),
        ("rank", "FILE", "--verdicts", "oscar", "--out", "FILE/below"),
        ("solve", "FILE"),
    ],
)
def test_an_input_at_fault_is_one_sentence_on_standard_error_and_code_2(run, file, arguments):
    done = run(*(word.replace("FILE", file) for word in arguments))
    assert done.code == 2
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert done.err.rstrip().endswith(".")
    assert "Traceback" not in done.err


def test_advice_is_spelt_as_options(run, file, table):
    assert "--verdicts 1=first,0=second,0.5=tie" in run("diagnose", file).err
    missing = table("a,b,model_a,j", "b,a,,j")
    assert "--on-missing drop" in run("diagnose", missing).err
    special = table("a,b,model_a,j", "b,a,tie (bothbad),j")
    assert "--both-bad tie or --both-bad drop" in run("diagnose", special).err
    unnamed = table("a,b,model_a,j", head="x,y,winner,judge")
    assert "--column item_first='its name'" in run("diagnose", unnamed).err


def test_a_column_left_out_is_spelt_as_an_empty_name():
    advice = "columns={'length_first': None, 'length_second': None}."
    assert as_options(advice) == "--column length_first= --column length_second=."


@pytest.fixture(scope="module")
def sentences():
    """Text of the package's source, but for the command line's own."""
    package = Path(bj.__file__).parent
    folders = (path for path in package.iterdir() if path.name != "face")
    files = (file for folder in folders for file in folder.rglob("*.py"))
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return "\n".join(value for value in constants if isinstance(value, str))


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_that_is_rewritten_is_one_that_the_package_writes(sentences, phrase):
    assert phrase in sentences


def test_people_in_both_files_are_refused(run, table, tables):
    head = "model_a,model_b,winner,judge,judge_kind"
    path = table("a,b,model_a,j,llm", "a,b,tie,p,human", head=head)
    done = run("diagnose", path, "--humans", tables["votes"])
    assert done.code == 2
    assert "contains human verdicts (1 row)" in done.err


def test_interruption_is_quiet(run, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("bayesjudge.face.commands.demo", interrupted)
    done = run("demo", "--out", "FOLDER")
    assert (done.code, done.out, done.err) == (130, "", "")


def test_a_bug_is_not_hidden(monkeypatch, tmp_path):
    def broken(*arguments):
        raise RuntimeError("broken")

    monkeypatch.setattr("bayesjudge.face.commands.demo", broken)
    with pytest.raises(RuntimeError, match="broken") as raised:
        main(["demo", "--out", str(tmp_path)])
    assert "please report" in raised.value.__notes__[0]


@pytest.mark.parametrize(
    "command",
    [("-c", "import sys; from bayesjudge.cli import main; sys.exit(main())"), ("-m", "bayesjudge")],
    ids=["script", "module"],
)
def test_the_installed_command_leaves_with_its_code(tmp_path, command):
    typed = [sys.executable, *command, "diagnose", str(tmp_path)]
    done = subprocess.run(typed, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("typed", [(), ("--help",), ("rank", "--help")])
def test_help_is_no_error(run, typed):
    done = run(*typed)
    assert done.code == 0
    assert "Usage" in done.out


def test_version(run):
    assert run("--version").out.strip() == f"bayesjudge {bj.__version__}"
