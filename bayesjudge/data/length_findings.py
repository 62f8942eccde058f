"""Findings on the lengths of answers."""

import numpy as np

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.findings import Finding
from bayesjudge.data.names import row_listing


def length_findings(data: Comparisons) -> list[Finding]:
    """Say whether lengths are complete, and whether they differ at all.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    list of Finding
        One finding; none where no lengths were read.
    """
    if data.length_first is None or data.length_second is None:
        return []
    missing = np.isnan(data.length_first) | np.isnan(data.length_second)
    details = {"missing": int(missing.sum())}
    if missing.any():
        sentence = (
            f"A length is missing in {row_listing(missing, data.source_row)}: programs with a "
            "length effect refuse them, so read with missing_length='drop' for those."
        )
        return [Finding("lengths", "warning", sentence, details)]
    if (data.length_first == data.length_second).all():
        sentence = (
            "The two answers are equally long in every row: a length effect is not identified."
        )
        return [Finding("lengths", "warning", sentence, details)]
    return [Finding("lengths", "fine", "Every answer has a length.", details)]
