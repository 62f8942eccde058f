"""Write the two synthetic tables of the README, verdicts.csv and votes.csv, beside this script.

No model and no person gave these verdicts: they are drawn by the generator of OSCAR
(arXiv 2609.24128), Appendix G.1. Run it in the checkout: python docs/make_tables.py
"""

from pathlib import Path

import bayesjudge as bj

COLUMNS = ["item_first", "item_second", "verdict", "judge", "prompt"]
LENGTHS = ["length_first", "length_second"]


def verdicts():
    """Five judges with biases, who see each of 120 prompts once."""
    frame = bj.synthetic_panel(prompts=120, seed=7).to_frame()
    return frame[[*COLUMNS, *LENGTHS]].astype(dict.fromkeys(LENGTHS, int))


def votes():
    """Two unbiased people, who see each of 100 prompts of their own once."""
    frame = bj.synthetic_panel(prompts=100, seed=8, bias=0.0, dependence=0.0).to_frame()
    people = frame[frame["judge"].isin(["judge-1", "judge-2"])][COLUMNS]
    return people.assign(
        judge=people["judge"].str.replace("judge", "person"),
        prompt=people["prompt"].str.replace("prompt", "vote"),
    )


def write(folder):
    verdicts().to_csv(folder / "verdicts.csv", index=False, lineterminator="\n")
    votes().to_csv(folder / "votes.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    write(Path(__file__).parent)
