"""Tables with every kind of trouble, and what must hold of whatever is said about them.

Shapes are few (two or four items, one to three judges, a handful of sets of pairs), so that
compiled programs are shared; everything else varies: who wins, weights, prompts, copies, slots,
lengths, families, names.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import bayesjudge as bj

PAIRS = {
    "one pair": [(0, 1)],
    "one pair, both orders": [(0, 1), (1, 0)],
    "two groups": [(0, 1), (2, 3), (1, 0), (3, 2)],
    "a chain, one order": [(0, 1), (1, 2), (2, 3)],
    "all pairs, one order": [(i, j) for i in range(4) for j in range(4) if i < j],
    "all pairs, both orders": [(i, j) for i in range(4) for j in range(4) if i != j],
}
NAMES = [
    ["a", "b", "c", "d"],
    ["gpt-4", "claude-2", "llama-2-70b", "vicuna-13b"],
    ["A", "a", "B", "b"],
    ["1", "2.0", "03", "4e5"],
    ["naïve café", "北京", "🦉", "x" * 70],
    ["score[a]", "a, b", 'say "hi"', "-inf"],
    ["tie", "first", "second", "both"],
    ["  a b", "a  b", "a-b", "a_b"],
]
JUDGES = [["j1", "j2", "j3"], ["gpt-4", "claude-2", "llama"], ["ja nein", "тест", "7"]]
WEIGHTS = {
    "none": st.none(),
    "counts": st.integers(1, 5).map(float),
    "tiny": st.sampled_from([1e-9, 1e-3, 0.5]),
    "huge": st.sampled_from([1.0, 1e4, 1e9]),
    "mixed": st.sampled_from([1e-6, 1.0, 1e6]),
}
PROMPTS = ["a row", "one", "three", "pair"]
VERDICTS = [
    *("random", "ties", "first slot", "first item", "one judge against", "mirrored", "mostly ties"),
    *("all but one", "random decided"),
]
LENGTHS = ["none", "varied", "equal", "longer wins", "extreme"]
PROGRAMS = [
    *("signed_sensitivity", "sensitivity", "bradley_terry", "bradley_terry_davidson"),
    *("order_effect", "unit_sensitivity", "signed_sensitivity_davidson"),
]
COVARIANCES = ["default", "model", "row"]


@dataclass(frozen=True, eq=False)
class Case:
    """A table, the terms and the program that it is fitted with, and the kind of covariance."""

    frame: pd.DataFrame
    terms: tuple[str, ...]
    program: str
    kind: str


@st.composite
def tables(draw):
    """Draw a table and what is made of it."""
    pairs, n_judges = PAIRS[draw(st.sampled_from(list(PAIRS)))], draw(st.integers(1, 3))
    lengths = draw(st.sampled_from(LENGTHS))
    n_rows = len(pairs) * n_judges * draw(st.integers(1, 2)) if lengths == "none" else 24
    kind = draw(st.sampled_from(VERDICTS))
    pair = [pairs[i % len(pairs)] for i in range(n_rows)]
    who = [(i // len(pairs)) % n_judges for i in range(n_rows)]
    first, second = (np.array(one) for one in zip(*pair, strict=True))
    raw = draw(st.lists(st.sampled_from("aabbt"), min_size=n_rows, max_size=n_rows))
    names, judges = draw(st.sampled_from(NAMES)), draw(st.sampled_from(JUDGES))
    frame = pd.DataFrame(
        {
            "prompt": _prompts(draw(st.sampled_from(PROMPTS)), n_rows, first, second),
            "judge": [judges[k] for k in who],
            "slot_a": [names[i] for i in first],
            "slot_b": [names[i] for i in second],
            "verdict": _verdicts(kind, raw, first, second, np.array(who)),
        }
    )
    frame = _with_lengths(frame, lengths, draw)
    frame = _with_weights(frame, draw(st.sampled_from(list(WEIGHTS))), draw)
    if draw(st.integers(0, 9)) == 0:
        frame = pd.concat([frame, frame], ignore_index=True)  # every row again
    terms = [(), ("position",)] if lengths == "none" else [("position", "length"), ("length",)]
    program, kind = draw(st.sampled_from(PROGRAMS)), draw(st.sampled_from(COVARIANCES))
    return Case(frame, draw(st.sampled_from(terms)), program, kind)


def _prompts(kind, size, first, second):
    number = {
        "a row": np.arange(size),
        "one": np.zeros(size, dtype=int),
        "three": np.arange(size) % 3,
        "pair": np.minimum(first, second) * 4 + np.maximum(first, second),
    }[kind]
    return [f"p{one}" for one in number]


def _verdicts(kind, raw, first, second, who):
    raw, decided = np.array(raw), np.where(np.array(raw) == "t", "a", np.array(raw))
    better = np.where(first < second, "a", "b")
    worse = np.where(first < second, "b", "a")
    last = np.arange(len(raw)) == len(raw) - 1
    return (
        {
            "random": np.where(raw == "t", "tie", raw),
            "random decided": decided,
            "ties": np.full(len(raw), "tie"),
            "first slot": np.full(len(raw), "a"),
            "first item": better,
            "one judge against": np.where(who == who.max(), worse, better),
            "mirrored": better,
            "mostly ties": np.where(last, raw, "tie").astype(object),
            "all but one": np.where(last, worse, better),
        }[kind].astype(object)
        if kind != "mostly ties"
        else np.where(last, decided, "tie")
    )


def _with_lengths(frame, kind, draw):
    if kind == "none":
        return frame
    size, high = len(frame), 10**6 if kind == "extreme" else 900
    one = st.integers(0 if kind == "extreme" else 50, high)
    short = np.array(draw(st.lists(one, min_size=size, max_size=size)))
    extra = np.arange(1, size + 1)
    long = short if kind == "equal" else short + extra
    won = (frame["verdict"] == "a").to_numpy()
    first_longer = won if kind == "longer wins" else np.arange(size) % 2 == 0
    lengths = np.where(first_longer, long, short), np.where(first_longer, short, long)
    return frame.assign(length_a=lengths[0], length_b=lengths[1])


def _with_weights(frame, kind, draw):
    if kind == "none":
        return frame
    one = WEIGHTS[kind]
    return frame.assign(weight=draw(st.lists(one, min_size=len(frame), max_size=len(frame))))


def outcomes(case):
    """Read, diagnose, fit and report; yield what came out of each step: "answer", or an error.

    A step whose promise is broken yields a sentence that starts with "fault".
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        said, data = _attempt("read", lambda: bj.read(case.frame, kind="llm"))
        yield said
        if data is not None:
            yield _attempt("diagnose", lambda: bj.diagnose(data))[0]
            yield from _fitted(case, data)


def _fitted(case, data):
    program = getattr(bj.models, case.program)
    said, mode = _attempt(
        f"{case.program}, mode", lambda: bj.mode(program, bj.design(data, terms=case.terms))
    )
    yield said
    if mode is None:
        return
    yield _attempt(f"{case.program}, check", lambda: bj.check(mode))[0]
    said, fit = _attempt(f"{case.program}, {case.kind}", lambda: _covariance(mode, case.kind))
    yield said
    if fit is not None:
        for report in REPORTS:
            name = f"{case.program}, {case.kind}, {report.__name__.strip('_')}"
            yield _attempt(name, lambda report=report: report(fit))[0]


def _covariance(mode, kind):
    known = {
        "default": mode.covariance,
        "model": lambda: mode.covariance("model"),
        "row": lambda: mode.covariance("sandwich", cluster="row"),
    }
    return known[kind]()


class BrokenPromiseError(Exception):
    """A report says something that it must not say."""


def _attempt(step, action):
    """Return what came out of a step, in words, and its value; named errors are answers too."""
    try:
        return "answer", action()
    except bj.errors.BayesjudgeError as error:
        return f"error {type(error).__name__}", None
    except Exception as error:
        return f"fault in {step}: {type(error).__name__}: {error}", None


def _demand(holds, sentence):
    if not np.all(holds):
        raise BrokenPromiseError(sentence)


def _ranks(fit):
    table = bj.rank_table(fit)
    mark = table["mark"].to_numpy(str) if "mark" in table else np.full(len(table), "")
    _demand(np.isfinite(table["score"]), "a score is not finite")
    _intervals("score", table["lower"], table["upper"], mark)
    _demand(table["rank"].notna() | (mark != ""), "no rank and no mark")


def _judges(fit):
    if "judge" not in {dim for value in fit.quantities.values() for dim in value.dims}:
        return
    table = bj.judge_table(fit)
    mark = table["mark"].to_numpy(str) if "mark" in table else np.full(len(table), "")
    for name in [one.removesuffix("_lower") for one in table if one.endswith("_lower")]:
        _intervals(name, table[f"{name}_lower"], table[f"{name}_upper"], mark)


def _sensitivity(fit):
    table = bj.prior_sensitivity(fit)
    silent = table["mark"].to_numpy(str) == ""
    _demand((table["shift"] < 0.25) | ~silent, "a shift beyond the limit without a mark")


def _wins(fit):
    won = bj.win_probability(fit)
    upper = np.triu_indices(won.sizes["item"], k=1)
    lower, higher, mark = (won[name].values[upper] for name in ("lower", "upper", "mark"))
    _demand(np.isfinite(won["win_probability"]), "a win probability is not finite")
    _intervals("win probability", lower, higher, mark)


def _intervals(name, lower, upper, mark):
    lower, upper = np.asarray(lower, float), np.asarray(upper, float)
    missing = np.isnan(lower) | np.isnan(upper)
    _demand(~missing | (mark != ""), f"{name}: no interval and no mark")
    _demand(missing | np.isfinite(upper - lower) | (mark != ""), f"{name}: an infinite interval")
    narrow = ~missing & (upper - lower <= 0)
    _demand(~narrow | (mark != ""), f"{name}: an unmarked interval without width")


REPORTS = (_ranks, _judges, _sensitivity, _wins)
