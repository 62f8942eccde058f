"""ANCHOR's simulations: default setting, bias and shift, judges' verdicts, insertion.

Run ``python tests/golden/anchor_simulation/make_table.py STUDY [FOLDER] [SETTINGS]``; STUDY is
``simulation``, ``grid``, ``precision``, ``insertion`` or ``posteriors``, SETTINGS how many of its
settings to run. Writes beside this file ``STUDY.csv`` (means, Monte Carlo errors) and
``STUDY.json`` (seed, versions, seconds). FOLDER keeps finished replications, so that an
interrupted run goes on.
"""

import json
import sys
import tempfile
import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from bayesjudge.studies.anchor.insertion import anchor_insertion
from bayesjudge.studies.anchor.simulation import (
    anchor_grid,
    anchor_posteriors,
    anchor_precision,
    anchor_simulation,
)
from bayesjudge.studies.runner.records import PACKAGES
from bayesjudge.studies.runner.runner import run_study

HERE = Path(__file__).parent
REPLICATIONS = {"simulation": 500, "posteriors": 100}  # others 200
SEED = 11
STUDIES = {
    "simulation": anchor_simulation,
    "grid": anchor_grid,
    "precision": anchor_precision,
    "insertion": anchor_insertion,
    "posteriors": anchor_posteriors,
}


def main(name, folder=None, settings=None):
    study, start = STUDIES[name](), time.perf_counter()
    study = replace(study, settings=study.settings[: int(settings or len(study.settings))])
    folder = folder or tempfile.mkdtemp()
    replications = REPLICATIONS.get(name, 200)
    result = run_study(study, replications, seed=SEED, folder=folder, progress=False)
    result.table().to_csv(HERE / f"{name}.csv", index=False, float_format="%.10g")
    content = {
        "command": f"python tests/golden/anchor_simulation/make_table.py {name}",
        "settings": len(study.settings),
        "replications": replications,
        "seed": SEED,
        "seconds": round(time.perf_counter() - start, 1),
        "versions": {package: version(package) for package in PACKAGES},
    }
    (HERE / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
