"""Advice about Python arguments in the spelling of the command line."""

import re
from collections.abc import Callable

PHRASES = {  # advice that has no option, or another one
    ", or pass check=False to look at the draws": "",
    "raise target_accept (0.99) or use a program": "use a program",
    "a program with fewer terms": "a program with fewer terms (--program bradley_terry)",
    "bj.diagnose(...)": "bayesjudge diagnose",
    "order_known=False": "--unknown-order",
    "; use covariance('model')": "",
    "; use cluster='row', or covariance('model')": "",
    "its _davidson sibling": "--ties davidson",
    "verdicts= one of": "--verdicts with one of",
    "a dict from label to 'first', 'second' or 'tie'": "labels such as 1=first,0=second,0.5=tie",
    "`verdicts`": "--verdicts",
    "`columns`": "--column",
}


def as_options(sentence: str) -> str:
    """Rewrite the Python arguments in a sentence as options."""
    for phrase, replacement in PHRASES.items():
        sentence = sentence.replace(phrase, replacement)
    for pattern, write in RULES.items():
        sentence = re.sub(pattern, write, sentence)
    return sentence


def _coding(match: re.Match[str]) -> str:
    pairs = re.findall(r"('[^']*'|[^'{,\s]+): '(\w+)'", match[1])
    rest = ",LABEL=MEANING" if match[1].rstrip().endswith("...") else ""
    coding = ",".join(f"{label.strip(chr(39))}={meaning}" for label, meaning in pairs)
    return f"--verdicts {_quoted(coding + rest)}"


def _columns(match: re.Match[str]) -> str:
    pairs = re.findall(r"'(\w+)': ('[^']*'|None|\.\.\.)", match[1])
    names = {"None": "", "...": "NAME"}
    return " ".join(f"--column {role}={names.get(name, name)}" for role, name in pairs)


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text


RULES: dict[str, Callable[[re.Match[str]], str]] = {
    r"\b(on_missing|on_invalid|on_self|both_bad|missing_length|verdicts)='([^']*)'": lambda match: (
        f"--{match[1].replace('_', '-')} {_quoted(match[2])}"
    ),
    r"\bverdicts=\{([^}]*)\}": _coding,
    r"\bcolumns=\{([^}]*)\}": _columns,
    r"(, )?\b(warmup|draws)=(\d+)": lambda match: (
        f"{' ' if match[1] else ''}--{match[2]} {match[3]}"
    ),
}
