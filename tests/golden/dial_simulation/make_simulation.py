"""The simulations of the DIAL paper, 50 replications of each design; minutes on two cores.

Run ``python tests/golden/dial_simulation/make_simulation.py``.
"""

import json
import time
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from bayesjudge.studies.dial.simulation import DESIGNS, dial_simulation
from bayesjudge.studies.runner.runner import run_study

HERE = Path(__file__).parent
REPLICATIONS, SEED = 50, 2609
PACKAGES = ("bayesjudge", "jax", "numpyro", "numpy", "scipy", "scikit-learn")


def run(figure):
    start = time.perf_counter()
    result = run_study(dial_simulation(figure), REPLICATIONS, seed=SEED, n_jobs=2, progress=False)
    table = pd.DataFrame(result.table()).assign(figure=figure)
    seconds = time.perf_counter() - start
    print(figure, round(seconds), flush=True)
    return table, seconds


def main():
    tables, seconds = [], {}
    for figure in DESIGNS:
        table, seconds[figure] = run(figure)
        tables.append(table)
        so_far = pd.concat(tables, ignore_index=True)
        so_far.to_csv(HERE / "table.csv", index=False, float_format="%.6g")
    about = {
        "replications": REPLICATIONS,
        "seed": SEED,
        "seconds": {figure: round(value, 1) for figure, value in seconds.items()},
        "versions": {name: version(name) for name in PACKAGES},
    }
    (HERE / "run.json").write_text(json.dumps(about, indent=2) + "\n")


if __name__ == "__main__":
    main()
