"""Do marks cry wolf where verdicts settle the question? Real judge sets and 200 synthetic panels.

Run ``python tests/golden/trust/make_well_behaved.py SHARED_DATA_FOLDER [PANELS]``. Writes
``well_behaved.csv`` (marks of scores and win probabilities, of which none is right there),
``true_marks.csv`` (the marks and cautions of judges on the real sets) and ``well_behaved.json``.
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

import bayesjudge as bj
from bayesjudge.fits.estimate import read_meta

HERE = Path(__file__).parent
REAL = ("mtbench", "chatbot_arena", "ultrafeedback", "vicuna80")
PANELS, PROMPTS = 200, 400
SHORT = {"chains": 2, "warmup": 300, "draws": 500}
PACKAGES = ("bayesjudge", "numpyro", "jax", "numpy", "scipy", "arviz")


def mode_of(program):
    return lambda data, _seed, **_: bj.mode(program, data).covariance()


def posterior(data, seed, **length):
    return bj.nuts(
        bj.models.sensitivity_pooled, data, seed=seed, progress=False, check=False, **length
    )


FITS = {
    "signed mode": mode_of(bj.models.signed_sensitivity),
    "published form": mode_of(bj.models.sensitivity),
    "pooled posterior": posterior,
}


def marks(table):
    return table["mark"].to_numpy(str) if "mark" in table else np.full(len(table), "")


def counted(fit):
    """Count the marks of scores and of win probabilities."""
    ranks, won = bj.rank_table(fit), bj.win_probability(fit)
    upper = np.triu_indices(len(ranks), k=1)
    return {
        "scores": len(ranks),
        "scores_marked": int((marks(ranks) != "").sum()),
        "probabilities": len(upper[0]),
        "probabilities_marked": int(won["rests_on_prior"].values[upper].sum()),
    }


def true_marks(name, label, fit):
    """List the marks of judges, and the ratio of errors where a caution travels with the fit."""
    judges = bj.judge_table(fit)
    for judge, mark in zip(judges["judge"], marks(judges), strict=True):
        if mark:
            yield {"data": name, "fit": label, "judge": judge, "mark": mark}
    facts = read_meta(fit) if label == "pooled posterior" else {}
    ratio = facts.get("error_ratio", {}).get("score", 1.0)
    if ratio > 1.25:
        yield {"data": name, "fit": label, "judge": "", "mark": f"caution, ratio {ratio:.2f}"}


def main(folder, panels=PANELS):
    rows, listed, start = [], [], time.perf_counter()
    for name in REAL:
        data = bj.read(Path(folder) / f"{name}.csv.gz", missing_length="keep")
        for label, made in FITS.items():
            fit = made(data, 1)
            rows.append({"data": name, "fit": label, "sets": 1, **counted(fit)})
            listed += true_marks(name, label, fit)
            print(rows[-1], flush=True)
    for label, made in FITS.items():
        counts = [
            counted(made(bj.synthetic_panel(PROMPTS, seed=number), number, **SHORT))
            for number in range(int(panels))
        ]
        total = pd.DataFrame(counts).sum().to_dict()
        rows.append({"data": "OSCAR generator", "fit": label, "sets": len(counts), **total})
        print(rows[-1], flush=True)
    pd.DataFrame(rows).to_csv(HERE / "well_behaved.csv", index=False)
    pd.DataFrame(listed).to_csv(HERE / "true_marks.csv", index=False)
    about = {
        "command": "python tests/golden/trust/make_well_behaved.py SHARED_DATA_FOLDER",
        "seeds": [0, int(panels) - 1],
        "prompts": PROMPTS,
        "sampler": {"real": "the package's default, seed 1", "panels": SHORT},
        "versions": {package: version(package) for package in PACKAGES},
        "seconds": round(time.perf_counter() - start),
    }
    (HERE / "well_behaved.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
