"""Held-out losses on the OSCAR paper's public data sets, as stored and as found independently."""

import json
from pathlib import Path

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.studies.prediction.folds import prompt_folds
from bayesjudge.studies.prediction.held_out import held_out

GOLDEN = Path(__file__).parents[2] / "golden" / "oscar" / "held_out.json"
STORED = json.loads(GOLDEN.read_text())["sets"]
TERMS = {"J": (), "J+P": ("position",)}
INDEPENDENT = {  # J, J+P, and how far they move with the folds
    "mtbench, all rows": (0.522, 0.438, 0.003),
    "ultrafeedback": (0.6095, 0.5058, 0.0007),
    "chatbot_arena": (0.6137, 0.5265, 0.0007),
}


@pytest.mark.parametrize("name", INDEPENDENT)
def test_stored_losses_agree_with_the_independent_ones(name):
    *expected, spread = INDEPENDENT[name]
    means = [np.mean(STORED[name]["log_loss"][model]) for model in TERMS]
    assert means == pytest.approx(expected, abs=spread)


@pytest.mark.parametrize("name", INDEPENDENT)
def test_losses_are_as_stored(real_data, name):
    data = real_data(name.split(",")[0])
    reference = next(judge for judge in data.judges if "Qwen3-235B" in judge)
    programs = {
        model: (bj.models.sensitivity, bj.design(data, terms, reference_judge=reference))
        for model, terms in TERMS.items()
    }
    found = held_out(programs, prompt_folds(data, seed=1)).log_loss
    stored = {model: STORED[name]["log_loss"][model][0] for model in TERMS}
    assert found == pytest.approx(stored, abs=1e-8)
