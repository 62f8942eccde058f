"""What all tests share: compiled programs, data sets, frozen cases, and fits that many tests read.

In this order: how a run is set up; data from files; the synthetic panel and its fits; a small table
and its changes; verdicts and draws made by hand.
"""

import json
import os
from pathlib import Path

import jax
import matplotlib
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import bayesjudge as bj

matplotlib.use("Agg")
os.environ.pop("COLUMNS", None)  # a worker inherits the terminal's width; texts should not

# How a run is set up

LONGEST_FILES = ("test_docs_build.py", "test_examples.py")
MAPS = Path("/proc/self/maps")
MOST_MAPS = 45_000  # of 65,530 that Linux allows a process; beyond, a compilation fails
N_TESTS = pytest.StashKey[int]()


def pytest_configure(config):
    """Keep compiled programs in pytest's cache, for both workers, child processes and later runs.

    Compilation takes more than half of the time of a run from an empty cache. A program is found by
    its code, compiler options and JAX's version, so a kept one is never outdated;
    ``pytest --cache-clear`` deletes all.
    """
    if not config.pluginmanager.hasplugin("cacheprovider"):
        return
    settings = {
        "jax_compilation_cache_dir": str(config.cache.mkdir("compiled")),
        "jax_persistent_cache_min_compile_time_secs": 0,
    }
    for name, value in settings.items():
        jax.config.update(name, value)
        os.environ[name.upper()] = str(value)  # notebooks and commands run in child processes


def pytest_collection_modifyitems(items):
    """Start with the longest files, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: item.path.name not in LONGEST_FILES)


@pytest.fixture(autouse=True)
def _few_compiled_programs(request):
    """Forget compiled programs before a process maps more memory than the system allows.

    Every compiled program maps memory, and a process runs many tests.
    """
    yield
    stash = request.config.stash
    stash[N_TESTS] = stash.get(N_TESTS, 0) + 1
    if stash[N_TESTS] % 25 == 0 and MAPS.exists() and MAPS.read_bytes().count(b"\n") > MOST_MAPS:
        jax.clear_caches()


@pytest.fixture
def compilations():
    """Count the programs that JAX compiles or takes from its cache of compiled programs."""
    seconds = []

    def heard(event, duration, **_):
        if event.endswith("backend_compile_duration"):
            seconds.append(duration)

    jax.monitoring.register_event_duration_secs_listener(heard)
    yield lambda: len(seconds)
    jax.monitoring.unregister_event_duration_listener(heard)


# Data from files

FROZEN = Path(__file__).parent / "golden" / "frozen"
SHARED = Path(os.environ.get("BAYESJUDGE_SHARED", Path(__file__).parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared_data():
    """Return the path of a real data set, which is not part of the repository, or skip the test."""

    def path(name):
        file = SHARED / "data" / f"{name}.csv.gz"
        if not file.exists():
            pytest.skip(f"real data: no data/{name}.csv.gz in the folder BAYESJUDGE_SHARED")
        return file

    return path


@pytest.fixture(scope="session")
def real_data(shared_data):
    """Read a real data set, with missing lengths kept, once a session."""
    tables = {}

    def read(name):
        if name not in tables:
            kind = "human" if name.endswith("_human") else "llm"
            tables[name] = bj.read(shared_data(name), kind=kind, missing_length="keep")
        return tables[name]

    return read


@pytest.fixture(scope="session")
def shared_fixture():
    """Read the frozen answers of an independent implementation (``golden/frozen/README.md``)."""
    return lambda name: json.loads((FROZEN / f"{name}.json").read_text())


# The synthetic panel and its fits


@pytest.fixture(scope="session")
def panel():
    """The synthetic example panel."""
    return bj.example_panel()


@pytest.fixture(scope="session")
def panel_mode(panel):
    """The mode of OSCAR's J+P on the example panel."""
    return bj.mode(bj.models.sensitivity, panel)


@pytest.fixture(scope="session")
def panel_posterior(panel):
    """The posterior of the pooled sibling on the example panel."""
    return bj.nuts(bj.models.sensitivity_pooled, panel, seed=1, progress=False)


# A small table and its changes

PAIRS = [("a", "b"), ("b", "c"), ("c", "a")]
WINNERS = ["model_a", "model_b", "tie", "model_a", "model_b", "model_a"]


@pytest.fixture
def base():
    """Thirty verdicts of two judges on three items in both orders, five prompts."""
    rows = [
        {
            "question_id": f"q{i // 6}",
            "judge": f"judge-{i % 2}",
            "model_a": PAIRS[i % 3][i // 15],
            "model_b": PAIRS[i % 3][1 - i // 15],
            "winner": WINNERS[(i * 5 + i // 6) % 6],
        }
        for i in range(30)
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def changed(base):
    """Change one column of the base table in some rows."""

    def change(column, rows, value):
        frame = base.astype({column: object}) if column in base else base.assign(**{column: 1.0})
        frame.loc[list(rows), column] = value
        return frame

    return change


@pytest.fixture
def tuples():
    """Return every verdict by name, sorted: equal for tables with the same content."""

    def verdict_tuples(data):
        frame = data.to_frame().drop(columns=["order_known"])
        return sorted(map(tuple, frame.astype(str).to_numpy().tolist()))

    return verdict_tuples


# Verdicts and draws made by hand


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
    """The maximum of the likelihood of thirty verdicts for yes over no against ten."""
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


@pytest.fixture(scope="session")
def drawn():
    """Build a DataTree of hand-made draws, one chain, of scores by item."""

    def build(scores, items, **facts):
        coords = {"chain": [0], "draw": np.arange(len(scores)), "item": list(items)}
        draws = np.asarray(scores, dtype=float)[None]
        posterior = xr.Dataset({"score": (("chain", "draw", "item"), draws)}, coords=coords)
        tree = xr.DataTree.from_dict({"/posterior": posterior})
        if facts:
            arrays = {name: ("item", value) for name, value in facts.items()}
            constants = xr.Dataset(arrays, coords={"item": list(items)})
            tree["constant_data"] = xr.DataTree(constants)
        return tree

    return build
