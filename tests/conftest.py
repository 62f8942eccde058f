"""What all tests share: where real data and frozen cases lie, and fits that many tests read."""

import json
import os
from pathlib import Path

import jax
import matplotlib
import pytest

import bayesjudge as bj

matplotlib.use("Agg")

SHARED = Path(os.environ.get("BAYESJUDGE_SHARED", Path(__file__).parents[2] / "shared"))


def shared_file(kind, name):
    path = SHARED / kind / name
    if not path.exists():
        pytest.skip(f"{kind}/{name} is not here; set BAYESJUDGE_SHARED to the folder that has it")
    return path


@pytest.fixture(scope="session")
def shared_data():
    """Path of a real data set by name, for example ``shared_data("mtbench")``."""
    return lambda name: shared_file("data", f"{name}.csv.gz")


@pytest.fixture(scope="session")
def shared_fixture():
    """Content of a frozen case by name."""
    return lambda name: json.loads(shared_file("fixtures", f"{name}.json").read_text())


@pytest.fixture(scope="session")
def real_data(shared_data):
    """Real verdicts by name, lengths kept as they are; read once a session."""
    known = {}

    def read(name):
        if name not in known:
            kind = "human" if name.endswith("_human") else "llm"
            known[name] = bj.read(shared_data(name), kind=kind, missing_length="keep")
        return known[name]

    return read


@pytest.fixture(scope="session")
def panel():
    """The synthetic example panel."""
    return bj.example_panel()


@pytest.fixture(scope="session")
def panel_mode(panel):
    """The paper's J+P on the example panel."""
    return bj.mode(bj.models.sensitivity, panel)


@pytest.fixture(scope="session")
def panel_posterior(panel):
    """The pooled sibling's posterior on the example panel."""
    return bj.nuts(bj.models.sensitivity_pooled, panel, seed=1, progress=False)


MAPS = Path("/proc/self/maps")
MOST_MAPS = 45_000  # of 65,530 that Linux allows a process; beyond, a compilation dies


@pytest.fixture(autouse=True)
def _few_compiled_programs(request):
    """Forget compiled code before a process has more of it than the system maps.

    Every program that is compiled maps memory, and all tests run in one process.
    """
    yield
    own = request.config.stash
    own[TESTS] = own.get(TESTS, 0) + 1
    if own[TESTS] % 25 == 0 and MAPS.exists() and MAPS.read_bytes().count(b"\n") > MOST_MAPS:
        jax.clear_caches()


TESTS = pytest.StashKey[int]()
