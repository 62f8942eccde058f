"""The page on the command line names the programs, options and files that there are."""

import re
from pathlib import Path

import pytest
import typer.main

from bayesjudge.cli import app
from bayesjudge.face.programs import PROGRAMS

PAGE = (Path(__file__).parents[2] / "docs" / "shell.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def commands():
    return typer.main.get_command(app).commands


def test_the_table_of_programs_is_that_of_the_command():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (?:`(\w+)`)? ?\|", PAGE, flags=re.MULTILINE)
    expected = [
        (name, offer.half.pooled, offer.half.plain or "") for name, offer in PROGRAMS.items()
    ]
    assert rows == expected


def test_every_option_of_a_ranking_is_on_the_page_and_no_other(commands):
    there = {name for option in commands["rank"].params for name in option.opts if "--" in name}
    named = set(re.findall(r"--[a-z][a-z-]*", PAGE)) - {"--help"}
    assert named == there - {"--help"}


def test_both_commands_read_files_alike(commands):
    options = {name: {one.name for one in command.params} for name, command in commands.items()}
    of_fits = {"out", "program", "ties", "terms", "by", "seed", "draws", "warmup", "missing_length"}
    assert options["rank"] - options["diagnose"] == of_fits
    assert options["diagnose"] <= options["rank"]


def test_the_commands_of_the_page_are_complete(commands):
    examples = re.findall(r"^bayesjudge (rank|diagnose) (.+)$", PAGE, flags=re.MULTILINE)
    assert len(examples) >= 5
    for name, rest in examples:
        context = commands[name].make_context(name, rest.split())
        assert context.params["file"].suffix == ".csv"
