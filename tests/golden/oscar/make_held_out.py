"""Held-out log losses of the OSCAR paper's seven models on its public data sets.

Run ``python tests/golden/oscar/make_held_out.py SHARED_DATA_FOLDER``. Writes ``held_out.json``:
log loss by data set, model and seed of the folds, beside the paper's Table 1. Families are the
default organisations. Lengths are missing in 24 rows of MT-Bench: all seven models are compared
without them there; J and J+P are also given with all rows ("mtbench, all rows").
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import numpy as np

import bayesjudge as bj
from bayesjudge.studies.prediction.folds import prompt_folds
from bayesjudge.studies.prediction.held_out import held_out

ALL = ("position", "length", "family")
MODELS = {
    "J": ("sensitivity", ()),
    "J+P": ("sensitivity", ("position",)),
    "J+L": ("sensitivity", ("length",)),
    "J+F": ("sensitivity", ("family",)),
    "BT+PLF": ("unit_sensitivity", ALL),
    "Davidson+PLF": ("unit_sensitivity_davidson", ALL),
    "OSCAR": ("sensitivity", ALL),
}
PAPER = {  # Table 1
    "ultrafeedback": (0.6089, 0.5045, 0.6054, 0.6087, 0.5054, 0.5007, 0.4998),
    "mtbench": (0.5206, 0.4366, 0.5187, 0.5202, 0.4499, 0.4416, 0.4363),
    "chatbot_arena": (0.6147, 0.5286, 0.6086, 0.6123, 0.5365, 0.5313, 0.5217),
}
SEEDS = range(1, 11)
PACKAGES = ("numpyro", "jax", "numpy", "scipy")


def contenders(data, models):
    reference = next(judge for judge in data.judges if "Qwen3-235B" in judge)
    return {
        name: (
            getattr(bj.models, program),
            bj.design(data, terms, reference_judge=reference),
        )
        for name, (program, terms) in models.items()
    }


def without_lengths(data):
    return data.length_first is None


def measured(name, data):
    """Models that the data set's columns allow."""
    lacking = "length" if without_lengths(data) else None
    return {model: spec for model, spec in MODELS.items() if lacking not in spec[1]}


def losses(data, models):
    programs, found = contenders(data, models), []
    start = perf_counter()
    for seed in SEEDS:
        found.append(held_out(programs, prompt_folds(data, seed=seed)))
    return {
        "rows": data.n_rows,
        "prompts": data.n_prompts,
        "seconds_a_seed": round((perf_counter() - start) / len(found), 2),
        "standard_error": {m: found[0].standard_error(m) for m in models},
        "log_loss": {m: [each.log_loss[m] for each in found] for m in models},
    }


def main(folder):
    sets = {}
    for name in PAPER:
        path = Path(folder) / f"{name}.csv.gz"
        data = bj.read(path, missing_length="drop")
        sets[name] = losses(data, measured(name, data))
        sets[name]["paper"] = dict(zip(MODELS, PAPER[name], strict=True))
        show(name, sets[name])
        if data.dropped:
            whole = bj.read(path, missing_length="keep")
            key = f"{name}, all rows"
            sets[key] = losses(whole, {m: s for m, s in MODELS.items() if "length" not in s[1]})
            show(key, sets[key])
    content = {
        "folds": 3,
        "seeds": list(SEEDS),
        "versions": {pkg: version(pkg) for pkg in PACKAGES},
        "sets": sets,
    }
    Path(__file__).with_name("held_out.json").write_text(json.dumps(content, indent=1) + "\n")


def show(name, found):
    print(name, found["rows"], found["seconds_a_seed"], flush=True)
    for model, values in found["log_loss"].items():
        paper = found.get("paper", {}).get(model)
        print(f"  {model:13} {np.mean(values):.4f} +- {np.std(values, ddof=1):.4f}  paper {paper}")


if __name__ == "__main__":
    main(sys.argv[1])
