"""Families of models, by the organisation that a name speaks of."""

import re
from collections.abc import Iterable

from bayesjudge.errors import UnknownOptionError

# First match wins. The well-known derivatives belong to who made them: alpaca, vicuna or guanaco
# are not Meta's, gpt4all is not OpenAI's. A name that speaks of several makers needs families=.
ORGANISATIONS: tuple[tuple[str, str], ...] = (
    ("nomic", r"gpt4all"),
    ("deepcogito", r"cogito"),
    ("deepseek", r"deepseek"),
    ("anthropic", r"claude"),
    ("openai", r"openai|gpt-?[345]|gpt-oss|chatgpt|davinci|\bo[134]\b"),
    ("google", r"google|gemma|gemini|bard|\bpalm|flan"),
    ("alibaba", r"qwen"),
    ("mistral", r"mistral|mixtral|ministral"),
    ("moonshot", r"moonshot|kimi"),
    ("zhipu", r"glm|zai-org"),
    ("mosaic", r"\bmpt\b"),
    ("tii", r"falcon"),
    ("eleuther", r"^pythia|eleuther"),
    ("stability", r"stablelm|stability"),
    ("databricks", r"dolly|dbrx"),
    ("lmsys", r"vicuna|fastchat"),
    ("stanford", r"alpaca"),
    ("berkeley", r"koala"),
    ("openassistant", r"oasst|open-?assistant"),
    ("wizardlm", r"wizard"),
    ("guanaco", r"guanaco"),
    ("meta", r"meta-llama|^llama|facebook|\bmeta\b"),
)


def organisation_families(names: Iterable[str]) -> dict[str, str]:
    """Give each model the organisation that its name speaks of.

    Parameters
    ----------
    names : iterable of str
        Names of items and judges, with organisation prefixes where they have any.

    Returns
    -------
    dict of str to str
        A known organisation, else the prefix before a slash, else the name itself: a model of
        unknown making is a family of its own.

    Raises
    ------
    UnknownOptionError
        If it is a single name, or holds something that is not text.

    Notes
    -----
    OSCAR, Appendix B.2: rules apply to lower-cased names with prefixes retained. Look at what comes
    out before you use it, and give ``families=`` where you know better.

    Examples
    --------
    >>> organisation_families(["openai/gpt-oss-20b", "gpt-4", "vicuna-13b", "judge-7"])
    {'openai/gpt-oss-20b': 'openai', 'gpt-4': 'openai', 'vicuna-13b': 'lmsys', 'judge-7': 'judge-7'}
    """
    return {name: _organisation(name.lower()) for name in _demand_names(names)}


def _demand_names(names: Iterable[str]) -> list[str]:
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise UnknownOptionError(
            f"names is {names!r} and no list of names; put a single name into one, [name]."
        )
    known = list(names)
    odd = [name for name in known if not isinstance(name, str)]
    if odd:
        raise UnknownOptionError(f"names holds {odd[0]!r}, which is no text; give names as text.")
    return known


def _organisation(name: str) -> str:
    for organisation, pattern in ORGANISATIONS:
        if re.search(pattern, name):
            return organisation
    return name.split("/", 1)[0]
