import numpy as np
import pandas as pd
import pytest
import xarray as xr

import bayesjudge as bj


@pytest.fixture(scope="session")
def drawn():
    """Build a DataTree of hand-made draws, one chain, of scores by item."""

    def build(scores, items, **facts):
        names = {"chain": [0], "draw": np.arange(len(scores)), "item": list(items)}
        value = np.asarray(scores, dtype=float)[None]
        posterior = xr.Dataset({"score": (("chain", "draw", "item"), value)}, coords=names)
        tree = xr.DataTree.from_dict({"/posterior": posterior})
        if facts:
            arrays = {name: ("item", value) for name, value in facts.items()}
            known = xr.Dataset(arrays, coords={"item": list(items)})
            tree["constant_data"] = xr.DataTree(known)
        return tree

    return build


@pytest.fixture(scope="session")
def verdicts():
    """Build comparisons from (first, second, wins, losses), one prompt a verdict."""

    def build(*pairs):
        rows = [
            {"item_first": first, "item_second": second, "verdict": verdict, "judge": "judge"}
            for first, second, wins, losses in pairs
            for verdict in ["first"] * wins + ["second"] * losses
        ]
        frame = pd.DataFrame(rows)
        return bj.read(frame.assign(prompt=[f"p{i}" for i in range(len(rows))]), kind="llm")

    return build


@pytest.fixture(scope="session")
def two_items(verdicts):
    """Thirty verdicts for yes over no against ten: the likelihood's own maximum."""
    return bj.mode(bj.models.bradley_terry, verdicts(("yes", "no", 30, 10)), prior=False)


@pytest.fixture(scope="session")
def two_groups(verdicts):
    """Five items in two groups that no verdict joins."""
    return verdicts(("a", "b", 8, 4), ("b", "c", 7, 5), ("c", "a", 3, 6), ("d", "e", 9, 3))


@pytest.fixture(scope="session")
def two_groups_mode(two_groups):
    return bj.mode(bj.models.bradley_terry, two_groups)


@pytest.fixture(scope="session")
def two_groups_draws(two_groups):
    return bj.laplace(bj.models.bradley_terry, two_groups, seed=1)
