"""Names as they are displayed: without control characters, short, and broken at joints."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import chain

LONGEST = 60  # characters of a name that is shown; files hold whole names
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
HIDDEN = {"Cc", "Cs", "Zl", "Zp"}  # controls, lone surrogates, separators of lines
TURNING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    r"""Escape the characters that move a terminal's cursor or reverse its text.

    >>> printable("a\tb\x1b[31mred")
    'a b\\x1b[31mred'
    """
    if text.isprintable():
        return text
    return "".join(_escaped(character) for character in text.replace("\t", " "))


def shortened(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Cut the middle of long names, or else both ends, so that all stay different."""
    clean = [printable(name) for name in names]
    if all(len(name) <= longest for name in clean):
        return clean
    half, most = longest // 2, max(map(len, clean))
    heads = chain(range(half, longest), range(half - 1, -1, -1))
    cuts = ([_without_middle(name, head, longest) for name in clean] for head in heads)
    windows = ([_window(name, start, longest) for name in clean] for start in range(1, most))
    different = (some for some in chain(cuts, windows) if len(set(some)) == len(set(clean)))
    return next(different, clean)


def broken(name: str, width: int, measure: Callable[[str], int] = len) -> list[str]:
    """Break a name into lines after spaces, hyphens, slashes and underscores."""
    lines = [""]
    for piece in re.split(r"(?<=[-/_ ])", name):
        for part in _chopped(piece, width, measure):
            fits = measure(lines[-1] + part.rstrip()) <= width
            lines = [*lines[:-1], lines[-1] + part] if fits else [*lines, part]
    return [line.strip() or " " for line in lines]


def _escaped(character: str) -> str:
    if unicodedata.category(character) in HIDDEN or character in TURNING:
        return character.encode("unicode_escape").decode("ascii")
    return character


def _without_middle(name: str, head: int, longest: int) -> str:
    if len(name) <= longest:
        return name
    return f"{name[:head]}{ELLIPSIS}{name[len(name) - (longest - 1 - head) :]}"


def _window(name: str, start: int, longest: int) -> str:
    if len(name) <= longest:
        return name
    start = min(start, len(name) - longest + 1)
    end = start + longest - 2
    return f"{ELLIPSIS}{name[start:end]}{ELLIPSIS if end < len(name) else ''}"


def _chopped(piece: str, width: int, measure: Callable[[str], int]) -> list[str]:
    parts = [""]
    for character in piece:
        if parts[-1] and measure(parts[-1] + character) > max(width, 1):
            parts.append("")
        parts[-1] += character
    return parts
