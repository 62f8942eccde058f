"""Characters that the figures' fonts can draw."""

from functools import lru_cache

from matplotlib import rcParams
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ft2font import FT2Font

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def drawable(text: str) -> str:
    """Put the replacement character in the place of what no font can draw.

    Parameters
    ----------
    text : str
        A name.

    Returns
    -------
    str
        Of the same length. The fonts are those of Matplotlib's setting ``font.sans-serif``: put one
        there that has the characters, and they are drawn.

    Examples
    --------
    >>> drawable("gpt-4")
    'gpt-4'
    >>> drawable("\N{PARROT}") == REPLACEMENT
    True
    """
    if text.isascii():
        return text
    fonts = _fonts(tuple(rcParams["font.sans-serif"]))
    return "".join(character if _has(fonts, character) else REPLACEMENT for character in text)


@lru_cache(maxsize=4)
def _fonts(families: tuple[str, ...]) -> tuple[FT2Font, ...]:
    paths = [_path(family) for family in families]
    return tuple(get_font(path) for path in dict.fromkeys(paths) if path)


def _path(family: str) -> str | None:
    try:
        return findfont(FontProperties(family=family), fallback_to_default=False)
    except ValueError:  # the family is not installed
        return None


def _has(fonts: tuple[FT2Font, ...], character: str) -> bool:
    return any(font.get_char_index(ord(character)) for font in fonts)
