import re
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import bayesjudge as bj

ITEMS, SCORES = ("a", "b", "c", "d"), np.array([0.6, 0.2, -0.2, -0.6])
JUDGES = ("judge-1", "judge-2", "judge-3")
SENSITIVITY, POSITION = np.array([1.0, 1.5, 0.7]), np.array([1.2, -0.5, 0.0])


@pytest.fixture(scope="session")
def read_rows():
    """Comparisons from rows (first, second, verdict, prompt), one judge unless given."""

    def build(*rows, judge="judge", **columns):
        names = ["item_first", "item_second", "verdict", "prompt"]
        frame = pd.DataFrame(rows, columns=names).assign(judge=judge, **columns)
        return bj.read(frame, kind="llm")

    return build


@pytest.fixture(scope="session")
def refused():
    """Check that a call is refused by an error of a class, in one sentence that names something."""

    def check(error, named, call):
        with pytest.raises(error, match=re.escape(named)) as caught:
            call()
        assert caught.type is error
        message = str(caught.value)
        assert message.endswith(".")
        assert not re.search(r"[.!?]\s", message)

    return check


@pytest.fixture(scope="session")
def balanced_panel():
    """Every judge sees each pair of four items in both orders on every one of 60 prompts."""
    rng = np.random.default_rng(5)
    rows = []
    for prompt, k, (i, j) in product(range(60), range(3), permutations(range(4), 2)):
        log_odds = SENSITIVITY[k] * (SCORES[i] - SCORES[j]) + POSITION[k]
        decided = "first" if rng.random() < expit(log_odds) else "second"
        verdict = "tie" if rng.random() < 0.1 else decided
        rows.append((ITEMS[i], ITEMS[j], verdict, JUDGES[k], f"p{prompt:02d}"))
    names = ["item_first", "item_second", "verdict", "judge", "prompt"]
    return bj.read(pd.DataFrame(rows, columns=names), kind="llm")
