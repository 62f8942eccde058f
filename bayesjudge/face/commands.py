"""The commands `bayesjudge demo`, `diagnose` and `rank`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import bayesjudge as bj
from bayesjudge.data.synthetic import EXAMPLE_SEED
from bayesjudge.face.document import diagnosis_document, ranking_document
from bayesjudge.face.fits import Choice, Fits, fit_judges
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.outputs import open_folder, write_all, written
from bayesjudge.face.ranking_screen import show_humans, show_judges, show_ranking
from bayesjudge.face.report import JudgesReport, report_humans, report_judges
from bayesjudge.face.screen import (
    heading,
    paragraph,
    show_files,
    show_findings,
    show_inputs,
    tell,
    warn,
)

if TYPE_CHECKING:
    from bayesjudge.diagnosis.findings import Diagnosis


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


def diagnose(console: Console, inputs: Inputs) -> dict[str, Any]:
    """Diagnose one table or two.

    Parameters
    ----------
    console : rich.console.Console
        Where findings are shown.
    inputs : Inputs
        The verdicts.

    Returns
    -------
    dict
        The same, ready for JSON.
    """
    diagnosis = bj.diagnose(*inputs.tables.values())
    show_inputs(console, inputs)
    show_findings(console, diagnosis)
    return diagnosis_document(inputs, diagnosis)


LENGTHS = (
    "Lengths are kept, and missing ones too, because the programs of this command do not use them; "
    'in Python bj.design(data, terms=("position", "length")) does.'
)


TIES = (
    "Here a tie counts as half a win for each side; with --ties davidson ties are an outcome of "
    "their own, which suits judges who tie often."
)


def rank(console: Console, inputs: Inputs, choice: Choice, out: Path) -> dict[str, Any]:
    """Rank the items of one or two tables, and write everything into a folder.

    Parameters
    ----------
    console : rich.console.Console
        Where results are shown.
    inputs : Inputs
        The verdicts.
    choice : Choice
        Program, ties and seed.
    out : pathlib.Path
        The folder.

    Returns
    -------
    dict
        The document that also lies in report.json.

    Raises
    ------
    BayesjudgeError
        If the folder cannot be written to, or no fit can be had.
    """
    folder = open_folder(out)
    diagnosis = _show_data(console, inputs, choice)
    fits = fit_judges(inputs.judges, choice, tell)
    judges = report_judges(fits)
    humans = report_humans(inputs.humans, fits, choice, tell) if inputs.humans else None
    show_ranking(console, judges)
    show_judges(console, judges)
    if humans:
        show_humans(console, humans, judges)
    document = ranking_document(inputs, diagnosis, choice, judges, humans)
    tell("Writing files and drawing figures.")
    write_all(folder, judges, humans, document)
    show_files(console, folder, written(judges, humans))
    _warn_without_posterior(fits, *([humans.fits] if humans else []))
    return document


def _warn_without_posterior(*fits: Fits) -> None:
    for each in fits:
        if each.posterior is None:
            warn(each.notes[0])


def _show_data(console: Console, inputs: Inputs, choice: Choice) -> "Diagnosis":
    diagnosis = bj.diagnose(*inputs.tables.values())
    show_inputs(console, inputs)
    if any(table.length_first is not None for table in inputs.tables.values()):
        paragraph(console, LENGTHS)
    at_stake = at_stake_in_ranking(diagnosis)
    show_findings(console, at_stake, levels=("problem", "warning"))
    if choice.ties == "half" and any(one.level == "warning" for one in at_stake.on("ties")):
        heading(console, "Ties")
        paragraph(console, TIES)
    return diagnosis


def at_stake_in_ranking(diagnosis: "Diagnosis") -> "Diagnosis":
    """Leave out findings about what a ranking does not use.

    Parameters
    ----------
    diagnosis : Diagnosis
        Of judges, and perhaps humans.

    Returns
    -------
    Diagnosis
        Without lengths; and without clusters of humans, who have no sandwich here.
    """
    judges = diagnosis.about()[0]
    kept = [
        one
        for one in diagnosis.findings
        if one.topic != "lengths" and (one.topic != "clusters" or one.about == judges)
    ]
    return replace(diagnosis, findings=tuple(kept))
