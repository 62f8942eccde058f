"""Each item of MT-Bench and Vicuna-80 in turn as if it were new, against the votes on it.

Run ``python tests/golden/anchor_real/make_leave_one_out.py DATA_FOLDER``. Writes beside this file
``NAME.csv`` (items by methods), ``summary.csv`` and ``run.json`` (seed, versions, seconds). The
feature is the log ratio of the answers' lengths; Vicuna-80, shown in both orders, has a position
term besides. Rows of MT-Bench without lengths are left out.
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pandas as pd

import bayesjudge as bj
from bayesjudge.designs.terms import log_length_ratio
from bayesjudge.studies.anchor.leave_one_item_out import leave_one_item_out, summarised
from bayesjudge.studies.runner.records import PACKAGES

HERE, SEED = Path(__file__).parent, 1
TERMS = {"mtbench": (), "vicuna80": ("position",)}


def laid_out(folder, name):
    judges = bj.read(folder / f"{name}.csv.gz", kind="llm", missing_length="drop")
    votes = bj.read(folder / f"{name}_human.csv.gz", kind="human", missing_length="keep")
    items = tuple(sorted({*judges.items, *votes.items}))
    contrasts = {"log_length": log_length_ratio(judges)}
    return bj.new_items.features(judges, contrasts, TERMS[name], items=items), votes


def main(folder):
    start, summaries = time.perf_counter(), []
    for name in TERMS:
        table = leave_one_item_out(*laid_out(Path(folder), name), seed=SEED)
        table.to_csv(HERE / f"{name}.csv", index=False, float_format="%.6g")
        summaries.append(summarised(table).assign(data=name))
    summary = pd.concat(summaries, ignore_index=True)
    summary.to_csv(HERE / "summary.csv", index=False, float_format="%.6g")
    content = {
        "command": "python tests/golden/anchor_real/make_leave_one_out.py DATA_FOLDER",
        "seed": SEED,
        "seconds": round(time.perf_counter() - start, 1),
        "versions": {name: version(name) for name in PACKAGES},
    }
    (HERE / "run.json").write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
