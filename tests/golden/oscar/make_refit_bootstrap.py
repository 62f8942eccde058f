"""Paired refit bootstrap of held-out losses on the paper's data sets (Table E2).

Run ``python tests/golden/oscar/make_refit_bootstrap.py DATA_FOLDER SET REPLICATIONS``. Writes
``refit_bootstrap_SET.json``. Folds have seed 1; models whose columns the data set lacks are left
out; rows without a length are left out for all models.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from make_held_out import PACKAGES, contenders, measured

import bayesjudge as bj
from bayesjudge.studies.prediction.folds import prompt_folds
from bayesjudge.studies.prediction.resamples import refit_bootstrap

PAIRS = (("J", "J+P"), ("J+P", "J+F"), ("J+P", "OSCAR"), ("BT+PLF", "OSCAR"))
PAPER = {  # Table E2
    "ultrafeedback": {"J+P - OSCAR": (0.0047, -0.0010, 0.0057)},
    "mtbench": {
        "J+P - OSCAR": (0.0003, -0.0118, 0.0009),
        "BT+PLF - OSCAR": (0.0136, 0.0044, 0.0178),
    },
    "chatbot_arena": {"J+P - OSCAR": (0.0070, 0.0031, 0.0095)},
}


def main(folder, name, replications):
    data = bj.read(folder / f"{name}.csv.gz", missing_length="drop")
    wanted = {model for pair in PAIRS for model in pair}
    models = {model: spec for model, spec in measured(name, data).items() if model in wanted}
    programs = contenders(data, models)
    found = refit_bootstrap(
        programs, prompt_folds(data, seed=1), replications=replications, seed=1, n_jobs=2
    )
    pairs = [pair for pair in PAIRS if set(pair) <= set(models)]
    table = found.difference_table(*pairs)
    content = {
        "data": name,
        "rows": data.n_rows,
        "replications": replications,
        "failures": list(found.failures),
        "difference": json.loads(table.to_json(orient="records", double_precision=12)),
        "paper": PAPER[name],
        "seconds_a_replication": round(found.seconds, 2),
        "versions": {pkg: version(pkg) for pkg in (*PACKAGES, "joblib")},
    }
    target = Path(__file__).with_name(f"refit_bootstrap_{name}.json")
    target.write_text(json.dumps(content, indent=1) + "\n")
    print(table, found.seconds, sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
