"""Advice about the Python arguments of `bayesjudge.read`, in the spelling of the command line."""

import re
from collections.abc import Callable

OPTIONS = ("on_missing", "on_invalid", "on_self", "both_bad", "verdicts")


_WORD = re.compile(rf"\b({'|'.join(OPTIONS)})='([^']*)'")


_CODING = re.compile(r"\bverdicts=\{([^}]*)\}")


_SOURCES = re.compile(r"\bverdicts= one of")


_COLUMNS = re.compile(r"\bcolumns=\{([^}]*)\}")


_DICT = re.compile(r"a dict from label to 'first', 'second' or 'tie'")


_SAMPLER = re.compile(r"(, )?\b(warmup|draws)=(\d+)")


_PLAIN = {  # advice that has no option, or another one
    ", or pass check=False to look at the draws": "",
    "raise target_accept (0.99) or use a program": "use a program",
    "a program with fewer terms": "a program with fewer terms (--program bradley_terry)",
    "ask for more draws": "ask for more draws, as with --draws 4000",
    "bj.diagnose(...)": "bayesjudge diagnose",
    "; use covariance('model')": "",
    "; use cluster='row', or covariance('model')": "",
    "use the Davidson sibling of the program": "use bayesjudge rank --ties davidson",
}


_NAMED = re.compile(r"`(verdict|column)s`")


def as_options(sentence: str) -> str:
    """Rewrite the Python arguments in a sentence as options.

    Parameters
    ----------
    sentence : str
        The message of an error, or a note.

    Returns
    -------
    str
        The same advice, as it is typed at the command line.

    Examples
    --------
    >>> as_options("leave them out with on_missing='drop', which counts them.")
    'leave them out with --on-missing drop, which counts them.'
    >>> as_options("for example verdicts={1: 'first', 0: 'second'}, or verdicts='winner'.")
    'for example --verdicts 1=first,0=second, or --verdicts winner.'
    >>> as_options("name yours with columns={'verdict': 'its name'}.")
    "name yours with --column verdict='its name'."
    >>> as_options("run longer (warmup=2000, draws=2000).")
    'run longer (--warmup 2000 --draws 2000).'
    """
    rules: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
        (_WORD, lambda found: f"--{found[1].replace('_', '-')} {_quoted(found[2])}"),
        (_CODING, lambda found: f"--verdicts {_coding(found[1])}"),
        (_SOURCES, lambda found: "--verdicts with one of"),
        (_COLUMNS, lambda found: _columns(found[1])),
        (_DICT, lambda found: "labels such as 1=first,0=second,0.5=tie"),
        (_SAMPLER, lambda found: f"{' ' if found[1] else ''}--{found[2]} {found[3]}"),
        (_NAMED, lambda found: {"verdict": "--verdicts", "column": "--column"}[found[1]]),
    )
    for said, meant in _PLAIN.items():
        sentence = sentence.replace(said, meant)
    for pattern, write in rules:
        sentence = pattern.sub(write, sentence)
    return sentence


def _coding(content: str) -> str:
    pairs = re.findall(r"('[^']*'|[^'{,\s]+): '(\w+)'", content)
    rest = ",LABEL=MEANING" if content.rstrip().endswith("...") else ""
    return _quoted(",".join(f"{label.strip(chr(39))}={meaning}" for label, meaning in pairs) + rest)


def _columns(content: str) -> str:
    pairs = re.findall(r"'(\w+)': ('[^']*'|None|\.\.\.)", content)
    names = {"None": "", "...": "NAME"}
    return " ".join(f"--column {role}={names.get(name, name)}" for role, name in pairs)


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text
