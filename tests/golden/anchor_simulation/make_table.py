"""ANCHOR's simulation: the default setting, or the whole grid of bias and shift.

Run ``python tests/golden/anchor_simulation/make_table.py [SETTINGS] [FOLDER]``. SETTINGS is
how
many of the study's settings to run, the default one first. Writes beside this file
``table.csv`` (means, Monte Carlo errors) and ``run.json`` (seed, versions, seconds).
FOLDER keeps finished replications, so that an interrupted run goes on.
"""

import json
import sys
import tempfile
import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from bayesjudge.studies.anchor_simulation import anchor_simulation
from bayesjudge.studies.records import PACKAGES
from bayesjudge.studies.runner import run_study

HERE = Path(__file__).parent
REPLICATIONS, SEED = 200, 11


def main(settings="1", folder=None):
    study, start = anchor_simulation(), time.perf_counter()
    study = replace(study, settings=study.settings[: int(settings)])
    result = run_study(study, REPLICATIONS, SEED, folder=folder or tempfile.mkdtemp())
    result.table().to_csv(HERE / "table.csv", index=False, float_format="%.10g")
    content = {
        "command": f"python tests/golden/anchor_simulation/make_table.py {settings}",
        "replications": REPLICATIONS,
        "seed": SEED,
        "seconds": round(time.perf_counter() - start, 1),
        "versions": {name: version(name) for name in PACKAGES},
    }
    (HERE / "run.json").write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
