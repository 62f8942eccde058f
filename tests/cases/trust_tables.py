"""The stored counts as the tables of the documentation (``docs/trust.md``).

Run ``python tests/cases/trust_tables.py`` to print them.
"""

from pathlib import Path

import pandas as pd

GOLDEN = Path(__file__).parents[1] / "golden" / "trust"
FITS = ("signed mode", "pooled posterior", "published form")


def corner_lines():
    """One line a corner: data sets, and by fit the scores left unmarked and those that miss."""
    table = pd.read_csv(GOLDEN / "corners.csv").set_index(["corner", "fit"])
    for corner in dict.fromkeys(table.index.get_level_values("corner")):
        rows = [table.loc[corner, fit] for fit in FITS]
        cells = [cell for row in rows for cell in shares(row)]
        yield f"| {' | '.join([corner, sets(rows), *cells])} |"


def shares(row):
    unmarked = f"{100 * row['unmarked'] / row['all']:.0f} %"
    missed = f"{100 * row['missed'] / row['unmarked']:.1f} %" if row["unmarked"] else "-"
    return unmarked, missed


def sets(rows):
    """How many data sets had an answer, by fit; one number where all are equal."""
    numbers = [str(row["sets"] - row["unconverged"]) for row in rows]
    return numbers[0] if len(set(numbers)) == 1 else ", ".join(numbers)


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
