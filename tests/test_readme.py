"""Everything that the README tells a reader to type works as written."""

import re
import runpy
import shlex
import shutil
from pathlib import Path

import pytest

from bayesjudge.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLES = ("verdicts.csv", "votes.csv")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder with the parts of the checkout that the README reads."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "docs").mkdir()
    for name in TABLES:
        shutil.copy(ROOT / "docs" / name, folder / "docs" / name)
    return folder


def test_python_blocks_run_in_order(checkout, monkeypatch, capsys):
    monkeypatch.chdir(checkout)
    namespace = {}
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), namespace)
    assert "Comparisons link all items." in capsys.readouterr().out
    assert (checkout / "bayesjudge-demo" / "first.png").read_bytes().startswith(b"\x89PNG")


def test_commands_run(checkout, monkeypatch, capsys):
    monkeypatch.chdir(checkout)
    commands = [
        line
        for block in blocks("sh")
        if block.startswith("bayesjudge ")
        for line in block.splitlines()
    ]
    assert len(commands) >= 2
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out
    assert (checkout / "bayesjudge-demo" / "results" / "report.json").is_file()


def test_nothing_is_left_that_git_does_not_ignore(checkout):
    """After the blocks above, all that is new lies in the folder of .gitignore."""
    assert "bayesjudge-demo/" in (ROOT / ".gitignore").read_text().splitlines()
    assert {path.name for path in checkout.iterdir()} == {"docs", "bayesjudge-demo"}
    assert {path.name for path in (checkout / "docs").iterdir()} == set(TABLES)


def test_first_block_is_the_two_commands_of_the_set_up():
    expected = ["pip install uv && uv run bayesjudge demo", "pip install uv && uv run pytest"]
    assert blocks("sh")[0].splitlines() == expected


def test_links_lead_somewhere():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_tables_are_what_their_script_draws(tmp_path):
    runpy.run_path(str(ROOT / "docs" / "make_tables.py"))["write"](tmp_path)
    for name in TABLES:
        assert (tmp_path / name).read_bytes() == (ROOT / "docs" / name).read_bytes()
