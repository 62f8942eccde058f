import io

import pytest
from rich.console import Console

from bayesjudge.face.screen.text import NameCell, heading, paragraph


@pytest.fixture
def console():
    return Console(file=io.StringIO(), width=30, markup=False)


def test_control_characters_are_written_out(console):
    paragraph(console, "a\x1b[2Jb\u202e")
    heading(console, "c\x07")
    shown = console.file.getvalue()
    assert "a\\x1b[2Jb\\u202e" in shown
    assert "c\\x07" in shown


@pytest.mark.parametrize("width", [8, 16, 30])
def test_a_name_breaks_behind_its_joints(console, width):
    console.print(NameCell("mistral/mixtral-8x7b_instruct"), width=width)
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]
    assert "".join(lines) == "mistral/mixtral-8x7b_instruct"
    assert all(line[-1] in "/-_" for line in lines[:-1])


def test_wide_characters_fit_the_column(console):
    console.print(NameCell("\u4e2d\u6587\u6a21\u578b\u540d\u79f0"), width=8)
    assert console.file.getvalue().split() == ["\u4e2d\u6587\u6a21\u578b", "\u540d\u79f0"]
