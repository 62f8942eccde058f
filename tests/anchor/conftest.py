"""The frozen case of ANCHOR as verdicts, and its fits."""

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.designs.roster import roster_of


def items_of(case):
    return tuple(f"item-{i}" for i in range(case["K"] + 1))  # the last one is new


def comparisons_of(rows, names, judge, judges, human):
    first, y = np.array(rows["i"]), np.array(rows["y"])
    size = len(first)
    return bj.Comparisons(
        items=names,
        judges=judges,
        prompts=tuple(f"row-{i:04d}" for i in range(size)),
        first=first,
        second=np.array(rows["j"]),
        verdict=np.where(y == 1, 0, 2),
        judge=np.array(judge),
        prompt=np.arange(size),
        human=np.full(len(judges), human),
        order_known=np.zeros(size, dtype=bool),
        weight=np.ones(size),
        repeat=np.ones(size, dtype=int),
        source_row=np.arange(size),
        prompts_stated=False,
    )


@pytest.fixture(scope="session")
def case(shared_fixture):
    return shared_fixture("anchor_case1")


@pytest.fixture(scope="session")
def case_data(case):
    """Designs of judges and humans, and the folds of their rows."""
    given = case["input"]
    names, judge = items_of(given), given["judge"]
    judges = comparisons_of(judge, names, judge["m"], ("judge-0", "judge-1"), human=False)
    votes = comparisons_of(
        given["human"], names, np.zeros(len(given["human"]["i"]), int), ("h",), True
    )
    z = np.array(judge["xi"]) - np.array(judge["xj"])
    designs = (
        bj.new_items.features(judges, {"x": z[:, 0], "w": z[:, 1]}, items=names),
        bj.design(votes, items=names),
    )
    return designs, (np.array(judge["fold"]), np.array(given["human"]["fold"]))


@pytest.fixture(scope="session")
def case_roster(case):
    return roster_of(np.arange(case["input"]["K"] + 1) == case["input"]["K"])
