"""The OSCAR paper's comparison with human votes on MT-Bench (Section 6.4, Table F1).

Run ``python tests/golden/oscar/make_human_votes.py SHARED_DATA_FOLDER [REPLICATIONS]``. Writes
``human_votes.json``: rank correlations with the human reference; human-vote log loss by seed of the
folds; the prompt bootstrap of the first seed. J and J+P see all judgments; OSCAR's length term is
not known in 24 of them, which it is fitted without.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

import bayesjudge as bj
from bayesjudge.studies.prediction.human_votes import human_vote_prediction
from bayesjudge.studies.prediction.resamples import human_vote_bootstrap

MODELS = {"J": (), "J+P": ("position",), "OSCAR": ("position", "length", "family")}
PAPER = {  # Table F1
    "J": (0.5687, 0.5334, 0.5988),
    "J+P": (0.5604, 0.5282, 0.5912),
    "OSCAR": (0.5606, 0.5285, 0.5920),
    "J - J+P": (0.0083, 0.0022, 0.0140),
}
SEEDS = range(1, 21)
PACKAGES = ("numpyro", "jax", "numpy", "scipy", "joblib")


def contenders(folder):
    path = folder / "mtbench.csv.gz"
    whole = bj.read(path, missing_length="keep")
    measured = bj.read(path, missing_length="drop")
    reference = next(judge for judge in whole.judges if "Qwen3-235B" in judge)
    return {
        name: (
            bj.models.sensitivity,
            bj.design(measured if "length" in terms else whole, terms, reference_judge=reference),
        )
        for name, terms in MODELS.items()
    }


def rows(table):
    return json.loads(table.to_json(orient="records", double_precision=12))


def ranking(name, fit, humans_fit):
    """Rank correlations with the human reference, and the item that is placed first."""
    table = bj.agreement(fit, humans_fit).set_index("measure")
    scores, people = (each.quantity("score").to_series() for each in (fit, humans_fit))
    return {
        "model": name,
        "spearman": table.loc["Spearman's rho", "estimate"],
        "kendall": table.loc["Kendall's tau-b", "estimate"],
        "first": scores.idxmax(),
        "same": bool((scores.rank() == people.rank()).all()),
        "items": len(people),
    }


def main(folder, replications):
    votes = bj.read(folder / "mtbench_human.csv.gz", kind="human", missing_length="keep")
    programs = contenders(folder)
    fits = {name: bj.mode(*each) for name, each in programs.items()}
    reference = bj.mode(bj.models.bradley_terry, bj.design(votes, terms=()))
    rankings = [ranking(name, fit, reference) for name, fit in fits.items()]
    losses = [human_vote_prediction(fits, votes, seed=seed).log_loss for seed in SEEDS]
    found = human_vote_bootstrap(programs, votes, replications=replications, seed=1, n_jobs=2)
    content = {
        "votes": votes.n_rows,
        "judgments": {name: design.data.n_rows for name, (_, design) in programs.items()},
        "ranking": rankings,
        "seeds": list(SEEDS),
        "log_loss": {name: [each[name] for each in losses] for name in MODELS},
        "bootstrap": {
            "seed": 1,
            "replications": replications,
            "failures": list(found.failures),
            "log_loss": rows(found.table()),
            "difference": rows(found.difference_table(("J", "J+P"), ("J+P", "OSCAR"))),
            "seconds_a_replication": round(found.seconds, 2),
        },
        "paper": PAPER,
        "versions": {pkg: version(pkg) for pkg in PACKAGES},
    }
    Path(__file__).with_name("human_votes.json").write_text(json.dumps(content, indent=1) + "\n")
    print(*rankings, sep="\n")
    for name in MODELS:
        values = content["log_loss"][name]
        print(f"{name:6} {np.mean(values):.4f} +- {np.std(values, ddof=1):.4f}", PAPER[name])
    print(found.table(), found.difference_table(("J", "J+P")), found.seconds, sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
