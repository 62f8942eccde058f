"""Units of the quantities, in words."""

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
