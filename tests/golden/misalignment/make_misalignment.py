"""Excess human risk of the adaptive weight and of its Bayesian counterpart, where truth is known.

Run ``python tests/golden/misalignment/make_misalignment.py``; about a quarter of an hour.
"""

import json
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

import bayesjudge as bj
from bayesjudge.studies.dial.panel import DialSettings, dial_panel

HERE = Path(__file__).parent
REPLICATIONS, SEED = 20, 100
PROGRAMS = {"exact": "calibrated_pooled", "misalignment": "misaligned_pooled"}
SAMPLER = {"chains": 2, "warmup": 400, "draws": 600}
MULTIPLES = np.logspace(1, -1, 7)
BASE = DialSettings()
DESIGNS = [
    *(("aligned", replace(BASE, votes=n)) for n in (100, 400, 1600)),
    *(("misaligned", replace(BASE, votes=n, misalignment=0.5)) for n in (100, 400, 1600)),
    *(
        ("overdispersed", replace(BASE, verdicts=n, overdispersion=1.0))
        for n in (400, 3200, 12_800)
    ),
]


def coverage(draws, truth):
    i, j = np.triu_indices(len(truth), k=1)
    low, high = np.quantile(draws[:, i] - draws[:, j], [0.025, 0.975], axis=0)
    gap = truth[i] - truth[j]
    return float(np.mean((low <= gap) & (gap <= high)))


def published_estimates(panel):
    joint = panel.judges.weight.sum() / panel.humans.weight.sum()
    path = bj.calibration.weight_path(
        bj.models.calibrated, panel.judges, panel.humans, weights=joint * MULTIPLES
    )
    candidates = {"human MLE": path.human_only, "DIAL-Anc": path.anchored, "GACV": path.selected}
    return {
        name: (candidate.human_score.values, np.nan)
        for name, candidate in candidates.items()
        if candidate.fit is not None
    }


def posterior_estimate(program, panel, seed):
    post = bj.nuts(
        getattr(bj.models, program),
        panel.judges,
        panel.humans,
        seed=seed,
        progress=False,
        check=False,
        **SAMPLER,
    )
    draws = post.posterior["human_score"].values.reshape(-1, panel.truth.human_score.size)
    return draws.mean(axis=0), coverage(draws, panel.truth.human_score)


def replication(name, settings, number):
    panel = dial_panel(settings, seed=SEED + number)
    estimates = published_estimates(panel)
    for label, program in PROGRAMS.items():
        estimates[label] = posterior_estimate(program, panel, number)
    for label, (score, covered) in estimates.items():
        yield {
            "design": name,
            "verdicts": settings.verdicts,
            "votes": settings.votes,
            "replication": number,
            "estimator": label,
            "excess_risk": panel.truth.excess_risk(score),
            "coverage": covered,
        }


def main():
    rows = []
    for name, settings in DESIGNS:
        for number in range(REPLICATIONS):
            rows.extend(replication(name, settings, number))
        pd.DataFrame(rows).to_csv(HERE / "replications.csv", index=False, float_format="%.6g")
        print(name, settings.votes, settings.verdicts, flush=True)
    packages = ("bayesjudge", "numpyro", "jax", "numpy")
    about = {"seed": SEED, "replications": REPLICATIONS, "sampler": SAMPLER}
    about["versions"] = {package: version(package) for package in packages}
    (HERE / "run.json").write_text(json.dumps(about, indent=2) + "\n")


if __name__ == "__main__":
    main()
