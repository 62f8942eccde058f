"""Fonts that have the characters of names, and numbers in place of characters that none has."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.ft2font import FT2Font

from bayesjudge.core.wording import chosen_form, listing
from bayesjudge.report.shown_names import printable

GENERIC = "sans-serif"
PLACEHOLDER = "Last Resort"  # Matplotlib's own font, which has one box for all of a script
UPRIGHT = ("normal", 400, "normal")  # style, weight and stretch of a font for running text


def families(texts: Iterable[str]) -> list[str]:
    """Return the families to draw texts in: the usual one, and others for what it lacks."""
    return [GENERIC, *_others(_lacking(texts))]


def drawable(names: Sequence[str]) -> list[str]:
    """Write a number in brackets in place of the characters of a name that no font has."""
    clean = [printable(name) for name in names]
    missing = _missing(clean)
    if not missing:
        return clean
    run, number = _run(missing), _numbers(clean, missing)
    return [run.sub(number.get(name, ""), name) for name in clean]


def font_note(names: Sequence[str]) -> str:
    """Say which numbers stand for characters that no font has; nothing where there are none."""
    clean = [printable(name) for name in names]
    numbers = list(_numbers(clean, _missing(clean)).values())
    if not numbers:
        return ""
    shown = listing(numbers) if len(numbers) < 4 else f"{numbers[0]} to {numbers[-1]}"
    verb = chosen_form(len(numbers), "stands", "stand")
    order = ", numbered as the names are sorted" if len(numbers) > 1 else ""
    return (
        f"{shown} {verb} for characters of names that no installed font has{order}; install a font "
        "of their script to see them."
    )


def _numbers(names: Sequence[str], missing: frozenset[str]) -> dict[str, str]:
    """Return a number in brackets, which no name holds, for each name with missing characters."""
    written = "".join(names)
    lacking = [name for name in sorted(set(names)) if not missing.isdisjoint(name)]
    free = (f"[{number}]" for number in range(1, len(lacking) + len(written) + 1))
    unused = (number for number in free if number not in written)
    return dict(zip(lacking, unused, strict=False))


def _run(missing: frozenset[str]) -> re.Pattern[str]:
    return re.compile("[" + "".join(map(re.escape, sorted(missing))) + "]+")


def _missing(texts: Iterable[str]) -> frozenset[str]:
    """Return the characters that no installed font has."""
    lacking = _lacking(texts)
    fonts = [_font(family) for family in _others(lacking)]
    return frozenset(one for one in lacking if not any(_has(font, one) for font in fonts))


def _lacking(texts: Iterable[str]) -> frozenset[str]:
    """Return the characters that the usual font lacks."""
    beyond = {one for text in texts for one in text if not one.isascii()}
    return frozenset(one for one in beyond if not _has(_font(GENERIC), one))


@lru_cache(maxsize=64)
def _others(lacking: frozenset[str]) -> tuple[str, ...]:
    """Return as few installed families as have all the characters that any has."""
    chosen: list[str] = []
    covers = {family: _held(path, lacking) for family, path in _text_fonts()} if lacking else {}
    while any(covers.values()):
        chosen.append(max(covers, key=lambda family: len(covers[family])))
        found = covers[chosen[-1]]
        covers = {family: held - found for family, held in covers.items()}
    return tuple(chosen)


def _text_fonts() -> list[tuple[str, str]]:
    """Return family and file of the installed upright fonts for running text, sorted by name."""
    upright = {
        entry.name: entry.fname
        for entry in fontManager.ttflist
        if (entry.style, entry.weight, entry.stretch) == UPRIGHT
    }
    return sorted(one for one in upright.items() if not one[0].startswith(PLACEHOLDER))


def _held(path: str, characters: frozenset[str]) -> frozenset[str]:
    """Return which characters a font has; none if its file is gone, or cannot be loaded."""
    try:
        font = get_font(path)
    except (OSError, RuntimeError):
        return frozenset()
    return frozenset(one for one in characters if _has(font, one))


def _font(family: str) -> FT2Font:
    """Return the font that Matplotlib draws a family in."""
    default = family == GENERIC
    return get_font(findfont(FontProperties(family=[family]), fallback_to_default=default))


def _has(font: FT2Font, character: str) -> bool:
    return font.get_char_index(ord(character)) > 0
