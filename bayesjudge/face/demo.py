"""The command `bayesjudge demo`: the embedded synthetic panel, whose truth is known."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from rich.console import Console

import bayesjudge as bj
from bayesjudge.data.synthetic import EXAMPLE_SEED
from bayesjudge.face.document import ranking_document
from bayesjudge.face.fits import Choice, fit_judges
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.outputs import open_folder, write_all, written
from bayesjudge.face.ranking_screen import show_judges, show_ranking
from bayesjudge.face.report import JudgesReport, report_judges
from bayesjudge.face.screen import (
    heading,
    paragraph,
    show_files,
    show_findings,
    show_inputs,
    tell,
)

ABOUT = (
    "These verdicts are synthetic: drawn by the generator of OSCAR (arXiv 2609.24128), Appendix "
    f"G.1, with seed {EXAMPLE_SEED}. Five judges compare eight invented items; they prefer one "
    "slot, longer answers and their own family, and err together on a prompt. The truth is known "
    "and stands beside the estimates."
)
TERMS = (
    "The fitted programs hold each judge's position, length and family effects: bj.design(panel, "
    'terms=("position", "length", "family"), families=bj.panel_families()).'
)


def demo(console: Console, out: Path) -> None:
    """Rank the synthetic panel, beside its truth.

    Parameters
    ----------
    console : rich.console.Console
        Where results are shown.
    out : pathlib.Path
        Folder for the files.

    Raises
    ------
    UnwritableFolderError
        If the folder cannot be written to.
    """
    folder, panel, choice = open_folder(out), bj.example_panel(), Choice()
    inputs, diagnosis = Inputs(panel), bj.diagnose(panel)
    heading(console, "A synthetic panel of judges")
    paragraph(console, ABOUT)
    show_inputs(console, inputs)
    show_findings(console, diagnosis)
    judges = report_judges(fit_judges(_design(panel), choice, tell))
    show_ranking(console, judges, true_scores())
    for sentence in (*held_sentences(judges, true_scores()), TERMS):
        paragraph(console, sentence)
    show_judges(console, judges, true_judges())
    tell("Writing files and drawing figures.")
    write_all(folder, judges, None, ranking_document(inputs, diagnosis, choice, judges, None))
    show_files(console, folder, written(judges, None))


def true_scores() -> dict[str, float]:
    """Give the true scores of the items.

    Returns
    -------
    dict of str to float
        Log-odds of an average judge.

    Examples
    --------
    >>> round(true_scores()["rowan"], 3)
    0.891
    """
    truth = bj.panel_truth()
    scores = truth.sensitivity.mean() * truth.score
    return dict(zip(bj.example_panel().items, map(float, scores), strict=True))


def held_sentences(judges: JudgesReport, truth: Mapping[str, float]) -> list[str]:
    """Count the true scores that each method's intervals hold.

    Parameters
    ----------
    judges : JudgesReport
        With the rankings.
    truth : mapping of str to float
        True scores by item, in log-odds.

    Returns
    -------
    list of str
        A sentence a method.
    """
    sentences = []
    for method, table in judges.ranking.items():
        true = table["item"].map(truth)
        held = int(((table["lower"] <= true) & (true <= table["upper"])).sum())
        sentences.append(
            f"{method.capitalize()}: {held} of {len(table)} intervals hold the true score."
        )
    return sentences


def true_judges() -> dict[str, list[float]]:
    """Give what is true of the judges, in their order.

    Returns
    -------
    dict of str to list of float
        ``scaled_sensitivity`` in log-odds per standard deviation of scores, and
        ``net_first_preference`` as a difference of probabilities.

    Examples
    --------
    >>> [round(value, 2) for value in true_judges()["net_first_preference"]]
    [0.42, -0.34, 0.24, 0.46, -0.2]
    """
    truth = bj.panel_truth()
    spread = np.sqrt(np.mean(truth.score**2))
    return {
        "scaled_sensitivity": list(map(float, truth.sensitivity * spread)),
        "net_first_preference": list(map(float, np.tanh(truth.position / 2))),
    }


def _design(panel: "bj.Comparisons") -> "bj.Design":
    families = bj.panel_families()
    return bj.design(panel, terms=("position", "length", "family"), families=families)
