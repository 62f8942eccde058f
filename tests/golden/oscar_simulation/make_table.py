"""The simulation of the OSCAR paper in full: 100 replications of seven settings, seven models.

Run ``python tests/golden/oscar_simulation/make_table.py [FOLDER]``. Writes beside this file
``table.csv`` (means with Monte Carlo errors), ``published.csv`` (the paper's numbers, this run's
and their distance in Monte Carlo errors) and ``run.json`` (seed, versions, times). FOLDER keeps
finished replications, so that an interrupted run goes on. Takes minutes on two cores.
"""

import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import joblib

from bayesjudge.studies.order.oscar_published import compare_published
from bayesjudge.studies.order.oscar_simulation import oscar_simulation
from bayesjudge.studies.runner.records import PACKAGES
from bayesjudge.studies.runner.runner import run_study

HERE = Path(__file__).parent
REPLICATIONS, SEED, WORKERS, BACKEND = 100, 7, 2, "threading"


def run(study, folder):
    with joblib.parallel_config(BACKEND, n_jobs=WORKERS):
        return run_study(study, REPLICATIONS, seed=SEED, folder=folder)


def seconds(study, folder):
    """Wall and CPU seconds of each setting, all of its models."""
    found = []
    for setting in study.settings:
        wall, cpu = time.perf_counter(), time.process_time()
        run(replace(study, settings=[setting]), folder)
        times = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
        found.append(setting | {name: round(value, 1) for name, value in times.items()})
        print(found[-1], flush=True)
    return found


def main(folder=None):
    study = oscar_simulation()
    folder = folder or tempfile.mkdtemp()
    spent = seconds(study, folder)
    result = run(study, folder)
    result.table().to_csv(HERE / "table.csv", index=False, float_format="%.10g")
    compared = compare_published(result)
    compared.to_csv(HERE / "published.csv", index=False, float_format="%.6g")
    content = {
        "command": "python tests/golden/oscar_simulation/make_table.py",
        "replications": REPLICATIONS,
        "seed": SEED,
        "workers": f"{WORKERS}, {BACKEND}",
        "cores": os.cpu_count(),
        "seconds": spent,
        "failures": len(result.failures),
        "largest_z": float(compared["z"].abs().max()),
        "versions": {name: version(name) for name in PACKAGES},
    }
    (HERE / "run.json").write_text(json.dumps(content, indent=1) + "\n")
    print(compared.to_string())


if __name__ == "__main__":
    main(*sys.argv[1:])
