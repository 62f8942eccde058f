"""The base table of most small cases: three items, thirty rows, two judges, five prompts."""

import pandas as pd
import pytest

PAIRS = [("a", "b"), ("b", "c"), ("c", "a")]
WINNERS = ["model_a", "model_b", "tie", "model_a", "model_b", "model_a"]


def base_rows():
    return [
        {
            "question_id": f"q{i // 6}",
            "judge": f"judge-{i % 2}",
            "model_a": PAIRS[i % 3][i // 15],
            "model_b": PAIRS[i % 3][1 - i // 15],
            "winner": WINNERS[(i * 5 + i // 6) % 6],
        }
        for i in range(30)
    ]


@pytest.fixture
def base():
    return pd.DataFrame(base_rows())


@pytest.fixture
def changed(base):
    """The base table with one column changed in some rows."""

    def change(column, rows, value):
        frame = base.astype({column: object}) if column in base else base.assign(**{column: 1.0})
        frame.loc[list(rows), column] = value
        return frame

    return change


def verdict_tuples(data):
    """Every verdict by name, sorted: equal for tables that say the same."""
    frame = data.to_frame().drop(columns=["order_known"])
    return sorted(map(tuple, frame.astype(str).to_numpy().tolist()))


@pytest.fixture
def tuples():
    return verdict_tuples
