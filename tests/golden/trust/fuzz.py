"""Fuzzed tables, 10,000 by default: a result with marks, or a named error.

Run ``python tests/golden/trust/fuzz.py [SEED ...]``. Writes ``fuzz.json`` beside this file: how
often each step ended in an answer or in which error, and faults, which there must not be. With
seeds, adds their tables to what is stored; without, runs all seeds anew. The tables and what must
hold of them: ``tests/cases/fuzzed_tables.py``.
"""

import json
import sys
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import jax
from hypothesis import HealthCheck, Phase, given, seed, settings

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "cases"))

from fuzzed_tables import outcomes, tables  # noqa: E402

SEEDS, EACH = range(20), 500
PACKAGES = ("bayesjudge", "hypothesis", "jax", "numpy", "pandas")


def outcomes_of(number):
    """Count what comes of a seed's tables."""
    said, tried = Counter(), []

    @seed(number)
    @settings(
        max_examples=EACH,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(tables())
    def run(case):
        tried.append(case)
        said.update(outcomes(case))

    run()
    jax.clear_caches()  # every compiled program maps memory, of which a process has a limit
    return said, len(tried)


def store(number, said, size, seconds):
    file = HERE / "fuzz.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    known["seeds"] = sorted({*known.get("seeds", []), number})
    known["tables"] = known.get("tables", 0) + size
    known["seconds"] = known.get("seconds", 0) + round(seconds)
    known["answers"] = known.get("answers", 0) + said.pop("answer", 0)
    for kind in ("error", "fault"):
        counts = Counter(known.get(f"{kind}s", {}))
        counts.update({one: times for one, times in said.items() if one.startswith(kind)})
        known[f"{kind}s"] = dict(counts.most_common())
    known["command"] = "python tests/golden/trust/fuzz.py"
    known["versions"] = {package: version(package) for package in PACKAGES}
    file.write_text(json.dumps(known, indent=1) + "\n")


def main(*seeds):
    if not seeds:
        (HERE / "fuzz.json").unlink(missing_ok=True)
    for number in map(int, seeds or SEEDS):
        start = time.perf_counter()
        said, size = outcomes_of(number)
        store(number, said, size, time.perf_counter() - start)
        print(
            number, size, {one: n for one, n in said.items() if one.startswith("fault")}, flush=True
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
