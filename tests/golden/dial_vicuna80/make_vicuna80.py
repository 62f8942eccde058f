"""DIAL's protocols on the five judges of vicuna80 and its human votes, 50 splits each.

Four of the judges saw few pairs, so that rank one is not identified; the rank is zero.
Run ``python tests/golden/dial_vicuna80/make_vicuna80.py FOLDER`` with the folder of the data.
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pandas as pd

import bayesjudge as bj
from bayesjudge.studies.dial.protocol import dial_protocol
from bayesjudge.studies.runner.runner import run_study
from bayesjudge.studies.runner.study import grid

HERE = Path(__file__).parent
REPLICATIONS, SEED, RANK = 50, 80, 0
PLAIN = {"verdicts": [0], "swapped": [1.0], "position_judges": [0], "opposed_judges": [0]}
DESIGNS = {
    "human budget": grid(**PLAIN | {"votes": [40, 80, 160, 320, 640, 1280]}),
    "judges' budget": grid(**PLAIN | {"votes": [120], "verdicts": [250, 500, 1000, 2000]}),
    "balanced": grid(**PLAIN | {"votes": [120]}),
    "one-sided": grid(**PLAIN | {"votes": [120], "swapped": [0.05]}),
    "one-sided, 8 position judges": grid(
        **PLAIN | {"votes": [120], "swapped": [0.05], "position_judges": [8]}
    ),
    "opposed judges, 500 verdicts": grid(
        **PLAIN | {"votes": [120], "verdicts": [500], "opposed_judges": [0, 2, 4, 8]}
    ),
}


def main(folder):
    judges = bj.read(Path(folder) / "vicuna80.csv.gz", missing_length="keep")
    humans = bj.read(Path(folder) / "vicuna80_human.csv.gz", kind="human")
    tables, seconds = [], {}
    for name, settings in DESIGNS.items():
        start = time.perf_counter()
        study = dial_protocol(judges, humans, settings, rank=RANK)
        result = run_study(study, REPLICATIONS, seed=SEED, n_jobs=1, progress=False)
        seconds[name] = round(time.perf_counter() - start, 1)
        tables.append(pd.DataFrame(result.table()).assign(design=name))
        so_far = pd.concat(tables, ignore_index=True)
        so_far.to_csv(HERE / "table.csv", index=False, float_format="%.6g")
        print(name, seconds[name], flush=True)
    packages = ("bayesjudge", "jax", "numpyro", "numpy", "scipy", "scikit-learn")
    about = {"replications": REPLICATIONS, "seed": SEED, "rank": RANK, "seconds": seconds}
    about["versions"] = {package: version(package) for package in packages}
    (HERE / "run.json").write_text(json.dumps(about, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
