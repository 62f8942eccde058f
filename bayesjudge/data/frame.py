"""A table of comparisons as a pandas frame."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from bayesjudge.data.comparisons import Comparisons


def comparisons_frame(data: "Comparisons") -> pd.DataFrame:
    """Write comparisons under the names that `bayesjudge.read` reads back.

    Parameters
    ----------
    data : Comparisons
        The table.

    Returns
    -------
    pandas.DataFrame
        One row per comparison.
    """
    items = np.array(data.items, dtype=object)
    columns: dict[str, object] = {
        "item_first": items[data.first],
        "item_second": items[data.second],
        "verdict": np.array(["first", "tie", "second"], dtype=object)[data.verdict],
        "judge": np.array(data.judges, dtype=object)[data.judge],
        "judge_kind": np.where(data.human, "human", "llm")[data.judge],
        "prompt": np.array(data.prompts, dtype=object)[data.prompt],
    }
    if data.length_first is not None and data.length_second is not None:
        columns |= {"length_first": data.length_first, "length_second": data.length_second}
    columns |= {"weight": data.weight, "repeat": data.repeat, "order_known": data.order_known}
    if data.outcome_detail is not None:
        columns["outcome_detail"] = list(data.outcome_detail)
    return pd.DataFrame(columns | dict(data.covariates))
