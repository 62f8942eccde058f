"""The stored counts as the tables of the documentation (``docs/trust.md``).

Run ``python tests/cases/trust_tables.py`` to print them.
"""

from pathlib import Path

import pandas as pd

GOLDEN = Path(__file__).parents[1] / "golden" / "trust"
FITS = ("signed mode", "pooled posterior", "published form")


def corner_lines():
    """One line a corner: by fit the data sets, the scores left unmarked, and those that miss."""
    table = pd.read_csv(GOLDEN / "corners.csv").set_index(["corner", "fit"])
    for corner in dict.fromkeys(table.index.get_level_values("corner")):
        cells = [shares(table, corner, fit) for fit in FITS]
        yield f"| {' | '.join([corner, *cells])} |"


def shares(table, corner, fit):
    if (corner, fit) not in table.index:
        return "not run"
    row = table.loc[corner, fit]
    unmarked = f"{100 * row['unmarked'] / row['all']:.0f} %"
    missed = f", {100 * row['missed'] / row['unmarked']:.1f} % missed" if row["unmarked"] else ""
    return f"{row['sets'] - row['unconverged']}: {unmarked}{missed}"


def settled_lines():
    """One line a data set and fit: how many scores and win probabilities are marked."""
    for row in pd.read_csv(GOLDEN / "well_behaved.csv").itertuples():
        counts = [
            f"{row.scores_marked} of {row.scores:,}",
            f"{row.probabilities_marked} of {row.probabilities:,}",
        ]
        name = row.data if row.sets == 1 else f"{row.data}, {row.sets} panels"
        yield f"| {' | '.join([name, row.fit, *counts])} |"


if __name__ == "__main__":
    print(*corner_lines(), "", *settled_lines(), sep="\n")
