"""Units of the quantities, and numbers of verdicts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

UNITS = {
    "score": "log-odds of an average judge",
    "human_score": "log-odds of a human",
    "new_score_spread": "log-odds of a human",
    "reference_score": "log-odds of the reference judge",
    "judge_score": "log-odds of the judge",
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
    """Give the unit of a quantity.

    Parameters
    ----------
    quantity : str
        Its name.
    rater : {"judge", "person"}
        Whose scores they are.

    Returns
    -------
    str
        In words; the quantity's own name where no unit is known.
    """
    unit = UNITS.get(quantity, f"unit of {quantity}")
    return unit.replace("an average judge", f"an average {rater}")


def whole_numbers(counts: NDArray[np.float64]) -> NDArray[Any]:
    """Give counts as integers where all of them are whole.

    Parameters
    ----------
    counts : ndarray, shape (n,)
        Weighted counts.

    Returns
    -------
    ndarray, shape (n,)
        Integers, or the counts as given.
    """
    whole = np.round(counts)
    return whole.astype(np.int64) if np.array_equal(whole, counts) else counts
