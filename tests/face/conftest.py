import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from bayesjudge.cli import main

DOCS = Path(__file__).parents[2] / "docs"
CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Run:
    """Exit code, standard output, standard error and folder of a command."""

    code: int
    out: str
    err: str
    folder: Path


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """Run a command in this process; FOLDER in its arguments is replaced by a new folder."""

    def call(*arguments, width=80, folder=None):
        folder = folder or tmp_path_factory.mktemp("out") / "results"
        typed = [str(folder) if word == "FOLDER" else word for word in arguments]
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", str(width))
            code = main(typed)
        return Run(code, out.getvalue(), err.getvalue(), folder)

    return call


@pytest.fixture(scope="session")
def tables():
    """Paths of the synthetic tables of the README."""
    return {name: str(DOCS / f"{name}.csv") for name in ("verdicts", "votes")}


@pytest.fixture(scope="session")
def case():
    """Paths of small tables in the shapes that people have."""
    return lambda name: str(CASES / f"{name}.csv")


@pytest.fixture(scope="session")
def ranked(run, tables):
    """Judges and humans ranked, shown on the screen."""
    return run("rank", tables["verdicts"], "--humans", tables["votes"], "--out", "FOLDER")


@pytest.fixture(scope="session")
def ranked_json(run, tables):
    """The same as one JSON document."""
    files = (tables["verdicts"], "--humans", tables["votes"])
    return run("rank", *files, "--out", "FOLDER", "--json")


@pytest.fixture
def table(tmp_path):
    """Write a small table of verdicts and return its path."""

    def write(*rows, head="model_a,model_b,winner,judge"):
        path = tmp_path / "table.csv"
        path.write_text("\n".join([head, *rows]) + "\n")
        return str(path)

    return write
