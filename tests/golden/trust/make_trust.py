"""Do unmarked intervals hold the truth where verdicts do not settle the question?

Run ``python tests/golden/trust/make_trust.py [--sets N] [--fit NAME] [CORNER ...]``. Writes one row
a corner and fit to ``corners.csv`` beside this file (other rows are kept), and to ``run.json``
seeds, versions, times and the command. Corners: ``tests/cases/trust_corners.py``; what is counted:
``tests/cases/trust_counts.py``. Takes about two hours on one core, most of them for 300 judges.
"""

import argparse
import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "cases"))

from trust_corners import COPIES, CORNERS  # noqa: E402
from trust_counts import FITS, PUBLISHED, SHORT, summed, tried  # noqa: E402

SETS, SEED = 200, 11
FEWER = {("300 judges x 3 verdicts", PUBLISHED): 20}  # half a minute a fit, and nothing is stated
PACKAGES = ("bayesjudge", "numpyro", "jax", "numpy", "scipy", "arviz")


def drawn_set(corner, number):
    """Draw one data set of a corner; the same number gives the same set."""
    return CORNERS[corner](np.random.default_rng([SEED, list(CORNERS).index(corner), number]))


def row_of(corner, fit, sets):
    """Fit every data set of a corner in one way, and count."""
    sizes = range(min(sets, FEWER.get((corner, fit), sets)))
    counts = [tried(drawn_set(corner, one), fit, one, corner in COPIES) for one in sizes]
    return {"corner": corner, "fit": fit, **summed(counts)}


def stored(name):
    return pd.read_csv(HERE / name) if (HERE / name).exists() else pd.DataFrame(columns=["corner"])


def store(row):
    """Put a row in its place in the table."""
    known = stored("corners.csv")
    if len(known):
        known = known[(known["corner"] != row["corner"]) | (known["fit"] != row["fit"])]
    table = pd.concat([known, pd.DataFrame([row])], ignore_index=True)
    orders = {"corner": list(CORNERS), "fit": list(FITS)}
    table = table.sort_values(
        ["corner", "fit"], key=lambda names: names.map(orders[names.name].index)
    )
    table = table.fillna(0).astype(dict.fromkeys(table.columns[2:], int))
    table.to_csv(HERE / "corners.csv", index=False)


def note(row, seconds):
    """Keep seeds, versions and times beside the table."""
    file = HERE / "run.json"
    content = json.loads(file.read_text()) if file.exists() else {"seconds": {}}
    content |= {
        "command": "python tests/golden/trust/make_trust.py",
        "seed": SEED,
        "sampler": SHORT,
        "then": "the package's default, where the short chains have not converged",
        "cores": os.cpu_count(),
        "versions": {name: version(name) for name in PACKAGES},
    }
    content["seconds"][f"{row['corner']}, {row['fit']}"] = seconds
    file.write_text(json.dumps(content, indent=1) + "\n")


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("corners", nargs="*", default=list(CORNERS), metavar="CORNER")
    asked.add_argument("--sets", type=int, default=SETS)
    asked.add_argument("--fit", action="append", choices=list(FITS))
    chosen = asked.parse_args()
    for corner in chosen.corners:
        for fit in chosen.fit or FITS:
            start = time.perf_counter()
            row = row_of(corner, fit, chosen.sets)
            store(row)
            note(row, round(time.perf_counter() - start))
            print(row, flush=True)


if __name__ == "__main__":
    main()
