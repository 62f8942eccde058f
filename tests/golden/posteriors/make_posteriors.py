"""Golden posteriors of the real data sets, by NumPyro's own sampler instead of ours.

Run ``python tests/golden/posteriors/make_posteriors.py SHARED_DATA_FOLDER``. Writes one JSON a data
set beside this file: posterior mean, standard deviation and Monte Carlo error of every quantity,
with sampler arguments, diagnostics and versions. Takes about ten minutes on two cores.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import jax
import numpy as np
from arviz_stats.base import array_stats
from numpyro.infer import MCMC, NUTS

import bayesjudge as bj

CASES = {
    "mtbench": "sensitivity_pooled",
    "chatbot_arena": "sensitivity_pooled",
    "ultrafeedback": "sensitivity_pooled",
}
SETTINGS = {"num_warmup": 1000, "num_samples": 4000, "num_chains": 8}
TARGET, SEED = 0.9, 20260


def sample(model, layout):
    kernel = NUTS(model, target_accept_prob=TARGET)
    chains = MCMC(kernel, chain_method="sequential", progress_bar=False, **SETTINGS)
    chains.run(jax.random.key(SEED), layout)
    draws = chains.get_samples(group_by_chain=True)
    return draws, int(chains.get_extra_fields()["diverging"].sum())


def summary(draws):
    axes = {"chain_axis": 0, "draw_axis": 1}
    return {
        "mean": draws.mean((0, 1)).tolist(),
        "sd": draws.std((0, 1)).tolist(),
        "mcse": (
            draws.std((0, 1)) / np.sqrt(array_stats.ess(draws, method="mean", **axes))
        ).tolist(),
        "r_hat": float(array_stats.rhat(draws, **axes).max()),
        "ess_bulk": float(array_stats.ess(draws, method="bulk", **axes).min()),
    }


def main(folder):
    for name, model in CASES.items():
        data = bj.read(Path(folder) / f"{name}.csv.gz", missing_length="keep")
        with jax.enable_x64(True):
            draws, divergences = sample(getattr(bj.models, model), bj.design(data).layout)
        wanted = ("score", "sensitivity", "position")
        content = {
            "data": name,
            "program": model,
            "sampler": {"driver": "numpyro.infer.MCMC", "target": TARGET, "seed": SEED, **SETTINGS},
            "divergences": divergences,
            "versions": {pkg: version(pkg) for pkg in ("numpyro", "jax", "arviz", "numpy")},
            "quantities": {key: summary(np.asarray(draws[key])) for key in wanted},
        }
        target = Path(__file__).with_name(f"{name}.json")
        target.write_text(json.dumps(content, indent=1) + "\n")
        print(name, divergences, {k: v["r_hat"] for k, v in content["quantities"].items()})


if __name__ == "__main__":
    main(sys.argv[1])
