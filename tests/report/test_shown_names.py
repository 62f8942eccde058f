import pytest

from bayesjudge.plots.fonts import drawable
from bayesjudge.report.shown_names import broken, printable, shortened

LONG = "an-organisation/a-system-{}-with-a-name-that-goes-on-and-on-and-on-and-on-for-ever"


@pytest.mark.parametrize("text", ["gpt-4", "a b", "\u4e2d\u6587", "caf\u00e9", "\N{PARROT}", ""])
def test_what_can_be_shown_stays(text):
    assert printable(text) == text


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\n", "\r", "\x9b", "\u202e", "\u2028"])
def test_no_character_moves_the_cursor_or_turns_the_text(character):
    assert character not in printable(f"a{character}b")
    assert printable(f"a{character}b").startswith("a\\")


@pytest.mark.parametrize("longest", [20, 32, 44, 60])
def test_shortened_names_are_short_and_as_different_as_before(longest):
    names = [LONG.format(i) for i in range(120)]
    cut = shortened(names, longest)
    assert len(set(cut)) == len(names)
    assert max(map(len, cut)) == longest


def test_short_names_are_not_touched_by_a_long_one():
    assert shortened(["gpt-4", "L" * 400])[0] == "gpt-4"


@pytest.mark.parametrize("width", [1, 7, 12, 40])
def test_lines_hold_the_whole_name_and_are_no_wider_than_told(width):
    name = LONG.format(7)
    lines = broken(name, width)
    assert "".join(lines) == name
    assert max(map(len, lines)) <= width


def test_names_break_at_their_joints():
    assert broken("mistral/mixtral-8x7b_instruct", 12) == [
        "mistral/",
        "mixtral-",
        "8x7b_",
        "instruct",
    ]


def test_what_no_font_has_is_numbered_name_by_name():
    odd = "\U000f5a5a"  # for private use
    assert drawable([f"a{odd}{odd}b", "plain", f"{odd}c"]) == ["a[1]b", "plain", "[2]c"]
