"""Units of the quantities, and numbers of verdicts."""

import numpy as np

from bayesjudge.core.arrays import FloatArray, IntArray

AVERAGE = "an average judge"
SCORERS = {  # whose preference a score is about
    "score": AVERAGE,
    "human_score": "a human",
    "new_score_spread": "a human",
    "reference_score": "the reference judge",
    "judge_score": "the judge",
}
UNITS = {
    **{quantity: f"log-odds of {scorer}" for quantity, scorer in SCORERS.items()},
    "consensus": "standard deviations",
    "loading": "log-odds per standard deviation of the consensus",
    "disagreement": "log-odds",
    "misalignment": "log-odds",
    "position": "log-odds",
    "length": "log-odds per unit of log length ratio",
    "family": "log-odds",
    "tie": "log-odds",
    "sensitivity": "relative sensitivity",
    "scaled_sensitivity": "log-odds per standard deviation of scores",
    "net_first_preference": "difference of probabilities",
}


def unit_of(quantity: str, rater: str = "judge") -> str:
    """Return the unit of a quantity."""
    unit = UNITS.get(quantity, f"unit of {quantity}")
    return unit.replace(AVERAGE, f"an average {rater}")


def scorer_of(quantity: str, rater: str = "judge") -> str:
    """Return whose preference a score is about."""
    return SCORERS.get(quantity, AVERAGE).replace(AVERAGE, f"an average {rater}")


def whole_numbers(counts: FloatArray) -> FloatArray | IntArray:
    """Return counts as integers where all of them are whole."""
    whole = np.round(counts)
    return whole.astype(np.int64) if np.array_equal(whole, counts) else counts
